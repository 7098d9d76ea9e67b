//! The minor version of Kubernetes whose types a crate uses: that of k8s-openapi in its manifest and its lock file.

use std::path::Path;

use toml::de::DeTable;

use super::Import;
use crate::disk;

/// k8s-openapi 0.N has the types of Kubernetes up to 1.(N + this).
const NEWEST_BEYOND: u32 = 8;

impl Import {
    /// Returns the minor version of the crate around the output folder, or `None` if nothing names one.
    pub(super) fn kubernetes_minor(&self) -> Option<u32> {
        let out = self
            .working_folder
            .join(self.out.as_deref().unwrap_or(Path::new(".")));
        let mut manifests = out.ancestors().map(|folder| folder.join("Cargo.toml"));
        let manifest = manifests.find(|path| disk::is_file(path))?;
        let text = disk::read_text(&manifest).ok()?;
        let selected = selected_minor(&text);
        selected.or_else(|| {
            let mut locks = manifest.ancestors().map(|folder| folder.join("Cargo.lock"));
            let lock = locks.find(|path| disk::is_file(path))?;
            newest_minor(&disk::read_text(&lock).ok()?)
        })
    }
}

/// Returns the newest version that a feature of k8s-openapi in a manifest selects.
fn selected_minor(manifest: &str) -> Option<u32> {
    let manifest = DeTable::parse(manifest).ok()?.into_inner();
    let workspace = manifest
        .get("workspace")
        .and_then(|value| value.get_ref().as_table());
    let mut minors = Vec::new();
    for table in [Some(&manifest), workspace].into_iter().flatten() {
        for name in ["dependencies", "dev-dependencies"] {
            let dependencies = table.get(name).and_then(|value| value.get_ref().as_table());
            let dependency = dependencies.and_then(|table| table.get("k8s-openapi")?.get_ref().as_table());
            let features = dependency.and_then(|table| table.get("features")?.get_ref().as_array());
            let features = features.into_iter().flat_map(|features| features.iter());
            minors.extend(features.filter_map(|feature| {
                let minor = feature.get_ref().as_str()?.strip_prefix("v1_")?;
                minor.parse::<u32>().ok()
            }));
        }
    }
    minors.into_iter().max()
}

/// Returns the newest version that the locked k8s-openapi has.
fn newest_minor(lock: &str) -> Option<u32> {
    let (_, rest) = lock.split_once("name = \"k8s-openapi\"\nversion = \"0.")?;
    let minor: u32 = rest.split('.').next()?.parse().ok()?;
    Some(minor + NEWEST_BEYOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_and_the_lock_file_select_a_version() {
        let manifest = "[dependencies]\nk8s-openapi = { version = \"0.29\", features = [\"v1_35\"] }\n";
        assert_eq!(selected_minor(manifest), Some(35));
        let latest = "[dependencies]\nk8s-openapi = { version = \"0.29\", features = [\"latest\"] }\n";
        assert_eq!(selected_minor(latest), None);
        let lock = "[[package]]\nname = \"k8s-openapi\"\nversion = \"0.29.0\"\n";
        assert_eq!(newest_minor(lock), Some(37));
    }
}
