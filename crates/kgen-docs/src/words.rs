//! Constraints in words, each once.

use kgen_model::{JsonType, ListType, MapType, Number, Schema};
use serde_json::Value;

/// Formats of numbers that follow from the type and mean nothing to someone who writes an object.
const WIDTHS: &[&str] = &["int32", "int64", "float", "double"];

/// Returns the constraints of a value in words, such as "1 to 5" or "each item at most 9 characters".
#[must_use]
pub fn constraints(schema: &Schema) -> Vec<String> {
    let mut found = Vec::new();
    own(schema, &mut found);
    if let Some(items) = &schema.items {
        let mut inner = constraints(items);
        inner.retain(|words| !words.starts_with("each "));
        found.extend(inner.into_iter().map(|words| format!("each item {words}")));
    }
    if let Some(values) = &schema.additional_properties {
        let mut inner = constraints(values);
        inner.retain(|words| !words.starts_with("each "));
        found.extend(inner.into_iter().map(|words| format!("each value {words}")));
    }
    let mut seen = Vec::new();
    found.retain(|words: &String| {
        let is_new = !seen.contains(words);
        seen.push(words.clone());
        is_new
    });
    found
}

fn own(schema: &Schema, found: &mut Vec<String>) {
    let limits = &schema.constraints;
    if let Some(values) = &limits.enumeration {
        found.push(match values.as_slice() {
            [only] => format!("always {}", code(only)),
            several => format!(
                "one of {}",
                several.iter().map(code).collect::<Vec<_>>().join(", ")
            ),
        });
    }
    numbers(schema, found);
    counts(
        limits.min_length,
        limits.max_length,
        "character",
        "characters",
        found,
    );
    counts(limits.min_items, limits.max_items, "item", "items", found);
    counts(
        limits.min_properties,
        limits.max_properties,
        "entry",
        "entries",
        found,
    );
    if let Some(pattern) = &limits.pattern {
        found.push(format!("matches {}", quoted(pattern)));
    }
    if let Some(format) = schema.format().filter(|format| !WIDTHS.contains(format)) {
        found.push(format!("in the format {}", quoted(format)));
    }
    if limits.unique_items {
        found.push("no duplicates".to_owned());
    }
    match schema.list_type {
        Some(ListType::Set) => found.push("no duplicates".to_owned()),
        Some(ListType::Map) => {
            let keys: Vec<_> = schema.list_map_keys.iter().map(|key| quoted(key)).collect();
            found.push(format!("unique by {}", keys.join(", ")));
        }
        Some(ListType::Atomic) => found.push("replaced as a whole by server-side apply".to_owned()),
        None => {}
    }
    if schema.map_type == Some(MapType::Atomic) {
        found.push("replaced as a whole by server-side apply".to_owned());
    }
    if schema.nullable {
        found.push("may be null".to_owned());
    }
    if schema.embedded_resource {
        found.push("a whole Kubernetes object".to_owned());
    }
    if schema.preserve_unknown_fields && schema.json_type.is_some() {
        found.push("unknown fields are kept".to_owned());
    }
    for part in &limits.all_of {
        own(part, found);
    }
    combinations(schema, found);
}

fn numbers(schema: &Schema, found: &mut Vec<String>) {
    let limits = &schema.constraints;
    let low = limits.minimum.map(number);
    let high = limits.maximum.map(number);
    match (low, high, limits.exclusive_minimum, limits.exclusive_maximum) {
        // The width of an integer, which nobody who writes an object meets.
        (Some(low), Some(high), false, false) if is_width(&low, &high) => {}
        (Some(low), Some(high), false, false) if low == high => found.push(format!("exactly {low}")),
        (Some(low), Some(high), false, false) => found.push(format!("{low} to {high}")),
        (low, high, above, below) => {
            let low = low.map(|low| {
                if above {
                    format!("more than {low}")
                } else {
                    format!("at least {low}")
                }
            });
            let high = high.map(|high| {
                if below {
                    format!("less than {high}")
                } else {
                    format!("at most {high}")
                }
            });
            let both: Vec<_> = low.into_iter().chain(high).collect();
            if !both.is_empty() {
                found.push(both.join(" and "));
            }
        }
    }
    if let Some(factor) = limits.multiple_of {
        found.push(format!("a multiple of {}", number(factor)));
    }
}

/// Returns whether two bounds are those of an integer of 32 or 64 bits with a sign.
fn is_width(low: &str, high: &str) -> bool {
    [
        (i32::MIN.to_string(), i32::MAX.to_string()),
        (i64::MIN.to_string(), i64::MAX.to_string()),
    ]
    .iter()
    .any(|(least, most)| low == least && high == most)
}

