//! Pairs of structs: every field gets its counterpart, and every pair that differs becomes a line.

use kgen_diagnostics::{Code, Problem, Spanned, nearest};

use super::compare::{Comparison, Place};
use super::methods::Operand;
use super::moves::{MoveGroup, Placed, is_below};
use super::plan::{FieldPath, Function, Line};
use super::values::{Pairing, widen};
use super::view::{FieldView, StructView};
use super::{problems, shape};

/// The fields of the older struct that fields of the newer one replace, both by index.
#[derive(Debug)]
struct Group {
    older: Vec<usize>,
    newer: Vec<usize>,
}

/// The paths of paired structs, those of older and of newer.
type Entered = Vec<(FieldPath, FieldPath)>;

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

    /// Finds the counterparts of the fields within the same struct.
    fn groups(&mut self, older: &StructView<'a>, newer: &StructView<'a>, place: &Place) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut by_name = Vec::new();
        for (index, field) in newer.fields.iter().enumerate() {
            let is_move = place
                .newer_field(field.name())
                .is_some_and(|path| self.moves.is_target(&path));
            if is_move {
                continue;
            }
            let conversion = &field.field.conversion;
            if conversion.from.is_empty() {
                by_name.push(index);
                continue;
            }
            self.consulted.extend(conversion.from_span);
            let mut sources = Vec::new();
            for source in &conversion.from {
                match self.source(source, older, place) {
                    Ok(index) => sources.push(index),
                    Err((problem, near)) => {
                        self.problems.push(*problem);
                        // One mistake is one problem.
                        sources.extend(near);
                    }
                }
            }
            if let ([only], Some(span)) = (sources.as_slice(), conversion.from_span)
                && older
                    .fields
                    .get(*only)
                    .is_some_and(|source| source.name() == field.name())
            {
                self.problems.push(problems::needless(
                    span,
                    "the field of the same name is its source without this marker",
                ));
            }
            let shares = |group: &Group| group.older.iter().any(|known| sources.contains(known));
            let (joined, mut rest): (Vec<_>, Vec<_>) = groups.into_iter().partition(shares);
            let mut group = Group {
                older: Vec::new(),
                newer: Vec::new(),
            };
            for known in joined {
                group.older.extend(known.older);
                group.newer.extend(known.newer);
            }
            for source in sources {
                if !group.older.contains(&source) {
                    group.older.push(source);
                }
            }
            group.newer.push(index);
            if !group.older.is_empty() {
                rest.push(group);
            }
            groups = rest;
        }
        for index in by_name {
            let Some(field) = newer.fields.get(index) else {
                continue;
            };
            let Some((counterpart, _)) = older.find(field.name()) else {
                continue;
            };
            let is_claimed = place
                .older_field(field.name())
                .is_some_and(|path| self.moves.is_source(&path));
            let taker = groups.iter().find(|group| group.older.contains(&counterpart));
            match taker {
                Some(group) => {
                    let taken = group.newer.iter().filter_map(|index| newer.fields.get(*index));
                    for source in taken.flat_map(|field| &field.field.conversion.from) {
                        if source.value == field.name() {
                            let message = format!(
                                "`{}` is already the source of the field of the same name",
                                source.value
                            );
                            self.problems.push(
                                Problem::error(Code::ConversionSource, source.span, message)
                                    .related(field.field.span, "this field takes it by its name")
                                    .help("name the source of this field too, with `+kgen:conversion:from=…`, or use another one"),
                            );
                        }
                    }
                }
                None if is_claimed => {}
                None => groups.push(Group {
                    older: vec![counterpart],
                    newer: vec![index],
                }),
            }
        }
        groups
    }

    /// Finds a source by its name in the same struct. A problem comes with the field that is probably meant.
    fn source(
        &self,
        source: &Spanned<String>,
        older: &StructView<'a>,
        place: &Place,
    ) -> Result<usize, (Box<Problem>, Option<usize>)> {
        let name = source.value.as_str();
        let is_claimed = place
            .older_field(name)
            .is_some_and(|path| self.moves.is_source(&path));
        let message = match older.find(name) {
            Some((index, _)) if !is_claimed => return Ok(index),
            Some(_) => format!("`{name}` already has a counterpart in another struct"),
            None if name.starts_with('.') => {
                format!("`{name}` is a path from the root, which cannot lead into a list, a map or an enum")
            }
            None => {
                let (problem, near) = self.unknown_field(source, older);
                return Err((Box::new(problem), near));
            }
        };
        Err((
            Box::new(Problem::error(Code::ConversionSource, source.span, message)),
            None,
        ))
    }

    /// The problem of a name that the older struct does not have, and the field that is probably meant.
    fn unknown_field(&self, name: &Spanned<String>, older: &StructView<'a>) -> (Problem, Option<usize>) {
        let message = format!(
            "`{}` of `{}` has no field `{}`",
            older.name, self.older.version, name.value
        );
        let problem = Problem::error(Code::ConversionSource, name.span, message);
        match nearest(&name.value, older.fields.iter().map(FieldView::name)) {
            Some(near) => {
                let index = older.find(near.word).map(|(index, _)| index);
                (problem.fix(name.span, near), index)
            }
            None => (problem, None),
        }
    }

    /// The lines of two paired fields of the same structs.
    fn pair(&mut self, older: &FieldView<'a>, newer: &FieldView<'a>, place: &Place) -> Vec<Line> {
        let (from, to) = (Operand::of_field(older), Operand::of_field(newer));
        if let Some(custom) = newer.field.conversion.custom {
            self.consulted.insert(custom);
            return self
                .translated(&[older.clone()], &[newer.clone()])
                .into_iter()
                .collect();
        }
        let inner = place.inside(older.name(), newer.name());
        let pairing = self.values((older.side(), newer.side()), (&from, &to), &inner);
        let fills_newer = newer.must_exist() && older.may_be_absent();
        let fills_older = older.must_exist() && newer.may_be_absent();
        let names = (older.name().to_owned(), newer.name().to_owned());
        let mut lines = Vec::new();
        match pairing {
            Pairing::Different => {
                return self
                    .translated(&[older.clone()], &[newer.clone()])
                    .into_iter()
                    .collect();
            }
            // One method both narrows the number and gives one where there is none.
            Pairing::Wider if fills_older => {
                let forward = widen(&from, &to).or_else(|| self.forward(&[from.clone()], &[to.clone()]));
                let backward = self.backward(&[to.clone()], &[from]);
                lines.extend(translation(&names, forward, backward));
                if fills_newer {
                    lines.extend(self.filled(true, &to));
                }
                return lines;
            }
            Pairing::Narrower if fills_newer => {
                let forward = self.forward(&[from.clone()], &[to.clone()]);
                let backward = widen(&to, &from).or_else(|| self.backward(&[to], &[from.clone()]));
                lines.extend(translation(&names, forward, backward));
                if fills_older {
                    lines.extend(self.filled(false, &from));
                }
                return lines;
            }
            Pairing::Wider => {
                if let Some(Function::Method(backward)) = self.backward(&[to.clone()], &[from.clone()]) {
                    let (older, newer) = names;
                    lines.push(Line::Widened {
                        older,
                        newer,
                        backward,
                    });
                }
            }
            Pairing::Narrower => {
                if let Some(Function::Method(forward)) = self.forward(&[from.clone()], &[to.clone()]) {
                    let (older, newer) = names;
                    lines.push(Line::Narrowed {
                        older,
                        newer,
                        forward,
                    });
                }
            }
            Pairing::Same if names.0 == names.1 => {}
            Pairing::Same => lines.push(Line::Paired {
                older: vec![names.0],
                newer: vec![names.1],
                contents: None,
            }),
            Pairing::Contents(contents) => lines.push(Line::Paired {
                older: vec![names.0],
                newer: vec![names.1],
                contents: Some(contents),
            }),
        }
        if fills_newer {
            lines.extend(self.filled(true, &to));
        }
        if fills_older {
            lines.extend(self.filled(false, &from));
        }
        lines
    }

    /// The line of a field that one version requires and the other one may lack.
    fn filled(&mut self, is_newer: bool, target: &Operand<'a>) -> Option<Line> {
        let way = if is_newer {
            self.forward_way()
        } else {
            self.backward_way()
        };
        let fill = self.methods.fill(way, target, self.problems)?;
        Some(Line::Filled {
            is_newer,
            name: target.json_name.clone(),
            fill,
        })
    }

    /// The line of fields that methods translate.
    fn translated(&mut self, older: &[FieldView<'a>], newer: &[FieldView<'a>]) -> Option<Line> {
        let operands = |fields: &[FieldView<'a>]| fields.iter().map(Operand::of_field).collect::<Vec<_>>();
        let (older, newer) = (operands(older), operands(newer));
        let forward = self.forward(&older, &newer);
        let backward = self.backward(&newer, &older);
        let paths = |list: &[Operand<'a>]| list.iter().map(|one| vec![one.json_name.clone()]).collect();
        Some(Line::Translated {
            older: paths(&older),
            newer: paths(&newer),
            forward: forward?,
            backward: backward?,
        })
    }

    /// The line of a field that only newer has.
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

    /// The line of a field that only older has, or a problem if nothing says what became of it.
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

    /// Reports markers that name fields which are not gone. Returns the fields that are probably meant.
    fn check_dropped(
        &mut self,
        groups: &[Group],
        older: &StructView<'a>,
        newer: &StructView<'a>,
    ) -> Vec<usize> {
        let mut forgiven = Vec::new();
        for name in newer
            .conversions
            .iter()
            .flat_map(|conversion| &conversion.dropped)
        {
            let Some((index, _)) = older.find(&name.value) else {
                self.consulted.insert(name.span);
                let (problem, near) = self.unknown_field(name, older);
                self.problems.push(problem);
                forgiven.extend(near);
                continue;
            };
            let taker = groups.iter().find(|group| group.older.contains(&index));
            let taker = taker.and_then(|group| newer.fields.get(*group.newer.first()?));
            if let Some(taker) = taker {
                self.consulted.insert(name.span);
                let why = format!("`{}` is the source of `{}`", name.value, taker.name());
                self.problems
                    .push(problems::needless(name.span, &why).related(taker.field.span, "this field"));
            }
        }
        forgiven
    }

    /// Returns a field of a struct of older without a counterpart, although others of the struct have one elsewhere.
    fn left_behind(&self, field: &FieldView<'a>, path: &[String]) -> Option<(FieldView<'a>, FieldPath)> {
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

    /// Whether the line of a group belongs to the table of the structs at `place`.
    fn is_group_here(group: &MoveGroup<'a>, place: &Place, entered: &Entered) -> bool {
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

    /// The paired structs that are compared inside the structs at `place`.
    fn entered(
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

    /// Whether the value of the newer field at `path` is moved by a line of the structs at `place`.
    fn is_moved_here(&self, path: &[String], place: &Place, entered: &Entered) -> bool {
        self.moves.groups.iter().any(|group| {
            group.targets.iter().any(|target| target.path == path)
                && Self::is_group_here(group, place, entered)
        })
    }

    /// The groups whose lines come after the lines of the newer field at `path`.
    fn moves_at(&self, path: &[String], place: &Place, entered: &Entered) -> Vec<MoveGroup<'a>> {
        let starts = |group: &&MoveGroup<'a>| {
            group
                .targets
                .first()
                .is_some_and(|target| target.path.starts_with(path))
                && Self::is_group_here(group, place, entered)
        };
        self.moves.groups.iter().filter(starts).cloned().collect()
    }

    /// The line of fields that come from another struct.
    fn moved(&mut self, group: &MoveGroup<'a>, place: &Place) -> Option<Line> {
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
                    value: rust.clone(),
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

/// The value of a moved field. It may be absent if a struct around it may be.
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

fn translation(
    names: &(String, String),
    forward: Option<Function>,
    backward: Option<Function>,
) -> Option<Line> {
    Some(Line::Translated {
        older: vec![vec![names.0.clone()]],
        newer: vec![vec![names.1.clone()]],
        forward: forward?,
        backward: backward?,
    })
}
