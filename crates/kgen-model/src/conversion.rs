//! The markers about the conversion between versions of a kind, and the order of versions by age.
//!
//! The markers belong to the newer of two neighboring versions. They name fields and variants of the older one by their
//! JSON names. Comparing the versions is left to the checks.

use std::cmp::Ordering;

use kgen_diagnostics::{Span, Spanned};

/// The markers of a field about the older version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldConversion {
    /// The fields of the older version that it replaces: names, or paths from the root of the object that start with `.`.
    pub from: Vec<Spanned<String>>,
    /// The marker with these fields.
    pub from_span: Option<Span>,
    /// The marker that demands methods although the value could be copied.
    pub custom: Option<Span>,
}

/// The markers of a struct or enum about the older version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeConversion {
    /// Fields of the older struct that are gone.
    pub dropped: Vec<Spanned<String>>,
    /// Variants of the older enum that are gone.
    pub dropped_variants: Vec<DroppedVariant>,
}

/// A variant of the older enum that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedVariant {
    /// The variant.
    pub name: Spanned<String>,
    /// The variant that the newer version shows for it.
    pub shown: Spanned<String>,
    /// The whole marker.
    pub span: Span,
}

/// The markers of a variant about the older version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariantConversion {
    /// The variant of the older version that it replaces.
    pub from: Option<Spanned<String>>,
    /// The variant that the older version shows for it.
    pub shown: Option<Spanned<String>>,
}

/// The markers of a kind about conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindConversion {
    /// The previous version of the chain.
    pub previous: Option<Spanned<String>>,
    /// The webhook that converts.
    pub webhook: Option<Spanned<ConversionWebhook>>,
    /// The marker that leaves the conversion to others.
    pub external: Option<Span>,
    /// Versions in which no object is stored anymore.
    pub migrated: Vec<Spanned<String>>,
}

impl KindConversion {
    /// Returns whether the kind says anything about conversion.
    #[must_use]
    pub fn is_stated(&self) -> bool {
        *self != Self::default()
    }
}

/// The address of a conversion webhook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversionWebhook {
    /// The name of the service, if it is not the usual one.
    pub service_name: Option<String>,
    /// The namespace of the service, if it is not the usual one.
    pub service_namespace: Option<String>,
    /// The port of the service.
    pub service_port: Option<i64>,
    /// The path on the service, if it is not the usual one.
    pub path: Option<String>,
    /// The address of a webhook outside of the cluster.
    pub url: Option<Spanned<String>>,
}

/// A version name that Kubernetes can order: `v1`, `v2beta1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VersionAge {
    major: u32,
    stage: Stage,
    minor: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Alpha,
    Beta,
    Stable,
}

impl VersionAge {
    /// Parses the name of a version. Returns `None` if the name does not have an age.
    ///
    /// Versions are ordered by age: `v1alpha1`, `v1beta1`, `v1`, `v2alpha1`, `v2`.
    #[must_use]
    pub fn of(version: &str) -> Option<Self> {
        let number = |digits: &str| {
            let is_number = !digits.is_empty() && !digits.starts_with('0');
            is_number.then_some(digits)?.parse::<u32>().ok()
        };
        let rest = version.strip_prefix('v')?;
        for (stage, word) in [(Stage::Beta, "beta"), (Stage::Alpha, "alpha")] {
            if let Some((major, minor)) = rest.split_once(word) {
                return Some(Self {
                    major: number(major)?,
                    stage,
                    minor: number(minor)?,
                });
            }
        }
        Some(Self {
            major: number(rest)?,
            stage: Stage::Stable,
            minor: 0,
        })
    }

    /// Compares two versions as Kubernetes does where it prefers one: stable ones to beta to alpha, then by numbers.
    #[must_use]
    pub fn by_priority(self, other: Self) -> Ordering {
        (self.stage, self.major, self.minor).cmp(&(other.stage, other.major, other.minor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_age() {
        let ordered = ["v1alpha1", "v1alpha2", "v1beta1", "v1", "v2alpha1", "v2", "v10"];
        for pair in ordered.windows(2) {
            assert!(VersionAge::of(pair[0]) < VersionAge::of(pair[1]), "{pair:?}");
        }
        for name in [
            "",
            "v",
            "1",
            "v0",
            "v01",
            "vx",
            "v1gamma1",
            "v1beta",
            "stable",
            "v99999999999",
        ] {
            assert_eq!(VersionAge::of(name), None, "{name}");
        }
    }

    #[test]
    fn kubernetes_prefers_stable_versions() {
        let ordered = ["v2alpha1", "v1beta1", "v1beta2", "v1", "v2", "v10"];
        for pair in ordered.windows(2) {
            let (Some(left), Some(right)) = (VersionAge::of(pair[0]), VersionAge::of(pair[1])) else {
                panic!("{pair:?}");
            };
            assert_eq!(left.by_priority(right), Ordering::Less, "{pair:?}");
        }
    }
}
