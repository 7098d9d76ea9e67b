//! Applying the markers of one level to a schema.
//!
//! The input is the resolved schema of the type, so every check sees through names. The constraints of the markers on
//! this level are collected separately and then combined with the existing ones.

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{Constraints, DescriptionLimit, JsonType, Keyword, Rule, Schema, Sparse};
use serde_json::Value;

use crate::marker::{Marker, Outcome, Place};
use crate::settings::field_settings;
use crate::value::quoted_list;

/// A schema while the markers of one level are applied to it.
pub(crate) struct Node<'a> {
    /// The schema; its constraints are those of the levels below.
    pub(crate) schema: &'a mut Schema,
    /// The constraints of this level.
    pub(crate) stated: Sparse<Constraints>,
    /// Whether this level says how a list merges; then its first key takes the place of inherited ones.
    pub(crate) replaces_keys: bool,
    /// Where this level replaces the constraints of the levels below, instead of narrowing them.
    pub(crate) overrides: Option<Span>,
    /// The limit of the descriptions of the value and of everything inside of it.
    pub(crate) descriptions: DescriptionLimit,
}

/// Applies all schema markers of one level, of a type or of a field, to `schema`.
///
/// By priority, in source order within one; `items:` markers after the others, on the items of the list. Markers
/// without an effect on schemas are passed over. Rules of this level come before the inherited ones.
pub fn apply_to_schema(markers: &[Marker], schema: &mut Schema, problems: &mut Problems) {
    let (for_items, rest): (Vec<_>, Vec<_>) = markers.iter().partition(|marker| marker.items);
    let (for_values, own): (Vec<_>, Vec<_>) = rest
        .into_iter()
        .partition(|marker| marker.effect.for_values().is_some());
    apply_level(own, schema, problems);
    apply_to_values(&for_values, schema, problems);
    if for_items.is_empty() {
        return;
    }
    let node = schema.places.node;
    match (schema.json_type, schema.items.as_mut()) {
        (Some(JsonType::Array), Some(items)) => {
            let items = Arc::make_mut(items);
            items.places.node = items.places.node.or(node);
            apply_level(for_items, items, problems);
        }
        _ => problems.extend(
            for_items
                .into_iter()
                .map(|marker| inapplicable(&marker.place, Shape::Array, schema)),
        ),
    }
}

/// Applies the markers that others carry to the items of a list or the values of a map, all of them as one level.
fn apply_to_values(carriers: &[&Marker], schema: &mut Schema, problems: &mut Problems) {
    let Some(first) = carriers.first() else { return };
    let mut inner = Vec::with_capacity(carriers.len());
    for marker in carriers.iter().filter_map(|carrier| carrier.effect.for_values()) {
        let settings = field_settings(std::slice::from_ref(marker));
        if settings.presence.is_some() || settings.forbidden.is_some() {
            let message = format!(
                "`{}` is not allowed for the items of a list or map",
                marker.name()
            );
            problems.push(Problem::error(
                Code::InapplicableMarker,
                marker.name_span(),
                message,
            ));
        } else {
            inner.push(marker.clone());
        }
    }
    match schema.items.as_mut().or(schema.additional_properties.as_mut()) {
        Some(values) => apply_to_schema(&inner, Arc::make_mut(values), problems),
        None => {
            let message = format!("`{}` must be on a list or a map", first.place.name());
            problems.extend(
                carriers
                    .iter()
                    .map(|carrier| carrier.place.problem(Code::InapplicableMarker, message.clone())),
            );
        }
    }
}

fn apply_level(mut markers: Vec<&Marker>, schema: &mut Schema, problems: &mut Problems) {
    markers.sort_by_key(|marker| marker.definition.priority);
    let variants = variants(schema);
    let mut node = Node {
        schema,
        stated: Sparse::default(),
        replaces_keys: false,
        overrides: None,
        descriptions: DescriptionLimit::Unlimited,
    };
    for marker in markers {
        problems.take(marker.effect.on_schema(&mut node));
    }
    let Node {
        schema,
        mut stated,
        overrides,
        descriptions,
        ..
    } = node;
    descriptions.apply_to(schema);
    if let (Some(variants), Some(values)) = (variants, &stated.enumeration)
        && values.iter().any(|value| variants.contains(value))
    {
        problems.extend(unknown_variants(values, &variants, schema));
    }
    let mut inherited = std::mem::take(&mut schema.constraints);
    if let Some(span) = overrides
        && !inherited.give_way(&stated)
    {
        problems.push(
            Problem::warning(
                Code::InapplicableMarker,
                span,
                "there is no validation of the type to override here",
            )
            .help("remove the marker, or state the validation that replaces that of the type"),
        );
    }
    if stated.inherit(inherited).is_err() {
        let message = "the type does not allow any value of this enumeration";
        problems.push(match schema.places.of(Keyword::Enum) {
            Some(span) => {
                Problem::error(Code::EmptyEnum, span, message).help("list at least one value of the type")
            }
            None => Problem::general(Code::EmptyEnum, message),
        });
    }
    schema.constraints = stated;
}

