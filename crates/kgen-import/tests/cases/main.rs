//! Every folder in `testdata/import` is a test: the Rust of its CRD is the expected one, `kgen crd` generates the same CRD
//! from it, and a second import of that CRD has the same bytes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kgen_golden::Goldens;
use kgen_import::{Enums, KubernetesTypes, Options, Outcome, Style, Versions};
use support::{compare, generate, import, shown, write, yaml_files};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/import")
}

/// Imports a text that has no errors.
fn imported(name: &str, text: &str, options: &Options) -> (Outcome, Vec<serde_json::Value>) {
    let imported = import(name, text, options);
    let problems = shown(&imported.outcome.problems, &imported.files);
    assert!(!imported.outcome.problems.has_errors(), "{name}: {problems}");
    (imported.outcome, imported.original)
}

/// Returns the differences after `kgen crd`, and the CRDs that it generates.
fn round_trip(outcome: &Outcome, original: &[serde_json::Value]) -> (Vec<String>, Vec<serde_json::Value>) {
    let crate_folder = tempfile::tempdir().unwrap();
    write(outcome, crate_folder.path());
    let generated = generate(crate_folder.path()).unwrap_or_else(|problems| panic!("{problems}"));
    let mut found = Vec::new();
    for (original, generated) in original.iter().zip(&generated) {
        compare(original, generated, outcome, &mut found);
    }
    (found, generated)
}

/// Returns the options of a case, and whether they keep the CRD as it is.
fn options_of(case: &Path) -> (Options, bool) {
    let mut options = Options::default();
    let text = fs::read_to_string(case.join("options")).unwrap_or_default();
    let mut is_equal = true;
    for line in text.lines() {
        match line.split_once('=').unwrap() {
            ("style", word) => options.style = Style::from_word(word).unwrap(),
            ("enums", word) => options.enums = Enums::from_word(word).unwrap(),
            ("kubernetes-types", word) => {
                options.kubernetes_types = KubernetesTypes::from_word(word).unwrap()
            }
            other => panic!("{other:?}"),
        }
        is_equal &= options.enums != Enums::Open && options.kubernetes_types != KubernetesTypes::Compatible;
    }
    (options, is_equal)
}

#[test]
fn cases_have_the_expected_rust_and_come_out_equal() {
    let mut goldens = Goldens::new();
    for path in yaml_files(&folder()) {
        let text = fs::read_to_string(&path).unwrap();
        let name = path
            .parent()
            .unwrap()
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let (options, is_equal) = options_of(path.parent().unwrap());
        let (outcome, original) = imported(&name, &text, &options);
        let files: BTreeMap<_, _> = outcome
            .files
            .iter()
            .map(|file| (file.path.clone(), file.text.clone().into_bytes()))
            .collect();
        goldens
            .compare(&path.parent().unwrap().join("expected"), &files)
            .unwrap();
        let (found, generated) = round_trip(&outcome, &original);
        assert_eq!(found.is_empty(), is_equal, "{name}: {found:#?}");
        if !is_equal || outcome.kubernetes_types > 0 {
            continue;
        }
        // kgen sorts properties, so only the order of fields may differ in the second import.
        let again: String = generated.iter().map(|crd| format!("---\n{crd}\n")).collect();
        let (second, original) = imported(&name, &again, &options);
        let sorted = |outcome: &Outcome| -> Vec<Vec<String>> {
            let lines = |text: &str| {
                let mut lines: Vec<_> = text
                    .lines()
                    .filter(|line| !line.is_empty())
                    .map(str::to_owned)
                    .collect();
                lines.sort();
                lines
            };
            outcome.files.iter().map(|file| lines(&file.text)).collect()
        };
        for (first, second) in sorted(&outcome).into_iter().zip(sorted(&second)) {
            let lost: Vec<_> = first.iter().filter(|line| !second.contains(line)).collect();
            let added: Vec<_> = second.iter().filter(|line| !first.contains(line)).collect();
            assert!(first == second, "{name}: lost {lost:#?}, added {added:#?}");
        }
        let (third_found, third) = round_trip(&second, &original);
        assert!(third_found.is_empty(), "{name}: {third_found:#?}");
        let again: String = third.iter().map(|crd| format!("---\n{crd}\n")).collect();
        assert_eq!(imported(&name, &again, &options).0.files, second.files, "{name}");
    }
    goldens
        .finish()
        .unwrap_or_else(|differences| panic!("{differences}"));
}

