//! Structs: properties, which of them are required, and the rules that fields give their struct.

use std::collections::BTreeMap;
use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_markers::{
    FieldSettings, Presence, TypeSettings, field_settings, module_settings, rules, type_settings,
};
use kgen_model::{JsonType, Keyword, Rule, Schema};
use serde_json::Value;

use super::choices::{self, Union};
use super::rename::RenameRule;
use super::serde::{self, Container, Member};
use super::{Scope, Shapes, is_type_marker};
use crate::declare::{Field, TypeDeclaration, TypeExpression, TypeExpressionKind};
use crate::program::{ModuleId, Program};

/// What is collected while the fields of a struct are read.
#[derive(Default)]
pub(super) struct Object {
    pub(super) schema: Schema,
    /// Where each property comes from, to report doubles.
    pub(super) origins: Vec<(String, Span)>,
    /// Rules that fields give the struct: of fields that are set once, of forbidden fields, of unions.
    rules: Vec<Rule>,
    unions: BTreeMap<String, Union>,
    /// Rules of flattened structs, which come after the struct's own.
    pub(super) flattened_rules: Vec<Rule>,
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
        let mut rules = std::mem::take(&mut self.rules);
        rules.append(&mut self.flattened_rules);
        self.schema.constraints.rules.extend(rules);
        (!self.failed).then_some(self.schema)
    }
}

