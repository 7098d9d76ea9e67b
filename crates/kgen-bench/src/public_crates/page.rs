//! The table of the page about public crates.
//!
//! The page is written by hand, apart from the counts and the table between two comments.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};

use super::Row;
use crate::workspace::Workspace;

const PAGE: &str = "docs/book/src/public-crates.md";
const BEGIN: &str = "<!-- `cargo xtask public-crates` writes the text from here on -->\n";

/// The explanations of codes; the page explains each in a sentence.
const REASONS: &[(&str, &str)] = &[
    ("storage-version", "several versions, none is marked as stored"),
    ("dangerous-type", "floating-point numbers"),
    ("reserved-group", "the group is reserved for Kubernetes"),
    ("opaque-type", "code decides the JSON of a field"),
    ("version-disagreement", "two versions have different scopes"),
    (
        "nothing-found",
        "kinds only in tests or examples, or behind features",
    ),
];

/// Replaces the generated part of the page.
///
/// # Errors
/// Returns an error if the page has no such part.
pub fn write(workspace: &Workspace, rows: &[Row]) -> Result<()> {
    let file = workspace.path(PAGE);
    let page = fs::read_to_string(&file).with_context(|| format!("cannot read {PAGE}"))?;
    let (by_hand, _) = page
        .split_once(BEGIN)
        .with_context(|| format!("{PAGE} has no line `{}`", BEGIN.trim_end()))?;
    let text = format!("{by_hand}{BEGIN}\n{}\n{}", counts(rows), table(rows));
    fs::write(&file, text).with_context(|| format!("cannot write {PAGE}"))?;
    println!("{}", counts(rows).trim_end());
    Ok(())
}

fn counts(rows: &[Row]) -> String {
    let written = |is_written: fn(&Row) -> bool| rows.iter().filter(|row| is_written(row)).count();
    let compat = written(|row| row.compat.is_written());
    let usual = written(|row| row.usual.is_written());
    let kinds: usize = rows.iter().map(|row| row.compat.kinds).sum();
    format!(
        "Every kind was written in {compat} of {} crates with compat, with {kinds} kinds in all, and in {usual} without it.\n",
        rows.len()
    )
}

/// Returns one row per crate.
pub fn table(rows: &[Row]) -> String {
    let mut text =
        String::from("| crate | version | kinds | compat | usual | reason |\n|---|---|---|---|---|---|\n");
    for row in rows {
        let kinds = match row.compat.kinds {
            0 => "–".to_owned(),
            kinds => kinds.to_string(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {kinds} | {} | {} | {} |",
            row.listed.name,
            row.listed.version,
            row.compat.words(),
            row.usual.words(),
            reason(row)
        );
    }
    text
}

fn reason(row: &Row) -> String {
    let has = |code: &str| row.compat.errors.contains(code) || row.usual.errors.contains(code);
    let reasons = REASONS.iter().filter(|(code, _)| has(code));
    let words = reasons.map(|(_, reason)| (*reason).to_owned());
    let remarks = row
        .listed
        .features
        .remark()
        .into_iter()
        .chain(row.listed.note.clone());
    words.chain(remarks).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_explains_every_reason_and_shows_its_code() {
        let page = include_str!("../../../../docs/book/src/public-crates.md");
        assert!(page.contains(BEGIN));
        for (code, reason) in REASONS {
            assert!(page.contains(&format!("\n| {reason} | ")), "{reason}");
            assert!(page.contains(&format!("`{code}`")), "{code}");
        }
    }
}
