//! Objects with exactly one of their properties: enums with data.
//!
//! The schema of such an object has one branch of `oneOf` per property. It becomes an enum only if kgen gives the enum the same
//! schema, and if reading the enum accepts exactly what the schema accepts.

use kgen_model::Schema;

use super::classes::{Sort, is_struct, variants};
use super::express::Expression;
use super::words::has_camel_case;
use super::{Choice, RustType};

/// The difference of sizes from which clippy asks for a box, with a margin for estimated sizes.
const LARGE: usize = 180;

/// The estimated size of a struct of Kubernetes.
const KUBERNETES_STRUCT: usize = 1000;

/// Returns the names of the properties of which an object has exactly one, in the order of the branches.
fn alternatives(schema: &Schema) -> Option<Vec<&String>> {
    let is_plain = is_struct(schema)
        && schema.required.is_empty()
        && schema.any_of.is_empty()
        && schema.not.is_none()
        && !schema.preserve_unknown_fields
        && !schema.embedded_resource
        && schema.map_type.is_none()
        && schema.constraints.is_unset();
    if !is_plain || schema.one_of.len() < 2 || schema.one_of.len() != schema.properties.len() {
        return None;
    }
    let mut names: Vec<&String> = Vec::with_capacity(schema.one_of.len());
    for branch in schema.one_of.iter() {
        let name = branch.required.first().filter(|_| branch.required.len() == 1)?;
        let bare = Schema {
            required: branch.required.clone(),
            ..Schema::default()
        };
        if branch.without_places() != bare || names.contains(&name) || !schema.properties.contains_key(name) {
            return None;
        }
        names.push(name);
    }
    Some(names)
}

impl Expression<'_, '_> {
    /// Returns the variants of an object that becomes an enum.
    pub(super) fn choices(&self, schema: &Schema) -> Option<Vec<Choice>> {
        let names = alternatives(schema)?;
        let values: Vec<serde_json::Value> = names.iter().map(|name| name.as_str().into()).collect();
        let variants = variants(&values)?;
        let mut choices = Vec::with_capacity(names.len());
        for (variant, json_name) in variants {
            let property = schema.properties.get(&json_name)?;
            // An absent value must stay absent.
            let is_open = property.json_type.is_none() && !property.int_or_string;
            if property.nullable || property.default.is_some() || is_open || self.allows_something(property) {
                return None;
            }
            let field = self.field(property, true);
            choices.push(Choice {
                rename: (!has_camel_case(&variant) || lower_first(&variant) != json_name)
                    .then_some(json_name),
                name: variant,
                docs: field.docs,
                markers: field.markers,
                rust_type: field.rust_type,
                is_boxed: false,
            });
        }
        self.box_large(&mut choices);
        Some(choices)
    }

    /// Boxes variants that are much larger than all others.
    fn box_large(&self, choices: &mut [Choice]) {
        loop {
            let sizes: Vec<usize> = choices.iter().map(|choice| self.choice_size(choice)).collect();
            let mut sorted = sizes.clone();
            sorted.sort_unstable_by(|left, right| right.cmp(left));
            let [largest, second, ..] = sorted.as_slice() else {
                return;
            };
            if largest - second <= LARGE {
                return;
            }
            for (choice, size) in choices.iter_mut().zip(sizes) {
                choice.is_boxed |= size == *largest;
            }
        }
    }

    fn choice_size(&self, choice: &Choice) -> usize {
        if choice.is_boxed {
            8
        } else {
            self.size(&choice.rust_type)
        }
    }

    /// Estimates the size of a value in memory.
    fn size(&self, rust_type: &RustType) -> usize {
        match rust_type {
            RustType::Primitive("bool" | "u8") => 1,
            RustType::Primitive("i32" | "u16" | "u32") => 4,
            RustType::Primitive("String") | RustType::List(_) | RustType::Map(_) => 24,
            RustType::Primitive(_) => 8,
            RustType::Optional(inner) => match &**inner {
                RustType::Primitive("i64" | "u64" | "f64") => 16,
                RustType::Primitive("i32" | "u32") => 8,
                inner => self.size(inner),
            },
            RustType::Foreign(path) if path.starts_with("k8s_openapi::api::") => KUBERNETES_STRUCT,
            RustType::Foreign(_) => 32,
            RustType::Class(id) => {
                let Some(class) = self.classes.get(*id) else {
                    return 0;
                };
                if class.sort == Sort::Enum {
                    return 1;
                }
                let sizes = class.schema.properties.iter().map(|(name, property)| {
                    let field = self.field(property, class.schema.required.contains(name));
                    self.size(&field.rust_type)
                });
                if alternatives(class.schema).is_some() {
                    sizes.max().unwrap_or_default() + 8
                } else {
                    sizes.sum()
                }
            }
        }
    }
}

/// Returns a name as serde's camel case writes a variant.
fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}
