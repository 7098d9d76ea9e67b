//! Fixes of small crates in temporary folders.

use std::fs;

use kgen_diagnostics::{Files, Fix, SourceFile, Span};

use super::*;
use crate::configuration::{Job, Set};
use crate::generator::Generator;

/// A crate whose only module is `v1`, with `text` in it.
struct Crate {
    folder: tempfile::TempDir,
}

const HEAD: &str = "//! +groupName=pottery.example.org\n";

impl Crate {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let made = Self { folder };
        made.write(
            "Cargo.toml",
            "[package]\nname = \"pottery\"\nversion = \"0.1.0\"\n",
        );
        made.write("src/lib.rs", "pub mod v1;\n");
        made.write("src/v1.rs", text);
        made
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn configuration(&self) -> Configuration {
        let set = Set {
            folder: self.folder.path().to_owned(),
            paths: vec!["src".into()],
            features: Default::default(),
            foreign_markers: Default::default(),
            allow: Vec::new(),
            jobs: vec![Job::new(Generator::find("crd").unwrap())],
        };
        Configuration {
            working_folder: self.folder.path().to_owned(),
            sets: vec![set],
            ..Configuration::default()
        }
    }

    /// Returns `src/v1.rs` after the fixes, and the number of fixes.
    fn fixed(&self) -> (String, usize) {
        let fixes = find_fixes(&self.configuration());
        match fixes.files.as_slice() {
            [] => (String::new(), 0),
            [file] => (file.new.clone(), file.fixed),
            files => panic!("{files:?}"),
        }
    }
}

fn kind(fields: &str) -> String {
    format!(
        "{HEAD}use kube::CustomResource;\n\
         #[derive(CustomResource)]\n\
         #[kube(group = \"pottery.example.org\", version = \"v1\", kind = \"Kiln\")]\n\
         pub struct KilnSpec {{\n{fields}}}\n"
    )
}

#[test]
fn everything_outside_of_an_edit_stays() {
    let text = kind(
        "    // Größe → +kubebuilder\n    // +kubebuilder:validation:MaxLenght=4\n    pub name: String, // ü\n",
    );
    let text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let (fixed, count) = Crate::new(&text).fixed();
    assert_eq!(count, 1);
    assert_eq!(fixed, text.replace("MaxLenght", "MaxLength"));
}

#[test]
fn a_mistake_behind_a_mistake_is_found_in_the_next_round() {
    // The import is missing in a later stage than the marker.
    let text = kind("    // +optinal\n    pub parts: Option<HashMap<String, String>>,\n");
    let (fixed, count) = Crate::new(&text).fixed();
    assert_eq!(count, 2);
    let expected = text
        .replace("optinal", "optional")
        .replace("use kube", "use std::collections::HashMap;\nuse kube");
    assert_eq!(fixed, expected);
}

#[test]
fn one_import_cures_several_problems() {
    let text = kind("    pub one: HashMap<String, String>,\n    pub two: HashMap<String, String>,\n");
    let (fixed, count) = Crate::new(&text).fixed();
    assert_eq!(fixed.matches("use std::collections::HashMap;").count(), 1);
    assert_eq!(count, 2);
}

#[test]
fn a_private_type_is_not_imported() {
    let made = Crate::new(&kind("    pub part: Part,\n"));
    made.write(
        "src/lib.rs",
        "pub mod v1;\nmod parts { struct Part { pub a: i32 } }\n",
    );
    assert_eq!(made.fixed(), (String::new(), 0));
    made.write(
        "src/lib.rs",
        "pub mod v1;\nmod parts { pub struct Part { pub a: i32 } }\n",
    );
    assert!(made.fixed().0.contains("use crate::parts::Part;\nuse kube"));
}

#[test]
fn a_fix_that_leads_to_another_error_is_left_out_and_reported() {
    let text = kind(
        "    // +kubebuilder:validation:MaxLenght=4\n    pub size: i32,\n    // +kubebuilder:validation:MaxLenght=4\n    pub name: String,\n",
    );
    let made = Crate::new(&text);
    let fixes = find_fixes(&made.configuration());
    let [file] = fixes.files.as_slice() else {
        panic!("{:?}", fixes.files);
    };
    assert_eq!(file.fixed, 1);
    assert_eq!(file.new.matches("MaxLenght").count(), 1);
    let failed: Vec<_> = fixes.failed.problems.iter().collect();
    assert_eq!(failed.len(), 1);
    insta::assert_snapshot!(failed[0].message, @"the fix for `unknown-marker` at src/v1.rs:6:9 was not applied: it causes another error: `kubebuilder:validation:MaxLength` must be on a string");
    assert!(fixes.remaining.has_errors());
}

