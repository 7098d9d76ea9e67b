//! Checks the markers of one node together: repetitions and contradictions.

use kgen_diagnostics::{Code, Problem, Problems};

use crate::marker::Marker;

/// Reports single-valued markers that are repeated and markers that cannot both hold, each at the later one.
pub fn check_together(markers: &[Marker], problems: &mut Problems) {
    problems.extend(conflicts(markers).into_iter().map(|(_, problem)| problem));
}

/// Returns the problems of markers that contradict an earlier one, each with the position of the later one.
pub fn conflicts(markers: &[Marker]) -> Vec<(usize, Problem)> {
    let with_earlier = markers.iter().enumerate().filter_map(|(index, later)| {
        let found = markers
            .iter()
            .take(index)
            .find_map(|earlier| conflict(earlier, later));
        found.map(|problem| (index, problem))
    });
    with_earlier.collect()
}

fn conflict(earlier: &Marker, later: &Marker) -> Option<Problem> {
    if earlier.items != later.items {
        return None;
    }
    let (first, second) = (earlier.definition, later.definition);
    if first.name == second.name {
        let same_value = first.distinct && earlier.place.text() == later.place.text();
        return (!first.repeatable || same_value).then(|| {
            Problem::error(
                Code::RepeatedMarker,
                later.span(),
                format!("`{}` is given twice", later.name()),
            )
            .related(earlier.span(), "the first one")
            .help("keep one of the two")
        });
    }
    let same = !first.states.is_empty() && first.states == second.states;
    let opposite = first.contradicts.contains(&second.name) || second.contradicts.contains(&first.name);
    (same || opposite).then(|| {
        let message = if same {
            format!(
                "`{}` and `{}` have the same meaning",
                earlier.name(),
                later.name()
            )
        } else {
            format!("`{}` contradicts `{}`", later.name(), earlier.name())
        };
        Problem::error(Code::ContradictingMarkers, later.span(), message)
            .related(earlier.span(), format!("the other marker, `{}`", earlier.name()))
            .help("keep one of the two")
    })
}
