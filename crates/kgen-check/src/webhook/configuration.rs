//! The two webhook configurations: one for mutating webhooks, one for validating webhooks.

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{Api, WebhookConfiguration};
use serde_json::{Map, Value};

use super::entry::{self, Entry};
use crate::kubernetes_names;

/// All webhooks of one type, complete and checked.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Whether its webhooks mutate objects; the others validate them.
    pub mutating: bool,
    /// The name of the configuration.
    pub name: String,
    /// The webhooks by name, as the API server knows them.
    pub webhooks: Vec<Map<String, Value>>,
}

/// Builds and checks the configurations, the mutating one first. A type without webhooks does not have one.
pub(crate) fn configurations(api: &Api, problems: &mut Problems) -> Vec<Configuration> {
    [true, false]
        .into_iter()
        .filter_map(|mutating| configuration(api, mutating, problems))
        .collect()
}

fn configuration(api: &Api, mutating: bool, problems: &mut Problems) -> Option<Configuration> {
    let sort = if mutating { "mutating" } else { "validating" };
    let webhooks = api.webhooks.iter().filter(|webhook| webhook.mutating == mutating);
    let mut entries: Vec<Entry<'_>> = webhooks.map(|webhook| entry::entry(webhook, problems)).collect();
    let stated = api
        .webhook_configurations
        .iter()
        .filter(|stated| stated.mutating == mutating);
    let stated: Vec<&WebhookConfiguration> = stated.collect();
    let name = name(sort, &stated, problems);
    if entries.is_empty() {
        problems.extend(stated.first().map(|stated| useless(sort, stated)));
        return None;
    }
    // Patches can change names. Entries of one name stay in source order, so that the later one is reported.
    entries.sort_by(|left, right| left.name().cmp(right.name()));
    check_duplicates(sort, &entries, problems);
    Some(Configuration {
        mutating,
        name,
        webhooks: entries.into_iter().map(|entry| entry.object).collect(),
    })
}

/// Returns the name in the markers, or the default. All markers of one type must agree, in any file.
fn name(sort: &str, stated: &[&WebhookConfiguration], problems: &mut Problems) -> String {
    let usual = format!("{sort}-webhook-configuration");
    let name_of = |stated: &WebhookConfiguration| {
        if stated.name.is_empty() {
            usual.clone()
        } else {
            stated.name.clone()
        }
    };
    let Some((first, others)) = stated.split_first() else {
        return usual;
    };
    let name = name_of(first);
    for other in others {
        if name_of(other) != name {
            let message = format!(
                "the {sort} webhooks are called `{}` here and `{name}` elsewhere",
                name_of(other)
            );
            problems.push(
                Problem::error(Code::Webhook, other.span, message)
                    .help(format!(
                        "use one name, because all {sort} webhooks are in one configuration"
                    ))
                    .related(first.span, "the other name"),
            );
        }
    }
    for stated in stated
        .iter()
        .filter(|stated| !(stated.name.is_empty() || kubernetes_names::is_dns_subdomain(&stated.name)))
    {
        let message = format!("`{}` cannot be the name of a configuration", stated.name);
        problems.push(Problem::error(Code::Webhook, stated.span, message).help(
            "use lowercase letters, digits, `-` and `.`; begin and end with a letter or digit; at most 253 characters",
        ));
    }
    name
}

/// Returns the problem of a name of an empty configuration, which is usually caused by a wrong `mutating`.
fn useless(sort: &str, stated: &WebhookConfiguration) -> Problem {
    Problem::warning(
        Code::Webhook,
        stated.span,
        format!("there are no {sort} webhooks for this configuration"),
    )
    .help("remove the marker, or check its `mutating`")
}

fn check_duplicates(sort: &str, entries: &[Entry<'_>], problems: &mut Problems) {
    let mut seen: BTreeMap<&str, &Entry<'_>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| !entry.name().is_empty()) {
        let Some(first) = seen.get(entry.name()) else {
            seen.insert(entry.name(), entry);
            continue;
        };
        let message = format!("two {sort} webhooks are called `{}`", entry.name());
        problems.push(
            Problem::error(Code::Webhook, entry.name_span(), message)
                .help("rename one of them; names must be unique within a configuration")
                .related(first.name_span(), "the first one"),
        );
    }
}