impl Shapes<'_> {
    /// The object that the fields of a kind make, its metadata left out.
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
        // Without a derive there can be no serde attributes; the impls that kgen writes use the names of Kubernetes.
        let rename_all = if derives_serde {
            container.rename_all
        } else {
            Some(RenameRule::Camel)
        };
        let settings = type_settings(&declaration.markers);
        let fields = fields.iter().filter(|field| field.name != "metadata");
        self.object(fields, &container, rename_all, scope, &settings)
    }

    /// The object that named fields make.
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
        for field in fields {
            if self
                .field(field, container, rename_all, scope, &mut object)
                .is_none()
            {
                object.failed = true;
            }
        }
        object.finish(settings, self.program, &mut self.problems)
    }

    /// Adds one field. Nothing if it has a problem.
    fn field(
        &mut self,
        field: &Field,
        container: &Container,
        rename_all: Option<RenameRule>,
        scope: &Scope,
        object: &mut Object,
    ) -> Option<()> {
        let mut member = self.conventions.member(&field.attributes, &mut self.problems);
        self.conventions.keep_written(&field.attributes, &mut member);
        if member.skipped || super::newtype::is_phantom(field) {
            return Some(());
        }
        if member.flatten.is_some() {
            return self.flatten(field, &member, scope, object);
        }
        let name = member
            .rename
            .clone()
            .unwrap_or_else(|| rename_all.map_or(field.name.clone(), |rule| rule.field(&field.name)));
        for alias in member.aliases.iter().filter(|alias| alias.value != name) {
            self.problems.push(
                Problem::warning(
                    Code::PrunedAlias,
                    alias.span,
                    format!("the API server drops `{}` before serde sees it", alias.value),
                )
                .help(format!(
                    "clients must write `{name}`; declare a field of its own to accept the other name"
                )),
            );
        }
        let settings = field_settings(&field.markers);
        let field_type = self.member_type(field, &member, &settings, scope);
        let is_option = match &field_type {
            MemberType::Resolved(resolved) => resolved.optional().is_some() && !member.wanted,
            // The type does not matter for the schema, but whether it may be absent does.
            MemberType::Replaced => self.conventions.is_replaced_option(field, &member) && !member.wanted,
            MemberType::Failed => true,
        };
        check_nullable(field, &field_type, &mut self.problems);
        let schema = self.field_schema(field, &member, &settings, &field_type, scope);
        let has_schema_default = schema.as_ref().is_some_and(|schema| schema.default.is_some());
        let readable = Readable {
            is_option,
            has_serde_default: member.default.is_some() || container.default.is_some(),
            has_schema_default,
        };
        let required = self.is_required(field, &member, &settings, readable, scope.module);
        object.add_property(&name, field.span, &mut self.problems);
        let mut schema = schema?;
        if schema.default.is_none()
            && (self.options.serde_defaults || self.conventions.always_writes_serde_defaults())
        {
            let default = self.code(scope).serde_default(field, &member, container);
            // A conversion may make something else of a value than kgen can see.
            schema.default = default.filter(|value| has_type(value, schema.json_type));
        }
        schema.nullable |=
            schema.int_or_string && !required && self.conventions.writes_null_beside_int_or_string();
        field_rules(&name, field, &settings, required, object);
        object.schema.properties.insert(name.clone(), Arc::new(schema));
        if required {
            object.schema.required.insert(name);
        }
        Some(())
    }

    /// The schema of a field with everything that is written on it.
    fn field_schema(
        &mut self,
        field: &Field,
        member: &Member,
        settings: &FieldSettings,
        field_type: &MemberType,
        scope: &Scope,
    ) -> Option<Schema> {
        let mut schema = match field_type {
            MemberType::Failed => return None,
            MemberType::Replaced if settings.schemaless.is_some() => Schema::default(),
            MemberType::Replaced => self.member_schema(field, member, scope)?,
            // A second `Option` inside the first tells null from absent.
            MemberType::Resolved(resolved) => match resolved.optional() {
                Some(inner) => {
                    let schema = self.element(inner, field.field_type.span)?;
                    let is_null_too = self.writes_null_beside_options();
                    if is_null_too && !member.wanted {
                        self.conventions.nullable_field(schema, inner, self.program)
                    } else {
                        schema
                    }
                }
                None => self.resolved(resolved, field.field_type.span)?,
            },
        };
        if let Some(description) = self.texts().of_field(field) {
            schema.description = Some(description);
        }
        if let Some(title) = self.texts().title(field.description.as_deref()) {
            schema.title = Some(title.into());
        }
        schema.places.node = Some(field.span);
        self.apply_stated(&field.attributes, &field.markers, scope, &mut schema)
            .then_some(schema)
    }

    /// The type of a field, unless an attribute or marker puts something else in its place.
    fn member_type(
        &mut self,
        field: &Field,
        member: &Member,
        settings: &FieldSettings,
        scope: &Scope,
    ) -> MemberType {
        let by_code =
            member.custom.is_some() || member.schema_of.is_some() || member.schema_function.is_some();
        if settings.schemaless.is_some() || by_code {
            return MemberType::Replaced;
        }
        self.resolve(&field.field_type, scope)
            .map_or(MemberType::Failed, MemberType::Resolved)
    }

    /// The schema of a field or newtype whose attributes may put another type in its place.
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
                return self.code(scope).schema_function(code);
            }
            return self.opaque_field(code.span, None);
        }
        self.expression(&field.field_type, scope)
    }

    /// Whether a field must be there. Reports a field that may be absent and cannot be read then.
    fn is_required(
        &mut self,
        field: &Field,
        member: &Member,
        settings: &FieldSettings,
        readable: Readable,
        module: ModuleId,
    ) -> bool {
        if let Some(span) = member.left_out
            && !readable.when_absent()
        {
            self.problems.push(
                Problem::error(
                    Code::LostWhenSkipped,
                    span,
                    "the field may be left out when written, and cannot be read back",
                )
                .related(field.span, "neither an `Option` nor defaulted")
                .help("add `default` to the same `#[serde(…)]`, or make the field an `Option`"),
            );
        }
        let by_module = optional_by_module(self.program, module);
        let (optional, reason) = match (&settings.presence, by_module) {
            (Some(stated), _) => (stated.value == Presence::Optional, Some(stated.span)),
            (None, Some(span)) => (true, Some(span)),
            (None, None) => (readable.is_option || readable.has_serde_default, None),
        };
        if optional && !readable.when_absent() {
            let mut problem = Problem::error(
                Code::UnreadableWhenAbsent,
                field.span,
                format!("`{}` is optional, and serde cannot read it when it is absent", field.name),
            )
            .help("make it an `Option`, add `#[serde(default)]`, or give it a default with `+kubebuilder:default=…`");
            if let Some(reason) = reason {
                problem = problem.related(reason, "made optional here");
            }
            // A marker that is not meant for kgen makes nothing optional.
            if self.conventions.ignores_wrong_markers() {
                self.problems.push(problem.tolerated());
                return true;
            }
            self.problems.push(problem);
        }
        !optional
    }
}

