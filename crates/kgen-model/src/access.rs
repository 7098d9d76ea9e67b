//! The RBAC rules of an operator: one rule per marker, as written.

use kgen_diagnostics::{Span, Spanned};

/// One RBAC rule, before rules are merged into roles.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessRule {
    /// API groups; the empty name is the core group.
    pub groups: Vec<String>,
    /// Resources, with subresources behind a slash.
    pub resources: Vec<Spanned<String>>,
    /// Names of single objects.
    pub resource_names: Vec<Spanned<String>>,
    /// Paths outside the resource tree.
    pub urls: Vec<Spanned<String>>,
    /// The verbs.
    pub verbs: Vec<Spanned<String>>,
    /// The namespace of a role; none makes it a cluster role.
    pub namespace: Option<Spanned<String>>,
    /// The name of the role, where it is not the one of the whole run.
    pub role_name: Option<Spanned<String>>,
    /// The marker that allows a star in this rule, if there is one.
    pub wildcard_allowed: Option<Span>,
    /// Where the rule is written.
    pub span: Span,
}

impl AccessRule {
    /// Returns the name of its role, if the marker gives one that is not empty.
    #[must_use]
    pub fn own_role_name(&self) -> Option<&Spanned<String>> {
        self.role_name.as_ref().filter(|name| !name.value.is_empty())
    }
}

/// Returns the API group that a marker names: `core` is the group without a name.
#[must_use]
pub fn group_name(group: &str) -> &str {
    if group == "core" { "" } else { group }
}
