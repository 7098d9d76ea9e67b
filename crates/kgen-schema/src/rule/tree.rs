//! The places of a schema that have rules, so that an evaluation visits nothing else.

use std::collections::BTreeMap;

use kgen_cel::Environment;

use crate::schema::{Handle, Schema};

/// A place with rules, or around a place with rules.
#[derive(Debug, Default)]
pub(crate) struct RuleTree {
    pub(super) items: Option<Box<RuleTree>>,
    pub(super) additional: Option<Box<RuleTree>>,
    pub(super) properties: BTreeMap<String, RuleTree>,
    /// The parts of `allOf` by their index.
    pub(super) all_of: Vec<(usize, RuleTree)>,
}

impl RuleTree {
    /// Finds the rules of `schema`, which describes the same value as `shape`. These differ only within `allOf`.
    ///
    /// Returns `None` if there are none.
    pub(crate) fn of(schema: &Schema, shape: &Schema) -> Option<Self> {
        let within = |part: &Schema, shape: Option<&Schema>| Self::of(part, shape?).map(Box::new);
        let items = schema.items.as_deref();
        let items = items.and_then(|items| within(items, shape.items.as_deref()));
        let additional = schema.additional_schema();
        let additional = additional.and_then(|other| within(other, shape.additional_schema()));
        let mut properties = BTreeMap::new();
        for (name, part) in &schema.properties {
            // Values of an unknown type are not validated by rules.
            let shape = shape
                .properties
                .get(name)
                .filter(|shape| Environment::rule(Handle(shape)).is_some());
            if let Some(found) = shape.and_then(|shape| Self::of(part, shape)) {
                properties.insert(name.clone(), found);
            }
        }
        let all_of = schema.all_of.iter().enumerate();
        let all_of = all_of.filter_map(|(index, part)| Some((index, Self::of(part, shape)?)));
        let tree = Self {
            items,
            additional,
            properties,
            all_of: all_of.collect(),
        };
        (tree.has_parts() || !schema.rules.is_empty()).then_some(tree)
    }

    fn has_parts(&self) -> bool {
        self.items.is_some()
            || self.additional.is_some()
            || !self.properties.is_empty()
            || !self.all_of.is_empty()
    }
}
