//! Decides in which file each RBAC rule and each webhook becomes a marker.
//!
//! A rule goes to the controller of its resource, because rules belong next to the code that needs them. Everything that
//! has no such place goes to `register` in `src/lib.rs`. The generators merge rules, so the split does not show.

use kgen_diagnostics::Spanned;
use kgen_markers::write::{access_lines, webhook_line};
use kgen_model::{AccessRule, Webhook};

use super::kinds::Known;

/// The markers of the files of a project.
#[derive(Debug, Default)]
pub(super) struct RuleMarkers {
    /// The lines of each controller, in the order of the controllers.
    pub(super) controllers: Vec<Vec<String>>,
    /// The lines that no controller has.
    pub(super) others: Vec<String>,
}

/// Divides the rules among the controllers. Rules of the role `default_name` do not name it.
pub(super) fn divide(rules: &[AccessRule], default_name: &str, controllers: &[Known]) -> RuleMarkers {
    let mut markers = RuleMarkers {
        controllers: vec![Vec::new(); controllers.len()],
        others: Vec::new(),
    };
    for rule in rules.iter().flat_map(|rule| by_group(rule, controllers)) {
        let mut rule = rule;
        rule.role_name = rule.role_name.filter(|name| name.value != default_name);
        if let [lines] = markers.controllers.as_mut_slice() {
            lines.extend(access_lines(&rule));
            continue;
        }
        let mut rest = Vec::new();
        let mut owned: Vec<Vec<Spanned<String>>> = vec![Vec::new(); controllers.len()];
        for resource in &rule.resources {
            let name = resource
                .value
                .split_once('/')
                .map_or(resource.value.as_str(), |(name, _)| name);
            let owner = controllers.iter().position(|kind| {
                let is_group = |group: &String| kgen_model::group_name(group) == kind.group;
                kind.plural == name && rule.groups.iter().all(is_group)
            });
            match owner.and_then(|owner| owned.get_mut(owner)) {
                Some(resources) => resources.push(resource.clone()),
                None => rest.push(resource.clone()),
            }
        }
        let has_resources = !rule.resources.is_empty();
        for (resources, lines) in owned.into_iter().zip(&mut markers.controllers) {
            if !resources.is_empty() {
                lines.extend(access_lines(&AccessRule {
                    resources,
                    ..rule.clone()
                }));
            }
        }
        if !rest.is_empty() || !has_resources {
            markers.others.extend(access_lines(&AccessRule {
                resources: rest,
                ..rule
            }));
        }
    }
    markers
}

/// Splits a rule for several groups into one rule per group, if one of its resources has a controller.
fn by_group(rule: &AccessRule, controllers: &[Known]) -> Vec<AccessRule> {
    let is_owned = controllers.iter().any(|kind| {
        let is_group = |group: &String| kgen_model::group_name(group) == kind.group;
        let is_resource =
            |resource: &Spanned<String>| resource.value.split('/').next() == Some(kind.plural.as_str());
        rule.groups.iter().any(is_group) && rule.resources.iter().any(is_resource)
    });
    if !is_owned || controllers.len() < 2 {
        return vec![rule.clone()];
    }
    let split = |group: &String| AccessRule {
        groups: vec![group.clone()],
        ..rule.clone()
    };
    rule.groups.iter().map(split).collect()
}

/// The webhooks of one kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Admission<'a> {
    pub(super) kind: &'a Known,
    pub(super) mutating: Option<&'a Webhook>,
    pub(super) validating: Option<&'a Webhook>,
}

impl Admission<'_> {
    pub(super) fn lines(&self) -> Vec<String> {
        let webhooks = self.mutating.into_iter().chain(self.validating);
        webhooks.map(webhook_line).collect()
    }
}

/// Finds the kind of each webhook. Returns the webhooks that have none, too.
pub(super) fn admissions<'a>(
    webhooks: &'a [Webhook],
    kinds: &'a [Known],
) -> (Vec<Admission<'a>>, Vec<&'a Webhook>) {
    let mut admissions: Vec<Admission<'a>> = kinds
        .iter()
        .map(|kind| Admission {
            kind,
            mutating: None,
            validating: None,
        })
        .collect();
    let mut others = Vec::new();
    for webhook in webhooks {
        let is_free = |admission: &&mut Admission<'_>| {
            let taken = match webhook.mutating {
                true => admission.mutating,
                false => admission.validating,
            };
            taken.is_none() && webhook.path.is_some() && is_for(webhook, admission.kind)
        };
        match admissions.iter_mut().find(is_free) {
            Some(admission) if webhook.mutating => admission.mutating = Some(webhook),
            Some(admission) => admission.validating = Some(webhook),
            None => others.push(webhook),
        }
    }
    admissions.retain(|admission| admission.mutating.is_some() || admission.validating.is_some());
    (admissions, others)
}

/// Returns whether a webhook gets the objects of one version of one kind.
fn is_for(webhook: &Webhook, kind: &Known) -> bool {
    let groups: Vec<&str> = webhook
        .groups
        .iter()
        .map(|group| kgen_model::group_name(group))
        .collect();
    groups == [kind.group.as_str()]
        && webhook.resources == [kind.plural.as_str()]
        && webhook.versions == [kind.version.as_str()]
}
