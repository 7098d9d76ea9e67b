//! Bundles for the Operator Lifecycle Manager (OLM): a ClusterServiceVersion (CSV), the CRDs, other objects, metadata.
//!
//! [`generate`] takes a checked API and the objects of the deployment. `csv` puts the CSV together from its parts, one
//! module each; `objects` decides which other objects are written; `metadata` writes the files around them. Nothing here
//! touches the disk.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod base;
mod csv;
mod deployments;
mod descriptors;
mod json;
mod metadata;
mod objects;
mod options;
mod owned;
mod permissions;
mod samples;
mod version;
mod webhooks;

use kgen_check::Checked;
use kgen_diagnostics::{Code, Problem, Problems};
use kgen_generators::Artifact;
use kgen_model::{GeneratedLine, Language};
use serde_json::Value;

pub use options::{BundleOptions, CAPABILITIES, Contact, Descriptors, INSTALL_MODES};

/// The name of this generator on the command line and in the first line of its files.
const GENERATOR: &str = "bundle";

/// Generates the files of a bundle.
#[must_use]
pub fn generate(checked: &Checked<'_>, options: &BundleOptions) -> (Vec<Artifact>, Problems) {
    let mut problems = Problems::new();
    let bundle = Bundle {
        options,
        kinds: owned::kinds(checked, options),
    };
    metadata::check(options, &mut problems);
    let mut csv = csv::csv(&bundle, &mut problems);
    base::merge(&bundle, &mut csv, &mut problems);
    let mut artifacts = vec![bundle.yaml(
        format!("manifests/{}.clusterserviceversion.yaml", options.name),
        &csv,
    )];
    artifacts.extend(objects::artifacts(&bundle, &mut problems));
    artifacts.extend(metadata::artifacts(&bundle));
    if problems.has_errors() {
        artifacts.clear();
    }
    (artifacts, problems)
}

/// The input of every part of a bundle.
struct Bundle<'a> {
    options: &'a BundleOptions,
    kinds: Vec<owned::Kind<'a>>,
}

impl Bundle<'_> {
    /// Returns a YAML file.
    fn yaml(&self, name: String, value: &Value) -> Artifact {
        let mut text = self.head();
        // OLM reads one document per file, and takes a comment before `---` for the first.
        kgen_yaml::write(value, &mut text);
        Artifact {
            name,
            generator: GENERATOR,
            text,
        }
    }

    /// Returns the first lines of a file.
    fn head(&self) -> String {
        let line = GeneratedLine {
            language: Language::Yaml,
            generator: GENERATOR,
            source: "",
        };
        let mut text = format!("{line}\n");
        if let Some(header) = self.options.header.as_deref().filter(|header| !header.is_empty()) {
            text.push_str(header.trim_end());
            text.push('\n');
        }
        text
    }

    /// Returns the namespace of the operator.
    fn namespace(&self) -> &str {
        let first = self.options.manifests.deployments().next();
        first.map(kgen_manifests::Object::namespace).unwrap_or_default()
    }
}

/// Returns an error about the configuration of the bundle, with the key in `kgen.toml`.
fn metadata_problem(message: impl Into<String>, key: &str) -> Problem {
    Problem::general(Code::BundleMetadata, message).help(format!("set `{key}` in `[bundle]` of `kgen.toml`"))
}

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
