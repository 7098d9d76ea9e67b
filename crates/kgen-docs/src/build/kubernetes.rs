//! The pages of Kubernetes about its own types.

use kgen_model::{RustPath, RustRoot};

/// The minor version for types of a k8s-openapi that was not looked at.
const USUAL_MINOR: u32 = 36;

/// Returns the address of the page about a type of k8s-openapi. Returns `None` for other types.
pub(super) fn page(path: &RustPath, minor: Option<u32>) -> Option<String> {
    let RustRoot::Library(library) = &path.root else {
        return None;
    };
    if library != "k8s_openapi" {
        return None;
    }
    let names: Vec<&str> = path
        .names
        .iter()
        .map(String::as_str)
        .filter(|name| !name.starts_with("v1_"))
        .collect();
    let reference = |group: &str, version: &str, name: &str| {
        let minor = minor.unwrap_or(USUAL_MINOR);
        let name = name.to_lowercase();
        format!(
            "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.{minor}/#{name}-{version}-{group}"
        )
    };
    match names.as_slice() {
        ["api", group, version, name] => Some(reference(group, version, name)),
        // The crate `apiextensions_apiserver` has types of one group.
        [
            "apiextensions_apiserver",
            "pkg",
            "apis",
            "apiextensions",
            version,
            name,
        ] => Some(reference("apiextensions-k8s-io", version, name)),
        ["apimachinery", "pkg", "apis", "meta", version, name]
            if !matches!(*name, "Time" | "MicroTime" | "Duration") =>
        {
            Some(reference("meta", version, name))
        }
        ["apimachinery", "pkg", "api", "resource", "Quantity"] => Some(
            "https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/".to_owned(),
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_pages() {
        let page = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            let root = RustRoot::Library("k8s_openapi".to_owned());
            page(&RustPath { root, names }, Some(35))
        };
        assert_eq!(
            page(&["api", "core", "v1", "PodTemplateSpec"]).as_deref(),
            Some(
                "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.35/#podtemplatespec-v1-core"
            )
        );
        assert!(page(&["apimachinery", "pkg", "apis", "meta", "v1", "Condition"]).is_some());
        assert_eq!(page(&["apimachinery", "pkg", "apis", "meta", "v1", "Time"]), None);
        assert_eq!(
            page(&["apimachinery", "pkg", "util", "intstr", "IntOrString"]),
            None
        );
    }
}
