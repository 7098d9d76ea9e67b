//! CRDs: one YAML document for each kind of the API.
//!
//! Resources do not depend on each other, so their documents are generated in parallel. The order of artifacts and
//! problems is that of the resources, never that of the threads.

mod document;
mod schema;
mod size;

use kgen_check::Checked;
use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{ConversionWebhook, Resource};
use kgen_threads::map_all;

use crate::{Artifact, manifest};
use kgen_model::DescriptionLimit;

pub(crate) use document::schema_without_descriptions;

pub use document::definition;

/// The name of this generator on the command line and in the first line of its files.
const GENERATOR: &str = "crd";

/// The options of this generator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrdOptions {
    /// `maxDescLen`: `None` or a negative number keeps descriptions, zero removes them, another number truncates them.
    pub max_description_length: Option<i64>,
    /// The text of `headerFile`, with the year filled in.
    pub header: Option<String>,
    /// `compat=kube-derive`: leaves out the properties that every object has, as kube-derive does.
    pub like_kube_derive: bool,
    /// `deprecatedV1beta1CompatibilityPreserveUnknownFields`: written to every CRD if it is set.
    pub preserve_unknown_fields: Option<bool>,
}

/// Generates one CRD for each resource, sorted by kind and group.
#[must_use]
pub fn generate(checked: &Checked<'_>, options: &CrdOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = Problems::new();
    problems.extend(check_options(options));
    if problems.has_errors() {
        return (Vec::new(), problems);
    }
    let mut resources: Vec<&Resource> = checked
        .api()
        .resources
        .iter()
        .filter(|resource| document::is_written(resource))
        .collect();
    resources.sort_by_cached_key(|resource| format!("{}.{}", resource.kind, resource.group));
    let written = map_all(&resources, |resource| {
        write(resource, options, checked.conversion_webhook(resource))
    });
    let mut artifacts = Vec::with_capacity(written.len());
    for (artifact, warning) in written {
        artifacts.push(artifact);
        problems.extend(warning);
    }
    (artifacts, problems)
}

/// Rejects the one setting that API servers refuse in a new CRD.
fn check_options(options: &CrdOptions) -> Option<Problem> {
    let problem = Problem::general(
        Code::Usage,
        "the API server refuses `preserveUnknownFields: true` in CRDs",
    )
    .help("set `deprecatedV1beta1CompatibilityPreserveUnknownFields` to `false`, or remove it")
    .help("to keep unknown fields of a field, add `+kubebuilder:pruning:PreserveUnknownFields` to it");
    (options.preserve_unknown_fields == Some(true)).then_some(problem)
}

/// Returns the name of the file with the definition of a resource.
#[must_use]
pub fn file_name(resource: &Resource) -> String {
    format!("{}_{}.yaml", resource.group, resource.names.plural)
}

/// Returns the document of a resource, and a warning if it is too large.
fn write(
    resource: &Resource,
    options: &CrdOptions,
    webhook: Option<&ConversionWebhook>,
) -> (Artifact, Option<Problem>) {
    let value = definition(resource, options, webhook);
    let name = file_name(resource);
    let artifact = manifest::artifact(GENERATOR, &name, options.header.as_deref(), [&value]);
    let warning = size::check(resource, &value, artifact.text.len());
    (artifact, warning)
}

#[cfg(test)]
mod tests;
