//! Access rules: what all `+kubebuilder:rbac` markers ask for, as one manifest of roles.
//!
//! Rules are merged as controller-gen merges them (`merge`), and each role becomes one document (`document`).

mod document;
mod merge;

use kgen_check::{Checked, role_name_problem};
use kgen_diagnostics::Problems;

use crate::{Artifact, manifest};

/// The name of this generator on the command line and in the first line of its file.
const GENERATOR: &str = "rbac";
/// The name of the file, where the user does not give another.
const FILE_NAME: &str = "role.yaml";
/// The name of the roles, where neither the user nor a marker gives another.
const ROLE_NAME: &str = "manager-role";

/// What the user can decide about roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RbacOptions {
    /// `roleName`: the name of every role whose markers name none.
    pub role_name: String,
    /// `fileName`: the name of the file; the usual one if it is empty.
    pub file_name: String,
    /// The text of `headerFile`, with the year in place.
    pub header: Option<String>,
}

impl Default for RbacOptions {
    fn default() -> Self {
        Self {
            role_name: ROLE_NAME.to_owned(),
            file_name: FILE_NAME.to_owned(),
            header: None,
        }
    }
}

/// Generates the roles of all access rules: by namespace and name, cluster roles first. Without rules there is no manifest.
#[must_use]
pub fn generate(checked: &Checked<'_>, options: &RbacOptions) -> (Vec<Artifact>, Problems) {
    let rules = &checked.api().access_rules;
    let mut problems = Problems::new();
    if rules.iter().any(|rule| rule.own_role_name().is_none()) {
        problems.extend(role_name_problem(&options.role_name));
    }
    if rules.is_empty() || problems.has_errors() {
        return (Vec::new(), problems);
    }
    let roles = merge::roles(rules, &options.role_name);
    let file_name = if options.file_name.is_empty() {
        FILE_NAME
    } else {
        &options.file_name
    };
    let documents = roles.iter().map(document::role);
    let artifact = manifest::artifact(GENERATOR, file_name, options.header.as_deref(), documents);
    (vec![artifact], problems)
}
