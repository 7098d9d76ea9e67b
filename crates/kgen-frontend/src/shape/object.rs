//! Objects with named fields: their properties together, and the rules that fields give their struct.

use std::collections::BTreeMap;
use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_markers::{TypeSettings, apply_to_schema, field_settings, type_settings};
use kgen_model::{JsonType, Keyword, Rule, Schema, SwitchedOffField};

use super::choices::{self, Union};
use super::code::Owner;
use super::fields::FieldReader;
use super::rename::RenameRule;
use super::serde::{self, Container, Member};
use super::{Scope, Shapes, is_type_marker};
use crate::declare::{Field, TypeDeclaration, TypeExpression, TypeExpressionKind, parse_type};
use crate::program::{Program, Target};

/// The state while the fields of a struct are read.
#[derive(Default)]
pub(super) struct Object {
    pub(super) schema: Schema,
    /// The source of each property, to report duplicates.
    pub(super) origins: Vec<(String, Span)>,
    /// Rules that fields give the struct: of fields that are set once, of forbidden fields, of unions.
    pub(super) rules: Vec<Rule>,
    pub(super) unions: BTreeMap<String, Union>,
    /// Rules of flattened structs, which come after the struct's own.
    pub(super) flattened_rules: Vec<Rule>,
    /// The values of a map that is flattened into the struct.
    pub(super) flattened_map: Option<Arc<Schema>>,
    /// Whether the struct has fields that are not flattened.
    pub(super) has_own_fields: bool,
    /// Whether a field had a problem.
    failed: bool,
}

impl Object {
    /// Notes a property; a second one of the same name is a problem.
    pub(super) fn add_property(&mut self, name: &str, span: Span, problems: &mut Problems) {
        if let Some((_, first)) = self.origins.iter().find(|(known, _)| known == name) {
            problems.push(
                Problem::error(
                    Code::DuplicateField,
                    span,
                    format!("two fields are called `{name}` in JSON"),
                )
                .related(*first, "the first one")
                .help("rename one of them with `#[serde(rename = \"…\")]`"),
            );
            self.failed = true;
        }
        self.origins.push((name.to_owned(), span));
    }

    /// Puts the rules that fields give their struct in place, and checks the one-of markers.
    fn finish(
        mut self,
        settings: &TypeSettings,
        program: &Program,
        problems: &mut Problems,
    ) -> Option<Schema> {
        for (_, union) in std::mem::take(&mut self.unions) {
            union.check(&self, program, problems);
            self.rules.extend(union.rules());
        }
        for one_of in &settings.one_of {
            choices::check_one_of(one_of, &self, problems);
        }
        // Beside other fields, Kubernetes cannot say what the values of a map are.
        if let Some(values) = self.flattened_map.take()
            && !self.has_own_fields
            && self.schema.properties.is_empty()
            && self.schema.one_of.is_empty()
            && self.schema.any_of.is_empty()
        {
            self.schema.preserve_unknown_fields = false;
            self.schema.additional_properties = Some(values);
        }
        check_unknown_fields(&self.schema, problems);
        let mut rules = std::mem::take(&mut self.rules);
        rules.append(&mut self.flattened_rules);
        self.schema.constraints.rules.extend(rules);
        (!self.failed).then_some(self.schema)
    }
}

/// Returns the schema of the metadata of a kind, if its markers narrow a name. The API server allows nothing else there.
fn bounds_of_metadata(field: &Field, problems: &mut Problems) -> Option<Schema> {
    if field.markers.is_empty() {
        return None;
    }
    let plain = Schema::of_type(JsonType::String);
    let mut schema = Schema::of_type(JsonType::Object);
    schema.places.node = Some(field.span);
    for name in ["generateName", "name"] {
        schema.properties.insert(name.to_owned(), Arc::new(plain.clone()));
    }
    apply_to_schema(&field.markers, &mut schema, problems);
    schema
        .properties
        .retain(|_, property| property.without_places() != plain);
    (!schema.properties.is_empty()).then_some(schema)
}

