//! Admission webhooks: what all `+kubebuilder:webhook` markers describe, as one manifest with two configurations.
//!
//! The checks have already merged patches and decided names and order; this module only writes the documents.

use kgen_check::{Checked, WebhookConfiguration};
use serde_json::{Value, json};

use crate::{Artifact, manifest};

/// The name of this generator on the command line and in the first line of its file.
const GENERATOR: &str = "webhook";
/// The name of the file.
const FILE_NAME: &str = "manifests.yaml";

const API_VERSION: &str = "admissionregistration.k8s.io/v1";

/// The options of this generator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookOptions {
    /// The text of `headerFile`, with the year in place.
    pub header: Option<String>,
}

/// Writes the webhook configurations, the mutating one first. Without webhooks there is no manifest.
#[must_use]
pub fn generate(checked: &Checked<'_>, options: &WebhookOptions) -> Vec<Artifact> {
    let configurations = checked.webhook_configurations();
    if configurations.is_empty() {
        return Vec::new();
    }
    let documents = configurations.iter().map(document);
    vec![manifest::artifact(
        GENERATOR,
        FILE_NAME,
        options.header.as_deref(),
        documents,
    )]
}

fn document(configuration: &WebhookConfiguration) -> Value {
    let kind = if configuration.mutating {
        "MutatingWebhookConfiguration"
    } else {
        "ValidatingWebhookConfiguration"
    };
    json!({
        "apiVersion": API_VERSION,
        "kind": kind,
        "metadata": { "name": configuration.name },
        "webhooks": configuration.webhooks,
    })
}
