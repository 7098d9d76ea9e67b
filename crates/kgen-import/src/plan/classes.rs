//! Finds the schemas of a version that need a type, and gives equal ones the same type.

use std::collections::VecDeque;

use kgen_diagnostics::Span;
use kgen_model::{JsonType, KindVersion, Schema};
use rustc_hash::FxHashMap;

use super::naming;
use super::rust_type::OBJECT_META;
use super::words;
use super::{ClassId, Digest, Digests, below_version};
use crate::compatible;
use crate::definitions::Definition;
use crate::kubernetes::{KubernetesTypes, Place};
use crate::options::{self, Enums, Options};

/// A kind of a version.
#[derive(Clone, Copy)]
pub(crate) struct KindSource<'a> {
    pub(crate) definition: &'a Definition,
    pub(crate) version: &'a KindVersion,
}

/// The sort of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Struct,
    Enum,
}

/// Schemas that share one type.
#[derive(Debug)]
pub(crate) struct Class<'a> {
    pub(crate) sort: Sort,
    /// The first schema.
    pub(crate) schema: &'a Schema,
    /// The path of the first use, such as `Kind.spec.template[]`.
    pub(crate) path: String,
    /// The name that the class would like, and the class around it.
    pub(crate) wanted: String,
    pub(crate) parent: Option<ClassId>,
    /// The description on which all uses agree so far.
    pub(crate) description: Option<Option<&'a str>>,
    /// Whether a list or map has values of the class, so that no field has their description.
    pub(crate) is_inner: bool,
    pub(crate) name: String,
    /// The classes that its fields use.
    pub(crate) uses: Vec<ClassId>,
}

/// All classes of a version.
#[derive(Debug, Default)]
pub(crate) struct Classes<'a> {
    pub(crate) list: Vec<Class<'a>>,
    by_key: FxHashMap<(Content, String), ClassId>,
    digests: Digests,
    /// The class of each schema, by its address.
    by_node: FxHashMap<usize, ClassId>,
    /// The type that the user gives a schema, by its address.
    replaced: FxHashMap<usize, String>,
    /// The type of Kubernetes that a schema is, by its address.
    kubernetes: FxHashMap<usize, &'static str>,
    /// Objects that are a type of Kubernetes with fewer fields.
    pub(crate) extended: Vec<Extended>,
    /// The paths of all schemas with their classes.
    pub(crate) paths: Vec<(String, Option<ClassId>)>,
    /// The classes that each kind uses directly.
    pub(crate) of_kinds: Vec<Vec<ClassId>>,
}

/// The parts that are equal in the schemas of a class.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Content {
    Object(Digest),
    Values(Vec<String>),
}

/// An object that becomes a type of Kubernetes with additional fields.
#[derive(Debug)]
pub(crate) struct Extended {
    pub(crate) path: String,
    pub(crate) name: &'static str,
    pub(crate) additional: Vec<String>,
    pub(crate) span: Option<Span>,
}

/// A schema that waits for its turn.
struct Waiting<'a> {
    schema: &'a Schema,
    path: String,
    /// The name that the place suggests.
    hint: String,
    version: &'a str,
    parent: Option<ClassId>,
    kind: usize,
    is_inner: bool,
}

/// Returns the properties of a schema in the order of the fields: as they are written, if that is not alphabetical, and
/// required ones first otherwise.
pub(crate) fn in_field_order(schema: &Schema) -> Vec<(&String, &Schema)> {
    let mut properties: Vec<(&String, &Schema)> = schema
        .properties
        .iter()
        .map(|(name, property)| (name, property.as_ref()))
        .collect();
    properties.sort_by_key(|(_, property)| property.places.node.map(|span| span.start));
    if properties.is_sorted_by_key(|(name, _)| *name) {
        properties.sort_by_key(|(name, _)| !schema.required.contains(*name));
    }
    properties
}

/// Returns whether a schema needs a struct.
pub(crate) fn is_struct(schema: &Schema) -> bool {
    schema.json_type == Some(JsonType::Object)
        && schema.additional_properties.is_none()
        && (!schema.properties.is_empty() || !schema.preserve_unknown_fields)
}

/// Returns whether the metadata of an embedded resource is an object without properties. The API server keeps everything in it.
fn is_kept_metadata(schema: &Schema) -> bool {
    is_struct(schema) && schema.properties.is_empty()
}

