//! `#[serde(flatten)]`: the fields of one struct among those of another.

use kgen_diagnostics::{Code, Problem};
use kgen_markers::apply_to_schema;
use kgen_model::{JsonType, Keyword, Schema};

use super::fields::FieldReader;
use super::object::{Object, property_span};
use super::serde::Member;
use crate::declare::Field;

impl FieldReader<'_, '_> {
    /// Adds the fields of a flattened field. Returns `None` if there is a problem, which is then reported.
    pub(super) fn flatten(&mut self, field: &Field, member: &Member, object: &mut Object) -> Option<()> {
        let span = field.field_type.span;
        if let Some(denied) = self.container.denies_unknown
            && self.shapes.follows_rust_exactly()
        {
            self.shapes.problems.push(
                Problem::warning(
                    Code::FlattenShape,
                    member.flatten.unwrap_or(field.span),
                    "serde does not support `flatten` together with `deny_unknown_fields`",
                )
                .related(denied, "denied here")
                .help("remove `deny_unknown_fields`: the API server drops unknown fields anyway"),
            );
        }
        // serde deserializes a flattened field from the available fields, and never uses its default.
        let mut optional = member.default.is_some() && !self.shapes.follows_rust_exactly();
        let by_code =
            member.schema_of.is_some() || member.custom.is_some() || member.schema_function.is_some();
        let mut schema = if by_code {
            self.shapes.member_schema(field, member, self.scope)?
        } else {
            let resolved = self.shapes.resolve(&field.field_type, self.scope)?;
            if resolved.is_type_metadata() {
                return Some(());
            }
            optional |= resolved.optional().is_some() && !member.wanted;
            let inner = resolved.optional().unwrap_or(&resolved);
            self.shapes.resolved(inner, span)?
        };
        // A newtype of an `Option` writes nothing for `None`, just as the `Option` itself.
        optional |= schema.nullable && self.shapes.follows_rust_exactly();
        apply_to_schema(&field.markers, &mut schema, &mut self.shapes.problems);
        let is_any_value = schema.json_type.is_none() && schema.preserve_unknown_fields;
        if schema.json_type != Some(JsonType::Object) && !is_any_value {
            self.shapes.problems.push(
                Problem::error(
                    Code::FlattenShape,
                    span,
                    "only a struct, an enum of objects or a map can be flattened",
                )
                .help("remove `flatten`, or use a struct"),
            );
            return None;
        }
        for (name, property) in &schema.properties {
            let place = property_span(property).unwrap_or(field.span);
            object.add_property(name, place, &mut self.shapes.problems);
        }
        // The first text that is flattened is that of the whole, for schemars, unless the struct has one of its own.
        if self.shapes.conventions.takes_text_as_written() && object.schema.description.is_none() {
            object.schema.description = schema.description.take();
        }
        if schema.preserve_unknown_fields || object.flattened_map.is_some() {
            // Two that take the rest leave nothing to say about either.
            object.has_own_fields = true;
        }
        if schema.additional_properties.is_some() {
            object.flattened_map.clone_from(&schema.additional_properties);
        }
        if self.shapes.follows_rust_exactly() {
            self.check_closed(member, &schema, object, field);
        }
        if optional && self.shapes.conventions.writes_empty_branches() {
            add_optional_alternatives(&mut object.schema, &mut schema);
        } else if optional && self.shapes.conventions.keeps_optional_alternatives() {
            let (any_of, one_of) = (
                std::mem::take(&mut schema.any_of),
                std::mem::take(&mut schema.one_of),
            );
            merge_alternatives(&mut object.schema, any_of.into_inner(), one_of.into_inner());
        }
        merge(&mut object.schema, schema, optional, &mut object.flattened_rules);
        Some(())
    }
}

