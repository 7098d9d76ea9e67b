//! The charts of the cases, of projects and of operators: their objects with default values, and the effect of every value.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Files, Problems, SourceFile};
use kgen_helm::{HelmOptions, Row};
use kgen_manifests::Manifests;
use serde_json::{Value, json};

use crate::support::{folders, name, root};
use crate::{made, printed, run};

/// A chart that kgen generated, and the manifests from which it did.
pub struct Chart {
    pub name: String,
    pub folder: PathBuf,
    pub manifests: Manifests,
    pub namespace: String,
    rows: Vec<Row>,
}

/// Objects by kind, namespace and name.
pub type Objects = BTreeMap<(String, String, String), Value>;

pub fn charts() -> Vec<Chart> {
    let cases = folders(&root().join("testdata/cases")).into_iter();
    let mut charts: Vec<Chart> = cases
        .filter(|case| case.join("expected/Chart.yaml").is_file())
        .map(|case| {
            let manifests = fs::read_to_string(case.join("all.yaml")).unwrap();
            chart(case.join("expected"), &manifests)
        })
        .collect();
    assert!(charts.len() >= 2);
    let made = made::all().iter();
    charts.extend(made.map(|made| chart(made.chart.clone(), &made.manifests)));
    charts
}

fn chart(folder: PathBuf, manifests: &str) -> Chart {
    let manifests = read(manifests);
    let description = read_values(&fs::read_to_string(folder.join("Chart.yaml")).unwrap());
    let text = |key: &str| description[key].as_str().unwrap().to_owned();
    let options = HelmOptions {
        name: text("name"),
        version: text("version"),
        ..HelmOptions::default()
    };
    let first = manifests.deployments().next();
    let namespace = first.unwrap().namespace().to_owned();
    Chart {
        name: text("name"),
        folder,
        namespace,
        rows: kgen_helm::values(&manifests, &options),
        manifests,
    }
}

pub fn read(text: &str) -> Manifests {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("all.yaml", text));
    let (mut manifests, mut problems) = (Manifests::default(), Problems::new());
    manifests.add(text, file, &mut problems);
    let problems: Vec<_> = problems.iter().map(|problem| problem.message.clone()).collect();
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    manifests
}

fn read_values(text: &str) -> Value {
    let documents = kgen_manifests::yaml::read(text, Files::default().next_id()).unwrap();
    documents[0].to_json()
}

fn objects(manifests: &Manifests) -> Objects {
    let key = |object: &kgen_manifests::Object| {
        (
            object.kind().to_owned(),
            object.namespace().to_owned(),
            object.name().to_owned(),
        )
    };
    let objects = manifests.objects.iter();
    objects
        .map(|object| (key(object), object.value.clone()))
        .collect()
}

impl Chart {
    /// Renders the chart with these values, by their paths; an error is Helm's.
    pub fn render(&self, helm: &Path, values: &[(&str, Value)]) -> Result<Objects, String> {
        self.render_as(helm, "release", values)
    }

    fn render_as(&self, helm: &Path, release: &str, values: &[(&str, Value)]) -> Result<Objects, String> {
        let mut given = json!({});
        for (path, value) in values {
            let place = path.split('.').fold(&mut given, |node, key| &mut node[key]);
            *place = value.clone();
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), given.to_string()).unwrap();
        let output = run(
            helm,
            &[
                "template",
                release,
                &self.folder.display().to_string(),
                "--namespace",
                &self.namespace,
                "--values",
                &file.path().display().to_string(),
            ],
        );
        if !output.status.success() {
            return Err(printed(&output));
        }
        Ok(objects(&read(&String::from_utf8(output.stdout).unwrap())))
    }

    /// Returns an object with the secrets of cert-manager as the manifests name them. They belong to a release, so the chart
    /// gives them its prefix.
    fn with_secrets_of_manifests(&self, object: Value) -> Value {
        let mut text = object.to_string();
        for certificate in self.manifests.certificates() {
            let secret = certificate.value["spec"]["secretName"].as_str().unwrap();
            text = text.replace(&format!("\"{}-{secret}\"", self.name), &format!("\"{secret}\""));
        }
        text.parse().unwrap()
    }

    /// Returns the values of a row that show its effect, without and with its example.
    fn values_of<'r>(&self, row: &'r Row) -> [Vec<(&'r str, Value)>; 2] {
        let needed: Vec<(&str, Value)> = row
            .with
            .iter()
            .map(|(path, value)| (*path, json!(value)))
            .collect();
        let mut changed = vec![(row.path, row.example.clone())];
        changed.extend(needed.clone());
        [needed, changed]
    }
}

