//! One step: two versions of a kind are compared from the root downward, and their differences become tables.

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::{Problems, Span};
use kgen_model::{Api, KindVersion, RustPath, rust_names};

use super::methods::{Methods, Way};
use super::moves::{self, Moves};
use super::plan::{FieldPath, Step, Table};
use super::view::StructView;

/// Where two structs are in the object. A side is unknown inside lists, maps and enums.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) older: Option<FieldPath>,
    pub(super) newer: Option<FieldPath>,
}

impl Place {
    pub(super) fn root() -> Self {
        Self {
            older: Some(Vec::new()),
            newer: Some(Vec::new()),
        }
    }

    pub(super) fn unknown() -> Self {
        Self {
            older: None,
            newer: None,
        }
    }

    /// Returns the place of two paired fields of these structs.
    pub(super) fn inside(&self, older: &str, newer: &str) -> Self {
        Self {
            older: below(self.older.as_ref(), older),
            newer: below(self.newer.as_ref(), newer),
        }
    }

    pub(super) fn older_field(&self, name: &str) -> Option<FieldPath> {
        below(self.older.as_ref(), name)
    }

    pub(super) fn newer_field(&self, name: &str) -> Option<FieldPath> {
        below(self.newer.as_ref(), name)
    }
}

fn below(path: Option<&FieldPath>, name: &str) -> Option<FieldPath> {
    path.map(|path| path.iter().cloned().chain([name.to_owned()]).collect())
}

/// The comparison of two neighboring versions.
pub(super) struct Comparison<'a, 'p> {
    pub(super) api: &'a Api,
    pub(super) older: &'a KindVersion,
    pub(super) newer: &'a KindVersion,
    pub(super) methods: &'p mut Methods,
    pub(super) problems: &'p mut Problems,
    /// The markers that the comparison has read.
    pub(super) consulted: &'p mut BTreeSet<Span>,
    pub(super) moves: Moves<'a>,
    tables: Vec<Table>,
    /// The tables of pairs of structs; `None` for pairs without a difference.
    known: BTreeMap<(RustPath, RustPath), Option<String>>,
}

/// Compares two neighboring versions of a kind.
pub(super) fn compare<'a>(
    api: &'a Api,
    (older, newer): (&'a KindVersion, &'a KindVersion),
    methods: &mut Methods,
    consulted: &mut BTreeSet<Span>,
    problems: &mut Problems,
) -> Step<'a> {
    let views = (
        StructView::of_kind(older, &api.rust),
        StructView::of_kind(newer, &api.rust),
    );
    let mut tables = Vec::new();
    if let (Some(older_view), Some(newer_view)) = views {
        let moves = moves::find(&older_view, &newer_view, &api.rust, consulted, problems);
        let mut comparison = Comparison {
            api,
            older,
            newer,
            methods,
            problems,
            consulted,
            moves,
            tables: Vec::new(),
            known: BTreeMap::new(),
        };
        let name = rust_names::snake(&format!("{}_{}", older.version, newer.version));
        comparison.table(name, &older_view, &newer_view, &Place::root());
        tables = comparison.tables;
        tables.retain(|table| !table.lines.is_empty());
    }
    Step { older, newer, tables }
}

impl<'a> Comparison<'a, '_> {
    pub(super) fn forward_way(&self) -> Way<'a> {
        Way {
            from: &self.older.version,
            to: &self.newer.version,
        }
    }

    pub(super) fn backward_way(&self) -> Way<'a> {
        Way {
            from: &self.newer.version,
            to: &self.older.version,
        }
    }

    /// Compares two declared structs, each pair once. Returns the name of the table, or `None` if they are equal.
    pub(super) fn known_structs(
        &mut self,
        pair: (RustPath, RustPath),
        older: &StructView<'a>,
        newer: &StructView<'a>,
        place: &Place,
    ) -> Option<String> {
        // A pair with fields that come from elsewhere is compared at each of its places.
        let older_moves = place
            .older
            .as_ref()
            .is_some_and(|path| self.moves.has_source_below(path));
        let newer_moves = place
            .newer
            .as_ref()
            .is_some_and(|path| self.moves.has_target_below(path));
        let is_plain = !older_moves && !newer_moves;
        if let Some(known) = self.known.get(&pair).filter(|_| is_plain) {
            return known.clone();
        }
        if is_plain {
            // A type that contains itself does not have a schema, so this does not repeat.
            self.known.insert(pair.clone(), None);
        }
        let found = self.structs(older, newer, place);
        if is_plain {
            self.known.insert(pair, found.clone());
        }
        found
    }

    /// Compares two structs. Returns the name of the table, or `None` if they are equal.
    pub(super) fn structs(
        &mut self,
        older: &StructView<'a>,
        newer: &StructView<'a>,
        place: &Place,
    ) -> Option<String> {
        let plain = format!("{}_{}_{}", self.older.version, self.newer.version, newer.name);
        let plain = rust_names::snake(&plain);
        let mut name = plain.clone();
        let mut number = 2;
        while self.tables.iter().any(|table| table.name == name) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        self.table(name, older, newer, place)
    }

    fn table(
        &mut self,
        name: String,
        older: &StructView<'a>,
        newer: &StructView<'a>,
        place: &Place,
    ) -> Option<String> {
        // The table comes before those that it uses.
        let index = self.tables.len();
        self.tables.push(Table {
            name: name.clone(),
            lines: Vec::new(),
        });
        let lines = self.lines(older, newer, place);
        let is_empty = lines.is_empty();
        if is_empty && index + 1 == self.tables.len() {
            self.tables.pop();
        } else if let Some(table) = self.tables.get_mut(index) {
            table.lines = lines;
        }
        (!is_empty).then_some(name)
    }
}
