//! The resources of a real server, as its discovery documents list them in `data/discovery.json`.
//!
//! Rows of built-in kinds take their names, scope and subresources from here. A resource without a row is left out, and
//! requests to it are refused.

use std::sync::LazyLock;

use serde_json::Value;

/// A resource of a group and version.
pub(crate) struct Served {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) plural: String,
    pub(crate) singular: String,
    pub(crate) kind: String,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) is_namespaced: bool,
    /// The names of the subresources.
    pub(crate) subresources: Vec<String>,
    /// The entry in the aggregated document.
    pub(crate) entry: Value,
}

impl Served {
    fn read(group: &str, version: &str, entry: &Value) -> Self {
        let text = |key: &str| text(entry, key);
        let mut entry = entry.clone();
        complete(&mut entry, group, version);
        let subresources = entry.get("subresources").and_then(Value::as_array);
        let subresources = subresources.into_iter().flatten();
        Self {
            group: group.to_owned(),
            version: version.to_owned(),
            plural: text("resource"),
            singular: text("singularResource"),
            kind: entry
                .get("responseKind")
                .map(|kind| self::text(kind, "kind"))
                .unwrap_or_default(),
            short_names: super::custom::texts(entry.get("shortNames")),
            categories: super::custom::texts(entry.get("categories")),
            is_namespaced: text("scope") == "Namespaced",
            subresources: subresources
                .map(|entry| self::text(entry, "subresource"))
                .collect(),
            entry,
        }
    }

    /// Returns the name of the type in `data/schemas.json`, such as `apps/v1/Deployment`.
    pub(crate) fn type_name(&self) -> String {
        let group = if self.group.is_empty() {
            String::new()
        } else {
            format!("{}/", self.group)
        };
        format!("{group}{}/{}", self.version, self.kind)
    }

    pub(crate) fn has(&self, subresource: &str) -> bool {
        self.subresources.iter().any(|name| name == subresource)
    }
}

fn text(value: &Value, key: &str) -> String {
    let text = value.get(key).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// The server leaves the group and version of a kind empty if they are those of the document.
fn complete(entry: &mut Value, group: &str, version: &str) {
    let subresources = entry.get_mut("subresources").and_then(Value::as_array_mut);
    for subresource in subresources.into_iter().flatten() {
        complete(subresource, group, version);
    }
    let Some(kind) = entry.get_mut("responseKind") else {
        return;
    };
    if text(kind, "group").is_empty() && text(kind, "version").is_empty() {
        kind["group"] = Value::from(group);
        kind["version"] = Value::from(version);
    }
}

/// All resources, in the order of the documents.
static ALL: LazyLock<Vec<Served>> = LazyLock::new(|| {
    let document: Value = serde_json::from_str(include_str!("data/discovery.json")).unwrap_or_default();
    let list = |value: &Value, key: &str| {
        let items = value.get(key).and_then(Value::as_array);
        items.cloned().unwrap_or_default()
    };
    let mut all = Vec::new();
    for group in list(&document, "groups") {
        for version in list(&group, "versions") {
            for entry in list(&version, "resources") {
                all.push(Served::read(
                    &text(&group, "name"),
                    &text(&version, "version"),
                    &entry,
                ));
            }
        }
    }
    all
});

pub(crate) fn all() -> impl Iterator<Item = &'static Served> {
    ALL.iter()
}

/// Finds a resource in its preferred version.
pub(crate) fn find(group: &str, plural: &str) -> Option<&'static Served> {
    all().find(|served| served.group == group && served.plural == plural)
}

/// Finds the resource of a row. A unit test proves that every row has one.
pub(super) fn get(group: &str, plural: &str) -> &'static Served {
    static NONE: LazyLock<Served> = LazyLock::new(|| Served::read("", "", &Value::Null));
    find(group, plural).unwrap_or(&NONE)
}

#[cfg(test)]
mod tests {
    #[test]
    fn discovery_has_every_row() {
        for row in crate::kind::built_in::TABLE.iter() {
            assert!(!row.served.kind.is_empty(), "row of an unknown resource");
        }
    }
}
