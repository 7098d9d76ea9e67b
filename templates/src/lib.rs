//! The files of a new operator project, as they will lie.
//!
//! A folder beside this one is a set of templates, written in Jinja's language. Words between double underscores in the name of
//! a file or folder are replaced too: `src/api/__group__/mod.rs`. A manifest ends in `.jinja`, because cargo leaves out folders
//! that look like packages.

/// A file to be.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The set it belongs to: the name of the folder.
    pub set: &'static str,
    /// Where it will lie.
    pub path: &'static str,
    /// What it will hold.
    pub text: &'static str,
}

/// All of them, by set and path.
pub const TEMPLATES: &[Template] = include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// The templates of one set.
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
            "kind",
            "webhook-code",
            "webhook-config",
        ] {
            assert!(set(name).next().is_some(), "{name}");
        }
        assert!(set("project").any(|template| template.path == "Cargo.toml"));
        assert!(set("project").any(|template| template.path == ".gitignore"));
    }
}

/// The examples of the README, for `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
