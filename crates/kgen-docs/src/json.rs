//! The model of the pages as JSON, for templates and for other generators of sites. `docs/docs.schema.json` describes it.

use kgen_diff::Sort;
use kgen_generators::Artifact;
use kgen_model::{GeneratedLine, Language};
use serde_json::{Value, json};

use crate::GENERATOR;
use crate::model::{Comparison, Field, Kind, Reference, Rule, Version};

/// Returns the file with the whole model.
pub(crate) fn artifact(reference: &Reference) -> Artifact {
    let line = GeneratedLine {
        language: Language::Json,
        generator: GENERATOR,
        source: "",
    };
    let value = json!({
        "title": reference.title,
        "intro": reference.intro,
        "kinds": reference.kinds.iter().map(|kind| {
            let versions = kind.versions.iter().map(version).collect();
            let mut value = head(kind, versions);
            value["comparisons"] = kind.comparisons.iter().map(comparison).collect();
            value
        }).collect::<Vec<_>>(),
    });
    let text = format!("{value:#}");
    let rest = text.strip_prefix("{\n").unwrap_or(&text);
    Artifact {
        name: "api.json".to_owned(),
        generator: GENERATOR,
        text: format!("{line}\n{rest}\n"),
    }
}

/// Returns one page, for a template.
pub(crate) fn page(reference: &Reference, title: &str, parts: &[(&Kind, &Version)]) -> Value {
    let mut kinds: Vec<Value> = Vec::new();
    for (kind, own) in parts {
        let known = kinds
            .iter_mut()
            .find(|known| known["kind"] == kind.kind && known["group"] == kind.group);
        match known.and_then(|known| known["versions"].as_array_mut()) {
            Some(versions) => versions.push(version(own)),
            None => kinds.push(head(kind, vec![version(own)])),
        }
    }
    json!({ "title": title, "site": reference.title, "intro": reference.intro, "kinds": kinds })
}

fn head(kind: &Kind, versions: Vec<Value>) -> Value {
    json!({
        "group": kind.group,
        "kind": kind.kind,
        "plural": kind.plural,
        "shortNames": kind.short_names,
        "categories": kind.categories,
        "namespaced": kind.is_namespaced,
        "versions": versions,
    })
}

fn version(version: &Version) -> Value {
    json!({
        "name": version.name,
        "served": version.is_served,
        "stored": version.is_stored,
        "deprecated": version.deprecated,
        "description": version.description,
        "columns": version.columns.iter().map(|column| json!({
            "name": column.name,
            "path": column.path,
            "description": column.description,
            "wide": column.is_wide,
        })).collect::<Vec<_>>(),
        "subresources": version.subresources,
        "selectableFields": version.selectable_fields,
        "rules": rules(&version.rules),
        "sample": version.sample,
        "webhooks": version.webhooks.iter().map(|webhook| json!({
            "name": webhook.name,
            "mutating": webhook.is_mutating,
            "operations": webhook.operations,
        })).collect::<Vec<_>>(),
        "fields": fields(&version.fields),
    })
}

fn rules(rules: &[Rule]) -> Vec<Value> {
    let one = |rule: &Rule| json!({ "rule": rule.rule, "message": rule.message });
    rules.iter().map(one).collect()
}

fn fields(list: &[Field]) -> Vec<Value> {
    let one = |field: &Field| {
        json!({
            "name": field.name,
            "path": field.path,
            "type": format!("{}{}", field.type_name.before, field.type_name.name),
            "url": field.type_name.url,
            "required": field.is_required,
            "default": field.default,
            "description": field.description,
            "constraints": field.constraints,
            "rules": rules(&field.rules),
            "immutable": field.is_immutable,
            "deprecated": field.deprecated,
            "example": field.example,
            "externalDocs": field.external.as_ref().map(|(url, text)| json!({ "url": url, "description": text })),
            "since": field.since,
            "values": field.values.iter().map(|(value, description)| json!({
                "value": value,
                "description": description,
            })).collect::<Vec<_>>(),
            "variants": field.variants.as_ref().map(|variants| json!({
                "exactlyOne": variants.is_exactly_one,
                "list": variants.list.iter().map(|variant| json!({
                    "name": variant.name,
                    "description": variant.description,
                    "yaml": variant.yaml,
                })).collect::<Vec<_>>(),
            })),
            "sharedType": field.shared,
            "fields": fields(&field.fields),
        })
    };
    list.iter().map(one).collect()
}

fn comparison(comparison: &Comparison) -> Value {
    json!({
        "old": comparison.old,
        "new": comparison.new,
        "changes": comparison.changes.iter().map(|change| json!({
            "path": change.path,
            "sort": sort(change.sort),
            "messages": change.messages,
            "old": change.old,
            "new": change.new,
        })).collect::<Vec<_>>(),
    })
}

/// Returns the word of a difference.
pub(crate) fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Added => "added",
        Sort::Removed => "removed",
        Sort::Changed => "changed",
    }
}
