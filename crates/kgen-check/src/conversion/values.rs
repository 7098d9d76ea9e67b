//! Pairs of values: copied, changed inside, or translated.

use std::collections::BTreeSet;

use kgen_model::{RustRole, RustRoot, RustType, RustTypes};

use super::compare::{Comparison, Place};
use super::methods::Operand;
use super::plan::{Contents, Function};
use super::shape::{self, Width};
use super::view::{Side, StructView};

/// The result of comparing two values.
#[derive(Clone, Debug)]
pub(super) enum Pairing {
    /// Copied unchanged.
    Same,
    /// Changed inside.
    Contents(Contents),
    /// Newer is a wider number.
    Wider,
    /// Newer is a narrower number.
    Narrower,
    /// Translated.
    Different,
}

impl<'a> Comparison<'a, '_> {
    /// Compares two values that are at the same place.
    pub(super) fn values(
        &mut self,
        (older, newer): (Side<'a>, Side<'a>),
        (older_operand, newer_operand): (&Operand<'a>, &Operand<'a>),
        place: &Place,
    ) -> Pairing {
        let (older_type, newer_type) = (older.bare(), newer.bare());
        if let (Some(older_type), Some(newer_type)) = (older_type, newer_type) {
            if is_same_type(older_type, newer_type) {
                return Pairing::Same;
            }
            let types = &self.api.rust;
            let structs = (
                StructView::of_struct(&older_type.path, older.schema, types),
                StructView::of_struct(&newer_type.path, newer.schema, types),
            );
            if let (Some(older_view), Some(newer_view)) = structs {
                let pair = (older_type.path.clone(), newer_type.path.clone());
                return match self.known_structs(pair, &older_view, &newer_view, place) {
                    Some(table) => Pairing::Contents(Contents::Table(table)),
                    None => Pairing::Same,
                };
            }
            let enums = (
                types.enums.get(&older_type.path),
                types.enums.get(&newer_type.path),
            );
            if let (Some(older_enum), Some(newer_enum)) = enums {
                let operands = (
                    older_operand.part(Some(older_type), false),
                    newer_operand.part(Some(newer_type), false),
                );
                return self.enums((older_enum, older.schema), (newer_enum, newer.schema), operands);
            }
            // The key of a renamed variant must become another one.
            if variants_of_keys(older_type, types) != variants_of_keys(newer_type, types) {
                return Pairing::Different;
            }
            let lists = [older_type, newer_type].map(|rust| items(rust));
            let schemas = (
                older
                    .schema
                    .items
                    .as_deref()
                    .or(older.schema.additional_properties.as_deref()),
                newer
                    .schema
                    .items
                    .as_deref()
                    .or(newer.schema.additional_properties.as_deref()),
            );
            if let (
                [Some((older_role, older_item)), Some((newer_role, newer_item))],
                (Some(older_schema), Some(newer_schema)),
            ) = (lists, schemas)
                && older_role == newer_role
            {
                let sides = (
                    Side {
                        rust: Some(older_item),
                        schema: older_schema,
                    },
                    Side {
                        rust: Some(newer_item),
                        schema: newer_schema,
                    },
                );
                let operands = (
                    older_operand.part(Some(older_item), true),
                    newer_operand.part(Some(newer_item), true),
                );
                return match self.contents(sides, (&operands.0, &operands.1), &Place::unknown()) {
                    Inner::Same => Pairing::Same,
                    Inner::Contents(contents) => Pairing::Contents(Contents::Items(Box::new(contents))),
                    Inner::Failed => Pairing::Same,
                };
            }
        }
        match shape::compare_numbers((older_type, older.schema), (newer_type, newer.schema)) {
            Some(Width::Same) => Pairing::Same,
            Some(Width::Wider) => Pairing::Wider,
            Some(Width::Narrower) => Pairing::Narrower,
            Some(Width::Different) => Pairing::Different,
            None if shape::is_same(older.schema, newer.schema) => Pairing::Same,
            None => Pairing::Different,
        }
    }

    /// Compares two values without a name of their own: items, and the contents of variants.
    pub(super) fn contents(
        &mut self,
        sides: (Side<'a>, Side<'a>),
        operands: (&Operand<'a>, &Operand<'a>),
        place: &Place,
    ) -> Inner {
        let pairing = self.values(sides, operands, place);
        let (older, newer) = operands;
        let (widens_forward, widens_backward) = match pairing {
            Pairing::Same => return Inner::Same,
            Pairing::Contents(contents) => return Inner::Contents(contents),
            Pairing::Wider => (widen(older, newer), None),
            Pairing::Narrower => (None, widen(newer, older)),
            Pairing::Different => (None, None),
        };
        let forward =
            widens_forward.or_else(|| self.forward(std::slice::from_ref(older), std::slice::from_ref(newer)));
        let backward = widens_backward
            .or_else(|| self.backward(std::slice::from_ref(newer), std::slice::from_ref(older)));
        match (forward, backward) {
            (Some(forward), Some(backward)) => Inner::Contents(Contents::Value { forward, backward }),
            _ => Inner::Failed,
        }
    }

    /// Adds the method from older to newer.
    pub(super) fn forward(&mut self, sources: &[Operand<'a>], targets: &[Operand<'a>]) -> Option<Function> {
        let way = self.forward_way();
        self.methods
            .translation(way, sources, targets, self.problems)
            .map(Function::Method)
    }

    /// Adds the method from newer to older.
    pub(super) fn backward(&mut self, sources: &[Operand<'a>], targets: &[Operand<'a>]) -> Option<Function> {
        let way = self.backward_way();
        self.methods
            .translation(way, sources, targets, self.problems)
            .map(Function::Method)
    }
}