#[test]
fn options_keep_the_definition() {
    for options in [
        Options {
            enums: Enums::Text,
            ..Options::default()
        },
        Options {
            kubernetes_types: KubernetesTypes::Own,
            ..Options::default()
        },
        Options {
            docs: false,
            ..Options::default()
        },
    ] {
        for path in yaml_files(&folder()) {
            let text = fs::read_to_string(&path).unwrap();
            let (outcome, original) = imported(&path.display().to_string(), &text, &options);
            let (found, _) = round_trip(&outcome, &original);
            assert!(found.is_empty(), "{}: {options:?} {found:#?}", path.display());
        }
    }
}

#[test]
fn names_and_types_can_be_chosen() {
    let text = fs::read_to_string(folder().join("sharing/crd.yaml")).unwrap();
    let pair = |path: &str, name: &str| vec![(path.to_owned(), name.to_owned())];
    let options = Options {
        names: pair("Kiln.spec.inner", "Core"),
        types: pair("Kiln.spec.outer", "crate::Outer"),
        ..Options::default()
    };
    let (outcome, _) = imported("sharing", &text, &options);
    let kiln = outcome
        .files
        .iter()
        .find(|file| file.path.ends_with("kiln.rs"))
        .unwrap();
    assert!(
        kiln.text.contains("pub struct Core {") && kiln.text.contains("use crate::Outer;"),
        "{}",
        kiln.text
    );
    let options = Options {
        names: pair("Kiln.spec.iner", "Core"),
        ..Options::default()
    };
    let refused = import("sharing", &text, &options);
    assert!(refused.outcome.files.is_empty());
    let problems = shown(&refused.outcome.problems, &refused.files);
    assert!(
        problems.contains("`Kiln.spec.iner` does not name an imported type"),
        "{problems}"
    );
}

#[test]
fn only_structs_whose_fields_all_have_a_default_derive_it() {
    let options = Options {
        derives: vec!["Default".to_owned()],
        ..Options::default()
    };
    let optional = fs::read_to_string(folder().join("enums/crd.yaml")).unwrap();
    let required = optional.replace(
        "spec:\n            type: object\n",
        "spec:\n            type: object\n            required: [method]\n",
    );
    assert_ne!(optional, required);
    for (text, has_default) in [(optional, true), (required, false)] {
        let (outcome, _) = imported("enums", &text, &options);
        let text: String = outcome.files.iter().map(|file| file.text.as_str()).collect();
        let (before, _) = text.split_once("pub struct KilnSpec {").unwrap();
        let derive = before.lines().rfind(|line| line.starts_with("#[derive("));
        assert_eq!(derive.unwrap().contains("Default"), has_default, "{text}");
    }
}

#[test]
fn two_definitions_with_the_same_name_are_refused_unless_they_are_equal() {
    let text = fs::read_to_string(folder().join("no-spec/crd.yaml")).unwrap();
    let (outcome, _) = imported("twice", &format!("{text}---\n{text}"), &Options::default());
    assert_eq!(outcome.definitions, 1);
    let other = text.replace("scope: Namespaced", "scope: Cluster");
    let refused = import("twice", &format!("{text}---\n{other}"), &Options::default());
    let problems = shown(&refused.outcome.problems, &refused.files);
    assert!(
        problems.contains("there are two different CRDs called `kilns.pottery.example.com`"),
        "{problems}"
    );
}

