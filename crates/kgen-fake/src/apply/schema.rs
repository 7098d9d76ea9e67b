//! The structure of a type, as far as apply needs it: which values are structs, maps, lists, sets or single values.
//!
//! [`Schema::of_custom_resource`] takes it from a schema that `kgen-schema` has read. A value without a declared type is *deduced*: its maps are
//! merged by key, and its lists are single values. Validation keywords are left out.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use kgen_schema::{AdditionalProperties, JsonType, ListType};
use serde_json::{Value, json};

/// How deep a schema is read. Deeper values are deduced.
const MAX_DEPTH: usize = 128;

/// The structure of an object.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(crate) root: Type,
}

/// The structure of a value.
#[derive(Clone, Debug)]
pub(crate) enum Type {
    Declared(Arc<Shapes>),
    /// Maps are merged by key, lists are single values.
    Deduced,
    /// Maps and lists are single values.
    Untyped,
}

/// The shapes that a value may have. A type without a declared type may have all.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    pub(crate) map: Option<MapShape>,
    pub(crate) scalar: Option<Scalar>,
    pub(crate) list: Option<ListShape>,
}

/// The type of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Number,
    Text,
    Boolean,
    Any,
}

/// A struct or a map.
#[derive(Debug, Default)]
pub(crate) struct MapShape {
    pub(crate) fields: FieldMap,
    /// The type of entries that are not fields. `None` if they are not allowed.
    pub(crate) entries: Option<Type>,
    /// The map is a single value.
    pub(crate) is_atomic: bool,
}

/// The fields of a struct, sorted by name.
#[derive(Debug, Default)]
pub(crate) struct FieldMap(Vec<(String, Field)>);

impl FieldMap {
    pub(crate) fn get(&self, name: &str) -> Option<&Field> {
        self.get_near(name, &mut 0)
    }

    /// Returns a field. `place` is where the search begins, and then where the next field is: the entries of an object are
    /// usually sorted, too.
    pub(crate) fn get_near(&self, name: &str, place: &mut usize) -> Option<&Field> {
        if let Some((found, field)) = self.0.get(*place)
            && found == name
        {
            *place += 1;
            return Some(field);
        }
        let search = self.0.binary_search_by(|(found, _)| (**found).cmp(name));
        match search {
            Ok(found) => {
                *place = found + 1;
                self.0.get(found).map(|(_, field)| field)
            }
            Err(next) => {
                *place = next;
                None
            }
        }
    }
}

/// A field of a struct.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) type_: Type,
    pub(crate) default: Option<Value>,
    pub(crate) is_required: bool,
}

/// A list.
#[derive(Debug)]
pub(crate) struct ListShape {
    pub(crate) items: Type,
    pub(crate) kind: ListKind,
}

/// How the items of a list are identified.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ListKind {
    /// The list is a single value.
    Atomic,
    /// Items are identified by their value.
    Set,
    /// Items are identified by these fields.
    Map(Vec<String>),
}

/// The shape that a walk follows.
pub(crate) enum Shape<'s> {
    Map(&'s MapShape),
    Scalar(Scalar),
    List(&'s ListShape),
}

/// The shapes that are left after a look at a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Possible {
    map: bool,
    scalar: bool,
    list: bool,
}

static DEDUCED: LazyLock<Shapes> = LazyLock::new(|| Shapes {
    map: Some(MapShape {
        entries: Some(Type::Deduced),
        ..MapShape::default()
    }),
    scalar: Some(Scalar::Any),
    list: Some(ListShape {
        items: Type::Untyped,
        kind: ListKind::Atomic,
    }),
});

static UNTYPED: LazyLock<Shapes> = LazyLock::new(|| Shapes {
    map: Some(MapShape {
        entries: Some(Type::Untyped),
        is_atomic: true,
        ..MapShape::default()
    }),
    scalar: Some(Scalar::Any),
    list: Some(ListShape {
        items: Type::Untyped,
        kind: ListKind::Atomic,
    }),
});

/// The structure of `ObjectMeta`.
static METADATA: LazyLock<Type> = LazyLock::new(|| {
    let text = json!({"type": "string"});
    let texts = json!({"type": "object", "additionalProperties": text});
    let integer = json!({"type": "integer"});
    let time = json!({"type": "string", "format": "date-time"});
    let required_text = json!({"type": "string", "default": ""});
    let flag = json!({"type": "boolean"});
    let schema = json!({"type": "object", "properties": {
        "name": text, "generateName": text, "namespace": text, "selfLink": text, "uid": text,
        "resourceVersion": text, "generation": integer, "deletionGracePeriodSeconds": integer,
        "creationTimestamp": time, "deletionTimestamp": time,
        "labels": texts, "annotations": texts,
        "finalizers": {"type": "array", "items": text, "x-kubernetes-list-type": "set"},
        "ownerReferences": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"],
            "items": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
                "apiVersion": required_text, "kind": required_text, "name": required_text, "uid": required_text,
                "controller": flag, "blockOwnerDeletion": flag,
            }},
        },
        "managedFields": {"type": "array", "x-kubernetes-list-type": "atomic", "items": {
            "type": "object", "properties": {
                "manager": text, "operation": text, "apiVersion": text, "time": time, "fieldsType": text,
                "fieldsV1": {"type": "object"}, "subresource": text,
            },
        }},
    }});
    Reader::default().read(&read(&schema))
});

