//! The templates of an operator project.
//!
//! Each folder next to this one is a set of Jinja templates. Words between double underscores in the name of a file or
//! folder are replaced too, as in `src/api/__group__/mod.rs`. `Cargo.toml` has the extension `.jinja`, because cargo does
//! not package folders that look like packages.

/// The template of one file.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The name of its set, which is the name of the folder.
    pub set: &'static str,
    /// The path of the file in a project.
    pub path: &'static str,
    /// The content.
    pub text: &'static str,
}

/// All templates, sorted by set and path.
pub const TEMPLATES: &[Template] = include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// Returns the templates of one set.
pub fn set(name: &str) -> impl Iterator<Item = &'static Template> {
    TEMPLATES.iter().filter(move |template| template.set == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_files() {
        for name in [
            "project",
            "types-kgen",
            "types-kube",
            "controller-kgen",
            "controller-kube",
            "external-kgen",
            "external-kube",
            "external-test",
            "kind",
            "license",
            "stub-controller-kgen",
            "stub-controller-kube",
            "stub-test",
            "stub-webhook",
            "conversion-code",
            "conversion-config",
            "webhook-code",
            "webhook-config",
            "webhook-external",
            "webhook-external-test",
        ] {
            assert!(set(name).next().is_some(), "{name}");
        }
        assert!(set("project").any(|template| template.path == "Cargo.toml"));
        assert!(set("project").any(|template| template.path == ".gitignore"));
    }
}

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