#[test]
fn a_marker_moves_above_its_field_if_it_fits_there() {
    let text =
        kind("    pub size: i32, // +kubebuilder:validation:Minimum=1\n    pub name: String, // +optional\n");
    let made = Crate::new(&text);
    let fixes = find_fixes(&made.configuration());
    let [file] = fixes.files.as_slice() else {
        panic!("{:?}", fixes.files);
    };
    let expected = text.replace(
        "    pub size: i32, // +kubebuilder:validation:Minimum=1\n",
        "    // +kubebuilder:validation:Minimum=1\n    pub size: i32,\n",
    );
    assert_eq!(file.new, expected);
    // serde could not read the other field if it were optional.
    assert_eq!(fixes.failed.problems.len(), 1);
}

#[test]
fn every_round_of_one_line_is_gone_through() {
    let text = kind("    // +kubebuilder:validation:Enum='red';'green';'blue'\n    pub color: String,\n");
    let (fixed, count) = Crate::new(&text).fixed();
    assert_eq!(count, 3);
    assert!(fixed.contains("Enum=\"red\";\"green\";\"blue\""), "{fixed}");
}

#[test]
fn files_outside_of_the_workspace_stay() {
    let outside = tempfile::tempdir().unwrap();
    let other = outside.path().join("other");
    fs::create_dir_all(other.join("src")).unwrap();
    fs::write(
        other.join("Cargo.toml"),
        "[package]\nname = \"other\"\nversion = \"0.1.0\"\n",
    )
    .unwrap();
    let text = "pub struct Part {\n    // +kubebuilder:validation:MaxLenght=4\n    pub name: String,\n}\n";
    fs::write(other.join("src/lib.rs"), text).unwrap();
    let made = Crate::new(&kind("    pub part: other::Part,\n"));
    let manifest = format!(
        "[package]\nname = \"pottery\"\nversion = \"0.1.0\"\n[dependencies]\nother = {{ path = {:?} }}\n",
        other.display().to_string()
    );
    made.write("Cargo.toml", &manifest);
    let configuration = made.configuration();
    let fixes = find_fixes(&configuration);
    assert!(fixes.files.is_empty(), "{:?}", fixes.files);
    let problems: Vec<_> = fixes.remaining.findings[0].problems.iter().collect();
    assert_eq!(problems[0].code, Code::UnknownMarker);
    assert_eq!(applicable(&fixes.remaining, &configuration), 0);
}

#[test]
fn a_file_that_changed_in_the_meantime_is_not_written() {
    let made = Crate::new(&kind("    // +optinal\n    pub name: Option<String>,\n"));
    let fixes = find_fixes(&made.configuration());
    assert!(fixes.plan(made.folder.path()).is_ok());
    made.write("src/v1.rs", "// mine\n");
    let findings = fixes.plan(made.folder.path()).unwrap_err();
    let message = &findings.problems.iter().next().unwrap().message;
    assert_eq!(
        message,
        "`src/v1.rs` cannot be fixed: it has changed since kgen read it"
    );
}

#[test]
fn what_is_in_no_repository_is_not_saved() {
    let made = Crate::new(HEAD);
    let path = made.folder.path().join("src/v1.rs");
    let found = unrestorable([path.as_path()]);
    assert_eq!(found.outside, [path]);
    assert!(found.changed.is_empty());
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_workspace_is_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let text = format!(
        "{HEAD}{}",
        kind("    // +optinal\n    pub name: Option<String>,\n")
    );
    fs::write(outside.path().join("v1.rs"), &text).unwrap();
    let made = Crate::new(HEAD);
    let link = made.folder.path().join("src/v1.rs");
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(outside.path().join("v1.rs"), &link).unwrap();
    let fixes = find_fixes(&made.configuration());
    assert!(fixes.files.is_empty(), "{:?}", fixes.files);
}

#[test]
fn equal_edits_at_two_places_of_a_line_are_two_fixes() {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("a.rs", "// a: siz, b: siz\n").editable_at("a.rs"));
    let problem = |problem_at: u32, edit_at: u32| {
        let span = Span::new(file, problem_at, problem_at + 1);
        let edit = Fix::replace(Span::new(file, edit_at, edit_at + 3), "size");
        Problem::error(Code::UnknownMarker, span, "unknown `siz`").with_fix(edit)
    };
    let mut findings = Findings {
        files,
        ..Findings::default()
    };
    // Two at different places, one of these twice, and one with the place of the first and the edit of the second.
    for (problem_at, edit_at) in [(3, 6), (11, 14), (3, 6), (3, 14)] {
        findings.problems.push(problem(problem_at, edit_at));
    }
    let mut report = Report::default();
    report.findings.push(findings);
    let found = edits::candidates(&report).list;
    assert_eq!(found.len(), 3, "{found:#?}");
    let [first, .., last] = found.as_slice() else {
        panic!("{found:#?}");
    };
    // A fix that fails in one round must not keep its neighbor from being tried.
    assert_ne!(first.identity(), last.identity());
}
