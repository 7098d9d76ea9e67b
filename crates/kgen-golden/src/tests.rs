//! Each kind of difference is reported, and accepted differences are gone.

use super::*;

fn tree(files: &[(&str, &str)]) -> Tree {
    let files = files.iter();
    files
        .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()))
        .collect()
}

/// Returns the report of one comparison, with the folder as `expected`.
fn report(before: &[(&str, &str)], found: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &tree(before)).unwrap();
    let mut goldens = Goldens::accepting(false);
    goldens.compare(folder.path(), &tree(found)).unwrap();
    assert_eq!(read(folder.path()).unwrap(), tree(before), "nothing is written");
    let report = goldens.finish().err().unwrap_or_default();
    report.replace(&folder.path().display().to_string(), "expected")
}

#[test]
fn equal_trees_have_no_difference() {
    assert_eq!(report(&[("a/b", "x")], &[("a/b", "x")]), "");
    assert_eq!(report(&[], &[]), "");
}

#[test]
fn changed_missing_and_unexpected_files_are_reported() {
    let report = report(
        &[("changed", "one\ntwo\n"), ("missing", ""), ("same", "same\n")],
        &[
            ("a/unexpected", ""),
            ("changed", "one\nthree\n"),
            ("same", "same\n"),
        ],
    );
    insta::assert_snapshot!(report, @"
    expected/a/unexpected was generated, but is not expected
    --- expected/changed
    +++ generated
    @@ -1,2 +1,2 @@
     one
    -two
    +three

    expected/missing is expected, but was not generated
    3 differences; `INSTA_UPDATE=always cargo test` accepts changed files
    ");
}

#[test]
fn accepting_makes_the_folder_equal() {
    let folder = tempfile::tempdir().unwrap();
    let expected = folder.path().join("expected");
    write(&expected, &tree(&[("changed", "one"), ("old/deep/missing", "")])).unwrap();
    let found = tree(&[("changed", "two"), ("new/file", "x")]);
    let mut goldens = Goldens::accepting(true);
    goldens.compare(&expected, &found).unwrap();
    goldens.finish().unwrap();
    assert_eq!(read(&expected).unwrap(), found);
    assert!(!expected.join("old").exists(), "empty folders are removed");

    let mut goldens = Goldens::accepting(true);
    goldens.compare(&expected, &Tree::new()).unwrap();
    goldens.finish().unwrap();
    assert!(!expected.exists());
    assert!(folder.path().exists(), "the folder of the case stays");
}

#[test]
fn entries_that_no_test_reads_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &tree(&[("api/v1.rs", ""), ("problems.txt", "")])).unwrap();
    let mut goldens = Goldens::accepting(true);
    goldens.only(folder.path(), |entry| entry == "api").unwrap();
    let report = goldens.finish().unwrap_err();
    assert!(report.contains("no test reads"), "{report}");
    assert!(
        report.contains("problems.txt") && !report.contains("api"),
        "{report}"
    );
}
