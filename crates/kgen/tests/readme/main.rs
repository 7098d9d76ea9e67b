//! The README and every page of the book: their commands are run and print what the page shows, and no block is untested.
//!
//! Commands are in `console` blocks after `$ `, each followed by its output. The commands of one page run one after another in
//! one folder that has a copy of `testdata`; `cd` goes to another one. The block after a line ``Write `FILE`:`` is written to that
//! file first. `blocks.rs` has the rules for all other blocks.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod blocks;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

use self::blocks::blocks;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut trials: Vec<Trial> = ["README.md", "crates/kgen/README.md"]
        .map(|page| page_test("commands", &root, root.join(page), run_page))
        .into();
    let mut pages: Vec<PathBuf> = fs::read_dir(root.join("docs/book/src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|page| page.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    for page in pages {
        trials.push(page_test("commands", &root, page.clone(), run_page));
        trials.push(page_test("blocks", &root, page, blocks::check_page));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Creates one test of one page.
fn page_test(what: &str, root: &Path, page: PathBuf, test: fn(&Path, &Path) -> Result<(), Failed>) -> Trial {
    let name = page.strip_prefix(root).unwrap().display().to_string();
    let root = root.to_owned();
    Trial::test(format!("{what}::{name}"), move || test(&root, &page))
}

/// A command of a page and what it prints there.
struct Session {
    command: String,
    output: String,
}

fn run_page(root: &Path, page: &Path) -> Result<(), Failed> {
    let folder = tempfile::tempdir().unwrap();
    copy(
        &root.join("testdata/quickstart"),
        &folder.path().join("testdata/quickstart"),
    );
    copy(
        &root.join("testdata/mistake"),
        &folder.path().join("testdata/mistake"),
    );
    let mut place = folder.path().to_owned();
    for block in blocks(&fs::read_to_string(page).unwrap()) {
        if let Some(file) = block.file {
            let target = place.join(file);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(target, block.whole_text(page)?).unwrap();
        }
        if block.info == "console" {
            for session in sessions(&block.text) {
                run_session(&session, &mut place)?;
            }
        }
    }
    Ok(())
}

/// Runs one command in the folder `place`, and compares its output.
fn run_session(session: &Session, place: &mut PathBuf) -> Result<(), Failed> {
    let words: Vec<_> = session.command.split_whitespace().collect();
    let arguments = match words.as_slice() {
        ["cd", to] => {
            *place = place.join(to);
            return Ok(());
        }
        ["kgen", rest @ ..] | ["cargo", "run", "-p", "kgen-cli", "--", rest @ ..] => rest,
        _ => return Err(format!("the page runs a program that is not kgen: {}", session.command).into()),
    };
    let output = Command::new(env!("CARGO_BIN_EXE_kgen"))
        .args(arguments)
        .arg("--color=never")
        .current_dir(place)
        .output()
        .unwrap();
    let found = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    if found.trim_end() == session.output.trim_end() {
        return Ok(());
    }
    let diff = similar::TextDiff::from_lines(session.output.as_str(), found.as_str());
    let text = diff.unified_diff().header("the page", "the command").to_string();
    Err(format!("$ {}\n{text}", session.command).into())
}

fn sessions(block: &str) -> Vec<Session> {
    let mut found: Vec<Session> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push(Session {
                command: command.to_owned(),
                output: String::new(),
            }),
            (None, Some(session)) => {
                session.output.push_str(line);
                session.output.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let entries: Vec<PathBuf> = fs::read_dir(from)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    for entry in entries {
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy(&entry, &target);
        } else {
            fs::copy(&entry, &target).unwrap();
        }
    }
}
