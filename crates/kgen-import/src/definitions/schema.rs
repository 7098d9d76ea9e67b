//! Reads schemas, keyword by keyword.

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{
    Constraints, ExternalDocumentation, JsonType, Keyword, ListType, MapType, Number, Rule, Schema,
};
use serde_json::Value;

use super::Strictness;
use super::keywords::Keywords;
use crate::yaml::{Content, Node};

/// The deepest nesting of schemas that is read.
const DEEPEST: usize = 200;

/// The keywords that a schema of a CRD may have. Others are dropped by the API server.
const KNOWN: &[&str] = &[
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
    "uniqueItems",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];

/// Reads the schema of one version.
pub(super) struct SchemaReader<'v> {
    pub(super) problems: Problems,
    /// Whether the schema requires a field that every object has.
    pub(super) requires_type_or_metadata: bool,
    version: &'v str,
    strictness: Strictness,
}

impl<'v> SchemaReader<'v> {
    pub(super) fn new(version: &'v str, strictness: Strictness) -> Self {
        Self {
            problems: Problems::new(),
            requires_type_or_metadata: false,
            version,
            strictness,
        }
    }

    /// Reads the schema of the whole object. The fields that every object has are left out, apart from bounds
    /// in `metadata`.
    pub(super) fn root(&mut self, node: &Node, span: Span) -> Schema {
        let mut schema = self.schema(node, span, self.version, 0);
        for name in ["apiVersion", "kind", "metadata"] {
            self.requires_type_or_metadata |= schema.required.remove(name);
        }
        schema.properties.remove("apiVersion");
        schema.properties.remove("kind");
        if let Some(metadata) = schema.properties.get("metadata")
            && metadata.properties.is_empty()
        {
            schema.properties.remove("metadata");
        }
        schema
    }

    /// Reads one schema. `span` is the place by which users know it: the key of its property.
    fn schema(&mut self, node: &Node, span: Span, path: &str, depth: usize) -> Schema {
        let mut schema = Schema::default();
        schema.places.node = Some(span);
        if depth > DEEPEST {
            let message = format!("`{path}` is nested more than {DEEPEST} levels deep");
            self.problems.push(Problem::error(Code::Limit, span, message));
            return schema;
        }
        if !matches!(node.content, Content::Map(_)) {
            let message = format!("`{path}` must be a schema, but it is {}", node.words());
            self.problems
                .push(Problem::error(Code::InvalidDefinition, node.span, message));
            return schema;
        }
        let read = Keywords { node, path };
        self.note_unknown(node, path);
        self.note_places(node, &mut schema);
        let mut refused = self.types(&read, &mut schema);
        self.texts(&read, &mut schema);
        self.extensions(&read, &mut schema);
        schema.constraints = self.constraints(&read).into();
        refused.extend(self.children(&read, &mut schema, depth));
        for (span, message) in refused {
            super::structural::refuse(span, message, &mut schema, self.strictness, &mut self.problems);
        }
        schema
    }

    fn note_unknown(&mut self, node: &Node, path: &str) {
        for entry in node.entries() {
            if !KNOWN.contains(&entry.key.as_str()) && !entry.value.is_null() {
                let message = format!("the keyword `{}` of `{path}` is left out", entry.key);
                let mut problem = Problem::note(Code::ImportLoss, message)
                    .help("the API server refuses or drops it, so it has no effect");
                problem.span = Some(entry.key_span);
                self.problems.push(problem);
            }
        }
    }

    /// Remembers where keywords are written.
    fn note_places(&mut self, node: &Node, schema: &mut Schema) {
        for entry in node.entries() {
            let keyword = match entry.key.as_str() {
                "default" => Keyword::Default,
                "enum" => Keyword::Enum,
                "example" => Keyword::Example,
                "format" => Keyword::Format,
                "pattern" => Keyword::Pattern,
                "type" => Keyword::Type,
                "minimum" => Keyword::Minimum,
                "maximum" => Keyword::Maximum,
                "multipleOf" => Keyword::MultipleOf,
                "minLength" => Keyword::MinLength,
                "maxLength" => Keyword::MaxLength,
                "minItems" => Keyword::MinItems,
                "maxItems" => Keyword::MaxItems,
                "minProperties" => Keyword::MinProperties,
                "maxProperties" => Keyword::MaxProperties,
                "uniqueItems" => Keyword::UniqueItems,
                "x-kubernetes-list-type" => Keyword::ListType,
                "x-kubernetes-list-map-keys" => Keyword::ListMapKeys,
                "x-kubernetes-map-type" => Keyword::MapType,
                _ => continue,
            };
            schema.places.set(keyword, entry.key_span);
        }
    }

