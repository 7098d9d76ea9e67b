//! One session: a folder with `command`, the lines that are run, `input/`, the files before the first line, and `files/`, all files
//! that the lines create or change.
//!
//! A line is a call of `kgen`, or one of these: `input CASE` copies the input of another session, `files CASE` the files that
//! another session leaves, `cd FOLDER`, `write FILE TEXT`, `replace FILE OLD NEW`, `crlf FILE`, `remove FILE`, `cat FILE`,
//! `git ARGUMENTS`, which shows nothing. `NAME=VALUE` before `kgen` sets a variable for that call, and `< FILE` after it is its
//! standard input.

use std::error::Error;
use std::fmt::Write;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kgen_golden::{Tree, copy, read};

use crate::support::{kgen, transcript};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Runs a session. Returns its transcript and the files that it leaves.
pub fn run(case: &Path) -> Outcome<(String, Tree)> {
    let lines = fs::read_to_string(case.join("command"))?;
    let folder = tempfile::tempdir()?;
    copy(&case.join("input"), folder.path())?;
    let mut session = Session {
        case,
        root: folder.path(),
        folder: folder.path().to_owned(),
        before: read(folder.path())?,
        text: String::new(),
    };
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        session.line(line).map_err(|error| format!("`{line}`: {error}"))?;
    }
    session.finish()
}

struct Session<'a> {
    case: &'a Path,
    root: &'a Path,
    folder: PathBuf,
    /// The files before the first command.
    before: Tree,
    text: String,
}

impl Session<'_> {
    fn line(&mut self, line: &str) -> Outcome {
        let words = split(line)?;
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        if let [folder @ ("input" | "files"), name] = words.as_slice() {
            copy(&self.case.join("..").join(name).join(folder), self.root)?;
            self.before = read(self.root)?;
            return Ok(());
        }
        let settings = words.iter().take_while(|word| is_setting(word)).count();
        let (settings, words) = words.split_at(settings);
        if let ["kgen", arguments @ ..] = words {
            let (arguments, input) = match arguments {
                [arguments @ .., "<", file] => (arguments, File::open(self.folder.join(file))?.into()),
                _ => (arguments, Stdio::null()),
            };
            let output = kgen(&self.folder)
                .stdin(input)
                .envs(settings.iter().filter_map(|setting| setting.split_once('=')))
                .args(arguments)
                .output()?;
            writeln!(self.text, "{}", transcript(line, &output))?;
            return Ok(());
        }
        writeln!(self.text, "$ {line}")?;
        match words {
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
            ["cat", file] => {
                let text = fs::read_to_string(self.folder.join(file))?;
                self.text.push_str(&text.replace('\r', "^M"));
            }
            _ => return Err("no such command".into()),
        }
        Ok(())
    }

    /// Runs git with a fixed identity and without the configuration of the machine.
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

    /// Returns the transcript and the files that are new or changed. Removed files are part of the transcript.
    fn finish(mut self) -> Outcome<(String, Tree)> {
        let mut after = read(self.root)?;
        // The record of scaffolded files repeats them; the tests of `kgen update` look at it.
        after.retain(|name, _| {
            let name = format!("/{name}");
            !name.contains("/.git/") && !name.contains("/.kgen/")
        });
        for (name, bytes) in &self.before {
            match after.get(name) {
                None => writeln!(self.text, "[removed {name}]")?,
                Some(now) if now == bytes => {
                    after.remove(name);
                }
                Some(_) => {}
            }
        }
        Ok((self.text, after))
    }
}

/// Returns whether a word sets a variable for the command after it.
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    })
}

/// Splits a line into words at blanks, with both kinds of quotes, as a shell does.
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
