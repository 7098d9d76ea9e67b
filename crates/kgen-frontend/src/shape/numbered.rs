//! Enums that the derives of `serde_repr` read and write as the numbers of their variants.

use kgen_diagnostics::Span;
use kgen_model::{JsonType, Schema};
use serde_json::Value;

use super::Shapes;
use super::enumeration::shape_problem;
use crate::declare::{Fields, Meta, TypeDeclaration, Variant};
use crate::evaluate;
use crate::program::{ModuleId, Program};
use crate::well_known::{Known, well_known};

/// Returns the derive that makes an enum a number in JSON, if there is one.
pub(super) fn derive_of(declaration: &TypeDeclaration) -> Option<Span> {
    [
        "Deserialize_repr",
        "Serialize_repr",
        "DeserializeRepr",
        "SerializeRepr",
    ]
    .into_iter()
    .find_map(|name| declaration.attributes.derives(name))
}

/// Returns a number as JSON, or `None` if JSON in Kubernetes cannot hold it.
fn json(number: i128) -> Option<Value> {
    i64::try_from(number).ok().map(Value::from)
}

/// Returns the schema of the integer that an enum is represented by.
fn integer(repr: &Meta) -> Option<Schema> {
    let Known::Value(schema) = well_known(std::slice::from_ref(&repr.name))?.known() else {
        return None;
    };
    Some(schema()).filter(|schema| schema.json_type == Some(JsonType::Integer))
}

/// Returns the JSON of one variant.
pub(super) fn number_of(
    program: &mut Program,
    variants: &[Variant],
    name: &str,
    module: ModuleId,
) -> Option<Value> {
    let index = variants.iter().position(|variant| variant.name == name)?;
    let numbers = evaluate::variant_numbers(program, variants, module).ok()?;
    json(*numbers.get(index)?)
}

impl Shapes<'_> {
    /// Returns the schema of an enum that is a number in JSON.
    pub(super) fn numbered(
        &mut self,
        declaration: &TypeDeclaration,
        variants: &[Variant],
        derive: Span,
        module: ModuleId,
    ) -> Option<Schema> {
        if let Some(variant) = variants
            .iter()
            .find(|variant| !matches!(variant.fields, Fields::Unit))
        {
            self.problems.push(shape_problem(
                variant.span,
                "a variant with data cannot be a number",
                "derive `Serialize` and `Deserialize` from serde instead of `serde_repr`",
            ));
            return None;
        }
        if variants.is_empty() {
            self.problems.push(shape_problem(
                declaration.span,
                "an enum without variants has no values",
                "add a variant",
            ));
            return None;
        }
        let takes_all = variants
            .iter()
            .any(|variant| variant.attributes.serde("other").is_some());
        if takes_all {
            let number = declaration.attributes.repr.iter().find_map(integer);
            return Some(number.unwrap_or_else(|| Schema::of_type(JsonType::Integer)));
        }
        let mut schema = Schema::of_type(JsonType::Integer);
        let numbers = evaluate::variant_numbers(self.program, variants, module);
        let values = numbers.map_err(|unknown| unknown.span).and_then(|numbers| {
            let known = numbers.iter().zip(variants);
            known
                .map(|(number, variant)| json(*number).ok_or(variant.span))
                .collect::<Result<Vec<_>, _>>()
        });
        match values {
            Ok(values) => {
                schema.constraints.enumeration = Some(values);
                Some(schema)
            }
            Err(place) => self.opaque(
                place,
                format!(
                    "the discriminant of a variant of `{}` cannot be evaluated",
                    declaration.name
                ),
                Some((derive, "its JSON is this number")),
                &[
                    "write the number itself",
                    "or state the type with `+kubebuilder:validation:Type=integer` above the enum",
                ],
            ),
        }
    }
}