impl Schema {
    /// Takes the structure of a custom resource from its schema. The type and the metadata of the object are added, as in
    /// every resource.
    ///
    /// ```
    /// use kgen_fake::apply::Schema;
    ///
    /// let schema = kgen_schema::Schema::read(&serde_json::json!({"type": "object", "properties": {
    ///     "spec": {"type": "object", "properties": {"size": {"type": "integer"}}},
    /// }}))?;
    /// let schema = Schema::of_custom_resource(&schema);
    /// # Ok::<(), kgen_schema::ReadError>(())
    /// ```
    pub fn of_custom_resource(schema: &kgen_schema::Schema) -> Self {
        let root = Reader {
            is_resource: true,
            ..Reader::default()
        };
        Self {
            root: root.read(schema),
        }
    }

    /// Returns the schema of the subresource `scale`.
    pub fn scale() -> Self {
        let integer = json!({"type": "integer", "format": "int32"});
        Self::of_custom_resource(&read(&json!({"type": "object", "properties": {
            "spec": {"type": "object", "properties": {"replicas": integer}},
            "status": {"type": "object", "properties": {"replicas": integer, "selector": {"type": "string"}}},
        }})))
    }

    /// Returns an object with everything that Go has even in an empty one: values with the default `{}`, and required fields.
    pub(crate) fn empty(&self) -> Value {
        self.root.empty()
    }

    /// Returns the schema of objects about which nothing is known.
    pub fn deduced() -> Self {
        Self { root: Type::Deduced }
    }
}

impl Type {
    pub(crate) fn shapes(&self) -> &Shapes {
        match self {
            Self::Declared(shapes) => shapes,
            Self::Deduced => &DEDUCED,
            Self::Untyped => &UNTYPED,
        }
    }
}

impl Type {
    fn empty(&self) -> Value {
        let fields = self.shapes().map.iter().flat_map(|map| &map.fields.0);
        let values = fields.filter_map(|(name, field)| {
            let default = field.default.as_ref().and_then(Value::as_object);
            if default.is_some_and(serde_json::Map::is_empty) {
                return Some((name.clone(), field.type_.empty()));
            }
            field.is_required.then(|| (name.clone(), field.type_.zero()))
        });
        values.collect()
    }

    /// Returns Go's zero value.
    fn zero(&self) -> Value {
        match self.shapes() {
            Shapes { map: Some(_), .. } | Shapes { list: Some(_), .. } => Value::Null,
            Shapes {
                scalar: Some(Scalar::Number),
                ..
            } => Value::from(0),
            Shapes {
                scalar: Some(Scalar::Text),
                ..
            } => Value::from(""),
            Shapes {
                scalar: Some(Scalar::Boolean),
                ..
            } => Value::Bool(false),
            _ => Value::Null,
        }
    }
}

impl Shapes {
    /// Returns the shapes that the value leaves. Null fits everything, and a value that does not fit changes nothing.
    pub(crate) fn possible(&self, value: Option<&Value>) -> Possible {
        let all = Possible {
            map: self.map.is_some(),
            scalar: self.scalar.is_some(),
            list: self.list.is_some(),
        };
        let none = Possible {
            map: false,
            scalar: false,
            list: false,
        };
        match value {
            Some(Value::Object(_)) if all.map => Possible { map: true, ..none },
            Some(Value::Array(_)) if all.list => Possible { list: true, ..none },
            Some(Value::Bool(_) | Value::Number(_) | Value::String(_)) if all.scalar => {
                Possible { scalar: true, ..none }
            }
            _ => all,
        }
    }

    /// Returns the shape that a walk follows if these are possible.
    pub(crate) fn shape(&self, possible: Possible) -> Option<Shape<'_>> {
        let map = self.map.as_ref().filter(|_| possible.map).map(Shape::Map);
        let scalar = self.scalar.filter(|_| possible.scalar).map(Shape::Scalar);
        let list = self.list.as_ref().filter(|_| possible.list).map(Shape::List);
        map.or(scalar).or(list)
    }

    /// Returns the shape of a single value.
    pub(crate) fn shape_of(&self, value: &Value) -> Option<Shape<'_>> {
        let found = match value {
            Value::Object(_) => self.map.as_ref().map(Shape::Map),
            Value::Array(_) => self.list.as_ref().map(Shape::List),
            Value::Null => None,
            _ => self.scalar.map(Shape::Scalar),
        };
        if found.is_some() {
            return found;
        }
        self.shape(self.possible(None))
    }
}

