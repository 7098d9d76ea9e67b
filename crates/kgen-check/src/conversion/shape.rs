//! The JSON shape of values: whether a value of one version can be copied to the other one.
//!
//! Bounds, patterns, formats of strings and rules are not part of the shape, because conversion does not validate.

use kgen_model::{JsonType, RustRoot, RustType, Schema};

/// Returns whether both schemas describe the same shape.
pub(super) fn is_same(older: &Schema, newer: &Schema) -> bool {
    let kind = |schema: &Schema| {
        (
            schema.json_type,
            schema.int_or_string,
            schema.preserve_unknown_fields,
            schema.embedded_resource,
        )
    };
    let children =
        |left: &Option<std::sync::Arc<Schema>>, right: &Option<std::sync::Arc<Schema>>| match (left, right) {
            (Some(left), Some(right)) => is_same(left, right),
            (None, None) => true,
            _ => false,
        };
    kind(older) == kind(newer)
        && older.properties.len() == newer.properties.len()
        && older
            .properties
            .iter()
            .zip(&newer.properties)
            .all(|((left_name, left), (right_name, right))| left_name == right_name && is_same(left, right))
        && children(&older.items, &newer.items)
        && children(&older.additional_properties, &newer.additional_properties)
        && values(older) == values(newer)
        && numbers(older) == numbers(newer)
}

/// Returns the values of an enumeration, in a fixed order.
fn values(schema: &Schema) -> Option<Vec<String>> {
    let values = schema.constraints.enumeration.as_ref()?;
    let mut texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    texts.sort();
    Some(texts)
}

/// Returns the format of a number, which tells its width.
fn numbers(schema: &Schema) -> Option<&str> {
    matches!(schema.json_type, Some(JsonType::Integer | JsonType::Number))
        .then(|| schema.format())
        .flatten()
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Same,
    /// Every older value is a newer one.
    Wider,
    /// Every newer value is an older one.
    Narrower,
    /// Neither.
    Different,
}

/// Compares two numbers. Returns `None` if one of the values is not a number.
pub(super) fn compare_numbers(
    older: (Option<&RustType>, &Schema),
    newer: (Option<&RustType>, &Schema),
) -> Option<Width> {
    let (older_class, older_low, older_high) = range(older.0, older.1)?;
    let (newer_class, newer_low, newer_high) = range(newer.0, newer.1)?;
    if older_class != newer_class {
        return None;
    }
    let fits = |inner: (i128, i128), outer: (i128, i128)| outer.0 <= inner.0 && inner.1 <= outer.1;
    let (older, newer) = ((older_low, older_high), (newer_low, newer_high));
    Some(match (fits(older, newer), fits(newer, older)) {
        (true, true) => Width::Same,
        (true, false) => Width::Wider,
        (false, true) => Width::Narrower,
        (false, false) => Width::Different,
    })
}

/// Returns the class and the smallest and largest values of a number.
fn range(rust: Option<&RustType>, schema: &Schema) -> Option<(JsonType, i128, i128)> {
    let language = rust.filter(|rust| rust.path.root == RustRoot::Language);
    let (low, high) = match language.map(|rust| rust.path.name()) {
        Some("i8") => (i8::MIN.into(), i8::MAX.into()),
        Some("i16") => (i16::MIN.into(), i16::MAX.into()),
        Some("i32") => (i32::MIN.into(), i32::MAX.into()),
        Some("i64" | "isize") => (i64::MIN.into(), i64::MAX.into()),
        Some("u8") => (0, u8::MAX.into()),
        Some("u16") => (0, u16::MAX.into()),
        Some("u32") => (0, u32::MAX.into()),
        Some("u64" | "usize") => (0, u64::MAX.into()),
        Some("f32") => return Some((JsonType::Number, 0, 1)),
        Some("f64") => return Some((JsonType::Number, 0, 2)),
        // Types with a name of their own are told apart by the format of their schema.
        _ => match (schema.json_type, schema.format()) {
            (Some(JsonType::Integer), Some("int32")) => (i32::MIN.into(), i32::MAX.into()),
            (Some(JsonType::Integer), Some("int64")) => (i64::MIN.into(), i64::MAX.into()),
            (Some(JsonType::Number), Some("float")) => return Some((JsonType::Number, 0, 1)),
            (Some(JsonType::Number), Some("double")) => return Some((JsonType::Number, 0, 2)),
            _ => return None,
        },
    };
    Some((JsonType::Integer, low, high))
}
