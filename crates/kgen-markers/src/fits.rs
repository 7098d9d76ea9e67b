//! Which markers fit a node, for completion in editors.
//!
//! A marker fits if its example can be applied to the schema of the node, so there is no second table of types.

use std::sync::Arc;

use kgen_diagnostics::{Code, FileId, Files, Problems};
use kgen_model::{JsonType, Schema};

use crate::comment::{CommentLine, MarkerText, read_marker, starts_marker};
use crate::definition::{Definition, Position, Status};
use crate::parse::parse;
use crate::schema::apply_to_schema;
use crate::table;

impl Definition {
    /// Returns the marker in its example, behind the `+`: the first one that is allowed at this position. Returns only its name if
    /// the example does not have it.
    #[must_use]
    pub fn example_marker(&self, position: Option<Position>) -> String {
        self.example_text(Files::default().next_id(), position)
            .unwrap_or_else(|| self.name.to_owned())
    }

    fn example_text(&self, file: FileId, position: Option<Position>) -> Option<String> {
        let example = self.example();
        let lines: Vec<_> = example
            .lines()
            .map(|line| line.trim_start().trim_start_matches(['/', '!']))
            .map(|text| CommentLine {
                text: text.strip_prefix(' ').unwrap_or(text).trim_end(),
                offset: 0,
            })
            .collect();
        let is_this = |line: &CommentLine<'_>| {
            let behind = line.text.trim_start().trim_start_matches('+');
            let found = table::find(behind).filter(|found| !found.items);
            starts_marker(line.text) && found.is_some_and(|found| found.definition.name == self.name)
        };
        let mut markers = (0..lines.len())
            .filter_map(|at| lines.get(at..).filter(|rest| rest.first().is_some_and(is_this)))
            .map(|rest| read_marker(file, rest).0);
        let first = markers.next()?;
        let is_allowed = |text: &Arc<MarkerText>| {
            position.is_none_or(|position| matches!(parse(text, position), Ok(Some(_))))
        };
        let found = if is_allowed(&first) {
            first
        } else {
            markers.find(is_allowed).unwrap_or(first)
        };
        Some(found.text().to_owned())
    }

    /// Returns whether the marker is useful on a node with this schema. Without a schema, only the kind of node counts.
    /// `is_option` tells whether the node is an `Option` in Rust, which can be null.
    ///
    /// Markers that kgen refuses, and those without an effect, fit nowhere.
    #[must_use]
    pub fn fits(&self, position: Position, schema: Option<&Schema>, is_option: bool) -> bool {
        if !self.accepts(position) || !matches!(self.status, Status::Stable | Status::Deprecated { .. }) {
            return false;
        }
        let Some(schema) = schema else { return true };
        let file = Files::default().next_id();
        let Some(text) = self.example_text(file, Some(position)) else {
            return true;
        };
        let line = format!("+{text}");
        let lines: Vec<_> = line.lines().map(|text| CommentLine { text, offset: 0 }).collect();
        let (text, _) = read_marker(file, &lines);
        let Ok(Some(marker)) = parse(&text, position) else {
            return true;
        };
        let mut problems = Problems::new();
        let mut changed = schema.clone();
        apply_to_schema(std::slice::from_ref(&marker), &mut changed, &mut problems);
        let is_null_misplaced = changed.nullable && !schema.nullable && !is_option;
        !is_null_misplaced
            && !is_misplaced(&changed, schema)
            && !problems
                .iter()
                .any(|problem| problem.code == Code::InapplicableMarker)
    }
}

/// Returns whether a marker made a resource of a value that is not an object, or that is a map.
fn is_misplaced(changed: &Schema, before: &Schema) -> bool {
    let is_object = matches!(changed.json_type, None | Some(JsonType::Object));
    let is_object = is_object && changed.additional_properties.is_none();
    !is_object && changed.embedded_resource && !before.embedded_resource
}

/// Returns the marker that a text starts with: its definition, the name as it is written, and whether the items of a list are
/// meant.
#[must_use]
pub fn find_marker(text: &str) -> Option<(&'static Definition, usize, bool)> {
    let length = crate::comment::name_length(text);
    let name = text.get(..length)?.trim_end_matches(':');
    if let Some(found) = table::lookup(name) {
        return Some((found.definition, name.len(), found.items));
    }
    let (short, _) = name.rsplit_once(':')?;
    let found = table::lookup(short)?;
    Some((found.definition, short.len(), found.items))
}

/// Returns every name that a marker can be written with: its own, and the one for the items of a list.
#[must_use]
pub fn names(definition: &Definition) -> Vec<String> {
    std::iter::once(definition.name.to_owned())
        .chain(table::items_name(definition))
        .collect()
}
