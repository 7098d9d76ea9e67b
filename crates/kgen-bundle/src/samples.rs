//! The examples of the CSV: objects of the user, or else generated ones.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_sample::Judge;
use serde_json::Value;

use crate::Bundle;
use crate::json::text;

/// Returns one object for each kind and served version. An object of the user that the API server would refuse is an
/// error at its place.
pub(crate) fn examples(bundle: &Bundle<'_>, problems: &mut Problems) -> Vec<Value> {
    for sample in &bundle.options.samples {
        let is_owned = bundle.kinds.iter().any(|kind| {
            kind.group() == sample.group()
                && kind.kind() == sample.kind()
                && kind
                    .served()
                    .any(|version| text(&version["name"]) == sample.version())
        });
        if !is_owned {
            let message = format!(
                "this operator does not own the kind `{}` of `{}`",
                sample.kind(),
                sample.api_version()
            );
            problems.push(
                Problem::error(Code::BundleSample, sample.place(&["kind"]), message)
                    .help("remove the sample, or correct its `apiVersion` and `kind`"),
            );
        }
    }
    let mut examples = Vec::new();
    for kind in &bundle.kinds {
        let judge = Judge::of(&kind.definition);
        for version in kind.served() {
            let version = text(&version["name"]);
            let api_version = format!("{}/{version}", kind.group());
            let own = || {
                let samples = bundle.options.samples.iter();
                samples.filter(|sample| sample.api_version() == api_version && sample.kind() == kind.kind())
            };
            for sample in own() {
                if let Some(reason) = judge.refusal(version, &sample.value) {
                    let message = format!("the API server would refuse this sample: {reason}");
                    problems.push(Problem::error(Code::BundleSample, sample.span(), message));
                }
            }
            if let Some(first) = own().next() {
                examples.push(without_namespace(&first.value));
                continue;
            }
            match judge.sample(kind.group(), version, kind.kind(), &[]) {
                Ok(sample) => examples.push(sample),
                Err(reason) => {
                    let message = format!(
                        "there is no sample of `{}` in `{api_version}`: {reason}",
                        kind.kind()
                    );
                    problems.push(
                        Problem::general(Code::BundleSample, message)
                            .help("write an object to a file in `config/samples`"),
                    );
                }
            }
        }
    }
    examples
}

fn without_namespace(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("namespace");
    }
    object
}
