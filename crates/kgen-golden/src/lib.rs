//! Expected files: the output of tests that a machine judges, such as CRDs, generated Rust and whole projects.
//!
//! Text that a person judges is a snapshot of `insta` instead. Both follow one variable: with `INSTA_UPDATE=always`, tests accept
//! what they find. Start reading at [`Goldens`].

mod tree;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

pub use tree::{Tree, copy, read, write};

/// Compares folders of expected files with what a test found.
///
/// All folders of a test are compared, whether or not an earlier one differs; [`Goldens::finish`] then returns every difference.
/// If the test panics before, for example because a snapshot differs, they are printed.
#[derive(Debug)]
#[must_use = "`finish` reports the differences"]
pub struct Goldens {
    accepts: bool,
    differences: Vec<String>,
}

impl Goldens {
    /// Starts a comparison, which accepts differences if `INSTA_UPDATE` is `always` or `force`, as in `insta`.
    pub fn new() -> Self {
        let update = std::env::var("INSTA_UPDATE").unwrap_or_default();
        Self::accepting(matches!(update.as_str(), "always" | "1" | "force"))
    }

    fn accepting(accepts: bool) -> Self {
        Self {
            accepts,
            differences: Vec::new(),
        }
    }

    /// Compares the files below `folder` with `found`: changed files, missing files and files that nothing expects differ.
    ///
    /// A folder that does not exist is like an empty one.
    ///
    /// # Errors
    /// If a file cannot be read, or cannot be written when differences are accepted.
    pub fn compare(&mut self, folder: &Path, found: &Tree) -> std::io::Result<()> {
        let expected = read(folder)?;
        if expected == *found {
            return Ok(());
        }
        if self.accepts {
            return replace(folder, &expected, found);
        }
        let names: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
        for name in names {
            let path = folder.join(name);
            let path = path.display();
            match (expected.get(name), found.get(name)) {
                (Some(expected), Some(found)) if expected == found => {}
                (Some(expected), Some(found)) => {
                    self.differences.push(diff(&path.to_string(), expected, found))
                }
                (Some(_), None) => self.report(format!("{path} is expected, but was not generated")),
                (None, _) => self.report(format!("{path} was generated, but is not expected")),
            }
        }
        Ok(())
    }

    /// Reports the entries of a case folder that no test reads.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn only(&mut self, folder: &Path, is_read: impl Fn(&str) -> bool) -> std::io::Result<()> {
        let mut names = BTreeSet::new();
        for entry in fs::read_dir(folder)? {
            names.insert(entry?.file_name().to_string_lossy().into_owned());
        }
        for name in names.iter().filter(|name| !is_read(name)) {
            self.report(format!("no test reads {}", folder.join(name).display()));
        }
        Ok(())
    }

    /// Adds a difference that the test found itself.
    pub fn report(&mut self, difference: String) {
        self.differences.push(difference);
    }

    /// Ends the comparison.
    ///
    /// # Errors
    /// If anything differs. The error has all differences.
    pub fn finish(mut self) -> Result<(), String> {
        self.take().map_or(Ok(()), Err)
    }

    /// Takes the text of all differences. Returns `None` if nothing differs.
    fn take(&mut self) -> Option<String> {
        let differences = std::mem::take(&mut self.differences);
        if differences.is_empty() {
            return None;
        }
        let mut text = differences.join("\n");
        let _ = write!(
            text,
            "\n{} differences; `INSTA_UPDATE=always cargo test` accepts changed files",
            differences.len()
        );
        Some(text)
    }
}

impl Drop for Goldens {
    #[expect(
        clippy::print_stderr,
        reason = "a panicking test has no other way to report them"
    )]
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(text) = self.take()
        {
            eprintln!("{text}");
        }
    }
}

impl Default for Goldens {
    fn default() -> Self {
        Self::new()
    }
}

/// Makes the files below `folder` the same as `found`, and leaves the others alone.
fn replace(folder: &Path, expected: &Tree, found: &Tree) -> std::io::Result<()> {
    for name in expected.keys().filter(|name| !found.contains_key(*name)) {
        let path = folder.join(name);
        fs::remove_file(&path)?;
        // Git does not store empty folders, so a checkout would not have them either.
        let mut parent = path.parent();
        while let Some(empty) = parent.filter(|parent| parent.starts_with(folder)) {
            if fs::remove_dir(empty).is_err() {
                break;
            }
            parent = empty.parent();
        }
    }
    write(folder, found)
}

fn diff(name: &str, expected: &[u8], found: &[u8]) -> String {
    let (Ok(expected), Ok(found)) = (std::str::from_utf8(expected), std::str::from_utf8(found)) else {
        return format!("{name} differs, and is not text");
    };
    similar::TextDiff::from_lines(expected, found)
        .unified_diff()
        .header(name, "generated")
        .to_string()
}

#[cfg(test)]
mod tests;
