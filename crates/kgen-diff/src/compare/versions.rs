//! Compares the versions of a kind apart from their schemas: served, stored, subresources, columns, conversion.

use std::collections::BTreeSet;

use kgen_check::conversion::dropped_fields;
use kgen_diagnostics::{Code, Span};
use kgen_model::{Column, KindVersion, Resource, Scale};

use super::resource::{whole, written};
use crate::finding::{Finding, Level};

pub(super) fn compare(old: &Resource, new: &Resource, findings: &mut Vec<Finding>) {
    for before in written(old) {
        let after = written(new).find(|version| version.version == before.version);
        match after {
            None => findings.push(removed(before, old, new)),
            // No client can use a version that is not served.
            Some(after) if before.unserved.is_some() && after.unserved.is_some() => {}
            Some(after) => one(before, after, new, findings),
        }
    }
    for after in written(new) {
        if !written(old).any(|version| version.version == after.version) {
            let message = format!("the version {} of {} is new", after.version, new.kind);
            let places = (None, Some(after.span));
            let code = Code::VersionAdded;
            findings.push(whole(
                code,
                Level::Compatible,
                new,
                Some(&after.version),
                message,
                places,
            ));
        }
    }
    storage(old, new, findings);
    lossy(old, new, findings);
}

/// Returns the finding about a version that is gone. It breaks no client if the version was not served, and no object if
/// another version was stored.
fn removed(version: &KindVersion, old: &Resource, new: &Resource) -> Finding {
    let name = &version.version;
    let is_stored = stored(old).is_some_and(|stored| stored.version == *name);
    let (level, help) = match (version.unserved.is_some(), is_stored) {
        (true, false) => (
            Level::Compatible,
            "the API server refuses the CRD as long as `status.storedVersions` lists the version",
        ),
        (true, true) => (
            Level::Breaking,
            "store another version first, and rewrite the stored objects",
        ),
        (false, _) => (
            Level::Breaking,
            "stop serving the version first, and rewrite the stored objects",
        ),
    };
    let message = format!("the version {name} of {} is gone", new.kind);
    let places = (Some(version.span), None);
    let mut finding = whole(Code::VersionRemoved, level, new, Some(name), message, places);
    finding.help.push(help.to_owned());
    finding
}

fn one(old: &KindVersion, new: &KindVersion, resource: &Resource, findings: &mut Vec<Finding>) {
    let version = Some(new.version.as_str());
    let title = format!("{} {}", resource.kind, new.version);
    let places = |stated: Option<Span>| (Some(old.span), stated.or(Some(new.span)));
    let mut add = |code, level, message: String, places: (Option<Span>, Option<Span>), path: Option<&str>| {
        let mut finding = whole(code, level, resource, version, message, places);
        if let Some(path) = path {
            finding.path = path.to_owned();
        }
        findings.push(finding);
    };
    match (old.unserved, new.unserved) {
        (None, Some(span)) => add(
            Code::VersionUnserved,
            Level::Breaking,
            format!("{title} is no longer served"),
            places(Some(span)),
            None,
        ),
        (Some(_), None) => add(
            Code::VersionAdded,
            Level::Compatible,
            format!("{title} is served now"),
            places(None),
            None,
        ),
        _ => {}
    }
    if let (None, Some(deprecation)) = (&old.deprecation, &new.deprecation) {
        let message = format!("{title} is deprecated now");
        let stated = places(Some(deprecation.span));
        add(Code::VersionDeprecated, Level::Compatible, message, stated, None);
    }
    let has_status = |version: &KindVersion| version.schema.properties.contains_key("status");
    match (old.status_subresource, new.status_subresource) {
        (None, Some(span)) if has_status(old) => add(
            Code::StatusSplit,
            Level::Breaking,
            format!("`status` of {title} is a subresource now: status in a written object is ignored"),
            places(Some(span)),
            Some(".status"),
        ),
        (None, Some(span)) => add(
            Code::SubresourceAdded,
            Level::Compatible,
            format!("{title} has the subresource `status` now"),
            places(Some(span)),
            None,
        ),
        (Some(span), None) => add(
            Code::SubresourceRemoved,
            Level::Breaking,
            format!("{title} no longer has the subresource `status`"),
            (Some(span), Some(new.span)),
            None,
        ),
        _ => {}
    }
    scale(old, new, &title, &mut add);
    selectable_fields(old, new, &title, &mut add);
    let plain = |version: &KindVersion| -> Vec<_> {
        let columns = version.columns.iter().map(|column| &column.value);
        columns.map(bare).collect()
    };
    if plain(old) != plain(new) {
        let stated = new.columns.first().map(|column| column.span);
        let message = format!("the columns of {title} changed");
        add(
            Code::ColumnChanged,
            Level::Compatible,
            message,
            places(stated),
            None,
        );
    }
}

