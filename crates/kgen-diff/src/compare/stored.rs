//! Adds what a cluster says about stored objects to the findings of a comparison.

use std::collections::BTreeMap;

use kgen_diagnostics::Code;
use kgen_model::{Api, Resource};

use super::resource::{whole, written};
use super::{sort, versions};
use crate::finding::{Finding, Level};

/// The versions that `status.storedVersions` lists, by group and plural.
pub type StoredVersions = BTreeMap<(String, String), Vec<String>>;

/// Reports the versions that a cluster still lists as stored.
///
/// The API server refuses a CRD without such a version, and objects remain in it until they are rewritten.
pub fn add_stored(findings: &mut Vec<Finding>, new: &Api, listed: &StoredVersions) {
    for resource in &new.resources {
        let key = (resource.group.clone(), resource.names.plural.clone());
        for version in listed.get(&key).into_iter().flatten() {
            if written(resource).any(|known| known.version == *version) {
                migrating(findings, resource, version);
            } else {
                removed(findings, resource, version);
            }
        }
    }
    sort(findings);
}

/// Raises the finding about a version that is gone: the API server refuses the CRD.
fn removed(findings: &mut [Finding], resource: &Resource, version: &str) {
    let is_about = |finding: &&mut Finding| {
        finding.code == Code::VersionRemoved
            && (&finding.group, &finding.kind) == (&resource.group, &resource.kind)
            && finding.version.as_deref() == Some(version)
    };
    for finding in findings.iter_mut().filter(is_about) {
        finding.level = Level::Breaking;
        finding.help.insert(
            0,
            format!("`status.storedVersions` of the CRD still lists {version}, so the API server refuses the change"),
        );
    }
}

/// Reports that objects may be in a version that is no longer the stored one.
fn migrating(findings: &mut Vec<Finding>, resource: &Resource, version: &str) {
    let Some(stored) = versions::stored(resource).filter(|stored| stored.version != version) else {
        return;
    };
    let listed = format!("`status.storedVersions` of the CRD still lists {version}");
    let is_about = |finding: &&mut Finding| {
        finding.code == Code::StorageChanged
            && (&finding.group, &finding.kind) == (&resource.group, &resource.kind)
    };
    if let Some(finding) = findings.iter_mut().find(is_about) {
        finding.help.insert(0, listed);
        return;
    }
    let message = format!(
        "{} is stored as {}, and objects may still be stored as {version}",
        resource.kind, stored.version
    );
    let places = (None, stored.storage.or(Some(stored.span)));
    let code = Code::StorageChanged;
    let mut finding = whole(
        code,
        Level::Risky,
        resource,
        Some(&stored.version),
        message,
        places,
    );
    finding.around.extend(super::resource::place_of(resource));
    finding.help.push(listed);
    finding.help.push(format!(
        "rewrite the stored objects, and remove {version} from `status.storedVersions` afterwards"
    ));
    findings.push(finding);
}
