//! Applying the markers of a kind.

use kgen_diagnostics::{Code, Problem, Problems, Span, Spanned};
use kgen_model::{KindVersion, Scope, Verb};

use crate::marker::{Marker, Outcome, Place};

/// Applies all markers that say something about the kind itself, in source order.
///
/// What attributes have said before stays; a marker that says something else is an error at the marker.
pub fn apply_to_kind(markers: &[Marker], kind: &mut KindVersion, problems: &mut Problems) {
    for marker in markers {
        problems.take(marker.effect.on_kind(kind));
    }
    check_client(markers, kind, problems);
}

/// States a value once: the same value again is fine, another one is not.
pub(crate) fn state<T: PartialEq>(place: &Place, slot: &mut Option<Spanned<T>>, new: Spanned<T>, what: &str) -> Outcome {
    match slot {
        Some(known) if known.value != new.value => Err(contradiction(place, new.span, known.span, what)),
        Some(_) => Ok(()),
        None => {
            *slot = Some(new);
            Ok(())
        }
    }
}

pub(crate) fn contradiction(place: &Place, span: Span, known: Span, what: &str) -> Problem {
    let problem = Problem::error(
        Code::ContradictingMarkers,
        span,
        format!("`{}` states another {what} than what stands before", place.name()),
    );
    if known == span { problem } else { problem.related(known, format!("the {what} is stated here")) }
}

/// Whether the settings of the client go together.
fn check_client(markers: &[Marker], kind: &KindVersion, problems: &mut Problems) {
    let client = &kind.client;
    if client.wanted.is_none() {
        if let Some(marker) = markers.iter().find(|marker| marker.name().starts_with("genclient:")) {
            let message = format!("`{}` means nothing without `genclient`", marker.name());
            problems.push(
                Problem::error(Code::MisplacedMarker, marker.name_span(), message).help("add `+genclient` above it"),
            );
        }
    }
    if let (Some(scope), Some(span)) = (&kind.scope, client.non_namespaced) {
        if scope.value == Scope::Namespaced {
            problems.push(
                Problem::error(Code::ContradictingMarkers, span, "the client has no namespaces, and the kind has")
                    .related(scope.span, "the scope is stated here")
                    .help("remove one of the two"),
            );
        }
    }
    if let (Some(verbs), Some(no_status)) = (&client.only_verbs, client.no_status) {
        if verbs.value.iter().any(|verb| matches!(verb, Verb::UpdateStatus | Verb::ApplyStatus)) {
            problems.push(
                Problem::error(Code::ContradictingMarkers, verbs.span, "a verb of the status is listed")
                    .related(no_status, "and the client has none of them"),
            );
        }
    }
    for (index, method) in client.methods.iter().enumerate() {
        // `UpdateScale` and `update_scale` are one name in Rust.
        let plain = |name: &str| name.replace('_', "").to_lowercase();
        let earlier = client.methods.iter().take(index).find(|earlier| plain(&earlier.name) == plain(&method.name));
        if let Some(earlier) = earlier {
            problems.push(
                Problem::error(Code::RepeatedMarker, method.span, format!("two methods are called `{}`", method.name))
                    .related(earlier.span, "the first one is here"),
            );
        }
    }
}
