//! `kgen lint` on the folders of `testdata/lint`: each lint has a folder where it fires, one where it does not, and one
//! where a marker allows it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kgen_diagnostics::Code;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/lint")
}

fn lint(folder: &Path, arguments: &[&str]) -> (Vec<Value>, i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kgen"))
        .arg("lint")
        .args(arguments)
        .args(["--message-format", "json"])
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    (lines, output.status.code().unwrap(), text)
}

fn codes(lines: &[Value]) -> BTreeSet<String> {
    lines
        .iter()
        .map(|line| line["code"].as_str().unwrap().to_owned())
        .collect()
}

fn lints() -> impl Iterator<Item = &'static str> {
    Code::ALL
        .iter()
        .filter(|code| code.is_lint())
        .map(|code| code.name())
}

#[test]
fn each_lint_fires_and_can_be_avoided_and_allowed() {
    for code in lints() {
        let folder = root().join(code);
        let (found, _, text) = lint(&folder.join("fires"), &[]);
        assert_eq!(
            codes(&found),
            BTreeSet::from([code.to_owned()]),
            "{code} does not fire alone: {text}"
        );
        for other in ["clean", "allowed"] {
            let (found, exit, text) = lint(&folder.join(other), &[]);
            assert!(found.is_empty() && exit == 0, "{code}, {other}: {text}");
        }
    }
}

#[test]
fn an_allowance_without_its_lint_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let clean = root().join("option-null/clean");
    copy(&clean, folder.path());
    let file = folder.path().join("api/v1.rs");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(
        &file,
        text.replace(
            "    /// Its color.",
            "    // +kgen:allow=option-null\n    /// Its color.",
        ),
    )
    .unwrap();
    let (found, _, text) = lint(folder.path(), &[]);
    assert_eq!(
        codes(&found),
        BTreeSet::from(["unused-allowance".to_owned()]),
        "{text}"
    );
}

/// The types that users see first follow the conventions that kgen teaches.
#[test]
fn the_types_of_the_documentation_and_of_new_projects_are_clean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let is_clean = |place: &Path, arguments: &[&str]| {
        let (found, exit, text) = lint(place, arguments);
        assert!(found.is_empty() && exit == 0, "{}: {text}", place.display());
    };
    // The README shows a part of the quickstart.
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let types = fs::read_to_string(root.join("testdata/quickstart/api/v1.rs")).unwrap();
    let shown = readme
        .split("```rust\n")
        .find(|block| block.contains("metadata: ObjectMeta"));
    let (shown, _) = shown.unwrap().split_once("```").unwrap();
    for line in shown.lines() {
        assert!(types.contains(line), "`{line}` is not in the quickstart");
    }
    is_clean(&root.join("testdata/quickstart"), &[]);
    for style in ["kgen", "kube"] {
        let place = folder.path().join(style);
        let run = |place: &Path, arguments: &[&str]| {
            let output = Command::new(env!("CARGO_BIN_EXE_kgen"))
                .args(arguments)
                .current_dir(place)
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{arguments:?}: {errors}");
        };
        run(
            folder.path(),
            &[
                "init",
                style,
                "--domain",
                "example.org",
                "--style",
                style,
                "--kgen-source",
                "registry",
            ],
        );
        run(
            &place,
            &[
                "create",
                "api",
                "--group",
                "tea",
                "--version",
                "v1",
                "--kind",
                "Kettle",
            ],
        );
        is_clean(&place, &[]);
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Running the fixes twice gives the same bytes, and then nothing is left.
#[test]
fn fixes_settle_at_once() {
    for code in ["condition-shape", "option-null", "status-subresource"] {
        let folder = tempfile::tempdir().unwrap();
        copy(&root().join(code).join("fires"), folder.path());
        let file = folder.path().join("api/v1.rs");
        let before = fs::read_to_string(&file).unwrap();
        let (_, exit, text) = lint(folder.path(), &["--fix", "--allow-dirty"]);
        let once = fs::read_to_string(&file).unwrap();
        assert!(exit == 0 && once != before, "{code}: {text}");
        lint(folder.path(), &["--fix", "--allow-dirty"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), once, "{code}");
        let (found, _, text) = lint(folder.path(), &[]);
        assert!(found.is_empty(), "{code}: {text}");
    }
}

#[test]
fn the_configuration_selects_lints_and_makes_them_errors() {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("option-null/fires"), folder.path());
    let configure = |table: &str| {
        fs::write(
            folder.path().join("kgen.toml"),
            format!("paths = [\"api\"]\n[crd]\n[lint]\n{table}\n"),
        )
        .unwrap()
    };
    configure("deny = [\"option-null\"]");
    let (found, exit, _) = lint(folder.path(), &[]);
    assert_eq!((found[0]["severity"].as_str(), exit), (Some("error"), 1));
    configure("set = \"none\"");
    assert!(lint(folder.path(), &[]).0.is_empty());
    configure("set = \"none\"\nwarn = [\"unbounded-string\"]");
    assert_eq!(
        codes(&lint(folder.path(), &[]).0),
        BTreeSet::from(["unbounded-string".to_owned()])
    );
    configure("allow = [\"option-null\"]");
    assert!(lint(folder.path(), &[]).0.is_empty());
}

#[test]
fn messages_name_all_values_and_the_better_name() {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("enum-case/fires"), folder.path());
    let file = folder.path().join("api/v1.rs");
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("    Red,\n", "    Red,\n    Green,\n").replace(
        "    /// Its color.",
        "    /// When it was made.\n    pub timestamp: String,\n    /// Its color.",
    );
    fs::write(&file, text).unwrap();
    let (found, _, text) = lint(folder.path(), &[]);
    assert_eq!(
        codes(&found),
        BTreeSet::from(["enum-case".to_owned(), "time-name".to_owned()]),
        "{text}"
    );
    assert!(
        text.contains("the values `red`, `green` are not in PascalCase"),
        "{text}"
    );
    assert!(text.contains("times are called `time`"), "{text}");
}

#[test]
fn an_old_api_starts_without_findings() {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("option-null/fires"), folder.path());
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(folder.path())
            .args(["-c", "user.name=tester", "-c", "user.email=tester@example.org"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success());
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "first"]);
    assert!(lint(folder.path(), &["--since", "HEAD"]).0.is_empty());
    let file = folder.path().join("api/v1.rs");
    let text_of_types = fs::read_to_string(&file).unwrap();
    fs::write(
        &file,
        text_of_types.replace(
            "    /// Its color.",
            "    /// Its shape.\n    pub shape: Option<String>,\n    /// Its color.",
        ),
    )
    .unwrap();
    let (found, _, text) = lint(folder.path(), &["--since", "HEAD"]);
    assert!(found.len() == 1 && text.contains("shape"), "{text}");
    // A field that changed is new; one that moved is not.
    let moved = file.with_file_name("moved").join("v1.rs");
    fs::create_dir_all(moved.parent().unwrap()).unwrap();
    fs::rename(&file, &moved).unwrap();
    fs::write(&moved, &text_of_types).unwrap();
    let (found, _, text) = lint(folder.path(), &["--since", "HEAD"]);
    assert!(found.is_empty(), "{text}");
    fs::write(
        &moved,
        text_of_types.replace("color: Option<String>", "color: Option<i32>"),
    )
    .unwrap();
    let (found, _, text) = lint(folder.path(), &["--since", "HEAD"]);
    assert!(found.len() == 1 && text.contains("color"), "{text}");
}
