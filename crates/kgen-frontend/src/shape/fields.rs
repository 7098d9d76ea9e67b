//! The fields of structs and of variants: their schemas, and whether they are required.

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_markers::{FieldSettings, ModuleSettings, Presence, field_settings, module_settings, rules};
use kgen_model::{JsonType, Keyword, Rule, Schema};
use serde_json::Value;

use super::newtype::is_phantom;
use super::null::accept_null;
use super::object::Object;
use super::rename::RenameRule;
use super::serde::{Container, Member};
use super::{Resolved, Scope, Shapes, choices};
use crate::declare::Field;
use crate::program::{ModuleId, Program};

/// Reads the fields of one struct or variant.
pub(super) struct FieldReader<'s, 'a> {
    pub(super) shapes: &'s mut Shapes<'a>,
    pub(super) container: &'s Container,
    pub(super) rename_all: Option<RenameRule>,
    pub(super) scope: &'s Scope,
}

impl FieldReader<'_, '_> {
    /// Adds one field to the object. Returns `None` if it has a problem, which is then reported.
    pub(super) fn field(&mut self, field: &Field, object: &mut Object) -> Option<()> {
        let mut member = self
            .shapes
            .conventions
            .member(&field.attributes, &mut self.shapes.problems);
        self.shapes
            .conventions
            .keep_written(&field.attributes, &mut member);
        if member.flatten.is_some() && !member.skipped {
            return self.flatten(field, &member, object);
        }
        object.has_own_fields |= field.attributes.serde("skip").is_none();
        if member.skipped {
            self.check_default_is_written(field, &member);
            return Some(());
        }
        if is_phantom(field) {
            self.check_phantom(field, &member, object);
            return Some(());
        }
        let name = member.rename.clone().unwrap_or_else(|| {
            self.rename_all
                .map_or(field.name.clone(), |rule| rule.field(&field.name))
        });
        for alias in member.aliases.iter().filter(|alias| alias.value != name) {
            self.shapes.problems.push(
                Problem::warning(
                    Code::PrunedAlias,
                    alias.span,
                    format!("the API server drops `{}` before serde reads it", alias.value),
                )
                .help(format!(
                    "declare a separate field to accept the other name; clients can only set `{name}`"
                )),
            );
        }
        let settings = field_settings(&field.markers);
        let field_type = self.member_type(field, &member, &settings);
        let is_option = match &field_type {
            MemberType::Resolved(resolved) => {
                let is_option = resolved.optional().is_some() || self.shapes.is_transparent_option(resolved);
                is_option && !member.wanted
            }
            // The type does not matter for the schema, but whether it may be absent does.
            MemberType::Replaced => {
                self.shapes.conventions.is_replaced_option(field, &member) && !member.wanted
            }
            MemberType::Failed => true,
        };
        check_nullable(field, &field_type, &mut self.shapes.problems);
        let schema = self.field_schema(field, &member, &settings, &field_type);
        let has_schema_default = schema.as_ref().is_some_and(|schema| schema.default.is_some());
        let readable = Readable {
            is_option,
            has_serde_default: (member.default.is_some() || self.container.default.is_some())
                && (self.shapes.conventions.uses_unwritten_defaults()
                    || field.attributes.serde("skip_serializing").is_none()),
            has_schema_default,
        };
        let required = self.is_required(field, &member, &settings, readable);
        object.add_property(&name, field.span, &mut self.shapes.problems);
        let mut schema = schema?;
        // The types of all fields above were described, so the enums among them are known.
        if self.shapes.has_skipped_variants && readable.has_serde_default && !has_schema_default {
            self.check_default_is_written(field, &member);
        }
        if schema.default.is_none()
            && (self.shapes.options.serde_defaults || self.shapes.conventions.always_writes_serde_defaults())
        {
            let default = self
                .shapes
                .code(self.scope)
                .serde_default(field, &member, self.container);
            // A conversion may make something else of a value than kgen can see.
            schema.default = default.filter(|value| {
                let is_usable = has_type(value, schema.json_type);
                if !is_usable {
                    self.shapes.problems.push(
                        Problem::warning(
                            Code::OpaqueType,
                            field.span,
                            "the default of this field is converted by code, so the schema has no default",
                        )
                        .help("state it with `+kubebuilder:default=…`"),
                    );
                }
                is_usable
            });
        }
        if required && matches!(field_type, MemberType::Resolved(_)) {
            schema.nullable |= self
                .shapes
                .is_null_written(&field.field_type, self.scope, &schema);
        }
        schema.nullable |=
            schema.int_or_string && !required && self.shapes.conventions.writes_null_beside_int_or_string();
        field_rules(&name, field, &settings, required, object);
        object.schema.properties.insert(name.clone(), Arc::new(schema));
        if required {
            object.schema.required.insert(name);
        }
        Some(())
    }