/// Returns the problems of an import with options.
fn problems_of(text: &str, options: &Options) -> String {
    let imported = import("crd.yaml", text, options);
    shown(&imported.outcome.problems, &imported.files)
}

#[test]
fn definitions_that_differ_in_anything_are_different() {
    let text = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: kilns.pottery.example.com
  labels: {team: clay}
  annotations: {controller-gen.kubebuilder.io/version: v0.18.0}
spec:
  group: pottery.example.com
  scope: Namespaced
  names: {kind: Kiln, plural: kilns}
  versions:
  - name: v1
    served: true
    storage: true
    deprecated: true
    deprecationWarning: old
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    selectableFields: [{jsonPath: .spec.color}]
    additionalPrinterColumns: [{name: Color, type: string, jsonPath: .spec.color}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {color: {type: string}, size: {type: integer, format: int32}}}
          status: {type: object, properties: {size: {type: integer, format: int32}}}
";
    let problems = |other: &str| problems_of(&format!("{text}---\n{other}"), &Options::default());
    assert_eq!(problems(text), "");
    // Another release of the tool that wrote it does not make another CRD.
    assert_eq!(problems(&text.replace("v0.18.0", "v0.19.0")), "");
    for (old, new) in [
        ("clay", "glaze"),
        ("{controller-gen", "{note: mine, controller-gen"),
        ("served: true", "served: false"),
        ("    deprecated: true\n    deprecationWarning: old\n", ""),
        ("deprecationWarning: old", "deprecationWarning: older"),
        ("{status: {}, scale", "{scale"),
        ("specReplicasPath: .spec.size", "specReplicasPath: .spec.other"),
        ("    selectableFields: [{jsonPath: .spec.color}]\n", ""),
        ("name: Color", "name: Colour"),
        (
            "jsonPath: .spec.color}]\n    schema",
            "jsonPath: .spec.color, priority: 1}]\n    schema",
        ),
    ] {
        let other = text.replacen(old, new, 1);
        assert_ne!(text, other);
        let found = problems(&other);
        assert!(
            found.contains("there are two different CRDs called `kilns.pottery.example.com`"),
            "{new}: {found}"
        );
    }
}

#[test]
fn versions_are_selected_by_names_that_exist() {
    let text = fs::read_to_string(folder().join("versions/crd.yaml")).unwrap();
    let of = |names: &[&str]| {
        let options = Options {
            versions: Versions::Named(names.iter().map(|name| (*name).to_owned()).collect()),
            ..Options::default()
        };
        problems_of(&text, &options)
    };
    assert_eq!(of(&["v1", "v1alpha1"]), "");
    assert!(of(&["v1", "v1alpha2"]).contains("no CRD has the version `v1alpha2`"));
    let found = of(&["v1alpha1"]);
    assert!(
        found.contains(
            "note [import-loss] the stored version `v1` of `kilns.pottery.example.com` is left out"
        ),
        "{found}"
    );
    let other = fs::read_to_string(folder().join("special-names/crd.yaml")).unwrap();
    let options = Options {
        versions: Versions::Named(vec!["v1alpha1".to_owned()]),
        ..Options::default()
    };
    let found = problems_of(&format!("{text}\n---\n{other}"), &options);
    assert!(
        found.contains("has none of the versions, so it is left out"),
        "{found}"
    );
}

/// Two properties share a type, one has a Kubernetes type, and one begins with the name of another.
const NAMED: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: kilns.pottery.example.com}
spec:
  group: pottery.example.com
  scope: Namespaced
  names: {kind: Kiln, plural: kilns}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              first: {type: object, description: SharedPart is shared., properties: {a: {type: string}}}
              second: {type: object, description: SharedPart is shared., properties: {a: {type: string}}}
              selector:
                type: object
                x-kubernetes-map-type: atomic
                properties:
                  matchExpressions:
                    type: array
                    x-kubernetes-list-type: atomic
                    items:
                      type: object
                      required: [key, operator]
                      properties:
                        key: {type: string}
                        operator: {type: string}
                        values: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}
                  matchLabels: {type: object, additionalProperties: {type: string}}
              selectorOptions: {type: object, properties: {b: {type: string}}}
              size: {type: integer, format: int32}