pub fn lint(helm: &Path) {
    let of_session =
        ["chart", "chart-crds"].map(|name| root().join("testdata/cli/packages/files/dist").join(name));
    let folders = charts().into_iter().map(|chart| chart.folder);
    for folder in folders.chain(of_session) {
        let output = run(helm, &["lint", "--strict", &folder.display().to_string()]);
        let text = printed(&output);
        let remarks: Vec<&str> = text.lines().filter(|line| line.starts_with('[')).collect();
        assert_eq!(remarks, ["[INFO] Chart.yaml: icon is recommended"], "{text}");
        assert!(output.status.success(), "{text}");
    }
    let version = run(helm, &["version", "--short"]);
    println!("used {}: {}", helm.display(), printed(&version).trim());
}

/// With default values and the names of the manifests, the objects are those of the manifests.
pub fn defaults(helm: &Path) {
    let mut exact = 0;
    for chart in charts() {
        let rendered = chart
            .render(helm, &[("fullnameOverride", json!(chart.name))])
            .unwrap();
        let rendered: Objects = rendered
            .into_iter()
            .filter(|(_, object)| object["metadata"]["annotations"]["helm.sh/hook"].is_null())
            .map(|(key, object)| (key, chart.with_secrets_of_manifests(plain(object))))
            .collect();
        let expected: Objects = objects(&chart.manifests)
            .into_iter()
            .filter(|((kind, ..), _)| kind != "Namespace")
            .map(|(key, object)| (key, plain(object)))
            .collect();
        let folder = chart.folder.display();
        if rendered.keys().eq(expected.keys()) {
            for (key, object) in &expected {
                assert_eq!(&rendered[key], object, "{key:?} of {folder}");
            }
            exact += 1;
            continue;
        }
        // Without a common prefix, names differ.
        let summary = |objects: &Objects| {
            let mut all: Vec<String> = objects
                .iter()
                .map(|((kind, ..), object)| format!("{kind} {}", object["rules"]))
                .collect();
            all.sort();
            all
        };
        assert_eq!(summary(&rendered), summary(&expected), "{folder}");
    }
    assert!(exact > 0, "no chart has the names of its manifests");
}

/// Removes what Helm adds to an object.
fn plain(mut object: Value) -> Value {
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("labels");
        if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
            annotations.remove("helm.sh/resource-policy");
            if annotations.is_empty() {
                metadata.remove("annotations");
            }
        }
    }
    if object["kind"] == "Deployment" && object["spec"]["replicas"].is_null() {
        object["spec"]["replicas"] = json!(1);
    }
    if let Some(pod) = object.pointer_mut("/spec/template/spec") {
        for container in pod["containers"].as_array_mut().into_iter().flatten() {
            without_empty(container, "volumeMounts");
        }
        without_empty(pod, "volumes");
    }
    if !object["spec"].is_null() {
        without_own_labels(&mut object["spec"]);
    }
    object
}

/// Removes an empty list, which kustomize leaves where the last item was removed.
fn without_empty(value: &mut Value, key: &str) {
    if let Some(map) = value.as_object_mut()
        && map.get(key) == Some(&json!([]))
    {
        map.remove(key);
    }
}

fn without_own_labels(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("app.kubernetes.io/instance");
            map.remove("app.kubernetes.io/name");
            map.values_mut().for_each(without_own_labels);
        }
        Value::Array(items) => items.iter_mut().for_each(without_own_labels),
        _ => {}
    }
}

