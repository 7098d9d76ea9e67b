//! Output rules: where files go.

use std::path::PathBuf;

use kgen_diagnostics::nearest;
use kgen_markers::value::{Error, Parser};

use super::usage;
use super::value::whole;
use crate::configuration::Output;

/// Parses an output rule; its name is `rule`, which starts at byte `at`.
pub(super) fn read(word: &str, rule: &str, at: usize) -> Result<Output, Error> {
    let value_start = at + rule.len() + 1;
    let has_value = value_start <= word.len();
    match (rule.strip_suffix(':').unwrap_or(rule), has_value) {
        ("stdout", false) => Ok(Output::StandardOutput),
        ("none", false) => Ok(Output::Nowhere),
        ("stdout" | "none", true) => Err(usage(
            value_start - 1..word.len(),
            format!("`{rule}` does not have a value"),
        )),
        ("dir", true) => Ok(Output::Folder(PathBuf::from(whole::<String>(
            word,
            value_start,
            "dir=config/crd",
        )?))),
        (name, true) if name.starts_with("artifacts:") => split(word, at + "artifacts:".len()),
        (known @ ("dir" | "artifacts" | "artifacts:config" | "artifacts:code"), _) => {
            let written = if known == "dir" {
                "dir=FOLDER"
            } else {
                "artifacts:config=FOLDER"
            };
            Err(usage(at..word.len(), format!("`{known}` needs a folder")).help(format!("write `{written}`")))
        }
        (name, _) => {
            let rules = ["dir", "stdout", "none", "artifacts"];
            let end = at + name.len();
            let range = if name.is_empty() { 0..word.len() } else { at..end };
            let error = usage(range.clone(), format!("there is no output rule `{name}`"));
            Err(match nearest(name, rules) {
                Some(near) => error.near(range, Some(near)),
                None => error.help("the rules are `dir=…`, `stdout`, `none` and `artifacts:config=…,code=…`"),
            })
        }
    }
}

/// Reads `config=…,code=…` at byte `at`.
fn split(word: &str, at: usize) -> Result<Output, Error> {
    let (mut manifests, mut code) = (None, None);
    Parser::starting_at(word, at).named(|parser, name| {
        match name.value {
            "config" => manifests = Some(PathBuf::from(parser.read::<String>()?)),
            "code" => code = Some(PathBuf::from(parser.read::<String>()?)),
            _ => return Err(Parser::unknown_argument(name, &["config", "code"])),
        }
        Ok(())
    })?;
    match manifests {
        Some(manifests) => Ok(Output::Split { manifests, code }),
        None => Err(usage(
            at..word.len(),
            "`artifacts` needs `config=`, the folder for manifests",
        )),
    }
}
