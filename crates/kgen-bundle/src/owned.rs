//! The kinds that the operator owns: their descriptions and the objects that it creates for them.

use kgen_check::Checked;
use kgen_generators::crd::{self, CrdOptions};
use kgen_model::{CatalogKind, DescriptorPart, KindVersion};
use serde_json::{Map, Value, json};

use crate::json::{items, set, text};
use crate::options::{BundleOptions, Descriptors};
use crate::{Bundle, descriptors};

/// A kind of the operator, with its CRD.
pub(crate) struct Kind<'a> {
    /// The CRD, as it is applied.
    pub(crate) definition: Value,
    /// The file of the CRD.
    pub(crate) file: String,
    /// The versions of the source; empty for a CRD that only the manifests have.
    versions: &'a [KindVersion],
}

/// Returns the kinds of the source and the CRDs of the manifests, by file. The CRD of the manifests takes precedence,
/// because kustomize may have patched it.
pub(crate) fn kinds<'a>(checked: &Checked<'a>, options: &BundleOptions) -> Vec<Kind<'a>> {
    let mut kinds: Vec<Kind<'a>> = Vec::new();
    for resource in &checked.api().resources {
        let applied = options.manifests.definition(&resource.group, &resource.kind);
        let definition = match applied {
            Some(applied) => applied.value.clone(),
            None => crd::definition(
                resource,
                &CrdOptions::default(),
                checked.conversion_webhook(resource),
            ),
        };
        kinds.push(Kind {
            definition,
            file: crd::file_name(resource),
            versions: &resource.versions,
        });
    }
    for applied in options.manifests.definitions() {
        let spec = &applied.value["spec"];
        let (group, names) = (text(&spec["group"]), &spec["names"]);
        let file = format!("{group}_{}.yaml", text(&names["plural"]));
        if !kinds.iter().any(|known| known.file == file) {
            kinds.push(Kind {
                definition: applied.value.clone(),
                file,
                versions: &[],
            });
        }
    }
    kinds.sort_by(|left, right| left.file.cmp(&right.file));
    for kind in &mut kinds {
        crate::json::without_cert_manager(&mut kind.definition["metadata"]);
        if let Some(map) = kind.definition.as_object_mut() {
            map.remove("status");
        }
    }
    kinds
}

impl Kind<'_> {
    /// Returns the name of the CRD.
    pub(crate) fn name(&self) -> &str {
        text(&self.definition["metadata"]["name"])
    }

    /// Returns the group.
    pub(crate) fn group(&self) -> &str {
        text(&self.definition["spec"]["group"])
    }

    /// Returns the kind.
    pub(crate) fn kind(&self) -> &str {
        text(&self.definition["spec"]["names"]["kind"])
    }

    /// Returns the versions that the API server serves.
    pub(crate) fn served(&self) -> impl Iterator<Item = &Value> {
        items(&self.definition["spec"]["versions"])
            .iter()
            .filter(|version| version["served"] == true)
    }

    /// Returns the entries of `customresourcedefinitions.owned`, each with its place among those of all kinds.
    fn owned(&self, descriptors: Descriptors) -> Vec<(i64, Value)> {
        self.served()
            .map(|served| {
                let version = text(&served["name"]);
                let source = self.versions.iter().find(|known| known.version == version);
                let description = text(&served["schema"]["openAPIV3Schema"]["description"]);
                let mut entry = Map::new();
                set(&mut entry, "name", self.name());
                set(&mut entry, "kind", self.kind());
                set(&mut entry, "version", version);
                let title = source.and_then(|source| {
                    let marked = source.catalog.display_name.as_deref();
                    marked.or(source.schema.title.as_deref())
                });
                let display = title.map_or_else(|| words(self.kind()), str::to_owned);
                let fallback = format!("{display} of this operator");
                let description = if description.is_empty() {
                    &fallback
                } else {
                    description
                };
                set(&mut entry, "description", description);
                set(&mut entry, "displayName", display);
                let mut order = None;
                if let Some(source) = source {
                    order = source.catalog.order;
                    set(&mut entry, "resources", resources(&source.catalog));
                    for part in [DescriptorPart::Spec, DescriptorPart::Status] {
                        let key = format!("{}Descriptors", part.field());
                        let schema = source.schema.properties.get(part.field());
                        let list = schema.map(|schema| descriptors::list(schema, part, descriptors));
                        set(&mut entry, &key, list.unwrap_or_default());
                    }
                }
                (order.unwrap_or(i64::MAX), Value::Object(entry))
            })
            .collect()
    }

    /// Returns whether every served version names the objects that the operator creates.
    pub(crate) fn has_resources(&self) -> bool {
        self.served().all(|served| {
            let version = text(&served["name"]);
            let source = self.versions.iter().find(|known| known.version == version);
            source.is_some_and(|source| !source.catalog.resources.is_empty())
        })
    }
}

/// Returns `customresourcedefinitions.owned`: in the order of the markers, otherwise by group and kind.
pub(crate) fn entries(bundle: &Bundle<'_>) -> Vec<Value> {
    let kinds = bundle.kinds.iter();
    let mut entries: Vec<(i64, Value)> = kinds
        .flat_map(|kind| kind.owned(bundle.options.descriptors))
        .collect();
    entries.sort_by_key(|(order, _)| *order);
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// Returns the objects that the operator creates for a kind, in the order of operator-sdk.
fn resources(catalog: &CatalogKind) -> Vec<Value> {
    let mut resources: Vec<_> = catalog.resources.iter().collect();
    resources.sort_by(|left, right| (&left.name, &left.kind).cmp(&(&right.name, &right.kind)));
    resources
        .into_iter()
        // OLM requires the name, which may be empty.
        .map(|found| json!({ "kind": found.kind, "name": found.name, "version": found.version }))
        .collect()
}

/// Splits a name into words: `minReadySeconds` becomes `Min Ready Seconds`.
pub(crate) fn words(name: &str) -> String {
    let mut result = String::with_capacity(name.len() + 4);
    let mut previous = ' ';
    for letter in name.chars() {
        if letter == '-' || letter == '_' || letter == '.' {
            previous = ' ';
            continue;
        }
        if previous == ' ' || letter.is_uppercase() && previous.is_lowercase() {
            if !result.is_empty() {
                result.push(' ');
            }
            result.extend(letter.to_uppercase());
        } else {
            result.push(letter);
        }
        previous = letter;
    }
    result
}

/// Returns `customresourcedefinitions.required`, and the entries that do not have the form `name/version/Kind`.
pub(crate) fn required(options: &BundleOptions) -> (Vec<Value>, Vec<&str>) {
    let (mut required, mut wrong) = (Vec::new(), Vec::new());
    for entry in &options.required {
        match entry.split('/').collect::<Vec<_>>().as_slice() {
            [name, version, kind] if name.contains('.') && !version.is_empty() && !kind.is_empty() => {
                required.push(json!({
                    "name": name, "version": version, "kind": kind, "displayName": words(kind),
                    "description": format!("{} that this operator uses", words(kind)),
                }));
            }
            _ => wrong.push(entry.as_str()),
        }
    }
    (required, wrong)
}