/// Adds the fields that `cfg` switches off, so that messages about their names can say why they are missing.
pub(super) fn note_switched_off(
    schema: &mut Schema,
    declaration: &TypeDeclaration,
    rename_all: Option<RenameRule>,
) {
    for field in &declaration.switched_off {
        let renamed = || rename_all.map_or_else(|| field.name.clone(), |rule| rule.field(&field.name));
        schema.switched_off.push(SwitchedOffField {
            name: field.rename.clone().unwrap_or_else(renamed),
            condition: field.condition.clone(),
        });
    }
}

impl Shapes<'_> {
    /// Returns the object that the fields of a kind make, its metadata left out.
    pub(crate) fn kind_object(
        &mut self,
        declaration: &TypeDeclaration,
        fields: &[Field],
        scope: &Scope,
    ) -> Option<Schema> {
        let container = serde::container(&declaration.attributes, &mut self.problems);
        let derives_serde = ["Serialize", "Deserialize"]
            .iter()
            .any(|name| declaration.attributes.derives(name).is_some());
        // Without a derive, serde attributes are impossible; the impls that kgen writes use the names of Kubernetes.
        let rename_all = if derives_serde {
            container.rename_all
        } else {
            Some(RenameRule::Camel)
        };
        let settings = type_settings(&declaration.markers);
        let (metadata, fields): (Vec<_>, Vec<_>) = fields.iter().partition(|field| field.name == "metadata");
        let mut schema = self.object(fields, &container, rename_all, scope, &settings)?;
        // A map of any values beside the metadata has the fields that the schema does not describe.
        let is_any = |values: &Arc<Schema>| values.json_type.is_none() && values.preserve_unknown_fields;
        if schema.additional_properties.as_ref().is_some_and(is_any) {
            schema.additional_properties = None;
            schema.preserve_unknown_fields = true;
        }
        note_switched_off(&mut schema, declaration, rename_all);
        for field in metadata {
            let bounds = bounds_of_metadata(field, &mut self.problems);
            schema
                .properties
                .extend(bounds.map(|bounds| ("metadata".to_owned(), Arc::new(bounds))));
        }
        Some(schema)
    }

    /// Returns the object that named fields make.
    pub(super) fn object<'f>(
        &mut self,
        fields: impl IntoIterator<Item = &'f Field>,
        container: &Container,
        rename_all: Option<RenameRule>,
        scope: &Scope,
        settings: &TypeSettings,
    ) -> Option<Schema> {
        let mut object = Object {
            schema: Schema::of_type(JsonType::Object),
            ..Object::default()
        };
        if let Some(span) = container.denies_unknown {
            object.schema.places.set(Keyword::KnownFieldsOnly, span);
        }
        let mut reader = FieldReader {
            shapes: self,
            container,
            rename_all,
            scope,
        };
        for field in fields {
            if reader.field(field, &mut object).is_none() {
                object.failed = true;
            }
        }
        object.finish(settings, self.program, &mut self.problems)
    }

    /// Returns the schema of a field or newtype whose attributes may put another type in its place.
    pub(super) fn member_schema(&mut self, field: &Field, member: &Member, scope: &Scope) -> Option<Schema> {
        if let Some(name) = &member.schema_of {
            return self.named_in_attribute(name, scope);
        }
        let code = member.schema_function.as_ref().or(member.custom.as_ref());
        if let Some(code) = code {
            if field.markers.iter().any(is_type_marker) {
                return Some(Schema::default());
            }
            if member.schema_function.is_some() {
                return self.code(scope).schema_function(code, Owner::Field);
            }
            if let Some(written) = self.type_of_with(field, scope) {
                return self.expression(&written, scope);
            }
            if code.value == "deserialize_with" && is_option_of_option(&field.field_type) {
                return self.expression(&field.field_type, scope);
            }
            return self.opaque_field(code.span, None);
        }
        self.expression(&field.field_type, scope)
    }

    /// Returns the type that `#[serde(with = "…")]` of a field names, if its schema holds for the field. Other names are
    /// those of modules with functions.
    fn type_of_with(&mut self, field: &Field, scope: &Scope) -> Option<TypeExpression> {
        let name = field.attributes.serde("with")?.text()?;
        let written = parse_type(name.value, name.span)?;
        let TypeExpressionKind::Path(path) = &written.kind else {
            return None;
        };
        let names: Vec<_> = path
            .segments
            .iter()
            .map(|segment| segment.name.as_str())
            .collect();
        let Ok(Target::Type(id)) = self.program.resolve(scope.module, &names, false) else {
            return None;
        };
        // The derive of a stand-in reads and writes its fields. Functions of another type may do anything.
        let is_stand_in = self.program.declaration(id)?.attributes.serde("remote").is_some();
        (is_stand_in || self.conventions.trusts_derives()).then_some(written)
    }
}

