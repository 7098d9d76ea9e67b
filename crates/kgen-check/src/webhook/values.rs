//! The words that an API server accepts. Markers may write them in any case.

/// Operations that a webhook can handle.
pub(super) const OPERATIONS: &[&str] = &["CREATE", "UPDATE", "DELETE", "CONNECT", "*"];
/// The behavior if a webhook cannot be reached.
pub(super) const FAILURE_POLICIES: &[&str] = &["Fail", "Ignore"];
/// How rules match.
pub(super) const MATCH_POLICIES: &[&str] = &["Exact", "Equivalent"];
/// Side effects that a webhook may have.
pub(super) const SIDE_EFFECTS: &[&str] = &["None", "NoneOnDryRun"];
/// Side effects that older versions of Kubernetes accepted, and newer ones reject.
pub(super) const OLD_SIDE_EFFECTS: &[&str] = &["Some", "Unknown"];
/// Whether a webhook is called again.
pub(super) const REINVOCATION_POLICIES: &[&str] = &["Never", "IfNeeded"];
/// The scope of the resources of a rule.
pub(super) const SCOPES: &[&str] = &["Cluster", "Namespaced", "*"];
/// Versions of the review that API servers send.
pub(super) const REVIEW_VERSIONS: &[&str] = &["v1", "v1beta1"];
/// Versions of the configuration that API servers take.
pub(super) const CONFIGURATION_VERSIONS: &[&str] = &["v1"];
/// The operators of a selector expression.
pub(super) const SELECTOR_OPERATORS: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist"];

/// Returns the word in the API server's case; an unknown word is returned unchanged, and a check rejects it.
pub(super) fn canonical<'a>(word: &'a str, known: &[&'a str]) -> &'a str {
    known
        .iter()
        .copied()
        .find(|known| known.eq_ignore_ascii_case(word))
        .unwrap_or(word)
}
