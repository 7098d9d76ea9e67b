//! RBAC roles: one manifest with the rules of all `+kubebuilder:rbac` markers.
//!
//! Rules are merged as controller-gen merges them (`merge`), and each role becomes one document (`document`).

mod document;
mod merge;
#[cfg(test)]
mod tests;

use kgen_check::{Checked, role_name_problem};
use kgen_diagnostics::Problems;

use crate::{Artifact, manifest};

/// The name of this generator on the command line and in the first line of its file.
const GENERATOR: &str = "rbac";
/// The default name of the file.
const FILE_NAME: &str = "role.yaml";
/// The default name of the roles.
const ROLE_NAME: &str = "manager-role";

/// The options of this generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RbacOptions {
    /// `roleName`: the name of every role whose markers do not have a `roleName`.
    pub role_name: String,
    /// `fileName`: the name of the file; the default name if it is empty.
    pub file_name: String,
    /// The text of `headerFile`, with the year filled in.
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

/// Generates the roles of all RBAC rules, sorted by namespace and name, cluster roles first. Returns no artifact if there
/// are no rules.
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