/// Returns whether a schema becomes a Rust enum.
pub(crate) fn is_enum(schema: &Schema, options: &Options) -> bool {
    options.enums != Enums::Text
        && schema.json_type == Some(JsonType::String)
        // The API server looks for `null` among the values, too, so kgen gives an optional Rust enum another schema.
        && !schema.nullable
        && schema.format().is_none()
        && schema
            .constraints
            .enumeration
            .as_ref()
            .is_some_and(|values| variants(values).is_some())
}

/// Returns the variants of an enumeration with their values, or `None` if they do not have distinct names.
pub(crate) fn variants(values: &[serde_json::Value]) -> Option<Vec<(String, String)>> {
    let mut variants: Vec<(String, String)> = Vec::with_capacity(values.len());
    for value in values {
        let value = value.as_str()?;
        let mut name = words::variant(value, "Value")?;
        if variants.iter().any(|(known, _)| *known == name) {
            name.push_str(if value.chars().any(char::is_uppercase) {
                "Uppercase"
            } else {
                "Lowercase"
            });
        }
        if variants.iter().any(|(known, _)| *known == name) {
            return None;
        }
        variants.push((name, value.to_owned()));
    }
    Some(variants)
}

impl<'a> Classes<'a> {
    /// Finds all classes of some kinds, those nearest to the root first.
    pub(crate) fn of(kinds: &[KindSource<'a>], options: &Options) -> Self {
        let mut classes = Self {
            of_kinds: vec![Vec::new(); kinds.len()],
            ..Self::default()
        };
        let mut queue = VecDeque::new();
        for (kind, source) in kinds.iter().enumerate() {
            let name = &source.version.kind;
            classes.digests.add(&source.version.schema);
            for (property, schema) in in_field_order(&source.version.schema) {
                if property == "metadata" {
                    continue;
                }
                queue.push_back(Waiting {
                    schema,
                    path: format!("{name}.{property}"),
                    hint: match property.as_str() {
                        "spec" | "status" => format!("{}{}", words::type_name(name), words::pascal(property)),
                        other => other.to_owned(),
                    },
                    version: &source.version.version,
                    parent: None,
                    kind,
                    is_inner: false,
                });
            }
        }
        while let Some(next) = queue.pop_front() {
            classes.visit(next, options, &mut queue);
        }
        classes
    }

    fn visit(&mut self, next: Waiting<'a>, options: &Options, queue: &mut VecDeque<Waiting<'a>>) {
        let schema = next.schema;
        let is_meant = |(path, _): &&(String, String)| below_version(path, next.version) == next.path;
        if let Some((_, rust_type)) = options.types.iter().find(is_meant) {
            self.replaced.insert(address(schema), rust_type.clone());
            self.paths.push((next.path, None));
            return;
        }
        let place = self.paths.len();
        self.paths.push((next.path.clone(), None));
        if let Some(rust_type) = self.kubernetes_type(&next, options) {
            self.kubernetes.insert(address(schema), rust_type);
            return;
        }
        let sort = if is_struct(schema) {
            Sort::Struct
        } else if is_enum(schema, options) {
            Sort::Enum
        } else {
            let inner = schema
                .items
                .as_deref()
                .or(schema.additional_properties.as_deref());
            // A value without a type is read as it is, and a marker describes its contents.
            if let Some(inner) = inner.filter(|_| schema.json_type.is_some()) {
                let suffix = if schema.items.is_some() { "[]" } else { "{}" };
                queue.push_back(Waiting {
                    schema: inner,
                    path: format!("{}{suffix}", next.path),
                    hint: words::singular(&next.hint),
                    is_inner: true,
                    ..next
                });
            }
            return;
        };
        let wanted = naming::wanted(schema, sort, &next.hint, &next.path);
        let key = (self.content(schema, sort), wanted.clone());
        let description = schema.description.as_deref();
        let (id, is_new) = match self.by_key.get(&key) {
            Some(id) => (*id, false),
            None => (ClassId(self.list.len()), true),
        };
        self.by_node.insert(address(schema), id);
        if let Some((_, class)) = self.paths.get_mut(place) {
            *class = Some(id);
        }
        match next.parent.and_then(|parent| self.list.get_mut(parent.0)) {
            Some(parent) => parent.uses.push(id),
            None => {
                if let Some(kind) = self.of_kinds.get_mut(next.kind) {
                    kind.push(id);
                }
            }
        }
        if !is_new {
            if let Some(class) = self.list.get_mut(id.0) {
                class.is_inner |= next.is_inner;
                if class.description != Some(description) {
                    class.description = None;
                }
            }
            return;
        }
        self.by_key.insert(key, id);
        self.list.push(Class {
            sort,
            schema,
            path: next.path.clone(),
            wanted,
            parent: next.parent,
            description: Some(description),
            is_inner: next.is_inner,
            name: String::new(),
            uses: Vec::new(),
        });
        for (property, inner) in in_field_order(schema) {
            if schema.embedded_resource && property == "metadata" && is_kept_metadata(inner) {
                self.replaced.insert(address(inner), OBJECT_META.to_owned());
                continue;
            }
            queue.push_back(Waiting {
                schema: inner,
                path: format!("{}.{property}", next.path),
                hint: property.clone(),
                version: next.version,
                parent: Some(id),
                kind: next.kind,
                is_inner: false,
            });
        }
    }

    /// Returns what is equal for schemas that can share a type: everything except the parts that a field states.
    fn content(&self, schema: &Schema, sort: Sort) -> Content {
        if sort == Sort::Struct
            && let Some(digests) = self.digests.get(schema)
        {
            return Content::Object(digests.content);
        }
        let values = schema.constraints.enumeration.as_deref().unwrap_or_default();
        Content::Values(values.iter().map(ToString::to_string).collect())
    }

    /// Returns the path of the type of Kubernetes that a schema is.
    fn kubernetes_type(&mut self, next: &Waiting<'a>, options: &Options) -> Option<&'static str> {
        let schema = next.schema;
        // The spec and the status of a kind are its own, and so is a type that the user names.
        let is_root = next.path.matches('.').count() == 1 && next.parent.is_none() && !next.is_inner;
        let is_named = |(path, _): &(String, String)| {
            below_version(path, next.version)
                .strip_prefix(next.path.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '{']))
        };
        if options.kubernetes_types == options::KubernetesTypes::Own
            || is_root
            || !is_struct(schema)
            || options.names.iter().chain(&options.types).any(is_named)
        {
            return None;
        }
        let types = KubernetesTypes::get();
        let place = Place {
            hint: &next.hint,
            schema,
        };
        let digest = self.digests.get(schema)?.shape;
        if let Some(found) = place.choose(types.find(digest, options.kubernetes_minor)) {
            return Some(found.path);
        }
        if options.kubernetes_types == options::KubernetesTypes::Exact {
            return None;
        }
        let fitting = compatible::find(types, &place)?;
        self.extended.push(Extended {
            path: next.path.clone(),
            name: fitting.found.name(),
            additional: fitting.additional,
            span: schema.places.node,
        });
        Some(fitting.found.path)
    }