/// Returns the variants of a Rust enum. An enumeration that another marker states may be wider on purpose.
fn variants(schema: &Schema) -> Option<Vec<Value>> {
    match schema.places.stated(Keyword::Enum) {
        Some(_) => None,
        None => schema.constraints.enumeration.clone(),
    }
}

/// Reports values of an enumeration that are left out of the schema, because serde could not read them.
fn unknown_variants(values: &[Value], variants: &[Value], schema: &Schema) -> Vec<Problem> {
    let Some(span) = schema.places.of(Keyword::Enum) else {
        return Vec::new();
    };
    let unknown = values.iter().filter(|value| !variants.contains(value));
    let problem = |value: &Value| {
        let words: Vec<&str> = variants.iter().filter_map(Value::as_str).collect();
        let message = format!("no variant of the enum is serialized as `{value}`, so the schema omits it");
        Problem::warning(Code::InvalidEnumValue, span, message)
            .help(format!("the variants are {}", quoted_list(&words)))
    };
    unknown.map(problem).collect()
}

/// The kind of node that a marker requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Number,
    Text,
    Array,
    Object,
}

impl Shape {
    fn words(self) -> &'static str {
        match self {
            Self::Number => "an integer or a number",
            Self::Text => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }

    fn fits(self, schema: &Schema) -> bool {
        match self {
            Self::Number => {
                matches!(schema.json_type, Some(JsonType::Integer | JsonType::Number)) || schema.int_or_string
            }
            Self::Text => schema.json_type == Some(JsonType::String) || schema.int_or_string,
            Self::Array => schema.json_type == Some(JsonType::Array),
            Self::Object => schema.json_type == Some(JsonType::Object),
        }
    }
}

/// Describes the type of a schema.
fn described(schema: &Schema) -> &'static str {
    match schema.json_type {
        Some(JsonType::Array) if schema.items.is_none() => "an array whose items are not described",
        Some(JsonType::Array) => "an array",
        Some(JsonType::Boolean) => "a boolean",
        Some(JsonType::Integer) => "an integer",
        Some(JsonType::Number) => "a number",
        Some(JsonType::Object) => "an object",
        Some(JsonType::String) => "a string",
        None if schema.int_or_string => "an integer or a string",
        None => "a value of any type",
    }
}

fn inapplicable(place: &Place, shape: Shape, schema: &Schema) -> Problem {
    let message = format!("`{}` must be on {}", place.name(), shape.words());
    let problem = place
        .problem(Code::InapplicableMarker, message)
        .label(format!("this is {}", described(schema)));
    match (schema.json_type, shape) {
        (None, _) if !schema.int_or_string => {
            problem.help("state the type of the value with `+kubebuilder:validation:Type=…`")
        }
        (Some(JsonType::Array), _) if !place.name().contains(":items:") && items_fit(schema, shape) => {
            problem.help(format!(
                "write `+{}` to apply it to the items",
                items_form(place.name())
            ))
        }
        _ => problem,
    }
}

fn items_fit(schema: &Schema, shape: Shape) -> bool {
    schema.items.as_ref().is_some_and(|items| shape.fits(items))
}

fn items_form(name: &str) -> String {
    match name.strip_prefix("kubebuilder:validation:") {
        Some(bare) => format!("kubebuilder:validation:items:{bare}"),
        None => format!("k8s:eachVal=+{name}=…"),
    }
}

