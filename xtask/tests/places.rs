//! "Places for changes" in ARCHITECTURE.md names an existing addition per row and the number of its source files. This
//! test counts them, so the table stays accurate when code moves.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should stop"
)]

use std::path::{Path, PathBuf};

/// The folders whose files count.
const SOURCES: [&str; 3] = ["crates", "templates", "xtask/src"];

#[test]
fn every_row_touches_as_many_files_as_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let mut files = Vec::new();
    for folder in SOURCES {
        collect(&root.join(folder), &mut files);
    }
    let examples = examples(&page);
    assert!(examples.len() > 10, "the table has lost its rows: {examples:?}");
    let mut wrong = Vec::new();
    for (example, stated) in examples {
        let touched: Vec<_> = files
            .iter()
            .filter(|(path, text)| text.contains(example) || path.to_string_lossy().contains(example))
            .map(|(path, _)| path.strip_prefix(&root).unwrap().display().to_string())
            .collect();
        if touched.len() != stated {
            wrong.push(format!("`{example}`: {stated} stated, found in {touched:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Reads the last column: examples such as `` `allow_opaque`: 3 ``, separated by commas.
fn examples(page: &str) -> Vec<(&str, usize)> {
    let table = page.split("## Places for changes").nth(1).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| a"));
    let columns = rows.map(|row| row.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap());
    columns
        .flat_map(|column| {
            let parts: Vec<_> = column.split('`').collect();
            // Text before, example, count, example, count, …
            parts[1..]
                .chunks(2)
                .map(|pair| {
                    let digits = pair[1].trim_matches(|c: char| !c.is_ascii_digit());
                    (pair[0], digits.parse().unwrap())
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Adds the source files below `folder` with their texts. Tests, test data and the benchmark's input are not source.
fn collect(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    let data = ["tests", "testdata", "target", "bench"];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !data.contains(&name.as_str()) {
                collect(&path, files);
            }
        } else if name != "tests.rs"
            && name != "README.md"
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            files.push((path, text));
        }
    }
}
