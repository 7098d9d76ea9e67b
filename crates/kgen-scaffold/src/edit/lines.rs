//! Adds lines to files that are lists of lines, such as `.gitignore`.

use super::{Edit, insert};

/// Adds those of `lines` that `text` does not have, at its end.
pub(crate) fn add(text: &str, lines: &str) -> Edit {
    let missing: Vec<&str> = lines
        .lines()
        .filter(|line| text.lines().all(|there| there.trim() != *line))
        .collect();
    if missing.is_empty() {
        return Edit::Unchanged;
    }
    Edit::Changed(insert(text, text.len(), &missing.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_missing_lines_are_added() {
        for (text, expected) in [
            ("", "/target\n/bin\n"),
            ("*.log", "*.log\n/target\n/bin\n"),
            ("/target\r\n*.log\r\n", "/target\r\n*.log\r\n/bin\r\n"),
        ] {
            assert_eq!(add(text, "/target\n/bin\n"), Edit::Changed(expected.to_owned()));
            assert_eq!(add(expected, "/target\n/bin\n"), Edit::Unchanged);
        }
    }
}
