//! Admission webhooks: what all `+kubebuilder:webhook` markers describe, as one manifest with two configurations.
//!
//! A marker becomes an entry (`entry`), its patch is merged into that (`patch`), and the result is checked as an API
//! server would check it (`check`). The entries of one sort make one configuration (`configuration`).

mod check;
mod configuration;
mod entry;
mod patch;
mod places;
mod selector;
mod url;
mod values;

#[cfg(test)]
mod tests;

use kgen_diagnostics::Problems;
use kgen_model::Api;

use crate::Artifact;
use crate::rbac::manifest;

/// The name of this generator on the command line and in the first line of its file.
const GENERATOR: &str = "webhook";
/// The name of the file.
const FILE_NAME: &str = "manifests.yaml";

/// What the user can decide about webhooks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookOptions {
    /// The text of `headerFile`, with the year in place.
    pub header: Option<String>,
}

/// Checks all webhooks and, if nothing stops it, writes their configurations, the mutating one first.
#[must_use]
pub fn generate(api: &Api, options: &WebhookOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = Problems::new();
    let mutating = configuration::document(api, true, &mut problems);
    let validating = configuration::document(api, false, &mut problems);
    let documents: Vec<_> = mutating.into_iter().chain(validating).collect();
    if documents.is_empty() || problems.has_errors() {
        return (Vec::new(), problems);
    }
    let artifact = manifest::artifact(GENERATOR, FILE_NAME, options.header.as_deref(), documents);
    (vec![artifact], problems)
}
