//! Fields that come from another struct: the table that has their line, and the line itself.

use super::compare::{Comparison, Place};
use super::counterparts::Group;
use super::methods::Operand;
use super::moves::{MoveGroup, Placed, is_below};
use super::plan::{FieldPath, Function, Line};
use super::values::{Pairing, widen};
use super::view::{FieldView, StructView};

/// The paths of paired structs, those of older and of newer.
pub(super) type Entered = Vec<(FieldPath, FieldPath)>;

impl<'a> Comparison<'a, '_> {
    /// Returns a field of a struct of older without a counterpart, although others of the struct have one elsewhere.
    pub(super) fn left_behind(
        &self,
        field: &FieldView<'a>,
        path: &[String],
    ) -> Option<(FieldView<'a>, FieldPath)> {
        let rust = field.side().bare()?;
        let view = StructView::of_struct(&rust.path, field.schema, &self.api.rust)?;
        for inner in &view.fields {
            let path: Vec<String> = path.iter().cloned().chain([inner.name().to_owned()]).collect();
            if self.moves.is_source(&path) {
                continue;
            }
            if !self.moves.has_source_below(&path) {
                return Some((inner.clone(), path));
            }
            if let Some(left) = self.left_behind(inner, &path) {
                return Some(left);
            }
        }
        None
    }

    /// Returns whether the line of a group belongs to the table of the structs at `place`.
    pub(super) fn is_group_here(group: &MoveGroup<'a>, place: &Place, entered: &Entered) -> bool {
        let (Some(older), Some(newer)) = (&place.older, &place.newer) else {
            return false;
        };
        let contains =
            |outer: &[String], list: &[Placed<'a>]| list.iter().all(|one| is_below(&one.path, outer));
        if !contains(older, &group.sources) || !contains(newer, &group.targets) {
            return false;
        }
        !entered
            .iter()
            .any(|(older, newer)| contains(older, &group.sources) && contains(newer, &group.targets))
    }

    /// Returns the paired structs that are compared inside the structs at `place`.
    pub(super) fn entered(
        &self,
        groups: &[Group],
        older: &StructView<'a>,
        newer: &StructView<'a>,
        place: &Place,
    ) -> Entered {
        let is_struct = |field: &FieldView<'a>| {
            let rust = field.side().bare();
            rust.is_some_and(|rust| StructView::of_struct(&rust.path, field.schema, &self.api.rust).is_some())
        };
        let mut entered = Vec::new();
        for group in groups {
            if let ([older_index], [newer_index]) = (group.older.as_slice(), group.newer.as_slice())
                && let Some(older) = older.fields.get(*older_index).filter(|field| is_struct(field))
                && let Some(newer) = newer.fields.get(*newer_index).filter(|field| is_struct(field))
                && newer.field.conversion.custom.is_none()
                && let Some(older) = place.older_field(older.name())
                && let Some(newer) = place.newer_field(newer.name())
            {
                entered.push((older, newer));
            }
        }
        entered
    }

    /// Returns whether the value of the newer field at `path` is moved by a line of the structs at `place`.
    pub(super) fn is_moved_here(&self, path: &[String], place: &Place, entered: &Entered) -> bool {
        self.moves.groups.iter().any(|group| {
            group.targets.iter().any(|target| target.path == path)
                && Self::is_group_here(group, place, entered)
        })
    }

    /// Returns the groups whose lines come after the lines of the newer field at `path`.
    pub(super) fn moves_at(&self, path: &[String], place: &Place, entered: &Entered) -> Vec<MoveGroup<'a>> {
        let starts = |group: &&MoveGroup<'a>| {
            group
                .targets
                .first()
                .is_some_and(|target| target.path.starts_with(path))
                && Self::is_group_here(group, place, entered)
        };
        self.moves.groups.iter().filter(starts).cloned().collect()
    }

    /// Returns the line of fields that come from another struct.
    pub(super) fn moved(&mut self, group: &MoveGroup<'a>, place: &Place) -> Option<Line> {
        let (older_depth, newer_depth) = (
            place.older.as_ref().map_or(0, Vec::len),
            place.newer.as_ref().map_or(0, Vec::len),
        );
        let paths = |list: &[Placed<'a>], depth: usize| -> Vec<Vec<String>> {
            list.iter()
                .map(|one| one.path.get(depth..).unwrap_or_default().to_vec())
                .collect()
        };
        let (older, newer) = (
            paths(&group.sources, older_depth),
            paths(&group.targets, newer_depth),
        );
        let sources: Vec<_> = group
            .sources
            .iter()
            .map(|one| operand(one, older_depth))
            .collect();
        let targets: Vec<_> = group
            .targets
            .iter()
            .map(|one| operand(one, newer_depth))
            .collect();
        let custom = group
            .targets
            .iter()
            .find_map(|target| target.field.field.conversion.custom);
        self.consulted.extend(custom);
        if let ([source], [target], None) = (group.sources.as_slice(), group.targets.as_slice(), custom)
            && let ([from], [to]) = (sources.as_slice(), targets.as_slice())
        {
            let inner = Place {
                older: Some(source.path.clone()),
                newer: Some(target.path.clone()),
            };
            let sides = (source.field.side(), target.field.side());
            let pairing = self.values(sides, (from, to), &inner);
            let fills_newer = to.must_exist && from.may_be_absent;
            let fills_older = from.must_exist && to.may_be_absent;
            let is_copied = matches!(pairing, Pairing::Same | Pairing::Contents(_));
            if is_copied && !fills_newer && !fills_older {
                let contents = match pairing {
                    Pairing::Contents(contents) => Some(contents),
                    _ => None,
                };
                return Some(Line::Paired {
                    older: source_path(&older)?,
                    newer: source_path(&newer)?,
                    contents,
                });
            }
            let copy = |from: &Operand<'a>| {
                from.rust.map(|rust| Function::Copy {
                    name: from.name.clone(),
                    value: Box::new(rust.clone()),
                })
            };
            let (forward, backward) = match pairing {
                Pairing::Same => (
                    copy(from).filter(|_| !fills_newer),
                    copy(to).filter(|_| !fills_older),
                ),
                Pairing::Wider => (widen(from, to).filter(|_| !fills_newer), None),
                Pairing::Narrower => (None, widen(to, from).filter(|_| !fills_older)),
                Pairing::Contents(_) | Pairing::Different => (None, None),
            };
            return Some(Line::Translated {
                older,
                newer,
                forward: match forward {
                    Some(forward) => forward,
                    None => self.forward(&sources, &targets)?,
                },
                backward: match backward {
                    Some(backward) => backward,
                    None => self.backward(&targets, &sources)?,
                },
            });
        }
        let forward = self.forward(&sources, &targets);
        let backward = self.backward(&targets, &sources);
        Some(Line::Translated {
            older,
            newer,
            forward: forward?,
            backward: backward?,
        })
    }
}

/// Returns the value of a moved field. It may be absent if a struct around it may be.
fn operand<'a>(placed: &Placed<'a>, depth: usize) -> Operand<'a> {
    let mut operand = Operand::of_field(&placed.field);
    let around = placed.requires.get(depth..).unwrap_or_default();
    if around.iter().any(|must_exist| !must_exist) {
        operand.must_exist = false;
        operand.may_be_absent = true;
    }
    operand
}

fn source_path(paths: &[Vec<String>]) -> Option<Vec<String>> {
    paths.first().cloned()
}
