//! Where the webhook of a kind is served.
//!
//! The path stands in the webhook marker, from there in the manifest, and in the server that answers; a difference shows only
//! in the cluster. So the rule stands here alone, as Go authors know it from controller-runtime.

/// The path of the webhook that fills in what was left out: `/mutate-GROUP-VERSION-KIND`.
///
/// ```
/// assert_eq!(kgen_webhook_path::mutating("cache.example.com", "v1", "Memcached"), "/mutate-cache-example-com-v1-memcached");
/// assert_eq!(kgen_webhook_path::mutating("", "v1", "Pod"), "/mutate--v1-pod");
/// ```
#[must_use]
pub fn mutating(group: &str, version: &str, kind: &str) -> String {
    path("mutate", group, version, kind)
}

/// The path of the webhook that refuses what is wrong: `/validate-GROUP-VERSION-KIND`.
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

/// The examples of the README, for `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
