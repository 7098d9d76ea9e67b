//! The policies that are not the strict one.

use kgen_diagnostics::{Code, Extent, Policy, Severity};

/// The policy of `compat=kube-derive`: source that works with kube-derive keeps working, with warnings.
pub const KUBE_DERIVE: Policy = Policy(&[
    // The API server does not look at where columns and scale lead.
    (Code::JsonPath, Extent::Tolerated, Severity::Warning),
    // Copies of Kubernetes' own types are used by a program and never installed.
    (Code::ReservedGroup, Extent::Tolerated, Severity::Warning),
    // A program states in code which of several versions is stored.
    (Code::StorageVersion, Extent::Tolerated, Severity::Warning),
    // Programs merge definitions, and drop the names of the versions that are not stored.
    (Code::VersionDisagreement, Extent::Tolerated, Severity::Warning),
    // Markers of clients matter to no one if no client is generated.
    (Code::ClientMarker, Extent::Tolerated, Severity::Warning),
    (Code::ClientName, Extent::Tolerated, Severity::Warning),
    // kube-derive does not look at these, and its CRDs may be installed already.
    (Code::InapplicableMarker, Extent::Every, Severity::Warning),
    (Code::LostWhenSkipped, Extent::Every, Severity::Warning),
    (Code::RenameDiffers, Extent::Every, Severity::Warning),
    (Code::UnreadableWhenAbsent, Extent::Tolerated, Severity::Warning),
    // For kube-derive, a marker is text. Types translated from Go contain many of them.
    (Code::ContradictingMarkers, Extent::Tolerated, Severity::Warning),
    (Code::DetachedMarker, Extent::Tolerated, Severity::Warning),
    (Code::ForeignMarker, Extent::Tolerated, Severity::Warning),
    (Code::MarkerArgument, Extent::Tolerated, Severity::Warning),
    (Code::MarkerText, Extent::Tolerated, Severity::Warning),
    (Code::MarkerValue, Extent::Tolerated, Severity::Warning),
    (Code::MisplacedMarker, Extent::Tolerated, Severity::Warning),
    (Code::RepeatedMarker, Extent::Tolerated, Severity::Warning),
    (Code::TrailingMarker, Extent::Tolerated, Severity::Warning),
    (Code::UnknownMarker, Extent::Tolerated, Severity::Warning),
    (Code::UnresolvedName, Extent::Tolerated, Severity::Warning),
]);

/// The policy of `kgen lint` for what a check finds on its way. `kgen lint` then gives its findings their levels.
pub(super) const LINT: Policy = Policy(&[(Code::RuleCost, Extent::Every, Severity::Warning)]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_of_the_policy_can_be_allowed() {
        for (code, _, _) in KUBE_DERIVE.0 {
            assert!(code.can_be_allowed(), "{code}");
        }
    }
}
