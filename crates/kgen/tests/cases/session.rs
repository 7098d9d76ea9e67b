//! Sessions: a folder with `command`, the lines that are run, `input/`, the files that are there before, `expected`,
//! everything that is shown, and `files/`, everything that is created or changed.
//!
//! `KGEN_ACCEPT=1 cargo test -p kgen-cli --test cases` writes `expected` and `files/` anew; the difference is reviewed
//! like code. A line is a call of `kgen`, or one of these: `input CASE` copies the input of another case, `files CASE` what
//! another case created, `cd FOLDER`, `write FILE TEXT`, `replace FILE OLD NEW`, `crlf FILE`, `remove FILE`, `cat FILE`,
//! `git ARGUMENTS`, which shows nothing. `NAME=VALUE` before `kgen` sets a variable for that call.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::Outcome;
use crate::workspace::{copy, files, folders, kgen, root};

/// One test for each case.
pub(crate) fn trials() -> Outcome<Vec<Trial>> {
    let cases = folders(&root().join("testdata/cli"))?;
    let trial = |(name, folder): (String, PathBuf)| {
        Trial::test(format!("cli/{name}"), move || {
            run(&folder).map_err(|error| error.to_string().into())
        })
    };
    Ok(cases.into_iter().map(trial).collect())
}

fn run(case: &Path) -> Outcome {
    let lines = fs::read_to_string(case.join("command"))?;
    let folder = tempfile::tempdir()?;
    copy(&case.join("input"), folder.path())?;
    let mut session = Session {
        case,
        root: folder.path(),
        folder: folder.path().to_owned(),
        before: files(folder.path())?,
        text: String::new(),
    };
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        session.line(line).map_err(|error| format!("`{line}`: {error}"))?;
    }
    session.compare()
}

struct Session<'a> {
    case: &'a Path,
    root: &'a Path,
    folder: PathBuf,
    /// The files as they were given.
    before: std::collections::BTreeMap<String, Vec<u8>>,
    text: String,
}