    /// Reads the type, and returns why it is refused.
    fn types(&mut self, read: &Keywords<'_, '_>, schema: &mut Schema) -> Vec<(Span, String)> {
        let Some(word) = read.text("type", &mut self.problems) else {
            return Vec::new();
        };
        schema.json_type = JsonType::from_word(word);
        if schema.json_type.is_some() {
            return Vec::new();
        }
        let span = read.node.get("type").map_or(read.node.span, |node| node.span);
        let message = format!("`{}` has the type `{word}`, which does not exist", read.path);
        vec![(span, message)]
    }

    fn texts(&mut self, read: &Keywords<'_, '_>, schema: &mut Schema) {
        let problems = &mut self.problems;
        schema.description = read.text("description", problems).map(str::to_owned);
        schema.title = read.text("title", problems).map(Into::into);
        schema.nullable = read.flag("nullable", problems);
        schema.default = read.node.get("default").map(value);
        schema.example = read.node.get("example").map(|node| Box::new(value(node)));
        if let Some(link) = read.map("externalDocs", problems) {
            let link = Keywords {
                node: link,
                path: "externalDocs",
            };
            schema.external_documentation = Some(Box::new(ExternalDocumentation {
                url: link.text("url", problems).unwrap_or_default().to_owned(),
                description: link.text("description", problems).map(str::to_owned),
            }));
        }
    }

    fn extensions(&mut self, read: &Keywords<'_, '_>, schema: &mut Schema) {
        let problems = &mut self.problems;
        schema.preserve_unknown_fields = read.flag("x-kubernetes-preserve-unknown-fields", problems);
        schema.embedded_resource = read.flag("x-kubernetes-embedded-resource", problems);
        schema.int_or_string = read.flag("x-kubernetes-int-or-string", problems);
        let keys = read.texts("x-kubernetes-list-map-keys", problems);
        let keys: Vec<_> = keys.into_iter().map(|(key, _)| key.to_owned()).collect();
        schema.list_map_keys = keys.into();
        if let Some(word) = read.text("x-kubernetes-list-type", problems) {
            schema.list_type = ListType::from_word(word);
            self.known_word(read, "x-kubernetes-list-type", schema.list_type.is_some());
        }
        if let Some(word) = read.text("x-kubernetes-map-type", &mut self.problems) {
            schema.map_type = MapType::from_word(word);
            self.known_word(read, "x-kubernetes-map-type", schema.map_type.is_some());
        }
    }

    fn known_word(&mut self, read: &Keywords<'_, '_>, key: &str, is_known: bool) {
        if !is_known && let Some(node) = read.node.get(key) {
            let message = format!("`{}.{key}` has a value that does not exist", read.path);
            self.problems
                .push(Problem::error(Code::StructuralSchema, node.span, message));
        }
    }

    fn constraints(&mut self, read: &Keywords<'_, '_>) -> Constraints {
        let problems = &mut self.problems;
        let values: Vec<Value> = read.list("enum", problems).iter().map(value).collect();
        Constraints {
            format: read.text("format", problems).map(str::to_owned),
            pattern: read.text("pattern", problems).map(str::to_owned),
            enumeration: (!values.is_empty()).then(|| without_doubles(values)),
            minimum: read.number("minimum", problems),
            exclusive_minimum: read.flag("exclusiveMinimum", problems),
            maximum: read.number("maximum", problems),
            exclusive_maximum: read.flag("exclusiveMaximum", problems),
            multiple_of: read
                .number("multipleOf", problems)
                .filter(|number| *number != Number::Integer(0)),
            min_length: read.integer("minLength", problems),
            max_length: read.integer("maxLength", problems),
            min_items: read.integer("minItems", problems),
            max_items: read.integer("maxItems", problems),
            min_properties: read.integer("minProperties", problems),
            max_properties: read.integer("maxProperties", problems),
            unique_items: read.flag("uniqueItems", problems),
            rules: self.rules(read),
            all_of: Vec::new(),
        }
    }

