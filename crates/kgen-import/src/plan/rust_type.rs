//! Rust types as the plan has them, and the schemas that kgen gives them.

use kgen_model::{Constraints, JsonType, Number, Schema};

use super::ClassId;

/// A Rust type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RustType {
    /// A type of the language.
    Primitive(&'static str),
    /// A type of another crate, by its path.
    Foreign(String),
    /// A type of the plan.
    Class(ClassId),
    /// `Option`.
    Optional(Box<RustType>),
    /// `Vec`.
    List(Box<RustType>),
    /// `BTreeMap` with strings as keys.
    Map(Box<RustType>),
}

impl RustType {
    pub(crate) fn foreign(path: &str) -> Self {
        Self::Foreign(path.to_owned())
    }

    pub(crate) fn optional(self) -> Self {
        Self::Optional(Box::new(self))
    }
}

/// Paths of types that have no schema of their own to compare.
pub(crate) const VALUE: &str = "serde_json::Value";
pub(crate) const JSON_MAP: &str = "serde_json::Map";
pub(crate) const OBJECT_META: &str = "k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta";
pub(crate) const TIME: &str = "k8s_openapi::apimachinery::pkg::apis::meta::v1::Time";
pub(crate) const BYTES: &str = "k8s_openapi::ByteString";
pub(crate) const INT_OR_STRING: &str = "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString";
pub(crate) const QUANTITY: &str = "k8s_openapi::apimachinery::pkg::api::resource::Quantity";
pub(crate) const RAW_EXTENSION: &str = "k8s_openapi::apimachinery::pkg::runtime::RawExtension";

/// The pattern of a quantity.
const QUANTITY_PATTERN: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Returns the Rust type of a schema that needs no type of its own, and the schema that kgen gives this type. Lists and maps
/// are not among them.
pub(crate) fn scalar(schema: &Schema, own_times: bool) -> (RustType, Schema) {
    let plain = |name: &'static str, base: Schema| (RustType::Primitive(name), base);
    let foreign = |path: &str, base: Schema| (RustType::foreign(path), base);
    // A type beside the flag has no effect, but some CRDs have it.
    if schema.int_or_string {
        let mut base = Schema::int_or_string();
        let is_quantity =
            schema.json_type.is_none() && schema.constraints.pattern.as_deref() == Some(QUANTITY_PATTERN);
        if is_quantity {
            base.constraints.pattern = Some(QUANTITY_PATTERN.to_owned());
            return foreign(QUANTITY, base);
        }
        return foreign(INT_OR_STRING, base);
    }
    match schema.json_type {
        Some(JsonType::String) => match schema.format() {
            Some("date-time") if !own_times && !shows_fractions(schema) => {
                foreign(TIME, Schema::string_format("date-time"))
            }
            Some("byte") if !own_times => foreign(BYTES, Schema::string_format("byte")),
            _ => plain("String", Schema::of_type(JsonType::String)),
        },
        Some(JsonType::Boolean) => plain("bool", Schema::of_type(JsonType::Boolean)),
        Some(JsonType::Integer) => integer(schema),
        Some(JsonType::Number) => plain("f64", Schema::of_type(JsonType::Number)),
        Some(JsonType::Object) if schema.embedded_resource && schema.preserve_unknown_fields => {
            foreign(RAW_EXTENSION, open_object())
        }
        Some(JsonType::Object) => foreign(JSON_MAP, open_object()),
        Some(JsonType::Array) | None => foreign(VALUE, Schema::anything()),
    }
}

/// Returns whether a value of the schema shows fractions of a second, which `Time` drops.
fn shows_fractions(schema: &Schema) -> bool {
    let texts = [schema.default.as_ref(), schema.example.as_deref()];
    let is_precise = schema
        .description
        .as_deref()
        .is_some_and(|text| text.contains("MicroTime"));
    is_precise
        || texts
            .into_iter()
            .flatten()
            .filter_map(serde_json::Value::as_str)
            .any(|text| text.contains('.'))
}

fn open_object() -> Schema {
    Schema {
        preserve_unknown_fields: true,
        ..Schema::of_type(JsonType::Object)
    }
}

/// Returns the integer type whose bounds the schema has.
fn integer(schema: &Schema) -> (RustType, Schema) {
    let bounds = (schema.constraints.minimum, schema.constraints.maximum);
    let integer = |name: &'static str, format: &'static str, minimum: Option<i64>, maximum: Option<i64>| {
        let constraints = Constraints {
            minimum: minimum.map(Number::Integer),
            maximum: maximum.map(Number::Integer),
            ..Constraints::default()
        };
        let base = Schema {
            constraints: constraints.into(),
            ..Schema::integer(format)
        };
        (RustType::Primitive(name), base)
    };
    let has = |minimum: i64, maximum: Option<i64>| {
        bounds == (Some(Number::Integer(minimum)), maximum.map(Number::Integer))
            && !schema.constraints.exclusive_minimum
            && !schema.constraints.exclusive_maximum
    };
    match schema.format() {
        Some("int32") => integer("i32", "int32", None, None),
        Some("uint8") if has(0, Some(255)) => integer("u8", "int32", Some(0), Some(255)),
        Some("uint16") if has(0, Some(65_535)) => integer("u16", "int32", Some(0), Some(65_535)),
        Some("uint32") if has(0, Some(4_294_967_295)) => {
            integer("u32", "int64", Some(0), Some(4_294_967_295))
        }
        Some("uint64" | "uint") if has(0, None) => integer("u64", "int64", Some(0), None),
        _ => integer("i64", "int64", None, None),
    }
}