impl Node<'_> {
    /// Makes sure that a stated type is not another scalar than the Rust type writes, which it could never read.
    ///
    /// A wider or narrower number can be meant, and a list or an object may have serde code of its own.
    pub(crate) fn require_type(&self, place: &Place, stated: Option<JsonType>) -> Outcome {
        let (Some(own), Some(stated)) = (self.schema.json_type, stated) else {
            return Ok(());
        };
        let is_number = |json_type| matches!(json_type, JsonType::Integer | JsonType::Number);
        let is_scalar =
            |json_type| is_number(json_type) || matches!(json_type, JsonType::String | JsonType::Boolean);
        if own == JsonType::Integer && stated == JsonType::Number {
            let message = "a schema of type `number` accepts `1.5`, but the Rust type reads only integers";
            return Err(place
                .problem(Code::InapplicableMarker, message)
                .help("remove the marker, or give the field a floating-point type"));
        }
        if own == stated || !is_scalar(own) || !is_scalar(stated) || is_number(own) && is_number(stated) {
            return Ok(());
        }
        let message = format!(
            "the Rust type is serialized as `{}`, which a schema of type `{}` refuses",
            own.word(),
            stated.word()
        );
        Err(place
            .problem(Code::InapplicableMarker, message)
            .help("remove the marker, or give the field a type that is serialized that way"))
    }

    /// Makes sure that the node is what the marker needs.
    pub(crate) fn require(&self, place: &Place, shape: Shape) -> Outcome {
        if shape.fits(self.schema) {
            Ok(())
        } else {
            Err(inapplicable(place, shape, self.schema))
        }
    }

    /// Remembers where a keyword is stated.
    pub(crate) fn note(&mut self, keyword: Keyword, place: &Place) {
        self.schema.places.set(keyword, place.span());
    }

    /// Declares the node as an embedded resource. The API server describes `apiVersion`, `kind` and `metadata` itself, so
    /// fields without any schema are left out.
    pub(crate) fn embed(&mut self, place: &Place) {
        self.schema.embedded_resource = true;
        self.note(Keyword::EmbeddedResource, place);
        for name in ["apiVersion", "kind", "metadata"] {
            let is_empty = |property: &Schema| {
                let bare = Schema {
                    description: None,
                    ..property.without_places()
                };
                bare == Schema::default()
            };
            if self
                .schema
                .properties
                .get(name)
                .is_some_and(|property| is_empty(property))
            {
                self.schema.properties.remove(name);
                self.schema.required.remove(name);
            }
        }
    }

    /// Adds a CEL rule that the marker at `place` states.
    pub(crate) fn add_rule(&mut self, place: &Place, rule: Rule) {
        self.stated.rules.push(Rule {
            span: Some(place.span()),
            ..rule
        });
    }

    /// Gives the node another type, and drops what only the old one could have.
    pub(crate) fn replace_type(&mut self, json_type: Option<JsonType>) {
        if self.schema.json_type == json_type && !self.schema.int_or_string {
            return;
        }
        let old = std::mem::take(self.schema);
        *self.schema = Schema {
            json_type,
            title: old.title,
            description: old.description,
            external_documentation: old.external_documentation,
            default: old.default,
            example: old.example,
            nullable: old.nullable,
            preserve_unknown_fields: old.preserve_unknown_fields,
            embedded_resource: old.embedded_resource && json_type == Some(JsonType::Object),
            constraints: fitting(old.constraints.into_inner(), json_type).into(),
            places: old.places,
            descriptors: old.descriptors,
            ..Schema::default()
        };
    }
}

/// Returns the constraints that still mean something for another type.
fn fitting(old: Constraints, json_type: Option<JsonType>) -> Constraints {
    let mut new = Constraints {
        rules: old.rules,
        ..Constraints::default()
    };
    let fits = |value: &Value| match json_type {
        Some(JsonType::String) => value.is_string(),
        Some(JsonType::Boolean) => value.is_boolean(),
        Some(JsonType::Integer) => value.is_i64() || value.is_u64(),
        Some(JsonType::Number) => value.is_number(),
        Some(JsonType::Array) => value.is_array(),
        Some(JsonType::Object) => value.is_object(),
        None => true,
    };
    new.enumeration = old.enumeration.filter(|values| values.iter().all(fits));
    if matches!(json_type, Some(JsonType::Integer | JsonType::Number) | None) {
        new.minimum = old.minimum;
        new.exclusive_minimum = old.exclusive_minimum;
        new.maximum = old.maximum;
        new.exclusive_maximum = old.exclusive_maximum;
        new.multiple_of = old.multiple_of;
    }
    if matches!(json_type, Some(JsonType::String) | None) {
        new.format = old.format;
        new.pattern = old.pattern;
        new.min_length = old.min_length;
        new.max_length = old.max_length;
    }
    if matches!(json_type, Some(JsonType::Array) | None) {
        new.min_items = old.min_items;
        new.max_items = old.max_items;
        new.unique_items = old.unique_items;
    }
    if matches!(json_type, Some(JsonType::Object) | None) {
        new.min_properties = old.min_properties;
        new.max_properties = old.max_properties;
    }
    new
}
