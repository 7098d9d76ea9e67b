//! Admission webhooks: one manifest with the webhooks of all `+kubebuilder:webhook` markers.
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
    /// The text of `headerFile`, with the year filled in.
    pub header: Option<String>,
}

/// Generates the webhook configurations, the mutating one first. Returns no artifact if there are no webhooks.
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

#[cfg(test)]
mod tests {
    use kgen_diagnostics::{Policy, Problems};
    use kgen_model::Api;

    use super::*;

    #[test]
    fn no_webhook_means_no_file() {
        let (api, parts) = (Api::default(), [kgen_check::Part::Webhooks]);
        let checked = kgen_check::check(&api, &parts, Policy::STRICT, &mut Problems::new());
        let artifacts = checked.map(|checked| generate(&checked, &WebhookOptions::default()));
        assert_eq!(artifacts, Some(Vec::new()));
    }
}
