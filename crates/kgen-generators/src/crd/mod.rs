//! Custom resource definitions: one YAML document for each kind that the API has.
//!
//! Resources do not depend on each other, so their documents are generated in parallel. The order of artifacts and
//! problems is that of the resources, never that of the threads.

mod description;
mod document;
mod schema;
mod size;

use kgen_check::Checked;
use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{ConversionWebhook, Resource};
use kgen_threads::map_all;

use crate::{Artifact, manifest};
use description::DescriptionLimit;

pub(crate) use document::schema_without_descriptions;

pub use document::definition;

/// The name of this generator on the command line and in the first line of its files.
const GENERATOR: &str = "crd";

/// What the user can decide about definitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrdOptions {
    /// `maxDescLen`: nothing or a negative number keeps descriptions, zero removes them, more shortens them.
    pub max_description_length: Option<i64>,
    /// The text of `headerFile`, with the year in place.
    pub header: Option<String>,
    /// `compat=kube-derive`: without what every object has, as kube-derive writes definitions.
    pub like_kube_derive: bool,
    /// `deprecatedV1beta1CompatibilityPreserveUnknownFields`: written to every definition as it stands, if it is set.
    pub preserve_unknown_fields: Option<bool>,
}

/// Generates one definition for each resource, by kind and group.
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

/// The one setting that no API server takes in a new definition.
fn check_options(options: &CrdOptions) -> Option<Problem> {
    let problem = Problem::general(
        Code::Usage,
        "the API server refuses `preserveUnknownFields: true` in definitions",
    )
    .help("set `deprecatedV1beta1CompatibilityPreserveUnknownFields` to `false`, or leave it out")
    .help("to keep unknown fields somewhere, write `+kubebuilder:pruning:PreserveUnknownFields` there");
    (options.preserve_unknown_fields == Some(true)).then_some(problem)
}

/// One document, and the warning that it is too large.
fn write(
    resource: &Resource,
    options: &CrdOptions,
    webhook: Option<&ConversionWebhook>,
) -> (Artifact, Option<Problem>) {
    let value = definition(resource, options, webhook);
    let name = format!("{}_{}.yaml", resource.group, resource.names.plural);
    let artifact = manifest::artifact(GENERATOR, &name, options.header.as_deref(), [&value]);
    let warning = size::check(resource, &value, artifact.text.len());
    (artifact, warning)
}

#[cfg(test)]
mod tests;
