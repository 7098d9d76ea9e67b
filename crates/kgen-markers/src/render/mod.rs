//! The table as people and programs read it: `kgen markers`, and the reference page.

mod json;
mod markdown;
mod text;

use kgen_diagnostics::{Code, Problem, nearest};

use crate::definition::{Definition, Family, Status};
use crate::table;

pub use json::render_json;
pub use markdown::render_markdown;
pub use text::render_text;

/// The markers to show.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The markers, in the order of the table.
    pub markers: Vec<&'static Definition>,
    /// Whether one marker was asked for, so that everything about it is shown.
    pub in_full: bool,
}

/// Returns all markers, those of a family such as `validation`, those below a prefix such as `kubebuilder`, one by its
/// name, or those whose last word is `name`.
///
/// # Errors
/// Returns an error with the nearest name if the name does not exist.
pub fn select(name: Option<&str>) -> Result<Selection, Problem> {
    let all = table::definitions();
    let Some(name) = name else {
        return Ok(Selection {
            markers: all.iter().collect(),
            in_full: false,
        });
    };
    let name = name.trim_start_matches('+').trim_end_matches(':');
    if let Some(found) = table::lookup(name).filter(|_| !is_family(name)) {
        return Ok(Selection {
            markers: vec![found.definition],
            in_full: true,
        });
    }
    let prefix = format!("{name}:");
    let mut markers: Vec<_> = all
        .iter()
        .filter(|definition| definition.family.word == name)
        .collect();
    if markers.is_empty() {
        markers = all
            .iter()
            .filter(|definition| definition.name.starts_with(&prefix))
            .collect();
    }
    if markers.is_empty() {
        // People often remember only the last word of a marker.
        markers = all
            .iter()
            .filter(|definition| {
                let last = definition.name.rsplit(':').next().unwrap_or_default();
                last.eq_ignore_ascii_case(name)
            })
            .collect();
        if let [one] = markers.as_slice() {
            return Ok(Selection {
                markers: vec![one],
                in_full: true,
            });
        }
    }
    if !name.is_empty() && !markers.is_empty() {
        return Ok(Selection {
            markers,
            in_full: false,
        });
    }
    let problem = Problem::general(
        Code::UnknownMarker,
        format!("there is no marker or family `{name}`"),
    );
    let near = table::suggest(name).map(|near| near.name.to_owned());
    let near = near.or_else(|| {
        nearest(name, families().iter().map(|family| family.word)).map(|near| near.word.to_owned())
    });
    let near = near.or_else(|| nearest_by_last_word(name));
    let problem = match near {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem,
    };
    let words: Vec<_> = families().iter().map(|family| family.word).collect();
    Err(problem.help(format!("the families are {}", words.join(", "))))
}

/// Returns the marker whose last word is nearest to `name`.
fn nearest_by_last_word(name: &str) -> Option<String> {
    let last = |definition: &Definition| definition.name.rsplit(':').next().unwrap_or_default();
    let definitions = table::definitions();
    let word = nearest(name, definitions.iter().map(&last))?.word;
    definitions
        .iter()
        .find(|definition| last(definition) == word)
        .map(|definition| definition.name.to_owned())
}

/// Returns the families, in the order of the table.
fn families() -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for definition in table::definitions() {
        if !families.contains(&definition.family) {
            families.push(definition.family);
        }
    }
    families
}

fn is_family(name: &str) -> bool {
    families().iter().any(|family| family.word == name)
}

/// Returns the selected markers by family.
fn by_family(selection: &Selection) -> Vec<(Family, Vec<&'static Definition>)> {
    let mut groups: Vec<(Family, Vec<_>)> = Vec::new();
    for definition in &selection.markers {
        match groups
            .last_mut()
            .filter(|(family, _)| *family == definition.family)
        {
            Some((_, group)) => group.push(*definition),
            None => groups.push((definition.family, vec![*definition])),
        }
    }
    groups
}

/// Describes the status in a sentence; `None` for stable markers.
fn status_sentence(definition: &Definition) -> Option<String> {
    match definition.status {
        Status::Stable => None,
        Status::Deprecated { replacement } => Some(format!("Deprecated: use `{replacement}`.")),
        Status::NoEffect { why } => Some(format!("No effect: {why}.")),
        Status::Refused { why, instead } => Some(format!("Always an error: it {why}; {instead}.")),
    }
}
