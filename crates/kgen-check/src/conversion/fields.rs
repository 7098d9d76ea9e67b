//! Pairs of structs: every pair of fields that differs becomes a line, in the order of the newer struct.
//!
//! [`counterparts`](super::counterparts) pairs the fields, [`pairs`](super::pairs) compares two paired fields, and
//! [`moved_fields`](super::moved_fields) is about fields that come from another struct.

use kgen_diagnostics::{Code, Problem};

use super::compare::{Comparison, Place};
use super::methods::Operand;
use super::moved_fields::Entered;
use super::plan::Line;
use super::view::{FieldView, StructView};
use super::{problems, shape};

/// A line with its place: the newer field that it belongs to, and whether it comes after the lines of that field.
type Ordered = (usize, bool, Line);

impl<'a> Comparison<'a, '_> {
    /// Returns the differences between two structs, in the order of the newer one.
    pub(super) fn lines(
        &mut self,
        older: &StructView<'a>,
        newer: &StructView<'a>,
        place: &Place,
    ) -> Vec<Line> {
        let groups = self.groups(older, newer, place);
        let entered = self.entered(&groups, older, newer, place);
        let mut ordered: Vec<Ordered> = Vec::new();
        let mut counterparts: Vec<Option<usize>> = vec![None; older.fields.len()];
        for (index, field) in newer.fields.iter().enumerate() {
            let path = place.newer_field(field.name());
            let group = groups.iter().find(|group| group.newer.contains(&index));
            let mut lines = Vec::new();
            match group {
                Some(group) => {
                    for counterpart in &group.older {
                        if let Some(slot) = counterparts.get_mut(*counterpart) {
                            slot.get_or_insert(index);
                        }
                    }
                    if let ([older_index], [_]) = (group.older.as_slice(), group.newer.as_slice()) {
                        if let Some(partner) = older.fields.get(*older_index) {
                            lines = self.pair(partner, field, place);
                        }
                    } else if group.newer.first() == Some(&index) {
                        let pick = |view: &StructView<'a>, list: &[usize]| -> Vec<FieldView<'a>> {
                            list.iter()
                                .filter_map(|index| view.fields.get(*index))
                                .cloned()
                                .collect()
                        };
                        let sides = (pick(older, &group.older), pick(newer, &group.newer));
                        lines.extend(self.translated(&sides.0, &sides.1));
                    }
                }
                None if path.as_ref().is_some_and(|path| self.moves.is_target(path)) => {
                    if !self.is_moved_here(path.as_deref().unwrap_or_default(), place, &entered) {
                        lines.push(Line::Added {
                            name: field.name().to_owned(),
                            fill: None,
                        });
                    }
                }
                None => lines.extend(self.added(field, path.as_deref())),
            }
            if let Some(path) = &path {
                let groups = self.moves_at(path, place, &entered);
                for group in groups {
                    for source in &group.sources {
                        let first = place
                            .older
                            .as_ref()
                            .and_then(|outer| source.path.get(outer.len()));
                        let found = first.and_then(|name| older.find(name));
                        if let Some(slot) = found.and_then(|(index, _)| counterparts.get_mut(index)) {
                            slot.get_or_insert(index);
                        }
                    }
                    lines.extend(self.moved(&group, place));
                }
            }
            ordered.extend(lines.into_iter().map(|line| (index + 1, false, line)));
        }
        let forgiven = self.check_dropped(&groups, older, newer);
        for (index, field) in older.fields.iter().enumerate() {
            let is_paired = groups.iter().any(|group| group.older.contains(&index));
            if is_paired || forgiven.contains(&index) {
                continue;
            }
            let after = counterparts
                .get(..index)
                .and_then(|before| before.iter().rev().flatten().next());
            let after = after.map_or(0, |newer| newer + 1);
            if let Some(line) = self.only_in_older(field, (older, newer), place, &entered) {
                ordered.push((after, true, line));
            }
        }
        self.compare_rest(older, newer);
        ordered.sort_by_key(|(index, behind, _)| (*index, *behind));
        ordered.into_iter().map(|(_, _, line)| line).collect()
    }

    /// Returns the line of a field that only newer has.
    fn added(&mut self, field: &FieldView<'a>, path: Option<&[String]>) -> Option<Line> {
        if let Some(custom) = field.field.conversion.custom {
            self.consulted.insert(custom);
            let message = "the previous version has no such field, so there is nothing to translate";
            self.problems.push(problems::needless(custom, message));
        }
        // A struct whose fields come from elsewhere gets its value from there.
        let is_built = path.is_some_and(|path| self.moves.has_target_below(path));
        let fill = if field.must_exist() && !is_built {
            let way = self.forward_way();
            Some(self.methods.fill(way, &Operand::of_field(field), self.problems)?)
        } else {
            None
        };
        Some(Line::Added {
            name: field.name().to_owned(),
            fill,
        })
    }

    /// Returns the line of a field that only older has, or a problem if its replacement is not known.
    fn only_in_older(
        &mut self,
        field: &FieldView<'a>,
        (older, newer): (&StructView<'a>, &StructView<'a>),
        place: &Place,
        entered: &Entered,
    ) -> Option<Line> {
        let path = place.older_field(field.name());
        let is_source = path.as_ref().is_some_and(|path| self.moves.is_source(path));
        if is_source {
            let path = path.unwrap_or_default();
            let is_handled_here = self.moves.groups.iter().any(|group| {
                group.sources.iter().any(|source| source.path == path)
                    && Self::is_group_here(group, place, entered)
            });
            return (!is_handled_here).then(|| Line::Dropped {
                name: field.name().to_owned(),
                fill: None,
            });
        }
        let markers = newer
            .conversions
            .iter()
            .flat_map(|conversion| &conversion.dropped);
        let marker = markers.clone().find(|name| name.value == field.name());
        let is_dissolved = path
            .as_ref()
            .is_some_and(|path| self.moves.has_source_below(path));
        match marker {
            Some(marker) => {
                self.consulted.insert(marker.span);
            }
            None if is_dissolved => {
                if let Some((left, at)) = self.left_behind(field, path.as_deref().unwrap_or_default()) {
                    let versions = (self.older, self.newer);
                    let problem = problems::left_behind(&left, &at, field.name(), versions, newer);
                    self.problems.push(problem);
                    return None;
                }
            }
            None => {
                let problem = problems::unmatched(field, self.older, self.newer, older, newer);
                self.problems.push(problem);
                return None;
            }
        }
        let fill = if field.must_exist() && !is_dissolved {
            let way = self.backward_way();
            Some(self.methods.fill(way, &Operand::of_field(field), self.problems)?)
        } else {
            None
        };
        Some(Line::Dropped {
            name: field.name().to_owned(),
            fill,
        })
    }

    /// Reports flattened maps and enums that differ, for which no table has a line.
    fn compare_rest(&mut self, older: &StructView<'a>, newer: &StructView<'a>) {
        let is_same = older.rest.len() == newer.rest.len()
            && older
                .rest
                .iter()
                .zip(&newer.rest)
                .all(|(left, right)| left.0 == right.0 && shape::is_same(left.1, right.1));
        if let Some(field) = newer.opaque.first().filter(|_| !is_same) {
            let message = format!("the flattened `{}` differs from the previous version", field.name);
            self.problems.push(
                Problem::error(Code::ConversionType, field.span, message)
                    .help("flatten a struct, or give the value a field of its own"),
            );
        }
    }
}