impl FieldReader<'_, '_> {
    /// Checks a flattened field against flattened enums that refuse unknown fields. These see the fields of everything that
    /// is flattened after them. A map is reported together with all fields that the struct keeps.
    fn check_closed(&mut self, member: &Member, schema: &Schema, object: &mut Object, field: &Field) {
        let before = object.schema.places.stated(Keyword::ClosedVariants);
        if let Some(refused) = before.filter(|_| !schema.properties.is_empty()) {
            self.shapes.problems.push(
                Problem::error(
                    Code::FlattenShape,
                    member.flatten.unwrap_or(field.span),
                    "an enum that is flattened before this field refuses to read its fields",
                )
                .tolerated()
                .related(refused, "refused here")
                .help("remove `deny_unknown_fields`: the API server drops unknown fields anyway"),
            );
        }
        if let Some(refused) = schema.places.stated(Keyword::ClosedVariants) {
            for keyword in [Keyword::ClosedVariants, Keyword::KnownFieldsOnly] {
                object.schema.places.set(keyword, refused);
            }
        }
    }
}

fn merge(parent: &mut Schema, mut child: Schema, optional: bool, rules: &mut Vec<kgen_model::Rule>) {
    parent.properties.append(&mut child.properties);
    if !optional {
        merge_counts(parent, &child);
        parent.required.append(&mut child.required);
        merge_alternatives(parent, child.any_of.into_inner(), child.one_of.into_inner());
    }
    // Other keys of the object go into the map, whatever they are.
    parent.preserve_unknown_fields |= child.preserve_unknown_fields || child.additional_properties.is_some();
    // The merge behavior of Kubernetes' own structs applies only to these structs; a marker applies to the place where
    // it ends up.
    if let Some(stated) = child.places.stated(Keyword::MapType) {
        parent.map_type = parent.map_type.or(child.map_type);
        parent.places.set(Keyword::MapType, stated);
    }
    rules.append(&mut child.constraints.rules);
    parent.constraints.all_of.append(&mut child.constraints.all_of);
}

/// Adds the alternatives of an optional enum beside an empty branch, which accepts the object without them. schemars adds the
/// branch to alternatives of which several may hold, and puts others inside.
fn add_optional_alternatives(parent: &mut Schema, child: &mut Schema) {
    if child.one_of.is_empty() && !child.any_of.is_empty() {
        let mut any_of = std::mem::take(&mut child.any_of).into_inner();
        if !any_of.contains(&Schema::default()) {
            any_of.push(Schema::default());
        }
        merge_alternatives(parent, any_of, Vec::new());
        return;
    }
    let alternatives = Schema {
        any_of: std::mem::take(&mut child.any_of),
        one_of: std::mem::take(&mut child.one_of),
        ..Schema::default()
    };
    if alternatives != Schema::default() {
        merge_alternatives(parent, vec![alternatives, Schema::default()], Vec::new());
    }
}

/// Merges the numbers of properties that the whole may have.
fn merge_counts(parent: &mut Schema, child: &Schema) {
    let bounds = &child.constraints;
    if let Some(least) = bounds.min_properties {
        let own = parent.constraints.min_properties;
        parent.constraints.min_properties = Some(own.map_or(least, |own| own.max(least)));
    }
    if let Some(most) = bounds.max_properties {
        let own = parent.constraints.max_properties;
        parent.constraints.max_properties = Some(own.map_or(most, |own| own.min(most)));
    }
    for keyword in [Keyword::MinProperties, Keyword::MaxProperties] {
        if let Some(place) = child.places.stated(keyword) {
            parent.places.set(keyword, place);
        }
    }
}

/// Merges alternatives. One `oneOf` or `anyOf` fits on the node itself; a second one needs a place of its own.
fn merge_alternatives(parent: &mut Schema, any_of: Vec<Schema>, one_of: Vec<Schema>) {
    if !any_of.is_empty() {
        if parent.any_of.is_empty() {
            parent.any_of = any_of.into();
        } else {
            parent.constraints.all_of.push(Schema {
                any_of: any_of.into(),
                ..Schema::default()
            });
        }
    }
    if !one_of.is_empty() {
        if parent.one_of.is_empty() {
            parent.one_of = one_of.into();
        } else {
            parent.constraints.all_of.push(Schema {
                one_of: one_of.into(),
                ..Schema::default()
            });
        }
    }
}