    /// Reports a `PhantomData` that is written as null. The API server drops it, and serde then misses it.
    fn check_phantom(&mut self, field: &Field, member: &Member, object: &mut Object) {
        if member.default.is_some() || self.container.default.is_some() {
            // Among unknown fields that are kept, there may be another value of this name.
            object.schema.places.set(Keyword::KnownFieldsOnly, field.span);
            return;
        }
        self.shapes.problems.push(
            Problem::error(
                Code::UnreadableWhenAbsent,
                field.span,
                format!(
                    "`{}` is serialized as null, but serde cannot read it when it is absent",
                    field.name
                ),
            )
            .label("the API server drops nulls")
            .help("add `#[serde(skip)]`: a `PhantomData` has nothing to write")
            .tolerated(),
        );
    }

    /// Returns the schema of a field with everything that is written on it.
    fn field_schema(
        &mut self,
        field: &Field,
        member: &Member,
        settings: &FieldSettings,
        field_type: &MemberType,
    ) -> Option<Schema> {
        let mut schema = match field_type {
            MemberType::Failed => return None,
            MemberType::Replaced if settings.schemaless.is_some() => Schema::default(),
            MemberType::Replaced => {
                let mut schema = self.shapes.member_schema(field, member, self.scope)?;
                schema.nullable &= !(member.wanted && self.shapes.conventions.trusts_derives());
                schema
            }
            // A second `Option` inside the first tells null from absent.
            MemberType::Resolved(resolved) => match resolved.optional() {
                Some(inner) => {
                    let schema = self.shapes.element(inner, field.field_type.span)?;
                    let is_null_too = self.shapes.writes_null_beside_options();
                    if is_null_too && !member.wanted {
                        self.shapes
                            .conventions
                            .nullable_field(schema, inner, self.shapes.program)
                    } else {
                        schema
                    }
                }
                None => self.shapes.resolved(resolved, field.field_type.span)?,
            },
        };
        if let Some(description) = self.shapes.texts().of_field(field) {
            schema.description = Some(description);
        }
        if let Some(title) = self.shapes.texts().title(field.description.as_deref()) {
            schema.title = Some(title.into());
        }
        schema.places.node = Some(field.span);
        if self.shapes.options.facts {
            note_facts(field, member, settings, field_type, &mut schema);
        }
        let is_applied = self
            .shapes
            .apply_stated(&field.attributes, &field.markers, self.scope, &mut schema);
        if self.shapes.follows_rust_exactly() {
            accept_null(&mut schema);
        }
        is_applied.then_some(schema)
    }

    /// Returns the type of a field, unless an attribute or marker puts something else in its place.
    fn member_type(&mut self, field: &Field, member: &Member, settings: &FieldSettings) -> MemberType {
        let by_code =
            member.custom.is_some() || member.schema_of.is_some() || member.schema_function.is_some();
        if settings.schemaless.is_some() || by_code {
            return MemberType::Replaced;
        }
        self.shapes
            .resolve(&field.field_type, self.scope)
            .map_or(MemberType::Failed, MemberType::Resolved)
    }

