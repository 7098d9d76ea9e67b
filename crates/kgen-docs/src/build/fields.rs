//! Walks the schema of a version and its Rust types side by side. The schema decides what is there, and the types decide the
//! order and the names.

use std::collections::BTreeSet;
use std::sync::Arc;

use kgen_model::{JsonType, KindVersion, RustField, RustRole, RustType, RustTypes, Schema};
use serde_json::Value;

use super::{kubernetes, variants};
use crate::model::{Field, Rule, TypeName};
use crate::words;

/// The deepest level of fields.
const DEEPEST: usize = 64;

/// The rule of fields that cannot change.
const IMMUTABLE: &str = "self == oldSelf";

/// The context of a walk.
pub(super) struct Walk<'a> {
    pub(super) rust: &'a RustTypes,
    pub(super) inline_kubernetes: bool,
    /// The schema of the version, as the API server reads it.
    pub(super) schema: Option<&'a kgen_schema::Schema>,
}

/// The value within lists and maps: its schema, its Rust type, and how to get there.
struct Inner<'a> {
    schema: &'a Schema,
    rust: Option<&'a RustType>,
    read: Option<&'a kgen_schema::Schema>,
    before: String,
    steps: String,
}

impl<'a> Walk<'a> {
    /// Returns the fields of whole objects, without those that all objects have.
    pub(super) fn root(&self, version: &'a KindVersion) -> Vec<Field> {
        let rust = version.rust.as_ref().map(|rust| rust.fields.as_slice());
        let mut fields = self.fields(&version.schema, rust, self.schema, "", 0);
        fields.retain(|field| !matches!(field.name.as_str(), "apiVersion" | "kind" | "metadata"));
        fields
    }

    fn fields(
        &self,
        schema: &'a Schema,
        rust: Option<&'a [RustField]>,
        read: Option<&'a kgen_schema::Schema>,
        path: &str,
        depth: usize,
    ) -> Vec<Field> {
        if depth > DEEPEST {
            return Vec::new();
        }
        let mut ordered = Vec::new();
        self.in_order(rust.unwrap_or_default(), &mut ordered, 0);
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        let mut add = |name: &'a str, property: &'a Arc<Schema>, rust: Option<&'a RustField>| {
            if !seen.insert(name) || self.is_hidden(rust) {
                return;
            }
            let path = if path.is_empty() {
                name.to_owned()
            } else {
                format!("{path}.{name}")
            };
            let read = read.and_then(|read| read.property(name));
            let mut field = self.field(property, rust, read, path, depth);
            field.name = name.to_owned();
            field.rust_name = rust.map_or_else(|| name.to_owned(), |rust| rust.name.clone());
            field.is_required = schema.required.contains(name);
            found.push(field);
        };
        for rust in ordered {
            if let Some((name, property)) = schema.properties.get_key_value(&rust.json_name) {
                add(name, property, Some(rust));
            }
        }
        let mut others: Vec<_> = schema.properties.iter().collect();
        others.sort_by_key(|(name, property)| {
            let place = property.places.node.map(|span| (span.file, span.start));
            (place.is_none(), place, name.as_str())
        });
        for (name, property) in others {
            add(name, property, None);
        }
        found
    }

    /// Collects the fields of a struct in the order of the source; flattened structs are in place of their field.
    fn in_order(&self, fields: &'a [RustField], ordered: &mut Vec<&'a RustField>, depth: usize) {
        for field in fields {
            let inner = field.field_type.as_ref().map(bare);
            let inside = inner.and_then(|inner| self.rust.structs.get(&inner.path));
            match inside.filter(|_| field.flatten && depth < DEEPEST) {
                Some(inside) => self.in_order(&inside.fields, ordered, depth + 1),
                None => ordered.push(field),
            }
        }
    }

    fn is_hidden(&self, field: Option<&RustField>) -> bool {
        let Some(field) = field else { return false };
        let own = field.field_type.as_ref().and_then(innermost);
        let types = |path| {
            let of_struct = self.rust.structs.get(path).map(|found| found.is_hidden);
            of_struct.or_else(|| self.rust.enums.get(path).map(|found| found.is_hidden))
        };
        field.is_hidden || own.and_then(|own| types(&own.path)).unwrap_or_default()
    }

    fn field(
        &self,
        schema: &'a Schema,
        rust: Option<&'a RustField>,
        read: Option<&'a kgen_schema::Schema>,
        path: String,
        depth: usize,
    ) -> Field {
        let rust_type = rust
            .filter(|rust| rust.custom.is_none())
            .and_then(|rust| rust.field_type.as_ref());
        let inner = inner(schema, rust_type, read);
        let own = inner.rust.map(bare);
        let url = own.and_then(|own| kubernetes::page(&own.path, self.rust.kubernetes_minor));
        let is_linked = url.is_some() && !self.inline_kubernetes;
        let described_struct = own.and_then(|own| self.rust.structs.get(&own.path));
        let described_enum = own.and_then(|own| self.rust.enums.get(&own.path));
        let is_own = described_struct.is_some() || described_enum.is_some();
        let (is_immutable, rules) = rules(schema);
        let description = schema
            .description
            .clone()
            .or_else(|| rust.and_then(|rust| rust.description.clone()));
        let noted = rust.and_then(|rust| rust.deprecated.as_deref().map(str::to_owned));
        let values = described_enum
            .into_iter()
            .flat_map(|described| &described.variants);
        let variants = described_enum.and_then(|described| variants::of(described, inner.read, self.rust));
        let path_inside = format!("{path}{}", inner.steps);
        let fields = if is_linked {
            Vec::new()
        } else {
            let rust = described_struct.map(|described| described.fields.as_slice());
            self.fields(inner.schema, rust, inner.read, &path_inside, depth + 1)
        };
        Field {
            type_name: TypeName {
                name: match own.filter(|_| url.is_some()) {
                    Some(own) => own.path.name().to_owned(),
                    None => json_name(inner.schema).to_owned(),
                },
                before: inner.before,
                url,
            },
            default: schema.default.as_ref().map(Value::to_string),
            deprecated: noted.or_else(|| deprecation(description.as_deref())),
            constraints: constraints(schema, is_linked),
            rules,
            is_immutable,
            example: schema.example.as_deref().map(Value::to_string),
            external: schema
                .external_documentation
                .as_deref()
                .map(|link| (link.url.clone(), link.description.clone())),
            values: values
                .filter(|_| variants.is_none())
                .filter_map(|variant| Some((variant.json_name.clone(), variant.description.clone()?)))
                .collect(),
            variants,
            own_type: own.filter(|_| is_own).map(|own| own.path.name().to_owned()),
            span: rust.map(|rust| rust.span).or(schema.places.node),
            description,
            fields,
            path,
            ..Field::default()
        }
    }
}

