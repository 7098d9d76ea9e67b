//! kgen as a library: configure the source and the output, run, and use the report.
//!
//! The `kgen` command is a thin layer over this crate, and so are build scripts:
//!
//! ```no_run
//! // In `main` of build.rs:
//! kgen_build::configure().path("src/api").crd("config/crd").emit();
//! ```
//!
//! Everything happens in memory until the plan is complete; the plan is then carried out, or only shown. This crate
//! does not depend on terminals.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod abandoned;
mod arguments;
mod build_script;
mod cluster;
mod configuration;
mod diff;
mod disk;
mod fix;
mod generator;
mod header;
pub mod import;
mod inputs;
mod inspect;
mod keep_going;
mod kustomize;
mod lint;
mod nothing_found;
mod options;
mod owner;
mod package;
mod pipeline;
mod place;
mod plan;
mod project;
mod report;
mod sequence;
mod stored_versions;
mod view;
mod words;

pub use arguments::{Arguments, parse_arguments};
pub use build_script::{Builder, configure};
pub use cluster::Cluster;
pub use configuration::{Action, Configuration, Job, Output, Project, Set};
pub use diff::{
    AllowedChange, Compared, Comparison, DiffRequest, DiffSettings, LintSettings, Place, Shown, StateName,
    as_problem, diff, place as place_of,
};
pub use disk::{entries, files_below, is_file, is_folder, read_file};
pub use fix::{FixedFile, Fixes, Unrestorable, applicable, find_fixes, unrestorable};
pub use generator::{GENERATORS, Generator, Product};
pub use inspect::{Definition, Inspection, inspect, plain_crd_set};
pub use kgen_check::{RULE_COST_LIMIT, RuleCost, rule_costs, rule_functions};
pub use kgen_diff::{Finding, Level, Reads, Verdict as ChangeVerdict, Witness};
pub use kgen_frontend::supported_minors as supported_kubernetes_minors;
pub use kgen_frontend::{
    Attachment, Compat, FeatureChoice, ForeignMarkers, Item, ItemKind, Lowerings, Outline, Overlay, Tree,
    Unsaved, cargo_home, read_standard_input, without_dots,
};
pub use kgen_import::{Enums, KubernetesTypes, Options as ImportOptions, Style, Versions};
pub use lint::{LintRequest, lint, lint_fixes};
pub use options::{
    CrdOptions, CrdVersion, HeaderOptions, Ignored, ObjectOptions, OptionDescription, OptionType,
    OptionValue, Options, RbacOptions, RustOptions,
};
pub use pipeline::{Stage, read_apis, run, run_watched};
pub use place::{absolute, shown};
pub use plan::{Change, ChangeAction, Plan};
pub use project::{
    FILE_NAME, configuration_schema, find_project_file, read_project_file, read_unsaved_project_file,
};
pub use report::{Findings, Report, Verdict};

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
