//! Every folder in `testdata/cli` is a session: its commands must show the transcript in the snapshot of the session and leave
//! the files in its folder `files`.
//!
//! `session.rs` describes the folders. `cargo insta review` accepts snapshots, and `INSTA_UPDATE=always` also accepts files.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

mod session;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::Path;

use kgen_diagnostics::Code;
use kgen_golden::Goldens;
use support::name;

#[test]
fn sessions_have_the_expected_transcripts_and_files() {
    let mut goldens = Goldens::new();
    insta::glob!("../../../../testdata/cli", "?*", |case| {
        let (transcript, files) = match session::run(case) {
            Ok(results) => results,
            Err(error) => return goldens.report(format!("{}: {error}", name(case))),
        };
        goldens.compare(&case.join("files"), &files).unwrap();
        goldens
            .only(case, |entry| ["command", "files", "input"].contains(&entry))
            .unwrap();
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!("transcript", transcript);
        });
    });
    goldens
        .finish()
        .unwrap_or_else(|differences| panic!("{differences}"));
}

/// Every warning and note that a transcript or a case shows can be silenced.
#[test]
fn all_shown_warnings_and_notes_can_be_allowed() {
    let mut shown = Vec::new();
    for target in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")).unwrap() {
        let Ok(snapshots) = fs::read_dir(target.unwrap().path().join("snapshots")) else {
            continue;
        };
        for snapshot in snapshots {
            let text = fs::read_to_string(snapshot.unwrap().path()).unwrap();
            shown.extend(text.lines().filter_map(lowered_code));
        }
    }
    assert!(shown.len() > 50, "the snapshots were not found");
    shown.retain(|code| !code.can_be_allowed());
    assert!(shown.is_empty(), "add these to `Code::can_be_allowed`: {shown:?}");
}

/// Returns the code of a problem that is not an error, from the first line of its text.
fn lowered_code(line: &str) -> Option<Code> {
    let rest = ["warning[", "note["]
        .iter()
        .find_map(|word| line.strip_prefix(word))?;
    let (name, _) = rest.split_once("]: ")?;
    Some(Code::find(name).unwrap_or_else(|| panic!("there is no code `{name}`")))
}
