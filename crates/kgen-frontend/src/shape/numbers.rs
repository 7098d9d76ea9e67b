//! Enums that serde_repr reads and writes: each variant is a number, the one behind its name or the next.

use kgen_model::{JsonType, Schema};
use serde_json::Value;

use super::Shapes;
use crate::declare::{TypeDeclaration, Variant};
use crate::program::ModuleId;

/// The derives of serde_repr, and what people call them who want no underscores.
const DERIVES: &[&str] = &[
    "Deserialize_repr",
    "Serialize_repr",
    "DeserializeRepr",
    "SerializeRepr",
];

/// Whether the values of an enum are numbers.
pub(super) fn are_numbers(declaration: &TypeDeclaration) -> bool {
    DERIVES
        .iter()
        .any(|name| declaration.attributes.derives(name).is_some())
}

impl Shapes<'_> {
    /// The schema of an enum whose values are numbers.
    pub(super) fn numbers(&mut self, variants: &[Variant], module: ModuleId) -> Option<Schema> {
        let mut schema = Schema::of_type(JsonType::Integer);
        let mut values = Vec::with_capacity(variants.len());
        let mut next = 0;
        for variant in variants {
            let Some(number) = self.number(variant, next, module) else {
                return self.opaque_field(variant.discriminant.unwrap_or(variant.span), None);
            };
            values.push(Value::from(number));
            next = number.saturating_add(1);
        }
        // Any other number is read as the variant that stands for the others.
        let takes_others = |variant: &Variant| variant.attributes.serde("other").is_some();
        if !variants.iter().any(takes_others) {
            schema.constraints.enumeration = Some(values);
        }
        Some(schema)
    }

    /// The number of the variant called `name`.
    pub(super) fn number_of(&mut self, variants: &[Variant], name: &str, module: ModuleId) -> Option<i64> {
        let mut next = 0;
        for variant in variants {
            let number = self.number(variant, next, module)?;
            if variant.name == name {
                return Some(number);
            }
            next = number.saturating_add(1);
        }
        None
    }

    fn number(&self, variant: &Variant, next: i64, module: ModuleId) -> Option<i64> {
        let Some(span) = variant.discriminant else {
            return Some(next);
        };
        let text = self.program.text(span).trim();
        let (text, sign) = text.strip_prefix('-').map_or((text, 1), |rest| (rest, -1));
        let number = self.constant_integer(text, module)?;
        i64::try_from(number.checked_mul(sign)?).ok()
    }
}