    /// Returns the path of the type of Kubernetes that a schema is.
    pub(crate) fn kubernetes(&self, schema: &Schema) -> Option<&'static str> {
        self.kubernetes.get(&address(schema)).copied()
    }

    /// Returns the names of the types of Kubernetes that are used.
    pub(crate) fn kubernetes_names(&self) -> impl Iterator<Item = &'static str> {
        self.kubernetes
            .values()
            .filter_map(|path| path.rsplit("::").next())
    }

    /// Returns the type that the user gives a schema.
    pub(crate) fn replacement(&self, schema: &Schema) -> Option<&str> {
        self.replaced.get(&address(schema)).map(String::as_str)
    }

    /// Returns the class of a schema.
    pub(crate) fn class_of(&self, schema: &Schema) -> Option<ClassId> {
        self.by_node.get(&address(schema)).copied()
    }

    /// Returns the description of the type itself, if its uses need one and agree on it.
    pub(crate) fn description(&self, id: ClassId) -> Option<&'a str> {
        let class = self
            .get(id)
            .filter(|class| class.is_inner && class.sort == Sort::Struct)?;
        class.description.flatten()
    }

    pub(crate) fn get(&self, id: ClassId) -> Option<&Class<'a>> {
        self.list.get(id.0)
    }
}

pub(super) fn address(schema: &Schema) -> usize {
    std::ptr::from_ref(schema) as usize
}
