//! Applying the markers that may stand in any comment: access rules and webhooks.

use kgen_diagnostics::{Code, Problems, Span};
use kgen_model::Api;

use crate::marker::Marker;

/// The API while the markers of one comment block are applied to it.
pub(crate) struct ApiNode<'a> {
    pub(crate) api: &'a mut Api,
    /// A star that is meant, said by the marker directly above.
    pub(crate) allowed: Option<Span>,
    /// Whether the marker did anything here.
    pub(crate) used: bool,
}

/// Adds the access rules and webhooks among the markers of one comment block, in source order.
///
/// Hand it all markers of the block at once: `+kgen:allow=rbac-wildcard` belongs to the access rule directly below
/// it. Other markers are passed over.
pub fn apply_to_api(markers: &[Marker], api: &mut Api, problems: &mut Problems) {
    let mut allowed: Option<(Span, &Marker)> = None;
    for marker in markers {
        let mut node = ApiNode {
            api,
            allowed: allowed.map(|(span, _)| span),
            used: false,
        };
        problems.take(marker.effect.on_api(&mut node));
        let (used, left) = (node.used, node.allowed);
        match (allowed, left) {
            // The marker below took it.
            (Some(_), None) => allowed = None,
            (Some((_, allow)), Some(span)) if used => {
                problems.push(unused(allow));
                allowed = (span != allow.span()).then_some((span, marker));
            }
            (None, Some(span)) => allowed = Some((span, marker)),
            _ => {}
        }
    }
    if let Some((_, allow)) = allowed {
        problems.push(unused(allow));
    }
}

fn unused(allow: &Marker) -> kgen_diagnostics::Problem {
    allow
        .place
        .problem(
            Code::DetachedMarker,
            format!("`{}` stands above no access rule", allow.name()),
        )
        .help("put it directly above the `+kubebuilder:rbac` marker that it is for")
}
