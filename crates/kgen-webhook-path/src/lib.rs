//! The paths at which webhooks of a kind are served.
//!
//! The webhook marker, the manifest and the server must use the same path; a difference would show only in the cluster.
//! So the rule, which is that of controller-runtime, is only here.

/// Returns the path of the mutating webhook: `/mutate-GROUP-VERSION-KIND`.
///
/// ```
/// assert_eq!(kgen_webhook_path::mutating("cache.example.com", "v1", "Memcached"), "/mutate-cache-example-com-v1-memcached");
/// assert_eq!(kgen_webhook_path::mutating("", "v1", "Pod"), "/mutate--v1-pod");
/// ```
#[must_use]
pub fn mutating(group: &str, version: &str, kind: &str) -> String {
    path("mutate", group, version, kind)
}

/// Returns the path of the validating webhook: `/validate-GROUP-VERSION-KIND`.
///
/// ```
/// assert_eq!(kgen_webhook_path::validating("apps", "v1", "Deployment"), "/validate-apps-v1-deployment");
/// ```
#[must_use]
pub fn validating(group: &str, version: &str, kind: &str) -> String {
    path("validate", group, version, kind)
}

fn path(action: &str, group: &str, version: &str, kind: &str) -> String {
    format!(
        "/{action}-{}-{version}-{}",
        group.replace('.', "-"),
        kind.to_lowercase()
    )
}

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
