//! Compares two states of one kind.

use kgen_diagnostics::{Code, Span};
use kgen_model::{KindVersion, Resource};

use super::{Change, Goal, names, node, versions};
use crate::finding::{Finding, Level};
use crate::witness::Prover;

/// Returns a finding about a kind as a whole.
pub(super) fn whole(
    code: Code,
    level: Level,
    resource: &Resource,
    version: Option<&str>,
    message: String,
    (old, new): (Option<Span>, Option<Span>),
) -> Finding {
    Finding {
        code,
        level,
        group: resource.group.clone(),
        kind: resource.kind.clone(),
        version: version.map(str::to_owned),
        path: ".".to_owned(),
        message,
        label: String::new(),
        new,
        old,
        around: Vec::new(),
        witness: None,
        says: None,
        reads: None,
        ratchets_at: None,
        unproved: false,
        help: Vec::new(),
    }
}

pub(super) fn place_of(resource: &Resource) -> Option<Span> {
    written(resource).next().map(|version| version.span)
}

/// Returns the versions that are part of the CRD.
pub(super) fn written(resource: &Resource) -> impl Iterator<Item = &KindVersion> {
    resource.versions.iter().filter(|version| !version.skipped)
}

pub(super) fn removed(old: &Resource) -> Finding {
    let message = format!("the kind {} of {} is gone", old.kind, old.group);
    let places = (place_of(old), None);
    let mut finding = whole(Code::KindRemoved, Level::Breaking, old, None, message, places);
    finding
        .help
        .push("keep the kind, or remove its objects first: they are deleted with the CRD".to_owned());
    finding
}

pub(super) fn added(new: &Resource) -> Finding {
    let message = format!("the kind {} of {} is new", new.kind, new.group);
    whole(
        Code::KindAdded,
        Level::Compatible,
        new,
        None,
        message,
        (None, place_of(new)),
    )
}

pub(super) fn compare(old: &Resource, new: &Resource) -> Vec<Finding> {
    let mut findings = Vec::new();
    let places = (place_of(old), place_of(new));
    if old.kind != new.kind {
        let message = format!("the kind {} is now called {}", old.kind, new.kind);
        let mut finding = whole(Code::KindRenamed, Level::Breaking, new, None, message, places);
        finding
            .help
            .push("the API server refuses another kind under the same plural".to_owned());
        findings.push(finding);
    }
    if old.scope != new.scope {
        let message = format!(
            "{} is now {}, and was {}",
            new.kind,
            new.scope.word(),
            old.scope.word()
        );
        let stated = written(new)
            .find_map(|version| version.scope.as_ref())
            .map(|scope| scope.span);
        let places = (places.0, stated.or(places.1));
        let mut finding = whole(Code::ScopeChanged, Level::Breaking, new, None, message, places);
        finding
            .help
            .push("the API server refuses to change the scope of a CRD".to_owned());
        findings.push(finding);
    }
    names::compare(old, new, &mut findings);
    versions::compare(old, new, &mut findings);
    for new_version in written(new) {
        let Some(old_version) = written(old).find(|version| version.version == new_version.version) else {
            continue;
        };
        let mut changes = node::compare(old_version, new_version);
        if old_version.unserved.is_some() || new_version.unserved.is_some() {
            keep_losses(&mut changes, old, new, &new_version.version);
        }
        if !changes.is_empty() {
            let mut prover = Prover::new(old, new, &new_version.version);
            findings.extend(
                changes
                    .into_iter()
                    .map(|change| finding(change, new, new_version, &mut prover)),
            );
        }
    }
    for finding in &mut findings {
        finding.around.extend(place_of(new));
    }
    findings
}

/// Removes the changes of a version that one of the states does not serve: nobody can write an object with it in the old
/// state, or everything about it is refused in the new one, which is a finding of its own.
///
/// If objects are stored in the version, it still drops the fields that it does not have.
fn keep_losses(changes: &mut Vec<Change>, old: &Resource, new: &Resource, version: &str) {
    let stores =
        |resource| versions::stored(resource).is_some_and(|stored: &KindVersion| stored.version == version);
    let is_stored = stores(old) && stores(new);
    changes.retain(|change| is_stored && matches!(change.code, Code::FieldRemoved | Code::PruningAdded));
    for change in changes {
        // No object proves it, because none can be written with this version.
        change.level = change.level.min(Level::Risky);
        change.goal = Goal::None;
        change.help.push(format!(
            "objects are stored as {version}, so a write with another version drops it"
        ));
    }
}

fn finding(change: Change, resource: &Resource, version: &KindVersion, prover: &mut Prover) -> Finding {
    let proof = prover.prove(&change);
    let Change {
        code,
        path,
        message,
        label,
        places,
        is_removed,
        help,
        ..
    } = change;
    let mut around: Vec<Span> = places.new.into_iter().collect();
    around.extend(places.around);
    around.push(version.span);
    Finding {
        code,
        level: proof.level,
        group: resource.group.clone(),
        kind: resource.kind.clone(),
        version: Some(version.version.clone()),
        path: crate::path::shown(&path),
        message: format!("{message} in {} {}", resource.kind, version.version),
        label,
        new: places.new.filter(|_| !is_removed),
        old: places.old,
        around,
        witness: proof.witness,
        says: proof.says,
        reads: proof.reads,
        ratchets_at: proof.ratchets_at,
        unproved: proof.unproved,
        help,
    }
}