";

fn named(names: &[(&str, &str)], types: &[(&str, &str)]) -> (String, String) {
    let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        let pairs = list.iter();
        pairs
            .map(|(path, name)| ((*path).to_owned(), (*name).to_owned()))
            .collect()
    };
    let options = Options {
        names: pairs(names),
        types: pairs(types),
        ..Options::default()
    };
    let imported = import("crd.yaml", NAMED, &options);
    let text = imported.outcome.files.iter().map(|file| file.text.as_str());
    (text.collect(), shown(&imported.outcome.problems, &imported.files))
}

#[test]
fn a_name_is_for_every_use_of_a_type() {
    for path in ["Kiln.spec.first", "Kiln.spec.second", "v1.Kiln.spec.second"] {
        let (text, problems) = named(&[(path, "Piece")], &[]);
        assert!(text.contains("pub struct Piece {"), "{path}: {problems}{text}");
        assert!(!text.contains("SharedPart {"), "{path}: {text}");
    }
    let (text, problems) = named(&[("Kiln.spec.first", "Piece"), ("Kiln.spec.second", "Part")], &[]);
    assert!(
        text.is_empty() && problems.contains("one type cannot be called `Piece` and `Part`"),
        "{problems}"
    );
}

#[test]
fn a_version_before_a_path_must_be_the_one_of_the_kind() {
    let (text, problems) = named(&[], &[("v1.Kiln.spec.size", "crate::Size")]);
    assert!(text.contains("use crate::Size;"), "{problems}{text}");
    for (names, types) in [
        (vec![], vec![("v9.Kiln.spec.size", "crate::Size")]),
        (vec![("v9.Kiln.spec.first", "Piece")], vec![]),
    ] {
        let (text, problems) = named(&names, &types);
        assert!(
            text.is_empty() && problems.contains("does not name an imported type"),
            "{problems}"
        );
    }
}

#[test]
fn a_name_that_no_or_two_types_would_have_is_refused() {
    for (names, expected) in [
        (
            vec![("Kiln.spec.size", "Size")],
            "`Kiln.spec.size` has no type of its own that a name could be given to",
        ),
        (
            vec![("Kiln.spec.first", "Kiln")],
            "`Kiln.spec.first` cannot be called `Kiln`: the kind has the name",
        ),
        (
            vec![
                ("Kiln.spec.first", "Piece"),
                ("Kiln.spec.selectorOptions", "Piece"),
            ],
            "`Kiln.spec.selectorOptions` cannot be called `Piece`: `Kiln.spec.first` has the name",
        ),
        (
            vec![("Kiln.spec.first", "piece")],
            "`piece` cannot be the name of a type",
        ),
    ] {
        let (text, problems) = named(&names, &[]);
        assert!(text.is_empty() && problems.contains(expected), "{problems}");
    }
}

#[test]
fn a_name_matters_only_at_its_path() {
    let (text, problems) = named(&[("Kiln.spec.selectorOptions", "Extra")], &[]);
    assert!(
        text.contains("LabelSelector") && text.contains("pub struct Extra {"),
        "{problems}{text}"
    );
    let (text, _) = named(&[("Kiln.spec.selector", "Choice")], &[]);
    assert!(text.contains("pub struct Choice {"), "{text}");
}

