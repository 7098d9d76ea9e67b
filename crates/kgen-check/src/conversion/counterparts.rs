//! The counterparts of fields within the same struct: by name, or by the markers of the newer struct.

use kgen_diagnostics::{Code, Problem, Spanned, nearest};

use super::compare::{Comparison, Place};
use super::problems;
use super::view::{FieldView, StructView};

/// The fields of the older struct that fields of the newer one replace, both by index.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) older: Vec<usize>,
    pub(super) newer: Vec<usize>,
}

impl<'a> Comparison<'a, '_> {
    /// Finds the counterparts of the fields within the same struct.
    pub(super) fn groups(
        &mut self,
        older: &StructView<'a>,
        newer: &StructView<'a>,
        place: &Place,
    ) -> Vec<Group> {
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

    /// Returns the problem of a name that the older struct does not have, and the field that is probably meant.
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

    /// Reports markers that name fields which are not gone. Returns the fields that are probably meant.
    pub(super) fn check_dropped(
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
}
