//! The check stage: an API goes in, and a [`Checked`] one comes out if nothing in it is an error.

use kgen_diagnostics::{Policy, Problems};
use kgen_model::{Api, ConversionWebhook, Resource};

use crate::clients::{self, Clients};
use crate::conversion::{self, Conversion};
use crate::webhook::{self, Configuration};
use crate::{access, check_definitions};

/// A part of an API that a run uses, and that must therefore be correct.
///
/// The definitions of kinds and their client markers are checked whenever the API has kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The access rules of `+kubebuilder:rbac` markers.
    AccessRules,
    /// The webhooks of `+kubebuilder:webhook` markers.
    Webhooks,
    /// The Rust types of all kinds as objects, with or without client markers.
    Objects,
    /// Listers, which need some verbs.
    Listers,
    /// Informers, which need some verbs.
    Informers,
    /// Mirrors of types for server-side apply.
    ApplyConfigurations,
    /// The differences between the versions of kinds.
    Conversions,
}

/// An API without errors, and everything that its checks have already derived from it.
///
/// Only [`check`] creates one, so nothing can be generated from an API that was not checked.
#[derive(Debug)]
pub struct Checked<'a> {
    api: &'a Api,
    webhook_configurations: Vec<Configuration>,
    clients: Clients<'a>,
    conversions: Vec<Conversion<'a>>,
}

impl<'a> Checked<'a> {
    /// Returns the API itself.
    #[must_use]
    pub fn api(&self) -> &'a Api {
        self.api
    }

    /// Returns the webhook configurations, the mutating one first; empty unless [`Part::Webhooks`] was asked for.
    #[must_use]
    pub fn webhook_configurations(&self) -> &[Configuration] {
        &self.webhook_configurations
    }

    /// Returns the names and verbs of generated Rust.
    #[must_use]
    pub fn clients(&self) -> &Clients<'a> {
        &self.clients
    }

    /// Returns the differences between the versions of every kind that has several.
    #[must_use]
    pub fn conversions(&self) -> &[Conversion<'a>] {
        &self.conversions
    }

    /// Returns the webhook that converts the objects of a kind. Returns `None` if its versions have the same JSON.
    #[must_use]
    pub fn conversion_webhook(&self, resource: &Resource) -> Option<&'a ConversionWebhook> {
        let is_its_own = |conversion: &&Conversion<'a>| {
            conversion.resource.group == resource.group && conversion.resource.kind == resource.kind
        };
        let conversion = self.conversions.iter().find(is_its_own)?;
        let webhook = conversion
            .chain
            .iter()
            .find_map(|version| version.conversion.webhook.as_ref());
        webhook
            .filter(|_| conversion.differs())
            .map(|webhook| &webhook.value)
    }
}

/// Checks `api` and the `parts` that the run uses, and reports problems with the severities of `policy`.
///
/// Returns `None` if there is an error among them.
pub fn check<'a>(
    api: &'a Api,
    parts: &[Part],
    policy: Policy,
    problems: &mut Problems,
) -> Option<Checked<'a>> {
    let mut found = Problems::new();
    check_definitions(api, &mut found);
    let clients = clients::plan(api, parts, &mut found);
    let conversions = conversion::plan(api, parts, &mut found);
    if parts.contains(&Part::AccessRules) {
        access::check(&api.access_rules, &mut found);
    }
    let webhook_configurations = if parts.contains(&Part::Webhooks) {
        webhook::configurations(api, &mut found)
    } else {
        Vec::new()
    };
    found.settle(policy, &api.allowances);
    let has_errors = found.has_errors();
    problems.extend(found);
    (!has_errors).then_some(Checked {
        api,
        webhook_configurations,
        clients,
        conversions,
    })
}