/// The result of comparing two values without a name of their own.
#[derive(Clone, Debug)]
pub(super) enum Inner {
    Same,
    Contents(Contents),
    /// A method cannot be written, which is reported.
    Failed,
}

/// Returns the function that widens a number, if the standard library has one.
pub(super) fn widen(from: &Operand<'_>, to: &Operand<'_>) -> Option<Function> {
    let (from_type, to_type) = (from.rust?, to.rust?);
    let is_plain = |rust: &RustType| {
        rust.path.root == RustRoot::Language && !["isize", "usize"].contains(&rust.path.name())
    };
    (is_plain(from_type) && is_plain(to_type)).then(|| Function::Widen {
        name: from.name.clone(),
        from: Box::new(from_type.clone()),
        to: Box::new(to_type.clone()),
    })
}

/// Returns whether both versions share the type. Such types are not compared.
fn is_same_type(left: &RustType, right: &RustType) -> bool {
    left.path == right.path
        && left.role == right.role
        && left.arguments.len() == right.arguments.len()
        && left
            .arguments
            .iter()
            .zip(&right.arguments)
            .all(|(left, right)| is_same_type(left, right))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Collection {
    List,
    Map,
}

/// Returns the names of all keys of a map whose keys are an enum.
fn variants_of_keys<'a>(rust: &RustType, types: &'a RustTypes) -> Option<BTreeSet<&'a str>> {
    let keys = match rust.role {
        RustRole::Map => rust.arguments.first()?,
        _ => return None,
    };
    let variants = &types.enums.get(&keys.path)?.variants;
    Some(
        variants
            .iter()
            .map(|variant| variant.json_name.as_str())
            .collect(),
    )
}

/// Returns the items of a list or the values of a map.
fn items(rust: &RustType) -> Option<(Collection, &RustType)> {
    match rust.role {
        RustRole::List | RustRole::Array(_) => Some((Collection::List, rust.arguments.first()?)),
        RustRole::Map => Some((Collection::Map, rust.arguments.get(1)?)),
        _ => None,
    }
}
