//! Counter-examples: every folder in `testdata/refused` breaks one rule, and both kgen and the API server must say so. The
//! README there tells what the files of a folder hold.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kgen_diagnostics::Code;
use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Outcome;

use crate::{root, run};

/// What a counter-example is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Both refuse.
    Shared,
    /// kgen refuses what the API server takes, because nothing good would come of it.
    OursAlone,
    /// The API server refuses what kgen does not know to be wrong.
    TheirsAlone,
}

struct CounterExample {
    name: String,
    folder: PathBuf,
    rule: Rule,
}

/// All counter-examples, by name.
fn counter_examples() -> Vec<CounterExample> {
    let entries = fs::read_dir(root().join("testdata/refused")).unwrap();
    let folders = entries.map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = folders
        .filter(|folder| folder.is_dir())
        .map(|folder| {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let has = |file: &str| folder.join(file).is_file();
            let rule = match (has("accepted.txt"), has("missed.txt")) {
                (false, false) => Rule::Shared,
                (true, false) => Rule::OursAlone,
                (false, true) => Rule::TheirsAlone,
                (true, true) => panic!("{name} is refused by nobody"),
            };
            CounterExample { name, folder, rule }
        })
        .collect();
    found.sort_by(|first, second| first.name.cmp(&second.name));
    assert!(found.len() > 80, "only {} were found", found.len());
    found
}

/// The half that needs no server: kgen reports the problem, whole and at its place.
pub async fn kgen_refuses_them() -> Outcome {
    let mut wrong = Vec::new();
    for example in counter_examples() {
        let said = what_kgen_says(&example.folder);
        let refuses = said.starts_with("error[");
        let (problems, missed) = (
            example.folder.join("problems.txt"),
            example.folder.join("missed.txt"),
        );
        if std::env::var_os("KGEN_ACCEPT").is_some() && refuses {
            fs::write(&problems, &said)?;
            let _ = fs::remove_file(&missed);
            continue;
        }
        let name = &example.name;
        match (example.rule, refuses) {
            (Rule::TheirsAlone, true) => wrong.push(format!(
                "{name}: kgen refuses it by now, so `missed.txt` and its line in the README are out of date:\n{said}"
            )),
            (Rule::TheirsAlone, false) => {}
            (Rule::Shared | Rule::OursAlone, false) => wrong.push(format!("{name}: kgen accepts it\n{said}")),
            (Rule::Shared | Rule::OursAlone, true) => {
                let expected = fs::read_to_string(&problems).unwrap_or_default();
                if said != expected {
                    let diff = similar::TextDiff::from_lines(expected.as_str(), said.as_str());
                    wrong.push(format!(
                        "{name}:\n{}`cargo xtask accept` takes what was found, if it is right",
                        diff.unified_diff().header("expected", "found")
                    ));
                }
                if !said.contains("--> api/") {
                    wrong.push(format!("{name}: the problem has no place\n{said}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

fn what_kgen_says(folder: &Path) -> String {
    let nowhere = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_kgen"))
        .args(["crd", "paths=./api", "--color=never"])
        .arg(format!("output:dir={}", nowhere.path().display()))
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    // The line about `kgen fix` is no problem.
    let problems = said
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("run `kgen fix "));
    problems.collect()
}

/// Whoever adds a check with a code of its own adds a counter-example, or tells in the README why there is none.
pub async fn every_code_of_the_checks_has_one() -> Outcome {
    let readme = fs::read_to_string(root().join("testdata/refused/README.md"))?;
    let mut stated = String::new();
    for example in counter_examples() {
        stated += &fs::read_to_string(example.folder.join("problems.txt")).unwrap_or_default();
    }
    for code in codes_of_the_checks(&root().join("crates/kgen-check/src")) {
        assert!(
            stated.contains(&format!("error[{code}]")) || readme.contains(&format!("| `{code}` |")),
            "`testdata/refused` has no example of `{code}`"
        );
    }
    Ok(())
}

/// Parts of the checks that are not about definitions: other manifests, generated Rust, and the table of severities.
const NOT_ABOUT_DEFINITIONS: &[&str] = &["access", "clients", "conversion", "policy", "tests", "webhook"];

/// The codes that the checks of definitions name.
fn codes_of_the_checks(folder: &Path) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().and_then(|name| name.to_str());
        if stem.is_some_and(|name| NOT_ABOUT_DEFINITIONS.contains(&name)) {
            continue;
        }
        if path.is_dir() {
            found.extend(codes_of_the_checks(&path));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let named = Code::ALL
            .iter()
            .filter(|code| text.contains(&format!("Code::{code:?}")));
        found.extend(named.map(|code| code.name()));
    }
    found
}

/// The tables of the README are complete.
pub async fn the_readme_lists_where_they_differ() -> Outcome {
    let readme = fs::read_to_string(root().join("testdata/refused/README.md"))?;
    for example in counter_examples() {
        let reason = match example.rule {
            Rule::Shared => None,
            Rule::OursAlone => Some("accepted.txt"),
            Rule::TheirsAlone => Some("missed.txt"),
        };
        let row = match reason {
            Some(file) => {
                let reason = fs::read_to_string(example.folder.join(file))?;
                Some(format!("| `{}` | {} |", example.name, reason.trim_end()))
            }
            None => None,
        };
        match row {
            Some(row) => assert!(readme.contains(&row), "the README lacks the line\n{row}"),
            None => assert!(
                !readme.contains(&format!("| `{}` |", example.name)),
                "{}",
                example.name
            ),
        }
    }
    Ok(())
}

/// The other half. Nothing is stored: the server goes all the way but for the last step.
pub async fn the_api_server_refuses_them() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let examples = counter_examples();
    let mut kubectl = control_plane.kubectl();
    kubectl
        .args(["create", "--dry-run=server", "--validate=strict"])
        .current_dir(root().join("testdata/refused"));
    for example in &examples {
        kubectl
            .arg("--filename")
            .arg(format!("{}/crd.yaml", example.name));
    }
    let (_, text) = run(&mut kubectl);
    let answers = refusals(&text);
    let mut wrong = Vec::new();
    for example in &examples {
        let (name, answer) = (&example.name, answers.get(example.name.as_str()));
        let expected = fs::read_to_string(example.folder.join("server.txt")).unwrap_or_default();
        match (example.rule, answer) {
            (Rule::OursAlone, None) => {}
            (Rule::OursAlone, Some(answer)) => {
                wrong.push(format!("{name}: the API server refuses it as well: {answer}"))
            }
            (Rule::Shared | Rule::TheirsAlone, None) => {
                wrong.push(format!("{name}: the API server accepts it"))
            }
            (Rule::Shared | Rule::TheirsAlone, Some(answer)) => {
                if expected.lines().count() < 2 || !expected.lines().all(|words| answer.contains(words)) {
                    wrong.push(format!("{name}: it should say\n{expected}but says\n{answer}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let accepted = text.lines().filter(|line| line.contains(" created ")).count();
    let ours = examples
        .iter()
        .filter(|example| example.rule == Rule::OursAlone)
        .count();
    assert_eq!(accepted, ours, "kubectl has left some out:\n{text}");
    control_plane.stop().await?;
    Ok(())
}

/// What kubectl prints about each file that was refused, by the folder of the file.
fn refusals(text: &str) -> BTreeMap<&str, &str> {
    let parts = text.split("error when creating \"").skip(1);
    parts
        .filter_map(|part| part.split_once("/crd.yaml\": "))
        .collect()
}
