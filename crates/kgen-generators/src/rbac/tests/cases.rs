//! Case folders: `input.rs` with markers, `expected.yaml` if a file must come out, `problems.txt` if something is to be
//! said, `options` for what the command line would say. Dropping a folder adds a test; `KGEN_ACCEPT=1` accepts what
//! comes out now.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Files, Problems};
use kgen_model::Api;

use super::markers;
use crate::Artifact;

/// What the generator under test makes of an API and the lines of `options`.
type Generate = fn(&Api, &[(String, String)]) -> (Vec<Artifact>, Problems);

/// Runs every case in `testdata/<family>`.
pub(crate) fn run(family: &str, generate: Generate) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(family);
    let mut cases: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "{} holds no case", folder.display());
    let failed: Vec<String> = cases
        .iter()
        .flat_map(|case| differences(case, generate))
        .collect();
    assert!(
        failed.is_empty(),
        "\n{}\nKGEN_ACCEPT=1 accepts what comes out now",
        failed.join("\n")
    );
}

fn differences(case: &Path, generate: Generate) -> Vec<String> {
    let text = std::fs::read_to_string(case.join("input.rs")).expect("a case has an input.rs");
    let options = std::fs::read_to_string(case.join("options")).unwrap_or_default();
    let options: Vec<(String, String)> = options
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.replace("\\n", "\n")))
        .collect();
    let (api, files) = markers::read("input.rs", &text);
    let (artifacts, problems) = generate(&api, &options);
    assert!(artifacts.len() <= 1, "{}: more than one file", case.display());
    let written = artifacts
        .into_iter()
        .map(|artifact| artifact.text)
        .collect::<String>();
    let results = [
        ("expected.yaml", written),
        ("problems.txt", shown(&problems, &files)),
    ];
    results
        .into_iter()
        .filter_map(|(name, found)| difference(&case.join(name), &found))
        .collect()
}

/// Compares, or accepts. An empty result has no file.
fn difference(path: &Path, found: &str) -> Option<String> {
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == found {
        return None;
    }
    if std::env::var_os("KGEN_ACCEPT").is_some() {
        if found.is_empty() {
            std::fs::remove_file(path).expect("the old file goes");
        } else {
            std::fs::write(path, found).expect("the new file is written");
        }
        return None;
    }
    Some(format!(
        "{}\n--- expected\n{expected}--- found\n{found}",
        path.display()
    ))
}

/// Problems by place: severity, code, line and column, what is underlined, and every text.
pub(crate) fn shown(problems: &Problems, files: &Files) -> String {
    let mut text = String::new();
    for problem in problems.sorted(files) {
        let _ = write!(text, "{}[{}]", problem.severity.word(), problem.code);
        if let Some(span) = problem.span {
            let position = files.get(span.file).expect("a known file").position(span.start);
            let underlined = files.slice(span);
            let short: String = underlined.chars().take(40).collect();
            let dots = if short.len() < underlined.len() { "…" } else { "" };
            let _ = write!(text, " {}:{} <{short}{dots}>", position.line, position.column);
        }
        let _ = writeln!(text, "\n  {}", problem.message);
        if !problem.beside().is_empty() {
            let _ = writeln!(text, "  label: {}", problem.beside());
        }
        for help in &problem.help {
            let _ = writeln!(text, "  help: {help}");
        }
        for related in &problem.related {
            let line = files
                .get(related.span.file)
                .expect("a known file")
                .position(related.span.start)
                .line;
            let _ = writeln!(
                text,
                "  line {line} <{}>: {}",
                files.slice(related.span),
                related.label
            );
        }
    }
    text
}
