//! Applies the markers that any comment may have: access rules and webhooks.

use kgen_diagnostics::{Code, FileId, Problems, Span};
use kgen_model::Api;

use crate::comment::{CommentLine, read_marker, starts_marker};
use crate::definition::Position;
use crate::marker::Marker;
use crate::parse::parse;

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

/// Reads the access rules and webhooks of a text that consists of comment lines only, without their slashes.
///
/// The whole text is one comment block. Markers in Rust source are for the front end, which knows their items.
#[must_use]
pub fn read_api(file: FileId, text: &str) -> (Api, Problems) {
    let (mut api, mut problems) = (Api::default(), Problems::new());
    let mut offset = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        lines.push(CommentLine {
            text: line.trim_end(),
            offset,
        });
        offset = offset.saturating_add(u32::try_from(line.len()).unwrap_or(u32::MAX));
    }
    let (mut rest, mut markers) = (lines.as_slice(), Vec::new());
    while let Some(line) = rest.first() {
        let mut used = 1;
        if starts_marker(line.text) {
            let marker;
            (marker, used) = read_marker(file, rest);
            match parse(&marker, Position::Nothing) {
                Ok(marker) => markers.extend(marker),
                Err(problem) => problems.push(problem),
            }
        }
        rest = rest.get(used.max(1)..).unwrap_or_default();
    }
    apply_to_api(&markers, &mut api, &mut problems);
    (api, problems)
}

fn unused(allow: &Marker) -> kgen_diagnostics::Problem {
    allow
        .place
        .problem(
            Code::DetachedMarker,
            format!("`{}` is not above an RBAC rule", allow.name()),
        )
        .help("move it directly above the `+kubebuilder:rbac` marker that it is for")
}
