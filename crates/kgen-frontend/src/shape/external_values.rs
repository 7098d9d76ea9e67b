//! What functions and methods of the standard library, of kube and of k8s-openapi make of their arguments.

use serde_json::{Map, Value, json};

/// The value of a function of a type that kgen knows without its source. The path of the type is whole where it could be
/// resolved, and as it is written otherwise.
pub(super) fn call(path: &str, name: &str, arguments: &[Value]) -> Option<Value> {
    let owner = path.rsplit("::").next().unwrap_or(path);
    match (owner, name, arguments) {
        ("" | "Option", "Some", [value]) | ("", "Quantity", [value]) => Some(value.clone()),
        ("resource", "Quantity", [value]) => Some(value.clone()),
        ("IntOrString", "Int" | "String", [value]) => Some(value.clone()),
        ("Box" | "Arc" | "Rc" | "Cow" | "Wrapping", "new" | "from" | "Borrowed" | "Owned", [value]) => {
            Some(value.clone())
        }
        (_, "new" | "new_unchecked", [value @ Value::Number(_)]) if owner.starts_with("NonZero") => {
            Some(value.clone())
        }
        ("Duration", _, _) => duration(path, name, arguments),
        ("String", "new" | "default", []) => Some(Value::from("")),
        ("Vec" | "VecDeque" | "BTreeSet" | "HashSet" | "IndexSet", "new" | "default", []) => {
            Some(Value::Array(Vec::new()))
        }
        ("Vec" | "String", "with_capacity", [_]) => Some(if owner == "Vec" { json!([]) } else { json!("") }),
        ("BTreeMap" | "HashMap" | "IndexMap", "new" | "default", []) => Some(Value::Object(Map::new())),
        ("BTreeMap" | "HashMap" | "IndexMap", "from" | "from_iter", [Value::Array(pairs)]) => {
            map_of(pairs).map(Value::Object)
        }
        (_, "from" | "from_iter", [value]) => converted(value.clone()),
        _ => None,
    }
}

/// The value of a method that takes nothing, or nothing that matters.
pub(super) fn method(receiver: Value, name: &str) -> Option<Value> {
    match name {
        "to_string" => match &receiver {
            Value::Number(number) => Some(Value::from(number.to_string())),
            Value::Bool(boolean) => Some(Value::from(boolean.to_string())),
            _ => Some(receiver),
        },
        "into" => converted(receiver),
        "collect" => {
            let pairs = receiver
                .as_array()
                .filter(|list| !list.is_empty())
                .and_then(|list| map_of(list));
            Some(pairs.map_or(receiver, Value::Object))
        }
        "unwrap" | "expect" => (!receiver.is_null()).then_some(receiver),
        "to_owned" | "clone" | "iter" | "into_iter" | "cloned" | "copied" | "to_vec" | "as_str"
        | "into_boxed_str" | "as_ref" => Some(receiver),
        "to_lowercase" => Some(Value::from(receiver.as_str()?.to_lowercase())),
        "to_uppercase" => Some(Value::from(receiver.as_str()?.to_uppercase())),
        _ => None,
    }
}

/// A value in another type. Lists, texts and numbers stay what they are; a struct becomes what code makes of it.
fn converted(value: Value) -> Option<Value> {
    match &value {
        Value::Object(_) => None,
        Value::Array(list) => match map_of(list) {
            Some(map) if !map.is_empty() => Some(Value::Object(map)),
            _ => Some(value),
        },
        _ => Some(value),
    }
}

/// The map of a list of pairs.
fn map_of(pairs: &[Value]) -> Option<Map<String, Value>> {
    let mut object = Map::new();
    for pair in pairs {
        let [key, value] = pair.as_array()?.as_slice() else {
            return None;
        };
        object.insert(key.as_str()?.to_owned(), value.clone());
    }
    Some(object)
}

/// A duration of the standard library as serde writes it.
fn duration(path: &str, name: &str, arguments: &[Value]) -> Option<Value> {
    if !matches!(path, "std::time::Duration" | "core::time::Duration") {
        return None;
    }
    let number = |index: usize| arguments.get(index).and_then(Value::as_u64);
    const BILLION: u64 = 1_000_000_000;
    let (seconds, nanoseconds) = match name {
        "from_secs" => (number(0)?, 0),
        "from_mins" => (number(0)?.checked_mul(60)?, 0),
        "from_hours" => (number(0)?.checked_mul(3600)?, 0),
        "from_millis" => (number(0)? / 1_000, number(0)? % 1_000 * 1_000_000),
        "from_micros" => (number(0)? / 1_000_000, number(0)? % 1_000_000 * 1_000),
        "from_nanos" => (number(0)? / BILLION, number(0)? % BILLION),
        "new" => (
            number(0)?.checked_add(number(1)? / BILLION)?,
            number(1)? % BILLION,
        ),
        "default" => (0, 0),
        _ => return None,
    };
    Some(json!({ "secs": seconds, "nanos": nanoseconds }))
}
