//! The webhooks of webhook configurations and CRDs.

use serde_json::Value;

use crate::manifests::Manifests;
use crate::object::{Object, items, text};

/// A webhook for admission.
#[derive(Clone, Debug)]
pub struct Webhook<'a> {
    /// The configuration that contains it.
    pub configuration: &'a Object,
    /// Its index in the configuration.
    pub index: usize,
    /// Whether it changes objects.
    pub is_mutating: bool,
    /// The webhook.
    pub value: &'a Value,
}

/// The service that a webhook calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookService<'a> {
    /// The namespace.
    pub namespace: &'a str,
    /// The name.
    pub name: &'a str,
    /// The path; empty if there is none.
    pub path: &'a str,
    /// The port of the service.
    pub port: i64,
}

impl<'a> WebhookService<'a> {
    /// Reads the service of a `clientConfig`; `None` if it has a URL.
    #[must_use]
    pub fn of(client_configuration: &'a Value) -> Option<Self> {
        let service = client_configuration.get("service")?;
        Some(Self {
            namespace: text(&service["namespace"]),
            name: text(&service["name"]),
            path: text(&service["path"]),
            port: service["port"].as_i64().unwrap_or(443),
        })
    }
}

impl<'a> Webhook<'a> {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        text(&self.value["name"])
    }

    /// Returns the service that it calls; `None` if it has a URL.
    #[must_use]
    pub fn service(&self) -> Option<WebhookService<'a>> {
        WebhookService::of(&self.value["clientConfig"])
    }
}

impl Manifests {
    /// Returns the admission webhooks, in the order of the manifests.
    pub fn webhooks(&self) -> impl Iterator<Item = Webhook<'_>> {
        self.webhook_configurations().flat_map(|configuration| {
            items(&configuration.value["webhooks"])
                .iter()
                .enumerate()
                .map(move |(index, value)| Webhook {
                    configuration,
                    index,
                    is_mutating: configuration.kind() == MUTATING,
                    value,
                })
        })
    }

    /// Returns the webhook configurations.
    pub fn webhook_configurations(&self) -> impl Iterator<Item = &Object> {
        self.objects.iter().filter(|object| {
            object.group() == "admissionregistration.k8s.io"
                && matches!(object.kind(), MUTATING | "ValidatingWebhookConfiguration")
        })
    }

    /// Returns the CRDs whose objects are converted by a webhook, each with the service.
    pub fn conversion_webhooks(&self) -> impl Iterator<Item = (&Object, WebhookService<'_>)> {
        self.definitions().filter_map(|definition| {
            let client = &definition.value["spec"]["conversion"]["webhook"]["clientConfig"];
            Some((definition, WebhookService::of(client)?))
        })
    }
}

const MUTATING: &str = "MutatingWebhookConfiguration";