    fn rules(&mut self, read: &Keywords<'_, '_>) -> Vec<Rule> {
        let problems = &mut self.problems;
        let mut rules = Vec::new();
        for (index, node) in read.list("x-kubernetes-validations", problems).iter().enumerate() {
            let path = format!("{}.x-kubernetes-validations[{index}]", read.path);
            let read = Keywords { node, path: &path };
            let Some((rule, span)) = read.needed("rule", problems) else {
                continue;
            };
            let text = |key: &str, problems: &mut Problems| read.text(key, problems).map(str::to_owned);
            rules.push(Rule {
                rule: rule.to_owned(),
                message: text("message", problems),
                message_expression: text("messageExpression", problems),
                reason: text("reason", problems),
                field_path: text("fieldPath", problems),
                optional_old_self: read.optional_flag("optionalOldSelf", problems),
                span: Some(span),
                ..Rule::default()
            });
        }
        rules
    }

    /// Reads the schemas inside a schema, and returns why some of them are refused.
    fn children(
        &mut self,
        read: &Keywords<'_, '_>,
        schema: &mut Schema,
        depth: usize,
    ) -> Vec<(Span, String)> {
        let mut refused = Vec::new();
        let path = read.path;
        if let Some(properties) = read.map("properties", &mut self.problems) {
            for entry in properties.entries() {
                if entry.value.is_null() {
                    continue;
                }
                let path = format!("{path}.{}", entry.key);
                let property = self.schema(&entry.value, entry.key_span, &path, depth + 1);
                schema.properties.insert(entry.key.clone(), Arc::new(property));
            }
        }
        let required = read.texts("required", &mut self.problems);
        schema
            .required
            .extend(required.into_iter().map(|(name, _)| name.to_owned()));
        if let Some(node) = read.node.get("additionalProperties") {
            let span = key_span(read.node, "additionalProperties");
            match &node.content {
                Content::Scalar(Value::Bool(true)) => {
                    schema.additional_properties = Some(Arc::new(Schema::anything()));
                }
                Content::Scalar(Value::Bool(false)) => {
                    let message = format!("`{path}` forbids other properties, which a CRD cannot do");
                    refused.push((span, message));
                }
                _ => {
                    let values = self.schema(node, span, &format!("{path}{{}}"), depth + 1);
                    schema.additional_properties = Some(Arc::new(values));
                }
            }
        }
        if let Some(node) = read.node.get("items") {
            let span = key_span(read.node, "items");
            if matches!(node.content, Content::List(_)) {
                let message = format!("`{path}` has a list of schemas for its items, but needs one for all");
                refused.push((span, message));
            } else {
                let items = self.schema(node, span, &format!("{path}[]"), depth + 1);
                schema.items = Some(Arc::new(items));
            }
        }
        schema.constraints.all_of = self.parts(read, "allOf", depth);
        if schema.constraints.all_of.is_empty() {
            let constraints = std::mem::take(&mut schema.constraints).into_inner();
            schema.constraints = constraints.into();
        }
        schema.any_of = self.parts(read, "anyOf", depth).into();
        schema.one_of = self.parts(read, "oneOf", depth).into();
        if let Some(node) = read.node.get("not") {
            let span = key_span(read.node, "not");
            let part = self.schema(node, span, &format!("{path}.not"), depth + 1);
            schema.not = Some(Arc::new(part));
        }
        refused
    }

    fn parts(&mut self, read: &Keywords<'_, '_>, key: &str, depth: usize) -> Vec<Schema> {
        let nodes = read.list(key, &mut self.problems).iter().enumerate();
        nodes
            .map(|(index, node)| {
                let path = format!("{}.{key}[{index}]", read.path);
                self.schema(node, node.span, &path, depth + 1)
            })
            .collect()
    }
}

fn key_span(node: &Node, key: &str) -> Span {
    let entry = node.entries().iter().find(|entry| entry.key == key);
    entry.map_or(node.span, |entry| entry.key_span)
}

/// Returns a value with whole numbers as integers, as the API server writes them.
fn value(node: &Node) -> Value {
    match &node.content {
        Content::Scalar(number @ Value::Number(_)) => {
            Number::from_json(number).map_or_else(|| number.clone(), Number::to_json)
        }
        Content::Scalar(other) => other.clone(),
        Content::List(items) => items.iter().map(value).collect(),
        Content::Map(entries) => entries
            .iter()
            .map(|entry| (entry.key.clone(), value(&entry.value)))
            .collect(),
    }
}

/// Removes values that are listed a second time.
fn without_doubles(values: Vec<Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::with_capacity(values.len());
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}