impl MapShape {
    /// Returns the type of an entry, and whether it is a field. An entry that is not allowed is deduced.
    pub(crate) fn entry(&self, name: &str) -> (&Type, bool) {
        self.entry_near(name, &mut 0)
    }

    /// Returns the same as [`entry`](Self::entry), and searches as [`FieldMap::get_near`] does.
    pub(crate) fn entry_near(&self, name: &str, place: &mut usize) -> (&Type, bool) {
        match self.fields.get_near(name, place) {
            Some(field) => (&field.type_, true),
            None => (self.entries.as_ref().unwrap_or(&Type::Deduced), false),
        }
    }
}

/// Reads a schema of this file, which has no mistakes.
fn read(schema: &Value) -> kgen_schema::Schema {
    kgen_schema::Schema::read(schema).unwrap_or_default()
}

/// Walks through a schema.
#[derive(Clone, Copy, Default)]
struct Reader {
    depth: usize,
    /// Whether fields that are not declared are kept, here and below.
    keeps_unknown: bool,
    is_resource: bool,
}

impl Reader {
    fn read(mut self, schema: &kgen_schema::Schema) -> Type {
        if self.depth > MAX_DEPTH {
            return Type::Deduced;
        }
        self.keeps_unknown |= schema.preserve_unknown_fields;
        let scalar = |scalar: Scalar| Shapes {
            scalar: Some(scalar),
            ..Shapes::default()
        };
        let shapes = match schema.json_type {
            Some(JsonType::Object) => Shapes {
                map: Some(self.map(schema)),
                ..Shapes::default()
            },
            Some(JsonType::Array) => Shapes {
                list: Some(self.list(schema)),
                ..Shapes::default()
            },
            Some(JsonType::Integer | JsonType::Number) => scalar(Scalar::Number),
            Some(JsonType::Boolean) => scalar(Scalar::Boolean),
            Some(JsonType::String) if matches!(schema.format.as_deref(), None | Some("" | "byte")) => {
                scalar(Scalar::Text)
            }
            Some(JsonType::String) => scalar(Scalar::Any),
            None => Shapes {
                map: Some(self.map(schema)),
                scalar: Some(Scalar::Any),
                list: Some(self.list(schema)),
            },
        };
        Type::Declared(Arc::new(shapes))
    }

    fn below(self) -> Self {
        Self {
            depth: self.depth + 1,
            is_resource: false,
            ..self
        }
    }

    fn map(self, schema: &kgen_schema::Schema) -> MapShape {
        let mut fields = BTreeMap::new();
        for (name, property) in &schema.properties {
            let field = Field {
                type_: self.below().read(property),
                default: property.default.clone(),
                is_required: schema.required.contains(name),
            };
            fields.insert(name.clone(), field);
        }
        if self.is_resource || schema.embedded_resource {
            let text = Type::Declared(Arc::new(Shapes {
                scalar: Some(Scalar::Text),
                ..Shapes::default()
            }));
            // While metadata itself is read, nothing is a resource.
            for (name, type_) in [("apiVersion", &text), ("kind", &text), ("metadata", &*METADATA)] {
                let type_ = type_.clone();
                fields.insert(
                    name.to_owned(),
                    Field {
                        type_,
                        default: None,
                        is_required: false,
                    },
                );
            }
        }
        let entries = match &schema.additional_properties {
            None if self.keeps_unknown || fields.is_empty() => Some(Type::Deduced),
            Some(AdditionalProperties::Allowed(true)) => Some(Type::Deduced),
            None | Some(AdditionalProperties::Allowed(false)) => None,
            Some(AdditionalProperties::Schema(entries)) => Some(self.below().read(entries)),
        };
        MapShape {
            fields: FieldMap(fields.into_iter().collect()),
            entries,
            is_atomic: schema.atomic_map,
        }
    }

    fn list(self, schema: &kgen_schema::Schema) -> ListShape {
        let kind = match schema.list_type {
            ListType::Set => ListKind::Set,
            ListType::Map => ListKind::Map(schema.list_map_keys.clone()),
            ListType::Atomic => ListKind::Atomic,
        };
        let items = schema.items.as_ref();
        ListShape {
            items: items.map_or(Type::Untyped, |items| self.below().read(items)),
            kind,
        }
    }
}
