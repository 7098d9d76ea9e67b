//! Custom resource definitions: one YAML document for each kind that the API has.
//!
//! Everything that an API server would refuse is reported first (`check`); documents are written only
//! if there is no error. Resources do not depend on each other here, so they are checked and written in parallel; the
//! order of artifacts and problems is that of the resources, never that of the threads.

mod description;
pub(crate) mod document;
mod schema;
mod size;

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{Api, GeneratedLine, Language, Resource, map_all};

use crate::{Artifact, artifact, check, yaml};
use description::DescriptionLimit;

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

/// Checks the API and, if nothing stops it, writes one definition for each resource, by kind and group.
#[must_use]
pub fn generate(api: &Api, options: &CrdOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = if options.like_kube_derive {
        check::check_like_kube_derive(api)
    } else {
        check::check(api)
    };
    problems.extend(check_options(options));
    if problems.has_errors() {
        return (Vec::new(), problems);
    }
    let mut resources: Vec<&Resource> = api
        .resources
        .iter()
        .filter(|resource| document::is_written(resource))
        .collect();
    resources.sort_by_cached_key(|resource| format!("{}.{}", resource.kind, resource.group));
    let written = map_all(&resources, |resource| write(resource, options));
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
fn write(resource: &Resource, options: &CrdOptions) -> (Artifact, Option<Problem>) {
    let value = document::definition(resource, options);
    let line = GeneratedLine {
        language: Language::Yaml,
        generator: GENERATOR,
        source: "",
    };
    let mut text = artifact::head(line, options.header.as_deref());
    text.push_str("---\n");
    yaml::write(&value, &mut text);
    let warning = size::check(resource, &value, text.len());
    let name = format!("{}_{}.yaml", resource.group, resource.names.plural);
    (
        Artifact {
            name,
            generator: GENERATOR,
            text,
        },
        warning,
    )
}

#[cfg(test)]
mod tests;