/// Returns the constraints in words. Those within a type with a page of its own are there.
fn constraints(schema: &Schema, is_linked: bool) -> Vec<String> {
    let mut found = words::constraints(schema);
    if is_linked {
        let is_scalar = schema.items.is_none() && schema.additional_properties.is_none();
        found.retain(|words| !is_scalar && !words.starts_with("each "));
    }
    found
}

/// Returns whether the value cannot change, and its other rules.
pub(super) fn rules(schema: &Schema) -> (bool, Vec<Rule>) {
    let is_immutable = |rule: &str| rule.replace(' ', "") == IMMUTABLE.replace(' ', "");
    let all = &schema.constraints.rules;
    let others = all
        .iter()
        .filter(|rule| !is_immutable(&rule.rule))
        .map(|rule| Rule {
            message: rule.message.clone(),
            rule: rule.rule.clone(),
        });
    (all.iter().any(|rule| is_immutable(&rule.rule)), others.collect())
}

/// Returns the paragraph after `Deprecated:`.
fn deprecation(description: Option<&str>) -> Option<String> {
    let mut paragraphs = description?.split("\n\n").map(str::trim);
    paragraphs.find_map(|paragraph| {
        let note = paragraph.strip_prefix("Deprecated:")?;
        Some(note.trim().to_owned())
    })
}

/// Returns the type without `Option` and pointers.
fn bare(field_type: &RustType) -> &RustType {
    let mut found = field_type;
    while matches!(found.role, RustRole::Optional | RustRole::Pointer) {
        match found.arguments.first() {
            Some(inside) => found = inside,
            None => break,
        }
    }
    found
}

/// Returns the type of the items of lists and of the values of maps.
fn innermost(field_type: &RustType) -> Option<&RustType> {
    let mut found = bare(field_type);
    loop {
        found = match found.role {
            RustRole::List | RustRole::Array(_) => bare(found.arguments.first()?),
            RustRole::Map => bare(found.arguments.get(1)?),
            _ => return Some(found),
        };
    }
}

fn inner<'a>(
    schema: &'a Schema,
    rust: Option<&'a RustType>,
    read: Option<&'a kgen_schema::Schema>,
) -> Inner<'a> {
    let mut inner = Inner {
        schema,
        rust: rust.map(bare),
        read,
        before: String::new(),
        steps: String::new(),
    };
    loop {
        let role = inner.rust.map(|rust| rust.role);
        let argument = |index: usize| {
            let rust = inner.rust?;
            rust.arguments.get(index).map(bare)
        };
        if let Some(items) = &inner.schema.items {
            inner.rust = match role {
                Some(RustRole::List | RustRole::Array(_)) => argument(0),
                _ => None,
            };
            inner.schema = items;
            inner.read = inner.read.and_then(|read| read.items.as_deref());
            inner.before.push_str("list of ");
            inner.steps.push_str("[]");
        } else if let Some(values) = &inner.schema.additional_properties {
            inner.rust = match role {
                Some(RustRole::Map) => argument(1),
                _ => None,
            };
            inner.schema = values;
            inner.read = inner.read.and_then(kgen_schema::Schema::additional_schema);
            inner.before.push_str("map of ");
            inner.steps.push_str("[]");
        } else {
            return inner;
        }
    }
}

/// Returns the name of a type in JSON.
fn json_name(schema: &Schema) -> &'static str {
    if schema.int_or_string {
        return "integer or string";
    }
    schema.json_type.map_or("any value", JsonType::word)
}
