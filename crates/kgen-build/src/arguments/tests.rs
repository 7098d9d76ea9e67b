//! The argument form of controller-gen, and the messages about mistakes in it.

use std::path::Path;

use kgen_diagnostics::Renderer;

use super::*;
use crate::options::{CrdOptions, HeaderOptions, Options};

fn parse(words: &[&str]) -> Result<Arguments, String> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    parse_arguments("kgen", &words, &["generate", "verify"])
        .map_err(|findings| Renderer::default().render_all(&findings.problems, &findings.files))
}

#[test]
fn generators_options_paths_and_rules_are_read() {
    let arguments = parse(&[
        "crd:maxDescLen=0,allowDangerousTypes=true,headerFile=\"a,b.txt\",crdVersions=v1",
        "paths=./api;./more",
        "+paths={third, `fo;urth`}",
        "output:crd:dir=config/crd/bases",
        "output:stdout",
    ])
    .unwrap();
    assert_eq!(
        arguments.paths,
        ["./api", "./more", "third", "fo;urth"].map(PathBuf::from)
    );
    let [job] = arguments.jobs.as_slice() else {
        panic!("one job")
    };
    assert_eq!(
        job.options,
        Options {
            crd: CrdOptions {
                max_description_length: Some(0),
                allow_dangerous_types: true,
                ..CrdOptions::default()
            },
            header: HeaderOptions {
                file: Some("a,b.txt".into()),
                ..HeaderOptions::default()
            },
            ..Options::default()
        }
    );
    assert_eq!(job.output, Some(Output::Folder("config/crd/bases".into())));
}

#[test]
fn every_rule_can_be_the_default_or_that_of_a_generator() {
    let rules = [
        ("dir=a b", Output::Folder("a b".into())),
        ("dir:=x", Output::Folder("x".into())),
        ("stdout", Output::StandardOutput),
        ("none", Output::Nowhere),
        (
            "artifacts:config=a",
            Output::Split {
                manifests: "a".into(),
                code: None,
            },
        ),
        (
            "artifacts:code=b,config=a",
            Output::Split {
                manifests: "a".into(),
                code: Some("b".into()),
            },
        ),
    ];
    for (text, rule) in rules {
        for place in ["output", "output:crd"] {
            let arguments = parse(&["crd", &format!("{place}:{text}")]).unwrap();
            assert_eq!(arguments.jobs[0].output.as_ref(), Some(&rule), "{place}:{text}");
        }
    }
    assert_eq!(parse(&["crd"]).unwrap().jobs[0].output, None);
}

#[test]
fn a_rule_of_a_generator_wins_over_the_default() {
    let arguments = parse(&["output:crd:dir=x", "output:none", "crd"]).unwrap();
    assert_eq!(
        arguments.jobs[0].output.as_ref(),
        Some(&Output::Folder(Path::new("x").into()))
    );
}

#[test]
fn mistakes_are_underlined_at_their_place() {
    insta::assert_snapshot!(parse(&["crd:maxDesclen=0", "paths=api"]).unwrap_err(), @"
    error[usage]: `crd` has no option `maxDesclen`
     --> <command line>:1:10
      |
    1 | kgen crd:maxDesclen=0 paths=api
      |          ^^^^^^^^^^ did you mean `maxDescLen`?
    ");
    let text = parse(&["crd", "output:crd:dri=x"]).unwrap_err();
    assert!(
        text.contains("  |                     ^^^ did you mean `dir`?\n"),
        "{text}"
    );
}

#[test]
fn help_about_comments_is_left_out() {
    insta::assert_snapshot!(parse(&["crd", "paths=\"a\" b"]).unwrap_err(), @r#"
    error[usage]: text after the value has no meaning
     --> <command line>:1:20
      |
    1 | kgen crd paths="a" b
      |                    ^
    "#);
}

#[test]
fn every_mistake_is_named() {
    let cases: &[(&[&str], &str)] = &[
        (&[""], "the argument has no name"),
        (&["=x"], "the argument has no name"),
        (&["paths=api"], "no generator is selected"),
        (
            &["crd", "output:dir=a", "output:dir=b"],
            "there are two output rules for all generators",
        ),
        (
            &["crd", "output:crd:stdout", "output:crd:dir=b"],
            "there are two output rules for `crd`",
        ),
        (&["crd", "crd:maxDescLen=1"], "`crd` is given twice"),
        (
            &["crd", "output:rbac:dir=x"],
            "an output rule for `rbac`, but the generator is not selected",
        ),
        (&["crds"], "did you mean `crd`?"),
        (&["genrate"], "did you mean `generate`?"),
        (&["crd=1"], "the options of `crd` need names"),
        (&["crd:"], "is not an argument: `=` is missing"),
        (&["crd:maxDescLen"], "is not an argument: `=` is missing"),
        (&["crd:maxDescLen=0,"], "an argument is missing after this comma"),
        (&["crd:maxDescLen=0,maxDescLen=1"], "is given twice"),
        (&["crd:maxDescLen=long"], "`long` is not an integer"),
        (&["crd:allowDangerousTypes=yes"], "neither `true` nor `false`"),
        (&["crd:crdVersions=v1beta1"], "`v1beta1` must be `v1`"),
        (&["crd:headerFile=\"x"], "is never closed"),
        (&["crd:headerFile='x'"], "single quotes have no meaning here"),
        (&["crd", "paths"], "`paths` needs one list"),
        (&["crd", "paths="], "a value is missing after `=`"),
        (&["crd", "paths=a,b"], "separate the values of a list with `;`"),
        (&["crd", "output"], "there is no output rule ``"),
        (&["crd", "output:"], "there is no output rule ``"),
        (&["crd", "output:crd"], "there is no output rule ``"),
        (&["crd", "output:dir"], "`dir` needs a folder"),
        (&["crd", "output:dir="], "a value is missing after `=`"),
        (&["crd", "output:stdout=x"], "`stdout` does not have a value"),
        (&["crd", "output:artifacts"], "`artifacts` needs a folder"),
        (&["crd", "output:artifacts:code=x"], "`artifacts` needs `config=`"),
        (&["crd", "output:artifacts:cnfig=x"], "did you mean"),
        (&["crd", "output:crdd:dir=x"], "did you mean `crd`?"),
        (&["crd", "output:wherever"], "the rules are `dir=…`"),
    ];
    for (words, expected) in cases {
        match parse(words) {
            Ok(_) => panic!("{words:?} should be refused"),
            Err(text) => assert!(text.contains(expected), "{words:?}: {text}"),
        }
    }
}

#[test]
fn all_mistakes_come_at_once() {
    let text = parse(&["crd:x=1", "paths=a,b", "output:y"]).unwrap_err();
    assert_eq!(text.matches("error[usage]").count(), 3, "{text}");
}

#[test]
fn no_argument_makes_the_reader_panic() {
    let pieces = [
        "crd",
        "output",
        "paths",
        ":",
        "=",
        ",",
        ";",
        "{",
        "}",
        "\"",
        "`",
        "'",
        "dir",
        "ü",
        " ",
        "+",
        "artifacts",
        "config",
    ];
    let mut number = 1_u64;
    for _ in 0..2_000 {
        let mut word = String::new();
        for _ in 0..6 {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            word.push_str(pieces[usize::try_from(number >> 33).unwrap() % pieces.len()]);
        }
        let _ = parse(&["crd", &word]);
    }
}
