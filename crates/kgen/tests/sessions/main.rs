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
