//! Facts about Kubernetes' own types that the source of k8s-openapi does not have: merge behavior of lists and maps,
//! and defaults.
//!
//! `cargo xtask overlay` extracted the facts from the documents of an API server of each minor version. They are
//! decompressed when the first type of k8s-openapi is described.

mod facts;

use std::sync::{Arc, OnceLock};

use kgen_model::{ListType, Schema};

use facts::{Facts, Property};

/// The facts of one minor version.
struct Overlay {
    minor: u32,
    file: &'static [u8],
    unpacked: OnceLock<Facts>,
}

impl Overlay {
    const fn new(minor: u32, file: &'static [u8]) -> Self {
        Self {
            minor,
            file,
            unpacked: OnceLock::new(),
        }
    }

    fn facts(&self) -> &Facts {
        // A test reads every file, so all of them are valid.
        self.unpacked
            .get_or_init(|| Facts::unpack(self.file).unwrap_or_default())
    }
}

/// Every minor version that there are facts of, the oldest first.
static OVERLAYS: [Overlay; 5] = [
    Overlay::new(33, include_bytes!("../../../data/kubernetes-1.33.facts")),
    Overlay::new(34, include_bytes!("../../../data/kubernetes-1.34.facts")),
    Overlay::new(35, include_bytes!("../../../data/kubernetes-1.35.facts")),
    Overlay::new(36, include_bytes!("../../../data/kubernetes-1.36.facts")),
    Overlay::new(37, include_bytes!("../../../data/kubernetes-1.37.facts")),
];

/// Returns the minor versions of Kubernetes whose types are known, the oldest and the newest.
#[must_use]
pub fn supported_minors() -> (u32, u32) {
    let minors = || OVERLAYS.iter().map(|overlay| overlay.minor);
    (
        minors().min().unwrap_or_default(),
        minors().max().unwrap_or_default(),
    )
}

/// Returns the facts of a minor version, or of the nearest older one. Older versions get the oldest facts: a fact about
/// an existing field hardly ever changes.
fn nearest(minor: u32) -> Option<&'static Overlay> {
    let below = OVERLAYS.iter().rev().find(|overlay| overlay.minor <= minor);
    below.or(OVERLAYS.first())
}

/// Adds the facts about a type of k8s-openapi, by the modules that lead to its file and by its name.
pub(super) fn complete(module: &[&str], name: &str, schema: &mut Schema) {
    // The first module is the version of Kubernetes, the last one the file of the type.
    let [version, package @ .., _] = module else {
        return;
    };
    let Some(minor) = crate::program::kubernetes_minor(version) else {
        return;
    };
    let found = nearest(minor).and_then(|overlay| overlay.facts().of(package, name));
    let Some(known) = found else { return };
    schema.map_type = schema.map_type.or(known.map_type);
    for (name, property) in &known.properties {
        let Some(found) = schema.properties.get_mut(name) else {
            continue;
        };
        if apply(property, Arc::make_mut(found)) && !property.is_required {
            // k8s-openapi reads it as empty when it is absent.
            schema.required.remove(name);
        }
    }
}

/// Adds the facts to a property. Returns whether it then has a default.
fn apply(known: &Property, schema: &mut Schema) -> bool {
    if schema.items.is_some() && known.list_type.is_some() && keys_are_always_there(known, schema) {
        schema.list_type = known.list_type;
        schema.list_map_keys = known.list_map_keys.clone().into();
    }
    schema.map_type = known.map_type.or(schema.map_type);
    if let Some(default) = &known.default {
        schema.default = Some(default.clone());
    }
    known.default.is_some()
}

/// Returns whether the keys of a list are never absent, as the API server demands. Facts of another version can name a
/// key that is newer than the type.
fn keys_are_always_there(known: &Property, schema: &Schema) -> bool {
    let Some(items) = schema.items.as_deref() else {
        return false;
    };
    known.list_type != Some(ListType::Map)
        || known.list_map_keys.iter().all(|key| {
            let property = items.properties.get(key);
            property.is_some_and(|property| items.required.contains(key) || property.default.is_some())
        })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kgen_model::{JsonType, MapType};

    use super::*;

    #[test]
    fn every_file_is_in_the_table_and_can_be_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
        let files: BTreeSet<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".facts"))
            .collect();
        let table: BTreeSet<_> = OVERLAYS
            .iter()
            .map(|overlay| format!("kubernetes-1.{}.facts", overlay.minor))
            .collect();
        assert_eq!(files, table);
        for overlay in &OVERLAYS {
            let header = format!("kgen facts 1, cut from Kubernetes v1.{}.", overlay.minor);
            assert!(overlay.file.starts_with(header.as_bytes()), "{header}");
            let port = overlay
                .facts()
                .of(&["api", "core", "v1"], "ContainerPort")
                .unwrap();
            let (_, protocol) = port
                .properties
                .iter()
                .find(|(name, _)| name == "protocol")
                .unwrap();
            assert_eq!(protocol.default, Some("TCP".into()));
        }
        assert!(OVERLAYS.is_sorted_by_key(|overlay| overlay.minor));
    }

    #[test]
    fn the_nearest_version_below() {
        let found = |minor| nearest(minor).unwrap().minor;
        assert_eq!((found(36), found(99), found(20)), (36, 37, 33));
    }

    /// Returns a pod whose containers have these properties, the last one required or not.
    fn pod(properties: &[&str], required: bool) -> Schema {
        let mut container = Schema::of_type(JsonType::Object);
        for name in properties {
            let property = Schema::of_type(JsonType::String);
            container
                .properties
                .insert((*name).to_owned(), Arc::new(property));
            if required {
                container.required.insert((*name).to_owned());
            }
        }
        let mut pod = Schema::of_type(JsonType::Object);
        let containers = Schema::array_of(container);
        pod.properties
            .insert("containers".to_owned(), Arc::new(containers));
        pod
    }

    #[test]
    fn facts_reach_the_fields_that_are_there() {
        let mut schema = pod(&["name"], true);
        complete(
            &["v1_36", "api", "core", "v1", "pod_spec"],
            "PodSpec",
            &mut schema,
        );
        let containers = &schema.properties["containers"];
        assert_eq!(containers.list_type, Some(ListType::Map));
        assert_eq!(*containers.list_map_keys, ["name"]);
        let mut reference = Schema::of_type(JsonType::Object);
        let modules = ["v1_36", "api", "core", "v1", "object_reference"];
        complete(&modules, "ObjectReference", &mut reference);
        assert_eq!(reference.map_type, Some(MapType::Atomic));
    }

    #[test]
    fn keys_that_may_be_absent_leave_the_list_as_it_is() {
        for mut schema in [pod(&["name"], false), pod(&["image"], true)] {
            complete(
                &["v1_36", "api", "core", "v1", "pod_spec"],
                "PodSpec",
                &mut schema,
            );
            assert_eq!(schema.properties["containers"].list_type, None);
        }
    }
}