/// Every value changes objects of the kinds that its row names, and no others.
pub fn effects(helm: &Path) {
    for chart in charts() {
        let defaults = chart.render(helm, &[]).unwrap();
        for row in &chart.rows {
            let [needed, after] = chart.values_of(row);
            let with_needed = || {
                chart.render(helm, &needed).unwrap_or_else(|reason| {
                    assert!(reason.contains("is required"), "{reason}");
                    let another = [needed.clone(), vec![(row.path, json!("another"))]].concat();
                    chart.render(helm, &another).unwrap()
                })
            };
            let before = if needed.is_empty() {
                defaults.clone()
            } else {
                with_needed()
            };
            let after = match chart.render(helm, &after) {
                Ok(after) => after,
                Err(reason) => {
                    assert!(
                        row.path == "watchNamespaces"
                            && reason.contains("a Role in a namespace cannot grant"),
                        "{}: {reason}",
                        row.path
                    );
                    continue;
                }
            };
            let changed: BTreeSet<&str> = before
                .iter()
                .filter(|(key, object)| after.get(*key) != Some(object))
                .map(|(key, _)| key)
                .chain(after.keys().filter(|key| !before.contains_key(*key)))
                .map(|(kind, ..)| kind.as_str())
                .collect();
            let place = format!("{} of {}", row.path, chart.folder.display());
            assert!(!changed.is_empty(), "{place} has no effect");
            if row.changes == kgen_helm::ALL {
                let mut all: BTreeSet<&str> = before.keys().map(|(kind, ..)| kind.as_str()).collect();
                // A CRD has names of the release only if it has a webhook for conversions.
                if row.path == "fullnameOverride" && chart.manifests.conversion_webhooks().next().is_none() {
                    all.remove("CustomResourceDefinition");
                }
                assert_eq!(changed, all, "{place}");
            } else {
                let rendered = before.keys().chain(after.keys());
                let converts = chart.manifests.conversion_webhooks().next().is_some();
                let expected: BTreeSet<&str> = rendered
                    .map(|(kind, ..)| kind.as_str())
                    .filter(|kind| row.changes.contains(kind))
                    .filter(|kind| {
                        converts || *kind != "CustomResourceDefinition" || !row.path.starts_with("webhook.")
                    })
                    .collect();
                assert!(changed.is_subset(&expected), "{place} changes {changed:?}");
                // Only whole projects have objects of every kind that depends on a value.
                if chart.manifests.definitions().next().is_some() {
                    assert_eq!(changed, expected, "{place}");
                }
            }
        }
    }
}

/// The number of combinations of values.
const COMBINATIONS: usize = 40;

/// Renders a chart with combinations of values. Any two values are set together, each to its default or to its example.
pub fn combinations(chart: &Chart, helm: &Path) -> Vec<Objects> {
    let rows: Vec<&Row> = chart
        .rows
        .iter()
        .filter(|row| chart.render(helm, &chart.values_of(row)[1]).is_ok())
        .collect();
    // Different sets of equal size: of any two, each has a run that the other lacks. Two more runs have all and none.
    let sets: Vec<u32> = (0..1_u32 << 8).filter(|set| set.count_ones() == 4).collect();
    assert!(rows.len() <= sets.len());
    let mut random = fastrand::Rng::with_seed(24);
    let mut rendered = Vec::new();
    for run in 0..COMBINATIONS {
        let mut values = Vec::new();
        let mut needed = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let is_chosen = match run {
                8 => true,
                9 => false,
                0..8 => sets[index] >> run & 1 == 1,
                _ => random.bool(),
            };
            if is_chosen {
                let [with, _] = chart.values_of(row);
                values.push((row.path, row.example.clone()));
                needed.extend(with);
                // A mount needs its volume.
                let volumes = rows.iter().filter(|_| row.path == "extraVolumeMounts");
                let volumes = volumes.filter(|other| other.path == "extraVolumes");
                needed.extend(volumes.map(|other| (other.path, other.example.clone())));
            }
        }
        values.extend(needed);
        match chart.render(helm, &values) {
            Ok(objects) => rendered.push(objects),
            Err(reason) => panic!("{values:?} of {}: {reason}", chart.folder.display()),
        }
    }
    rendered
}

/// Two releases in one namespace have different names, and the longest name of a release leaves all names valid.
pub fn names(helm: &Path) {
    for chart in charts() {
        let long = "a".repeat(50);
        let releases = [format!("{long}-b1"), format!("{long}-b2")];
        let mut seen = BTreeSet::new();
        for release in &releases {
            assert_eq!(release.len(), 53);
            for (kind, namespace, name) in chart.render_as(helm, release, &[]).unwrap().into_keys() {
                assert!(name.len() <= 63, "{kind} {name} of {}", chart.folder.display());
                if kind != "CustomResourceDefinition" {
                    let key = (kind, namespace, name);
                    assert!(seen.insert(key.clone()), "{key:?} of {}", chart.folder.display());
                }
            }
        }
    }
}

/// The schema of the values refuses unknown keys and wrong types.
pub fn refusals(helm: &Path) {
    for chart in charts() {
        for (path, value) in [
            ("replica", json!(1)),
            ("image.repo", json!("a")),
            ("replicas", json!("1")),
            ("image.pullPolicy", json!("Sometimes")),
        ] {
            let refused = chart.render(helm, &[(path, value)]).unwrap_err();
            assert!(
                refused.contains("values don't meet the specifications of the schema"),
                "{}: {refused}",
                name(&chart.folder)
            );
        }
    }
}