fn counts(least: Option<i64>, most: Option<i64>, one: &str, many: &str, found: &mut Vec<String>) {
    let unit = |count: i64| if count == 1 { one } else { many };
    match (least.filter(|least| *least > 0), most) {
        (Some(least), Some(most)) if least == most => found.push(format!("exactly {most} {}", unit(most))),
        (Some(least), Some(most)) => found.push(format!("{least} to {most} {many}")),
        (Some(least), None) => found.push(format!("at least {least} {}", unit(least))),
        (None, Some(most)) => found.push(format!("at most {most} {}", unit(most))),
        (None, None) => {}
    }
}

/// Describes `oneOf`, `anyOf` and `not` as far as words can.
fn combinations(schema: &Schema, found: &mut Vec<String>) {
    let lists = [("exactly one", &schema.one_of), ("at least one", &schema.any_of)];
    for (amount, list) in lists {
        if list.is_empty() || schema.int_or_string {
            continue;
        }
        if let Some(names) = fields(list) {
            found.push(format!("{amount} of {} is set", names.join(", ")));
            continue;
        }
        let parts: Vec<_> = list.iter().filter_map(described).collect();
        if parts.len() == list.len() {
            found.push(format!("{amount} of these: {}", parts.join("; or ")));
        }
    }
    if let Some(not) = &schema.not {
        match (fields(std::slice::from_ref(not)), described(not)) {
            (Some(names), _) => found.push(format!("{} is not set", names.join(", "))),
            (None, Some(words)) => found.push(format!("not {words}")),
            (None, None) => found.push("not every value".to_owned()),
        }
    }
}

/// Returns the fields that alternatives require, if that is all that they say.
fn fields(list: &[Schema]) -> Option<Vec<String>> {
    list.iter()
        .map(|part| {
            let bare = Schema {
                required: part.required.clone(),
                ..Schema::default()
            };
            let names: Vec<_> = part.required.iter().map(|name| quoted(name)).collect();
            (!names.is_empty() && part.without_places() == bare).then(|| names.join(" with "))
        })
        .collect()
}

/// Returns what an alternative demands, in words.
fn described(schema: &Schema) -> Option<String> {
    let mut words = constraints(schema);
    if let Some(json_type) = schema.json_type {
        words.insert(0, article(json_type).to_owned());
    }
    if !schema.required.is_empty() {
        let names: Vec<_> = schema.required.iter().map(|name| quoted(name)).collect();
        words.push(format!("with {}", names.join(", ")));
    }
    for (name, property) in &schema.properties {
        let inner = constraints(property);
        if !inner.is_empty() {
            words.push(format!("{}: {}", quoted(name), inner.join(", ")));
        }
    }
    (!words.is_empty()).then(|| words.join(", "))
}

fn article(json_type: JsonType) -> &'static str {
    match json_type {
        JsonType::Array => "a list",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

/// Returns a text as code in Markdown.
#[must_use]
pub fn quoted(text: &str) -> String {
    let longest = text
        .split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') || text.is_empty() {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{}{space}{fence}", text.replace('\n', " "))
}

/// Returns a value as code in Markdown; strings without their quotes.
fn code(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(if text.is_empty() { "\"\"" } else { text }),
        other => quoted(&other.to_string()),
    }
}

fn number(number: Number) -> String {
    match number {
        Number::Integer(value) => value.to_string(),
        Number::Float(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use kgen_model::Constraints;

    use super::*;

    fn words(json_type: JsonType, limits: Constraints) -> Vec<String> {
        constraints(&Schema {
            constraints: limits.into(),
            ..Schema::of_type(json_type)
        })
    }

    #[test]
    fn bounds_are_ranges() {
        let of = |low: Option<i64>, high: Option<i64>| {
            words(
                JsonType::Integer,
                Constraints {
                    minimum: low.map(Number::Integer),
                    maximum: high.map(Number::Integer),
                    ..Constraints::default()
                },
            )
            .join("; ")
        };
        assert_eq!(of(Some(1), Some(5)), "1 to 5");
        assert_eq!(of(Some(1), None), "at least 1");
        assert_eq!(of(None, Some(5)), "at most 5");
        assert_eq!(of(Some(3), Some(3)), "exactly 3");
        assert_eq!(of(None, None), "");
        assert_eq!(of(Some(i32::MIN.into()), Some(i32::MAX.into())), "");
        assert_eq!(of(Some(0), Some(u16::MAX.into())), "0 to 65535");
    }

    #[test]
    fn widths_are_not_shown() {
        assert!(constraints(&Schema::integer("int32")).is_empty());
        assert_eq!(
            constraints(&Schema::string_format("date-time")),
            ["in the format `date-time`"]
        );
    }

    #[test]
    fn items_are_described() {
        let mut item = Schema::of_type(JsonType::String);
        item.constraints.max_length = Some(9);
        let mut list = Schema::array_of(item);
        list.constraints.unique_items = true;
        list.list_type = Some(ListType::Set);
        assert_eq!(
            constraints(&list),
            ["no duplicates", "each item at most 9 characters"]
        );
    }

    #[test]
    fn code_with_backquotes_is_code() {
        assert_eq!(quoted("a`b"), "``a`b``");
        assert_eq!(quoted("`"), "`` ` ``");
    }
}
