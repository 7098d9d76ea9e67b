//! `strategy: None`: the API server drops exactly the fields that the warning `lossy-versions` lists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use kgen_testenv::ControlPlane;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};

use crate::cluster::{Outcome, new_spec, newest_spec, object, old_spec};

/// Generates the CRD of the same types without the webhook. Returns it, and the help of its warnings.
fn generate() -> Outcome<(String, Vec<String>)> {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases/conversion-three-versions/src/api");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("without-webhook");
    let source = folder.join("src");
    fs::create_dir_all(&source)?;
    for entry in fs::read_dir(case)? {
        let path = entry?.path();
        let text = fs::read_to_string(&path)?;
        let lines = text.lines().filter(|line| !line.contains("+kgen:conversion"));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        let name = if path.ends_with("mod.rs") {
            "lib.rs".into()
        } else {
            path.file_name().unwrap().to_owned()
        };
        fs::write(source.join(name), text)?;
    }
    fs::write(
        folder.join("Cargo.toml"),
        "[package]\nname = \"boats\"\n[dependencies]\nk8s-openapi = \"1\"\n[workspace]\n",
    )?;
    let output = folder.join("crd");
    let report = kgen_build::configure().path(&source).crd(&output).run();
    let problems = report
        .findings
        .iter()
        .flat_map(|findings| findings.problems.iter());
    let help = problems
        .filter(|problem| problem.code == kgen_diagnostics::Code::LossyVersions)
        .flat_map(|problem| problem.help.clone());
    let help = help.collect();
    Ok((fs::read_to_string(output.join("example.com_boats.yaml"))?, help))
}

/// Returns the fields that the help lists for a direction.
fn reported(help: &[String], from: &str, to: &str) -> BTreeSet<String> {
    let end = format!(" when it reads an object of `{from}` as `{to}`");
    let lists = help
        .iter()
        .filter_map(|line| line.strip_suffix(&end)?.strip_prefix("the API server drops "));
    let words = lists.flat_map(|list| list.split('`').skip(1).step_by(2));
    words.map(str::to_owned).collect()
}

/// Returns the paths of all fields. Items of lists count as one.
fn fields(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) => {
            for (name, value) in entries {
                let path = format!("{path}.{name}");
                found.insert(path.clone());
                fields(value, &path, found);
            }
        }
        Value::Array(items) => {
            for item in items {
                fields(item, &format!("{path}[]"), found);
            }
        }
        _ => {}
    }
}

pub async fn the_reported_fields_are_lost() -> Outcome {
    let (definition, help) = generate()?;
    let control_plane = ControlPlane::start().await?;
    control_plane.install_crds(definition).await?;
    let client = control_plane.client().await?;
    let boats = |version: &str| -> Api<DynamicObject> {
        let kind = GroupVersionKind::gvk("example.com", version, "Boat");
        let resource = ApiResource::from_gvk_with_plural(&kind, "boats");
        Api::default_namespaced_with(client.clone(), &resource)
    };
    let mut newest = newest_spec();
    newest["zone"] = "north".into();
    newest["ports"][0]["protocol"] = "TCP".into();
    let mut new = new_spec();
    new["ports"][0]["protocol"] = "TCP".into();
    // `v2` is stored, so it is one side of every conversion.
    for (number, (from, to, spec)) in [
        ("v1", "v2", old_spec()),
        ("v2", "v1", new.clone()),
        ("v2", "v3", new),
        ("v3", "v2", newest),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("boat-{number}");
        let boat = serde_json::from_value(object(from, &name, spec.clone()))?;
        boats(from).create(&PostParams::default(), &boat).await?;
        let status = match from {
            "v1" => json!({"replicas": 2}),
            _ => json!({"readyReplicas": 2}),
        };
        boats(from)
            .patch_status(
                &name,
                &PatchParams::default(),
                &Patch::Merge(json!({"status": status})),
            )
            .await?;
        let found = boats(to).get(&name).await?;
        let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
        fields(&spec, ".spec", &mut before);
        fields(&status, ".status", &mut before);
        fields(&found.data["spec"], ".spec", &mut after);
        fields(&found.data["status"], ".status", &mut after);
        let lost: BTreeSet<String> = before.difference(&after).cloned().collect();
        assert_eq!(lost, reported(&help, from, to), "{from} to {to}: {help:#?}");
    }
    control_plane.stop().await?;
    Ok(())
}
