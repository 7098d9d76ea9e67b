//! Null as an additional value, in each convention.

use kgen_model::{Keyword, Schema};
use serde_json::Value;

use super::conventions::Conventions;
use super::enumeration::is_plain;
use super::{Resolved, Scope, Shapes};
use crate::declare::{TypeExpression, TypeKind};
use crate::program::Program;

impl Shapes<'_> {
    /// Returns whether null is one of the values of a type that takes any value. Where a value must be present, the schema
    /// has to say so, because the API server drops nulls otherwise. Kubernetes' own `JSON` keeps the schema of its twin in Go.
    pub(super) fn is_null_written(
        &mut self,
        written: &TypeExpression,
        scope: &Scope,
        schema: &Schema,
    ) -> bool {
        let is_any = schema.json_type.is_none() && schema.preserve_unknown_fields;
        is_any
            && self.follows_rust_exactly()
            && self
                .resolve(written, scope)
                .is_some_and(|resolved| resolved.takes_any_value() && !resolved.is_json_of_kubernetes())
    }
}

impl Conventions {
    /// Adds null to the values of a schema.
    pub(super) fn nullable(self, mut schema: Schema, inner: &Resolved, program: &Program) -> Schema {
        schema.nullable = true;
        if self.follow_rust_exactly() {
            accept_null(&mut schema);
        }
        // schemars lists null among the values, but not where each variant has a text of its own. Version 0.8 never does.
        if self.lists_null_among_values()
            && !has_documented_variants(program, inner)
            && let Some(values) = &mut schema.constraints.enumeration
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
        schema
    }

    /// Makes the schema of an optional value inside a list, a map, a newtype or a variant. schemars adds null to a type, so it
    /// leaves alone what Kubernetes describes without one; kube adds it only to fields.
    pub(super) fn nullable_element(self, schema: Schema, inner: &Resolved, program: &Program) -> Schema {
        if self.follow_rust_exactly() {
            return self.nullable(schema, inner, program);
        }
        let is_without_type = schema.int_or_string && matches!(inner, Resolved::Known(..));
        if is_without_type && !self.has_old_schemars() {
            return schema;
        }
        self.nullable_field(schema, inner, program)
    }

    /// Makes the schema of an optional field. kube-derive loses the text of an enum with data, except with schemars 0.8.
    pub(super) fn nullable_field(self, schema: Schema, inner: &Resolved, program: &Program) -> Schema {
        // A schema that takes any value takes null, too.
        let takes_any = schema.json_type.is_none() && schema.preserve_unknown_fields;
        if takes_any && !self.states_null_beside_any_value() {
            return schema;
        }
        if schema.int_or_string && self.forgets_null_without_type() {
            return schema;
        }
        let mut schema = self.nullable(schema, inner, program);
        if self.has_old_schemars() {
            return schema;
        }
        if !schema.one_of.is_empty() || (!schema.any_of.is_empty() && !schema.int_or_string) {
            schema.description = None;
        }
        schema
    }
}

/// Makes a nullable schema accept null. For the API server, null is in no list of values, but it does not look at the parts
/// of combinations when a value is null.
pub(super) fn accept_null(schema: &mut Schema) {
    // A list that a marker states stays as it is stated.
    if !schema.nullable || schema.places.stated(Keyword::Enum).is_some() {
        return;
    }
    if let Some(values) = schema.constraints.enumeration.take() {
        let mut part = Schema::default();
        part.constraints.enumeration = Some(values);
        schema.constraints.all_of.push(part);
    }
}

/// Returns whether a type is an enum of which a variant has a text or attributes.
fn has_documented_variants(program: &Program, resolved: &Resolved) -> bool {
    let Resolved::Declared(id, _) = resolved else {
        return false;
    };
    let declaration = program.declaration(*id);
    declaration.is_some_and(|declaration| match &declaration.kind {
        TypeKind::Enum(variants) => variants.iter().any(|variant| !is_plain(variant)),
        _ => false,
    })
}
