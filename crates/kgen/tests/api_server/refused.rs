//! The API server must refuse the CRDs in `testdata/refused`. The test target `refused` gives their source to kgen.

use std::collections::BTreeMap;
use std::fs;

use kgen_testenv::ControlPlane;
use kgen_testenv::suite::Outcome;

use crate::examples::{self, Refusal};
use crate::{root, run};

/// Objects are not stored: the server does everything except the last step.
pub async fn the_api_server_refuses_them() -> Outcome {
    let control_plane = ControlPlane::start().await?;
    let examples = examples::all(&root());
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
        match (example.refusal, answer) {
            (Refusal::KgenOnly, None) => {}
            (Refusal::KgenOnly, Some(answer)) => {
                wrong.push(format!("{name}: the API server refuses it as well: {answer}"))
            }
            (Refusal::Both | Refusal::ServerOnly, None) => {
                wrong.push(format!("{name}: the API server accepts it"))
            }
            (Refusal::Both | Refusal::ServerOnly, Some(answer)) => {
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
        .filter(|example| example.refusal == Refusal::KgenOnly)
        .count();
    assert_eq!(accepted, ours, "kubectl has left some out:\n{text}");
    control_plane.stop().await?;
    Ok(())
}

/// Returns the output of kubectl for each refused file, by the folder of the file.
fn refusals(text: &str) -> BTreeMap<&str, &str> {
    let parts = text.split("error when creating \"").skip(1);
    parts
        .filter_map(|part| part.split_once("/crd.yaml\": "))
        .collect()
}
