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
}

impl RuleTree {
    /// Finds the rules of a schema. Returns `None` if there are none.
    ///
    /// The API server refuses rules within combinations, so these are not visited.
    pub(crate) fn of(schema: &Schema) -> Option<Self> {
        let items = schema.items.as_deref().and_then(Self::of).map(Box::new);
        let additional = schema.additional_schema().and_then(Self::of).map(Box::new);
        let mut properties = BTreeMap::new();
        for (name, part) in &schema.properties {
            // Values of an unknown type are not validated by rules.
            let is_visible = Environment::rule(Handle(part)).is_some();
            if let Some(found) = Self::of(part).filter(|_| is_visible) {
                properties.insert(name.clone(), found);
            }
        }
        let tree = Self {
            items,
            additional,
            properties,
        };
        (tree.has_parts() || !schema.rules.is_empty()).then_some(tree)
    }

    fn has_parts(&self) -> bool {
        self.items.is_some() || self.additional.is_some() || !self.properties.is_empty()
    }
}