/// Reports a field that may be null by its marker, and whose type cannot be read from null.
fn check_nullable(field: &Field, field_type: &MemberType, problems: &mut Problems) {
    let marker = field
        .markers
        .iter()
        .find(|marker| marker.definition().name == "nullable");
    let (Some(marker), MemberType::Resolved(resolved)) = (marker, field_type) else {
        return;
    };
    if resolved.optional().is_none() && !resolved.takes_any_value() {
        problems.push(
            Problem::error(
                Code::InapplicableMarker,
                marker.span(),
                "`nullable` must be on an `Option`",
            )
            .related(field.field_type.span, "serde cannot read `null` here")
            .help("make it an `Option`"),
        );
    }
}

/// Where the module of a struct makes its fields optional.
fn optional_by_module(program: &Program, module: ModuleId) -> Option<Span> {
    let parent = |id: &ModuleId| program.module(*id)?.parent;
    std::iter::successors(Some(module), parent).find_map(|id| {
        let body = program.body(id)?;
        if body.markers.is_empty() {
            None
        } else {
            module_settings(&body.markers).optional_by_default
        }
    })
}

/// The type of a field, as far as it matters.
enum MemberType {
    Resolved(super::Resolved),
    /// An attribute or marker says what the JSON is.
    Replaced,
    /// The type has a problem, which is reported.
    Failed,
}

/// Whether a type is written as an `Option`.
pub(super) fn is_written_as_option(written: &TypeExpression) -> bool {
    matches!(&written.kind, TypeExpressionKind::Path(path)
        if path.segments.last().is_some_and(|last| last.name == "Option"))
}

/// Whether a value is of a type, as far as one is stated.
fn has_type(value: &Value, json_type: Option<JsonType>) -> bool {
    match json_type {
        None => true,
        Some(JsonType::Boolean) => value.is_boolean(),
        Some(JsonType::Integer) => value.is_i64() || value.is_u64(),
        Some(JsonType::Number) => value.is_number(),
        Some(JsonType::String) => value.is_string(),
        Some(JsonType::Array) => value.is_array(),
        Some(JsonType::Object) => value.is_object(),
    }
}

/// How a field can be read when it is not there.
#[derive(Clone, Copy)]
struct Readable {
    is_option: bool,
    has_serde_default: bool,
    has_schema_default: bool,
}

impl Readable {
    fn when_absent(self) -> bool {
        self.is_option || self.has_serde_default || self.has_schema_default
    }
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

/// The rules that a field gives its struct.
fn field_rules(name: &str, field: &Field, settings: &FieldSettings, required: bool, object: &mut Object) {
    if let Some(span) = settings.immutable.filter(|_| !required) {
        object.rules.push(Rule {
            span: Some(span),
            ..rules::set_once(name)
        });
    }
    if let Some(span) = settings.forbidden {
        object.rules.push(Rule {
            span: Some(span),
            ..rules::forbidden(name)
        });
    }
    choices::add_to_unions(name, field, settings, &mut object.unions);
}

/// Where a property of a schema is declared, for messages about it.
pub(super) fn property_span(schema: &Schema) -> Option<Span> {
    schema.places.of(Keyword::Type)
}
