//! Structs that are one value in JSON: newtypes and transparent structs.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::Schema;

use super::{Scope, Shapes, serde};
use crate::declare::{Field, TypeDeclaration, TypeExpressionKind};

impl Shapes<'_> {
    /// Returns the value of a transparent struct, which must have exactly one field that counts.
    pub(super) fn transparent(
        &mut self,
        declaration: &TypeDeclaration,
        fields: &[Field],
        scope: &Scope,
    ) -> Option<Schema> {
        if let Some(field) = only_field(fields, &mut self.problems) {
            // schemars 0.8 replaces the type by the type of the field, and what is written on it is lost.
            if self.conventions.has_old_schemars() {
                let member = self.conventions.member(&field.attributes, &mut self.problems);
                return self.member_schema(field, &member, scope);
            }
            return self.wrapped(field, scope);
        }
        let message = format!(
            "`{}` is transparent and must have exactly one field",
            declaration.name
        );
        self.problems
            .push(Problem::error(Code::UnsupportedType, declaration.span, message));
        None
    }

    /// Returns the value of a tuple struct, which must have exactly one field, skipped ones included: with two, serde
    /// writes a list, whatever is skipped.
    pub(super) fn tuple_struct(
        &mut self,
        declaration: &TypeDeclaration,
        fields: &[Field],
        scope: &Scope,
    ) -> Option<Schema> {
        if let Some(field) = only_field(fields, &mut self.problems) {
            if fields.len() == 1 || !self.follows_rust_exactly() {
                return self.wrapped(field, scope);
            }
            let message = format!("`{}` is serialized as a list of one value", declaration.name);
            self.problems.push(
                Problem::error(Code::UnsupportedType, declaration.span, message)
                    .help("add `#[serde(transparent)]` to serialize the value itself"),
            );
            return None;
        }
        self.problems.push(
            Problem::error(
                Code::UnsupportedType,
                declaration.span,
                format!(
                    "`{}` is a tuple, whose JSON is a list of different types",
                    declaration.name
                ),
            )
            .help("give its fields names: `struct Name { first: …, second: … }`"),
        );
        None
    }

    /// Returns the value inside a newtype, with everything that is written on its field.
    fn wrapped(&mut self, field: &Field, scope: &Scope) -> Option<Schema> {
        let member = self.conventions.member(&field.attributes, &mut self.problems);
        let mut schema = self.member_schema(field, &member, scope)?;
        schema.nullable |= self.is_null_written(&field.field_type, scope, &schema);
        self.apply_to_value(field, scope, &mut schema);
        Some(schema)
    }

    /// Applies the attributes and markers of the only value of a newtype or of a variant.
    pub(super) fn apply_to_value(&mut self, field: &Field, scope: &Scope, schema: &mut Schema) {
        if self.conventions.describes_values() {
            let texts = self.texts();
            schema.description = texts.of_field(field).or(schema.description.take());
            if let Some(title) = texts.title(field.description.as_deref()) {
                schema.title = Some(title.into());
            }
        }
        self.apply_stated(&field.attributes, &field.markers, scope, schema);
    }
}

/// Returns the only field that is part of the JSON. Returns `None` if there is none, or more than one.
fn only_field<'f>(fields: &'f [Field], problems: &mut Problems) -> Option<&'f Field> {
    let mut counted = fields.iter().filter(|field| {
        let member = serde::member(&field.attributes, problems);
        !member.skipped && !is_phantom(field)
    });
    let first = counted.next()?;
    counted.next().is_none().then_some(first)
}

/// Returns whether a field is a `PhantomData`, which does not have its own JSON.
pub(super) fn is_phantom(field: &Field) -> bool {
    matches!(&field.field_type.kind, TypeExpressionKind::Path(path)
        if path.segments.last().is_some_and(|last| last.name == "PhantomData"))
}
