//! The list of crates: one line each, with a version, optional features and an optional note.

use anyhow::{Context, Result, bail};

/// A crate of the list.
#[derive(Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name in the registry.
    pub name: String,
    /// The exact version.
    pub version: String,
    /// The features to read it with.
    pub features: Features,
    /// A remark for the page.
    pub note: Option<String>,
}

/// The features that a crate is read with.
#[derive(Debug, PartialEq, Eq)]
pub enum Features {
    /// Every feature.
    All,
    /// The default features.
    Default,
    /// The default features and these.
    Some(String),
}

impl Features {
    /// Returns the arguments of kgen that select the features.
    pub fn arguments(&self) -> Vec<&str> {
        match self {
            Self::All => vec!["--all-features"],
            Self::Default => Vec::new(),
            Self::Some(names) => vec!["--features", names],
        }
    }

    /// Returns a remark for the page if this is not the usual choice.
    pub fn remark(&self) -> Option<String> {
        match self {
            Self::All => None,
            Self::Default => Some("run with its default features".to_owned()),
            Self::Some(names) => Some(format!(
                "run with `--features {names}`, because its features exclude each other"
            )),
        }
    }
}

/// Reads the list.
///
/// # Errors
/// Returns an error for a line that is not a crate.
pub fn read(text: &str) -> Result<Vec<Listed>> {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| listed(line).with_context(|| format!("in the line `{line}`")))
        .collect()
}

fn listed(line: &str) -> Result<Listed> {
    let (crate_words, note) = match line.split_once(" # ") {
        Some((words, note)) => (words, Some(note.to_owned())),
        None => (line, None),
    };
    let mut words = crate_words.split_whitespace();
    let (Some(name), Some(version)) = (words.next(), words.next()) else {
        bail!("a crate needs a name and a version");
    };
    let features = match words.next().map(|word| word.strip_prefix("features=")) {
        None => Features::All,
        Some(Some("default")) => Features::Default,
        Some(Some(names)) => Features::Some(names.to_owned()),
        Some(None) => bail!("only `features=…` can follow the version"),
    };
    Ok(Listed {
        name: name.to_owned(),
        version: version.to_owned(),
        features,
        note,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_version_features_and_a_note() {
        let text = "# comment\nkiln 1.0.0\n\ntile 0.2.1 features=v1,v2 # slow\noven 3.0.0 features=default\n";
        let crates = read(text).unwrap();
        assert_eq!(crates.len(), 3);
        assert_eq!(crates[0].features, Features::All);
        assert_eq!(crates[1].features, Features::Some("v1,v2".to_owned()));
        assert_eq!(crates[1].note.as_deref(), Some("slow"));
        assert_eq!(crates[2].features.arguments(), Vec::<&str>::new());
    }

    #[test]
    fn the_list_in_the_repository_is_sorted_and_readable() {
        let crates = read(include_str!("../../data/public-crates.txt")).unwrap();
        assert!(crates.len() > 300);
        assert!(crates.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn other_lines_are_errors() {
        assert!(read("kiln").is_err());
        assert!(read("kiln 1.0.0 v1").is_err());
    }
}