/// Returns what a column shows, without its places and description.
fn bare(column: &Column) -> (String, String, String, Option<String>, i64) {
    (
        column.name.clone(),
        column.column_type.clone(),
        column.json_path.value.clone(),
        column.format.clone(),
        column.priority.unwrap_or_default(),
    )
}

type Add<'a> = dyn FnMut(Code, Level, String, (Option<Span>, Option<Span>), Option<&str>) + 'a;

fn scale(old: &KindVersion, new: &KindVersion, title: &str, add: &mut Add<'_>) {
    let (before, after) = (old.scale.as_ref(), new.scale.as_ref());
    let removed = |scale: &kgen_diagnostics::Spanned<Scale>| (Some(scale.span), Some(new.span));
    match (before, after) {
        (Some(before), None) => add(
            Code::SubresourceRemoved,
            Level::Breaking,
            format!("{title} no longer has the subresource `scale`"),
            removed(before),
            None,
        ),
        (None, Some(after)) => add(
            Code::SubresourceAdded,
            Level::Compatible,
            format!("{title} has the subresource `scale` now"),
            (Some(old.span), Some(after.span)),
            None,
        ),
        (Some(before), Some(after)) if before.value != after.value => add(
            Code::SubresourceRemoved,
            Level::Breaking,
            format!("the subresource `scale` of {title} uses another field now"),
            (Some(before.span), Some(after.span)),
            None,
        ),
        _ => {}
    }
}

fn selectable_fields(old: &KindVersion, new: &KindVersion, title: &str, add: &mut Add<'_>) {
    let has =
        |version: &KindVersion, path: &str| version.selectable_fields.iter().any(|field| field.value == path);
    for field in old
        .selectable_fields
        .iter()
        .filter(|field| !has(new, &field.value))
    {
        add(
            Code::SelectableFieldRemoved,
            Level::Breaking,
            format!("field selectors of {title} may no longer name `{}`", field.value),
            (Some(field.span), None),
            Some(&field.value),
        );
    }
    for field in new
        .selectable_fields
        .iter()
        .filter(|field| !has(old, &field.value))
    {
        add(
            Code::SelectableFieldAdded,
            Level::Compatible,
            format!("field selectors of {title} may name `{}` now", field.value),
            (None, Some(field.span)),
            Some(&field.value),
        );
    }
}

pub(super) fn stored(resource: &Resource) -> Option<&KindVersion> {
    let versions: Vec<&KindVersion> = written(resource).collect();
    let stated = versions.iter().copied().find(|version| version.storage.is_some());
    stated.or_else(|| kgen_model::implied_storage(&versions))
}

fn storage(old: &Resource, new: &Resource, findings: &mut Vec<Finding>) {
    let (Some(before), Some(after)) = (stored(old), stored(new)) else {
        return;
    };
    if before.version == after.version {
        return;
    }
    let message = format!(
        "{} is stored as {} now, and was stored as {}",
        new.kind, after.version, before.version
    );
    let places = (Some(before.span), after.storage.or(Some(after.span)));
    let code = Code::StorageChanged;
    let mut finding = whole(code, Level::Risky, new, Some(&after.version), message, places);
    finding.help.push(format!(
        "rewrite the stored objects before you remove {}: `status.storedVersions` lists it until then",
        before.version
    ));
    findings.push(finding);
}

/// Reports fields that a write through another version drops, if it did not do so before.
fn lossy(old: &Resource, new: &Resource, findings: &mut Vec<Finding>) {
    let before: BTreeSet<_> = dropped(old)
        .into_iter()
        .map(|(version, field, _)| (version, field))
        .collect();
    for (version, field, span) in dropped(new) {
        if before.contains(&(version.clone(), field.clone())) {
            continue;
        }
        // The field is new to the old state as a whole only if the version is.
        let message = format!(
            "`{field}` exists only in {} {version}: a write through another version drops it",
            new.kind
        );
        let places = (None, Some(span));
        let code = Code::LossyVersions;
        let mut finding = whole(code, Level::Risky, new, Some(&version), message, places);
        finding.path = field.replace("[]", "[*]").replace("{}", "[*]");
        finding.help.push(
            "convert between the versions with `+kgen:conversion:webhook`, or add the field to all versions"
                .to_owned(),
        );
        findings.push(finding);
    }
}

/// Returns the fields that some served version has and another served version drops.
fn dropped(resource: &Resource) -> Vec<(String, String, Span)> {
    let served: Vec<_> = written(resource)
        .filter(|version| version.unserved.is_none())
        .collect();
    let is_converted = written(resource)
        .any(|version| version.conversion.webhook.is_some() || version.conversion.external.is_some());
    let mut found = Vec::new();
    if is_converted {
        return found;
    }
    for from in &served {
        let mut fields: BTreeSet<String> = BTreeSet::new();
        for to in served.iter().filter(|to| to.version != from.version) {
            fields.extend(dropped_fields(&from.schema, &to.schema));
        }
        found.extend(
            fields
                .into_iter()
                .map(|field| (from.version.clone(), field, from.span)),
        );
    }
    found
}
