//! Seeds: texts of the repository that a target can read, found at run time.

use std::fs;
use std::path::{Path, PathBuf};

use crate::targets::{Seeds, Target};

/// Returns the folder of the repository.
fn repository() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// Returns the seeds of a target, always in the same order.
pub(crate) fn of(target: &Target) -> Vec<String> {
    let mut texts: Vec<String> = target.examples.iter().map(|&text| text.to_owned()).collect();
    let testdata = repository().join("testdata");
    match target.seeds {
        Seeds::Examples => {}
        Seeds::Files(suffix) => texts.extend(files(&testdata, suffix)),
        Seeds::Markers => {
            for text in files(&testdata, ".rs") {
                let lines = text
                    .lines()
                    .map(|line| line.trim_start().trim_start_matches(['/', '!']));
                texts.extend(
                    lines
                        .filter(|line| line.trim_start().starts_with('+'))
                        .map(str::to_owned),
                );
            }
            texts.sort();
            texts.dedup();
        }
        Seeds::Rules => {
            let verdicts = repository().join("crates");
            for text in files(&verdicts, ".jsonl")
                .into_iter()
                .chain(files(&testdata, ".rs"))
            {
                texts.extend(quoted_behind(&text, "rule=\"").chain(quoted_behind(&text, "\"rule\":\"")));
            }
            texts.sort();
            texts.dedup();
            texts.truncate(20_000);
        }
    }
    texts
}

/// Returns the texts in quotes behind each `key`.
fn quoted_behind<'t>(text: &'t str, key: &'static str) -> impl Iterator<Item = String> + 't {
    text.split(key).skip(1).filter_map(|rest| {
        let mut escaped = false;
        let end = rest.find(|letter: char| {
            let ends = letter == '"' && !escaped;
            escaped = letter == '\\' && !escaped;
            ends
        })?;
        Some(rest.get(..end)?.replace("\\\"", "\"").replace("\\\\", "\\"))
    })
}

/// Returns the texts of all files below a folder whose names end so, by path.
fn files(folder: &Path, suffix: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().is_ok_and(|found| found.is_dir()) {
                if name != "target" {
                    waiting.push(path);
                }
            } else if name.ends_with(suffix) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
        .into_iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        .filter(|text| text.len() < 32 * 1024 || suffix == ".jsonl")
        .collect()
}
