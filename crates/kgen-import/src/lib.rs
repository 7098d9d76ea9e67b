//! From CRDs to annotated Rust: the other direction of kgen.
//!
//! The work has stages: `kgen-manifests` reads text into a tree with places, [`definitions`] turns documents into the schema
//! model of `kgen-model`, `plan` decides the Rust items, and `text` writes them. [`import`] has the stages as one function.
//! [`manifests`] reads roles and webhook configurations. Nothing here touches the disk.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod compatible;
pub mod definitions;
mod import;
mod kubernetes;
pub mod manifests;
mod options;
mod plan;
mod text;

use kgen_manifests::yaml;

pub use import::{Outcome, Source, import};
pub use kubernetes::kubernetes_key;
pub use options::{Enums, KubernetesTypes, Options, Style, Versions};
pub use plan::{digest, kind_module, module};
pub use text::{FIRST_LINE, SourceFile, single_file};

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
