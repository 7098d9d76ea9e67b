//! Structs that are one value in JSON: newtypes and transparent structs.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::Schema;

use super::{Resolved, Scope, Shapes, serde};
use crate::declare::{Attributes, Field, TypeDeclaration, TypeExpressionKind, TypeKind};
use crate::program::TypeId;
use crate::well_known::Known;

impl Shapes<'_> {
    /// Returns the value of a transparent struct, which must have exactly one field that counts.
    pub(super) fn transparent(
        &mut self,
        declaration: &TypeDeclaration,
        fields: &[Field],
        scope: &Scope,
    ) -> Option<Schema> {
        if let Some(field) = only_field(fields, &mut self.problems) {
            // schemars 0.8 replaces the type by the type of the field, and its attributes are lost.
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
            if fields.len() == 1 || self.in_kubernetes() {
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

    /// Returns whether a type is an `Option` inside a `Box` or a transparent struct, which serde reads from an absent
    /// field as well. schemars looks through a struct only if nothing is written on it or on its field.
    pub(super) fn is_transparent_option(&mut self, resolved: &Resolved) -> bool {
        let (id, arguments) = match resolved {
            Resolved::Declared(id, arguments) => (id, arguments),
            Resolved::Known(known, arguments) if matches!(known.known(), Known::Transparent) => {
                let inner = arguments.last();
                return inner
                    .is_some_and(|inner| inner.optional().is_some() || self.is_transparent_option(inner));
            }
            _ => return false,
        };
        let Some(declaration) = self.program.declaration(*id) else {
            return false;
        };
        if declaration.attributes.serde("transparent").is_none() {
            return false;
        }
        self.transparent_field(*id, arguments)
            .is_some_and(|inner| inner.optional().is_some() || self.is_transparent_option(&inner))
    }

    /// Returns the type inside a transparent struct.
    fn transparent_field(&mut self, id: TypeId, arguments: &[Resolved]) -> Option<Resolved> {
        let body = self.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        let TypeKind::Struct(fields) = &declaration.kind else {
            return None;
        };
        let field = only_field(fields.list(), &mut Problems::new())?;
        let is_bare = |attributes: &Attributes, description: &Option<String>| {
            description.is_none()
                && attributes.schemars.is_empty()
                && attributes.validate.is_empty()
                && attributes.garde.is_empty()
                && attributes.deprecated.is_none()
        };
        let is_seen_through = is_bare(&declaration.attributes, &declaration.description)
            && is_bare(&field.attributes, &field.description);
        if self.conventions.trusts_derives() && !is_seen_through {
            return None;
        }
        let scope = self.with_resolver(|resolver| resolver.scope_of(id, declaration, arguments))?;
        self.resolve(&field.field_type, &scope)
    }

    /// Returns the value inside a newtype, with everything that is written on its field.
    fn wrapped(&mut self, field: &Field, scope: &Scope) -> Option<Schema> {
        let member = self.conventions.member(&field.attributes, &mut self.problems);
        let mut schema = self.member_schema(field, &member, scope)?;
        schema.nullable &= !(member.wanted && self.conventions.trusts_derives());
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
pub(super) fn only_field<'f>(fields: &'f [Field], problems: &mut Problems) -> Option<&'f Field> {
    let mut counted = fields.iter().filter(|field| {
        let member = serde::member(&field.attributes, problems);
        let is_never_written = field.attributes.serde("skip_serializing").is_some();
        !member.skipped && !(is_never_written && member.default.is_some()) && !is_phantom(field)
    });
    let first = counted.next()?;
    counted.next().is_none().then_some(first)
}

/// Returns whether a field is a `PhantomData`, which does not have its own JSON.
pub(super) fn is_phantom(field: &Field) -> bool {
    matches!(&field.field_type.kind, TypeExpressionKind::Path(path)
        if path.segments.last().is_some_and(|last| last.name == "PhantomData"))
}