/// Reports a schema that keeps fields which the type cannot read.
pub(super) fn check_unknown_fields(schema: &Schema, problems: &mut Problems) {
    let Some(refused) = schema.places.stated(Keyword::KnownFieldsOnly) else {
        return;
    };
    if !schema.preserve_unknown_fields && schema.additional_properties.is_none() {
        return;
    }
    let kept = schema.places.stated(Keyword::PreserveUnknownFields);
    let mut problem = Problem::error(
        Code::ContradictingMarkers,
        kept.unwrap_or(refused),
        "the schema keeps unknown fields, which serde refuses to read",
    )
    .tolerated()
    .help("remove `deny_unknown_fields`: the API server drops unknown fields unless they are preserved");
    if kept.is_some() {
        problem = problem.related(refused, "refused here");
    }
    problems.push(problem);
}

/// Returns whether a type is written as an `Option`.
pub(super) fn is_written_as_option(written: &TypeExpression) -> bool {
    matches!(&written.kind, TypeExpressionKind::Path(path)
        if path.segments.last().is_some_and(|last| last.name == "Option"))
}

/// Returns whether a type is written as `Option<Option<…>>`. A function that reads such a field is there to tell `null` from an
/// absent field, and values are read as usual.
fn is_option_of_option(written: &TypeExpression) -> bool {
    let TypeExpressionKind::Path(path) = &written.kind else {
        return false;
    };
    let arguments = path.segments.last().map(|last| last.arguments.as_slice());
    is_written_as_option(written) && matches!(arguments, Some([inner]) if is_written_as_option(inner))
}

/// Takes out the rules that say that a field of the struct itself, once set, stays set. They come before those that the
/// markers of the struct state, so they are put back with [`put_first`] when these are in place.
pub(crate) fn take_set_once(fields: &[Field], schema: &mut Schema) -> Vec<Rule> {
    if schema.constraints.rules.is_empty() {
        return Vec::new();
    }
    let set_once: Vec<_> = fields
        .iter()
        .filter_map(|field| field_settings(&field.markers).immutable)
        .collect();
    let rules = std::mem::take(&mut schema.constraints.rules);
    let (first, rest) = rules
        .into_iter()
        .partition(|rule| rule.span.is_some_and(|span| set_once.contains(&span)));
    schema.constraints.rules = rest;
    first
}

/// Puts rules before those that the schema has.
pub(crate) fn put_first(mut rules: Vec<Rule>, schema: &mut Schema) {
    if !rules.is_empty() {
        rules.append(&mut schema.constraints.rules);
        schema.constraints.rules = rules;
    }
}

/// Returns the place where a property of a schema is declared, for messages about it.
pub(super) fn property_span(schema: &Schema) -> Option<Span> {
    schema.places.of(Keyword::Type)
}
