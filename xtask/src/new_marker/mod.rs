//! `cargo xtask new-marker`: the entry of a new marker in its family's file, and the folder of its test case.
//!
//! The generated entry compiles, is documented and does nothing yet: the test of the table's examples fails until the
//! author implements the marker.

mod case;
mod entry;
mod family;
mod trial;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;

pub use trial::trial_all;

/// The item that a marker applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Target {
    /// A type, kinds included.
    Type,
    /// A field.
    Field,
    /// A kind.
    Kind,
    /// The head of a module.
    Module,
}

/// The marker to declare.
#[derive(clap::Args)]
pub struct Options {
    /// Its name, without `+`, such as `kubebuilder:validation:MaxLength`.
    #[arg(required_unless_present = "trial")]
    name: Option<String>,
    /// The file in crates/kgen-markers/src/defs that it belongs to, such as `validation`.
    #[arg(long, value_name = "FILE", required_unless_present = "trial")]
    family: Option<String>,
    /// The item that it applies to.
    #[arg(long, value_enum, default_value = "field")]
    target: Target,
    /// Show the changes without writing them.
    #[arg(long, conflicts_with = "trial")]
    dry_run: bool,
    /// Write to a copy of the workspace, check that it compiles, and delete it. Without a name, try one marker of every
    /// target.
    #[arg(long)]
    trial: bool,
}

/// A new marker.
#[derive(Clone, Copy, Debug)]
pub struct NewMarker<'a> {
    /// Its name, without `+`.
    pub name: &'a str,
    /// The file it goes into, without `.rs`.
    pub family: &'a str,
    /// The item that it applies to.
    pub target: Target,
}

/// A file with the text that it will have.
pub struct Change {
    /// Relative to the root of the workspace.
    pub path: PathBuf,
    /// The whole text.
    pub text: String,
    /// The new part, for `--dry-run`.
    pub shown: String,
}

/// Declares the marker that the options describe.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let marker = match (&options.name, &options.family) {
        (Some(name), Some(family)) => NewMarker {
            name: name.trim_start_matches('+'),
            family,
            target: options.target,
        },
        (None, None) => return trial_all(workspace),
        _ => bail!("a marker needs both a name and `--family`"),
    };
    if options.trial {
        return trial::trial(workspace, &[marker]);
    }
    let changes = plan(workspace, &marker)?;
    if options.dry_run {
        for change in &changes {
            println!("── {}\n{}", change.path.display(), change.shown);
        }
        return Ok(());
    }
    write(workspace, &changes)?;
    for change in &changes {
        println!("wrote {}", change.path.display());
    }
    println!(
        "\nNext: describe in the entry what the marker does, complete the API of the case, then run\n\n    \
         cargo test --package kgen-markers\n    cargo xtask codegen\n    cargo xtask accept"
    );
    Ok(())
}

/// Plans everything that declaring the marker changes; nothing is written yet.
fn plan(workspace: &Workspace, marker: &NewMarker<'_>) -> Result<Vec<Change>> {
    check_name(marker.name)?;
    let path = family::file(workspace, marker.family)?;
    let source = fs::read_to_string(workspace.path(&path))?;
    let (text, shown) =
        entry::insert(&source, marker).with_context(|| format!("cannot add to {}", path.display()))?;
    Ok(vec![
        Change { path, text, shown },
        case::source(workspace, marker)?,
    ])
}

fn write(workspace: &Workspace, changes: &[Change]) -> Result<()> {
    for change in changes {
        let path = workspace.path(&change.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, &change.text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Checks that a name is words, joined by colons, and is declared once.
fn check_name(name: &str) -> Result<()> {
    let part = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic())
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
    };
    if !name.split(':').all(part) {
        bail!(
            "`{name}` is not a marker name: it consists of words of letters, digits and `-`, joined by `:`"
        );
    }
    if let Some(known) = kgen_markers::definitions()
        .iter()
        .find(|known| known.name == name)
    {
        bail!(
            "`{name}` is declared already, in the family `{}`",
            known.family.word
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        assert!(check_name("kgen:some-thing:New2").is_ok());
        for wrong in ["", "kgen:", ":x", "kgen: x", "9lives", "a=b", "listType"] {
            assert!(check_name(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_files_of_the_guide_are_the_files_that_are_written() {
        let workspace = Workspace::find().unwrap();
        let guide = fs::read_to_string(workspace.path("CONTRIBUTING.md")).unwrap();
        let marker = NewMarker {
            name: "kubebuilder:validation:MaxWords",
            family: "validation",
            target: Target::Field,
        };
        assert!(guide.contains(&format!("new-marker {} --family {}", marker.name, marker.family)));
        for change in plan(&workspace, &marker).unwrap() {
            let row = format!("| `{}` |", change.path.display());
            assert!(guide.contains(&row), "CONTRIBUTING.md does not list {row}");
        }
    }
}
