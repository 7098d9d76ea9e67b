//! Walks two models side by side.
//!
//! `resource.rs` compares kinds and versions, `node.rs` the schemas of one version, and `bounds.rs`, `texts.rs` and
//! `shape.rs` the keywords of one node. All of them add [`Change`]s, whose goals `witness` then tries to reach.

mod access;
mod between;
mod bounds;
mod changes;
mod decide;
mod names;
mod node;
mod resource;
mod same;
mod shape;
mod stored;
mod texts;
mod versions;

use std::collections::BTreeMap;

use kgen_diagnostics::Code;
use kgen_model::{Api, Resource};
use kgen_threads::map_all;

use crate::finding::{Finding, Level};

pub use access::access;
pub use between::{Difference, Sort, between};
pub(crate) use changes::{Change, Goal, Places};
pub use stored::{StoredVersions, add_stored};

/// Returns the differences between two states of an API, by group, kind, version and path.
#[must_use]
pub fn compare(old: &Api, new: &Api) -> Vec<Finding> {
    let key = |resource: &Resource| (resource.group.clone(), resource.names.plural.clone());
    let mut pairs: BTreeMap<_, (Option<&Resource>, Option<&Resource>)> = BTreeMap::new();
    let is_written = |resource: &&Resource| resource.versions.iter().any(|version| !version.skipped);
    for resource in old.resources.iter().filter(is_written) {
        pairs.entry(key(resource)).or_default().0 = Some(resource);
    }
    for resource in new.resources.iter().filter(is_written) {
        pairs.entry(key(resource)).or_default().1 = Some(resource);
    }
    let pairs: Vec<_> = pairs.into_values().collect();
    let mut findings: Vec<Finding> = map_all(&pairs, |pair| match pair {
        (Some(old), Some(new)) => resource::compare(old, new),
        (Some(old), None) => vec![resource::removed(old)],
        (None, Some(new)) => vec![resource::added(new)],
        (None, None) => Vec::new(),
    })
    .into_iter()
    .flatten()
    .collect();
    sort(&mut findings);
    findings.dedup_by(|later, earlier| {
        (later.code, &later.group, &later.kind, &later.version, &later.path)
            == (
                earlier.code,
                &earlier.group,
                &earlier.kind,
                &earlier.version,
                &earlier.path,
            )
    });
    findings
}

fn sort(findings: &mut [Finding]) {
    findings.sort_by(|left, right| order(left).cmp(&order(right)));
}

fn order(finding: &Finding) -> (&str, &str, Option<&str>, &str, Code, std::cmp::Reverse<Level>) {
    (
        &finding.group,
        &finding.kind,
        finding.version.as_deref(),
        &finding.path,
        finding.code,
        std::cmp::Reverse(finding.level),
    )
}