impl Session<'_> {
    fn line(&mut self, line: &str) -> Outcome {
        let words = split(line)?;
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        if let [folder @ ("input" | "files"), name] = words.as_slice() {
            copy(&self.case.join("..").join(name).join(folder), self.root)?;
            self.before = files(self.root)?;
            return Ok(());
        }
        writeln!(self.text, "$ {line}")?;
        let settings = words.iter().take_while(|word| is_setting(word)).count();
        let (settings, words) = words.split_at(settings);
        match words {
            ["kgen", arguments @ ..] => self.kgen(settings, arguments)?,
            ["cd", folder] => self.folder = self.root.join(folder),
            ["write", file, text] => {
                let path = self.folder.join(file);
                fs::create_dir_all(path.parent().unwrap_or(self.root))?;
                fs::write(path, format!("{}\n", text.replace("\\n", "\n")))?;
            }
            ["replace", file, old, new] => {
                let (old, new) = (old.replace("\\n", "\n"), new.replace("\\n", "\n"));
                let text = fs::read_to_string(self.folder.join(file))?;
                if !text.contains(&old) {
                    return Err(format!("`{old}` is not in {file}").into());
                }
                fs::write(self.folder.join(file), text.replace(&old, &new))?;
            }
            ["crlf", file] => {
                let text = fs::read_to_string(self.folder.join(file))?;
                fs::write(self.folder.join(file), text.replace('\n', "\r\n"))?;
            }
            ["remove", file] => fs::remove_file(self.folder.join(file))?,
            ["git", arguments @ ..] => self.git(arguments)?,
            ["cat", file] => self.text.push_str(&fs::read_to_string(self.folder.join(file))?),
            _ => return Err("no such word".into()),
        }
        Ok(())
    }

    /// Runs git as somebody, whatever the machine says about git.
    fn git(&self, arguments: &[&str]) -> Outcome {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=somebody",
                "-c",
                "user.email=somebody@example.org",
            ])
            .args(["-c", "commit.gpgSign=false", "-c", "core.autocrlf=false"])
            .args(arguments)
            .current_dir(&self.folder)
            .output()?;
        if output.status.success() {
            Ok(())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into())
        }
    }

    fn kgen(&mut self, settings: &[&str], arguments: &[&str]) -> Outcome {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let output = kgen(&self.folder, settings, &arguments)?;
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
        let checkout = crates.and_then(Path::parent).ok_or("no checkout")?;
        let checkout = checkout.display().to_string();
        for (name, bytes) in [("stdout", output.stdout), ("stderr", output.stderr)] {
            if !bytes.is_empty() {
                let text = String::from_utf8(bytes)?
                    .replace('\u{1b}', "^[")
                    .replace(&checkout, "[CHECKOUT]");
                writeln!(self.text, "[{name}]\n{}", masked(&text).trim_end_matches('\n'))?;
            }
        }
        writeln!(
            self.text,
            "[exit {}]\n",
            output.status.code().ok_or("the command was killed")?
        )?;
        Ok(())
    }

    fn compare(mut self) -> Outcome {
        let mut after = files(self.root)?;
        after.retain(|name, _| !name.starts_with(".git/"));
        for (name, bytes) in &self.before {
            match after.get(name) {
                None => writeln!(self.text, "[removed {name}]")?,
                Some(now) if now == bytes => {
                    after.remove(name);
                }
                Some(_) => {}
            }
        }
        let (text_file, files_folder) = (self.case.join("expected"), self.case.join("files"));
        if std::env::var_os("KGEN_ACCEPT").is_some() {
            fs::write(text_file, self.text)?;
            if files_folder.is_dir() {
                fs::remove_dir_all(&files_folder)?;
            }
            for (name, bytes) in after {
                let path = files_folder.join(name);
                fs::create_dir_all(path.parent().unwrap_or(self.case))?;
                fs::write(path, bytes)?;
            }
            return Ok(());
        }
        let expected = fs::read_to_string(text_file).unwrap_or_default();
        if expected != self.text {
            return Err(format!(
                "expected:\n{expected}\nfound:\n{}\nKGEN_ACCEPT=1 accepts it",
                self.text
            )
            .into());
        }
        let expected = files(&files_folder)?;
        for name in expected.keys().chain(after.keys()) {
            if expected.get(name) != after.get(name) {
                let shown = |found: Option<&Vec<u8>>| {
                    found.map_or("nothing".into(), |bytes| {
                        String::from_utf8_lossy(bytes).into_owned()
                    })
                };
                return Err(format!(
                    "{name} should be:\n{}\nand is:\n{}",
                    shown(expected.get(name)),
                    shown(after.get(name))
                )
                .into());
            }
        }
        Ok(())
    }
}

/// Whether a word sets a variable for the command behind it.
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    })
}

/// A text without the version and the commit.
fn masked(text: &str) -> String {
    let text = text.replace(env!("CARGO_PKG_VERSION"), "[VERSION]");
    let Some((before, behind)) = text.split_once("[VERSION] (") else {
        return text;
    };
    match behind.split_once(')') {
        Some((commit, rest)) if commit.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            format!("{before}[VERSION] ([COMMIT]){rest}")
        }
        _ => text,
    }
}

/// The words of a line, as a shell splits them: blanks, and both sorts of quotes.
fn split(line: &str) -> Outcome<Vec<String>> {
    let mut words = Vec::new();
    let mut letters = line.chars().peekable();
    while let Some(next) = letters.peek() {
        if next.is_whitespace() {
            letters.next();
            continue;
        }
        let mut word = String::new();
        while let Some(next) = letters.next_if(|next| !next.is_whitespace()) {
            match next {
                '\'' | '"' => loop {
                    match letters.next() {
                        Some(inner) if inner == next => break,
                        Some(inner) => word.push(inner),
                        None => return Err("a quote is not closed".into()),
                    }
                },
                other => word.push(other),
            }
        }
        words.push(word);
    }
    Ok(words)
}