    /// Returns whether a field is required. Reports a field that may be absent but cannot be deserialized in that case.
    fn is_required(
        &mut self,
        field: &Field,
        member: &Member,
        settings: &FieldSettings,
        readable: Readable,
    ) -> bool {
        if let Some(span) = member.left_out
            && !readable.when_absent()
        {
            self.shapes.problems.push(
                Problem::error(
                    Code::LostWhenSkipped,
                    span,
                    "the field may be omitted when written, but cannot be read back",
                )
                .related(field.span, "neither an `Option` nor a field with a default")
                .help("add `default` to the same `#[serde(…)]`, or make the field an `Option`"),
            );
        }
        let by_module = optional_by_module(self.shapes.program, self.scope.module);
        let (optional, reason) = match (&settings.presence, by_module) {
            (Some(stated), _) => (stated.value == Presence::Optional, Some(stated.span)),
            (None, Some(span)) => (true, Some(span)),
            (None, None) => (readable.is_option || readable.has_serde_default, None),
        };
        if optional && !readable.when_absent() {
            let mut problem = Problem::error(
                Code::UnreadableWhenAbsent,
                field.span,
                format!("`{}` is optional, but serde cannot read it when it is absent", field.name),
            )
            .help("make it an `Option`, add `#[serde(default)]`, or give it a default with `+kubebuilder:default=…`");
            if let Some(reason) = reason {
                problem = problem.related(reason, "made optional here");
            }
            // A marker that is not meant for kgen makes nothing optional.
            if self.shapes.conventions.ignores_wrong_markers() {
                self.shapes.problems.push(problem.tolerated());
                return true;
            }
            self.shapes.problems.push(problem);
        }
        if !optional {
            self.check_written(field, member, reason, readable);
        }
        !optional
    }

    /// Reports a required field that the type may leave out, although it could read the object back.
    fn check_written(&mut self, field: &Field, member: &Member, reason: Option<Span>, readable: Readable) {
        let Some(span) = member.left_out else { return };
        // The API server fills in a default of the schema, and a field that cannot be read is already reported.
        if readable.has_schema_default || !readable.when_absent() {
            return;
        }
        let problem = Problem::error(
            Code::LostWhenSkipped,
            span,
            format!(
                "`{}` may be omitted when written, but the schema requires it",
                field.name
            ),
        );
        let problem = match reason {
            Some(reason) => problem.related(reason, "made required here"),
            None => problem,
        };
        self.shapes.problems.push(problem.help(
            "remove the marker, or always write the field: use a type that is not an `Option`, without `skip_serializing_if`",
        ));
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

/// Returns the place where the module of a struct makes its fields optional.
fn optional_by_module(program: &Program, module: ModuleId) -> Option<Span> {
    module_setting(program, module, |settings| settings.optional_by_default)
}

/// Returns what the markers of a module, or else of the nearest module around it, state.
pub(super) fn module_setting<T>(
    program: &Program,
    module: ModuleId,
    setting: impl Fn(ModuleSettings) -> Option<T>,
) -> Option<T> {
    let parent = |id: &ModuleId| program.module(*id)?.parent;
    std::iter::successors(Some(module), parent).find_map(|id| {
        let body = program.body(id)?;
        if body.markers.is_empty() {
            None
        } else {
            setting(module_settings(&body.markers))
        }
    })
}

/// The type of a field, as far as it matters.
enum MemberType {
    Resolved(Resolved),
    /// An attribute or marker says what the JSON is.
    Replaced,
    /// The type has a problem, which is reported.
    Failed,
}

/// Returns whether a value is of a type, as far as one is stated.
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

/// Adds the rules that a field gives its struct.
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

/// Notes how Rust writes a field, for lints.
fn note_facts(
    field: &Field,
    member: &Member,
    settings: &FieldSettings,
    field_type: &MemberType,
    schema: &mut Schema,
) {
    let is_option = matches!(field_type, MemberType::Resolved(resolved) if resolved.optional().is_some());
    if is_option {
        schema.places.set(Keyword::RustOption, field.span);
        if member.left_out.is_none() {
            schema.places.set(Keyword::WrittenAsNull, field.span);
        }
    }
    if let Some(stated) = settings
        .presence
        .as_ref()
        .filter(|stated| stated.value == Presence::Required)
    {
        schema.places.set(Keyword::RequiredStated, stated.span);
    }
}