#[test]
fn fields_of_a_kind_have_different_names() {
    let text = NAMED.replace(
        "          spec:\n            type: object\n",
        "          types: {type: string}\n          odd-name: {type: string}\n          Metadata: {type: string}\n          spec:\n            type: object\n",
    );
    assert_ne!(text, NAMED);
    let (outcome, original) = imported("root", &text, &Options::default());
    let file = outcome
        .files
        .iter()
        .find(|file| file.path.ends_with("kiln.rs"))
        .unwrap();
    for field in [
        "pub types: Option<String>",
        "pub type_meta: kube::core::TypeMeta",
        "pub metadata_alt: ",
    ] {
        assert!(
            file.text.contains(field)
                || field.contains("kube") && file.text.contains("pub type_meta: TypeMeta"),
            "{field}: {}",
            file.text
        );
    }
    let (found, _) = round_trip(&outcome, &original);
    assert!(found.is_empty(), "{found:#?}");
}

/// Returns a small CRD.
fn small(group: &str, kind: &str, plural: &str) -> String {
    format!(
        "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {plural}.{group}}}\nspec:\n  \
         group: {group}\n  scope: Cluster\n  names: {{kind: {kind}, plural: {plural}, singular: {plural}}}\n  versions:\n  - name: v1\n    \
         served: true\n    storage: true\n    schema: {{openAPIV3Schema: {{type: object}}}}\n"
    )
}

#[test]
fn definitions_with_the_same_path_are_refused() {
    let groups = small("a-b.example.com", "Kiln", "kilns") + &small("a.b.example.com", "Kiln", "kilns");
    let message =
        "the groups `a-b.example.com` and `a.b.example.com` are both called `a_b_example_com` in Rust";
    assert!(problems_of(&groups, &Options::default()).contains(message));
    let kinds = small("example.com", "FireKiln", "kilns") + &small("example.com", "Fire-Kiln", "others");
    let problems = problems_of(&kinds, &Options::default());
    let message = "the kinds `FireKiln` and `Fire-Kiln` are both called `FireKiln` in Rust";
    assert!(problems.contains(message), "{problems}");
    // These types differ, and only their modules want the same name.
    let modules = small("example.com", "HTTPKiln", "kilns") + &small("example.com", "HttpKiln", "others");
    let (outcome, _) = imported("modules", &modules, &Options::default());
    let paths: Vec<&str> = outcome.files.iter().map(|file| file.path.as_str()).collect();
    assert!(paths.contains(&"example_com/v1/http_kiln.rs"), "{paths:?}");
    assert!(paths.contains(&"example_com/v1/http_kiln_alt.rs"), "{paths:?}");
}

/// kube derives the kind beside the spec, so the names of the prelude that a kind takes are written with their paths.
#[test]
fn kinds_of_kube_may_have_names_of_the_prelude() {
    let options = Options {
        style: Style::Kube,
        ..Options::default()
    };
    let file = |kind: &str| {
        let plural = format!("{}s", kind.to_lowercase());
        let text = format!(
            r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {{"name": "{plural}.example.com"}}, "spec": {{"group": "example.com", "scope": "Namespaced",
"names": {{"kind": "{kind}", "plural": "{plural}"}}, "versions": [{{"name": "v1", "served": true, "storage": true,
"schema": {{"openAPIV3Schema": {{"type": "object", "required": ["spec"], "properties": {{"spec": {{"type": "object",
"properties": {{"size": {{"type": "array", "items": {{"type": "string"}}}}}}}}}}}}}}}}]}}}}"#
        );
        let imported = import("crd.yaml", &text, &options);
        let files = imported.outcome.files.iter();
        files.map(|file| file.text.as_str()).collect::<String>()
    };
    assert!(file("Vec").contains("Option<std::vec::Vec<String>>"));
    assert!(file("String").contains("Option<Vec<std::string::String>>"));
    assert!(file("Serialize").contains("CustomResource, serde::Serialize, Deserialize"));
    for kind in ["Default", "Option"] {
        assert!(file(kind).contains(&format!("root = \"{kind}_\"")), "{kind}");
    }
}
