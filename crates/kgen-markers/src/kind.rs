//! Applying the markers of a kind.

use kgen_diagnostics::{Code, Problem, Problems, Span, Spanned};
use kgen_model::{KindVersion, Scope, Verb};

use crate::marker::{Marker, Outcome, Place};

/// Applies all markers that say something about the kind itself, in source order.
///
/// Settings of attributes are kept; a marker that contradicts them is an error at the marker.
pub fn apply_to_kind(markers: &[Marker], kind: &mut KindVersion, problems: &mut Problems) {
    for marker in markers {
        problems.take(marker.effect.on_kind(kind));
    }
    check_client(markers, kind, problems);
}

/// States a value once: the same value again is fine, another one is not.
pub(crate) fn state<T: PartialEq>(
    place: &Place,
    slot: &mut Option<Spanned<T>>,
    new: Spanned<T>,
    what: &str,
) -> Outcome {
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
        format!("`{}` contradicts an earlier {what}", place.name()),
    );
    if known == span {
        problem
    } else {
        problem.related(known, format!("the earlier {what}"))
    }
}

/// Checks that the settings of the client go together.
fn check_client(markers: &[Marker], kind: &KindVersion, problems: &mut Problems) {
    let client = &kind.client;
    let setting = markers
        .iter()
        .find(|marker| marker.name().starts_with("genclient:"));
    if let (None, Some(marker)) = (client.wanted, setting) {
        let message = format!("`{}` has no effect without `genclient`", marker.name());
        problems.push(
            Problem::error(Code::MisplacedMarker, marker.name_span(), message)
                .help("add `+genclient` above it"),
        );
    }
    let namespaced = kind
        .scope
        .as_ref()
        .filter(|scope| scope.value == Scope::Namespaced);
    if let (Some(scope), Some(span)) = (namespaced, client.non_namespaced) {
        problems.push(
            Problem::error(
                Code::ContradictingMarkers,
                span,
                "the client is not namespaced, but the kind is",
            )
            .related(scope.span, "the scope of the kind")
            .help("remove one of the two"),
        );
    }
    let of_status = |verb: &Verb| matches!(verb, Verb::UpdateStatus | Verb::ApplyStatus);
    let status_verbs = client
        .only_verbs
        .as_ref()
        .filter(|verbs| verbs.value.iter().any(of_status));
    if let (Some(verbs), Some(no_status)) = (status_verbs, client.no_status) {
        problems.push(
            Problem::error(
                Code::ContradictingMarkers,
                verbs.span,
                "a status verb is listed, but the client has none",
            )
            .related(no_status, "this removes the status verbs"),
        );
    }
    for (index, method) in client.methods.iter().enumerate() {
        // `UpdateScale` and `update_scale` are one name in Rust.
        let plain = |name: &str| name.replace('_', "").to_lowercase();
        let mut earlier = client.methods.iter().take(index);
        if let Some(earlier) = earlier.find(|earlier| plain(&earlier.name) == plain(&method.name)) {
            let message = format!("two methods are called `{}`", method.name);
            problems.push(
                Problem::error(Code::RepeatedMarker, method.span, message)
                    .related(earlier.span, "the first one"),
            );
        }
    }
}
