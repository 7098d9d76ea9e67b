//! The files around the manifests, and the fields that OperatorHub requires.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_generators::Artifact;
use serde_json::{Map, Value, json};

use crate::json::set;
use crate::options::BundleOptions;
use crate::{Bundle, GENERATOR, base, metadata_problem, owned};

/// The prefix of the annotations of a bundle.
const PREFIX: &str = "operators.operatorframework.io";

/// Reports empty fields that OperatorHub requires.
pub(crate) fn check(options: &BundleOptions, problems: &mut Problems) {
    let required = [
        ("the package has no name", "name", options.name.as_str()),
        (
            "the bundle has no description",
            "description",
            options.description.as_str(),
        ),
        (
            "the bundle has no provider, `spec.provider.name`",
            "provider",
            options.provider.name.as_str(),
        ),
    ];
    for (message, key, value) in required {
        if value.trim().is_empty() && !base::has(options, &["spec", key]) {
            problems.push(metadata_problem(message, key));
        }
    }
    if options.maintainers.is_empty() && !base::has(options, &["spec", "maintainers"]) {
        problems.push(metadata_problem(
            "the bundle has no maintainer, `spec.maintainers`",
            "maintainers",
        ));
    }
    for maintainer in &options.maintainers {
        if maintainer.name.is_empty() || !maintainer.address.contains('@') {
            let message = format!(
                "the maintainer `{}` needs a name and an email address",
                maintainer.name
            );
            problems.push(metadata_problem(message, "maintainers"));
        }
    }
    let default = options.default_channel.as_deref();
    if let Some(channel) = default.filter(|channel| !channels(options).iter().any(|known| known == channel)) {
        let message = format!("the default channel `{channel}` is not among the channels");
        problems.push(
            Problem::general(Code::BundleMetadata, message)
                .help(format!("the channels are {}", channels(options).join(", "))),
        );
    }
}

fn channels(options: &BundleOptions) -> Vec<&str> {
    if options.channels.is_empty() {
        vec!["stable"]
    } else {
        options.channels.iter().map(String::as_str).collect()
    }
}

/// Returns the annotations of the bundle: a name below the prefix, and a value.
fn annotations(options: &BundleOptions) -> Vec<(&'static str, String)> {
    let channels = channels(options);
    let default = options.default_channel.as_deref().or(channels.first().copied());
    let mut annotations = vec![
        ("bundle.mediatype.v1", "registry+v1".to_owned()),
        ("bundle.manifests.v1", "manifests/".to_owned()),
        ("bundle.metadata.v1", "metadata/".to_owned()),
        ("bundle.package.v1", options.name.clone()),
        ("bundle.channels.v1", channels.join(",")),
        (
            "bundle.channel.default.v1",
            default.unwrap_or_default().to_owned(),
        ),
    ];
    if options.scorecard.is_some() {
        annotations.push(("test.mediatype.v1", "scorecard+v1".to_owned()));
        annotations.push(("test.config.v1", "tests/scorecard/".to_owned()));
    }
    annotations
}

/// Returns the annotations, the Dockerfile and the configuration of scorecard.
pub(crate) fn artifacts(bundle: &Bundle<'_>) -> Vec<Artifact> {
    let mut map = Map::new();
    for (name, value) in annotations(bundle.options) {
        set(&mut map, &format!("{PREFIX}.{name}"), value);
    }
    let mut artifacts = vec![
        bundle.yaml(
            "metadata/annotations.yaml".to_owned(),
            &json!({ "annotations": map }),
        ),
        dockerfile(bundle),
    ];
    if let Some(image) = &bundle.options.scorecard {
        artifacts.push(bundle.yaml(
            "tests/scorecard/config.yaml".to_owned(),
            &scorecard(bundle, image),
        ));
    }
    artifacts
}

fn dockerfile(bundle: &Bundle<'_>) -> Artifact {
    let options = bundle.options;
    let folder = &options.folder;
    let mut text = bundle.head();
    text.push_str("FROM scratch\n\n");
    for (name, value) in annotations(options) {
        text.push_str(&format!("LABEL {PREFIX}.{name}={value}\n"));
    }
    text.push('\n');
    text.push_str(&format!(
        "COPY {folder}/manifests /manifests/\nCOPY {folder}/metadata /metadata/\n"
    ));
    if options.scorecard.is_some() {
        text.push_str(&format!("COPY {folder}/tests/scorecard /tests/scorecard/\n"));
    }
    Artifact {
        name: "../bundle.Dockerfile".to_owned(),
        generator: GENERATOR,
        text,
    }
}

/// The test of scorecard that requires `resources` of every owned kind, which only markers state.
const RESOURCES: &str = "olm-crds-have-resources";

/// The tests of scorecard: the basic ones, and those of OLM.
const TESTS: &[(&str, &str)] = &[
    ("basic", "basic-check-spec"),
    ("olm", "olm-bundle-validation"),
    ("olm", "olm-crds-have-validation"),
    ("olm", RESOURCES),
    ("olm", "olm-spec-descriptors"),
    ("olm", "olm-status-descriptors"),
];

/// Returns the configuration of scorecard. A test that no bundle of this source could pass is left out.
fn scorecard(bundle: &Bundle<'_>, image: &str) -> Value {
    let has_resources = bundle.kinds.iter().all(owned::Kind::has_resources);
    let tests = TESTS
        .iter()
        .filter(|(_, test)| has_resources || *test != RESOURCES);
    let tests = tests.map(|(suite, test)| {
        json!({
            "entrypoint": ["scorecard-test", test],
            "image": image,
            "labels": { "suite": suite, "test": format!("{test}-test") },
        })
    });
    json!({
        "apiVersion": "scorecard.operatorframework.io/v1alpha3",
        "kind": "Configuration",
        "metadata": { "name": "config" },
        "stages": [{ "parallel": true, "tests": tests.collect::<Vec<_>>() }],
    })
}

/// Returns the media type of an image, from its bytes.
pub(crate) fn media_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some("image/gif")
    } else if std::str::from_utf8(bytes).is_ok_and(|text| text.contains("<svg")) {
        Some("image/svg+xml")
    } else {
        None
    }
}
