//! The contents of `kgen.toml`, and the messages about mistakes in it.

use std::fs;
use std::path::Path;

use kgen_diagnostics::Renderer;

use super::*;
use crate::configuration::{Configuration, Output};

fn read(text: &str) -> Result<Configuration, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(FILE_NAME), text).unwrap();
    read_project_file(Path::new(FILE_NAME), folder.path())
        .map(|mut configuration| {
            for set in &mut configuration.sets {
                set.folder = set.folder.strip_prefix(folder.path()).unwrap().to_owned();
            }
            configuration
        })
        .map_err(|findings| Renderer::default().render_all(&findings.problems, &findings.files))
}

#[test]
fn one_set_stands_at_the_top() {
    let configuration = read(
        "paths = [\"src/api\"]\nfeatures = [\"a\"]\ndefault-features = false\n\n[crd]\noutput = \"deploy\"\nmax-desc-len = 0\n",
    )
    .unwrap();
    let [set] = configuration.sets.as_slice() else {
        panic!("one set")
    };
    assert_eq!(set.paths, [Path::new("src/api")]);
    assert_eq!(set.features.features, ["a"]);
    assert!(set.features.no_default && !set.features.all);
    assert_eq!(set.jobs[0].output, Some(Output::Folder("deploy".into())));
    assert_eq!(set.jobs[0].options.crd.max_description_length, Some(0));
    assert!(configuration.prune, "the file knows the whole project");
}

#[test]
fn several_sets_have_folders_of_their_own() {
    let configuration =
        read("[[set]]\nfolder = \"crates/a\"\ncrd = {}\n\n[[set]]\nfolder = \"./b/../c\"\n[set.crd]\n")
            .unwrap();
    let folders: Vec<_> = configuration.sets.iter().map(|set| set.folder.clone()).collect();
    assert_eq!(folders, [Path::new("crates/a"), Path::new("c")]);
}

#[test]
fn a_mistake_is_shown_at_its_place() {
    insta::assert_snapshot!(read("[crd]\nmaxDescLen = 0\n").unwrap_err(), @"
    error[configuration]: `crd` has no option `maxDescLen`
     --> kgen.toml:2:1
      |
    2 | maxDescLen = 0
      | ^^^^^^^^^^ did you mean `max-desc-len`?
    ");
}

#[test]
fn every_mistake_is_named() {
    let cases = [
        ("", "no generator is selected"),
        ("[crd\n", "the file is not valid TOML"),
        ("path = [\"x\"]\n[crd]", "did you mean `paths`?"),
        ("[crds]", "did you mean `crd`?"),
        ("max-desc-len = 0\n[crd]", "move it below `[crd]`"),
        ("crd = true", "this value must be a table, not of type boolean"),
        ("[crd]\nouput = \"x\"", "did you mean `output`?"),
        (
            "[crd]\noutput = 1",
            "this value must be a string, not of type integer",
        ),
        ("[crd]\nmax-desc-len = \"0\"", "this value must be an integer"),
        (
            "[crd]\nmax-desc-len = 99999999999999999999",
            "this value must be an integer",
        ),
        (
            "[crd]\nallow-dangerous-types = 1",
            "this value must be `true` or `false`",
        ),
        ("[crd]\nyear = 2026", "this value must be a string"),
        ("[crd]\ncrd-versions = [\"v1beta1\"]", "`v1beta1` must be `v1`"),
        ("paths = \"x\"\n[crd]", "this value must be an array of strings"),
        ("paths = [1]\n[crd]", "this value must be a string"),
        ("set = 1", "this value must be an array of tables"),
        ("set = [1]", "this value must be a table"),
        ("[[set]]", "no generator is selected"),
        ("[crd]\n[[set]]\ncrd = {}", "`crd` is outside of every set"),
    ];
    for (text, expected) in cases {
        match read(text) {
            Ok(_) => panic!("{text:?} should be refused"),
            Err(shown) => assert!(shown.contains(expected), "{text:?}: {shown}"),
        }
    }
}

#[test]
fn a_byte_order_mark_does_not_move_places() {
    let text = read("\u{feff}[crdd]\n").unwrap_err();
    assert!(text.contains("kgen.toml:1:2"), "{text}");
}

#[test]
fn the_file_is_found_from_below() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("a/b");
    fs::create_dir_all(&below).unwrap();
    assert_eq!(find_project_file(&below), None);
    let file = folder.path().join(FILE_NAME);
    fs::write(&file, "[crd]").unwrap();
    assert_eq!(find_project_file(&below), Some(file));
}

#[test]
fn the_schema_knows_every_key_that_the_reader_knows() {
    let schema = configuration_schema();
    let crd = &schema["oneOf"][0]["properties"]["crd"]["properties"];
    assert_eq!(crd["max-desc-len"]["type"], "integer");
    assert_eq!(crd["output"]["default"], "config/crd");
    assert_eq!(crd["generate-embedded-object-meta"]["default"], true);
    assert_eq!(
        schema["oneOf"][1]["properties"]["set"]["items"]["properties"]["paths"]["type"],
        "array"
    );
}
