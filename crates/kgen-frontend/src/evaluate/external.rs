//! Functions and constants of other crates, known by name: the standard library, serde_json, schemars, kube and
//! k8s-openapi. A name of any other crate is not known.

use super::builders;
use super::types::IntegerType;
use super::value::Value;

/// Crates whose names are known.
const CRATES: &[&str] = &[
    "alloc",
    "core",
    "indexmap",
    "k8s_openapi",
    "kube",
    "kube_core",
    "lazy_static",
    "once_cell",
    "regex",
    "schemars",
    "serde_json",
    "std",
];

/// Crates whose source is never read for a value, because everything relevant in them is known.
pub(super) fn is_known_without_source(path: &[String]) -> bool {
    path.first()
        .is_some_and(|first| first != "k8s_openapi" && CRATES.contains(&first.as_str()))
}

/// Returns whether the names of a path mean what they usually mean: those of a known crate, and those that are not
/// found.
pub(super) fn is_trusted(path: &[String]) -> bool {
    match path.split_last() {
        None | Some((_, [])) => true,
        Some((_, [owner])) => {
            !owner.chars().next().is_some_and(char::is_lowercase) || is_primitive(owner) || in_crate(path)
        }
        Some(_) => in_crate(path),
    }
}

fn in_crate(path: &[String]) -> bool {
    let before = path.split_last().map(|(_, before)| before).unwrap_or_default();
    before.iter().any(|name| CRATES.contains(&name.as_str()))
}

fn is_primitive(name: &str) -> bool {
    IntegerType::named(name).is_some() || matches!(name, "bool" | "char" | "str" | "f32" | "f64")
}

/// Returns whether `new`, `default`, `from`, `try_from` and `from_iter` of a type are known.
fn is_type(owner: &str) -> bool {
    is_primitive(owner)
        || super::types::is_usual(owner)
        || builders::is_known(owner)
        || owner.starts_with("NonZero")
        || matches!(
            owner,
            "Box"
                | "Cell"
                | "IntOrString"
                | "Map"
                | "Mutex"
                | "Number"
                | "Option"
                | "PathBuf"
                | "Quantity"
                | "RefCell"
                | "Regex"
                | "Reverse"
                | "RwLock"
                | "Saturating"
                | "Schema"
                | "String"
                | "Value"
                | "Vec"
                | "Wrapping"
        )
}

/// Returns whether a function is known.
pub(super) fn is_known(path: &[String]) -> bool {
    let Some((last, before)) = path.split_last() else {
        return false;
    };
    let owner = before.last().map(String::as_str).unwrap_or_default();
    if !is_trusted(path) {
        return false;
    }
    match (owner, last.as_str()) {
        ("Default", "default") | ("Into", "into") | ("From", "from") | ("Duration", _) => true,
        (_, "Quantity") | ("ListMerge", "Map") | ("Message", "Expression" | "Message") => true,
        ("serde_json" | "value", "from_value" | "to_value" | "from_str") => true,
        ("Value" | "Schema", "from_str") => true,
        (_, "new" | "default" | "from" | "try_from" | "from_iter" | "with_capacity" | "new_unchecked") => {
            is_type(owner)
        }
        ("Value", "String" | "Bool" | "Array" | "Object" | "Number")
        | ("Schema", "Object" | "Bool")
        | ("SingleOrVec", "Single" | "Vec")
        | ("Cow", "Borrowed" | "Owned")
        | ("IntOrString", "Int" | "String") => true,
        (
            "str" | "String" | "ToString" | "ToOwned" | "Clone" | "Iterator" | "IntoIterator" | "Option"
            | "Vec",
            _,
        ) => true,
        (owner, _) => is_primitive(owner),
    }
}

/// Returns the value of a function of another crate. Returns `None` if another rule decides.
pub(super) fn call(before: &[String], name: &str, arguments: &[Value]) -> Option<Value> {
    let owner = before.last().map(String::as_str).unwrap_or_default();
    match (owner, name, arguments) {
        (_, "Quantity", [value])
        | ("Value", "String" | "Bool" | "Array" | "Object" | "Number", [value])
        | ("Schema", "Object" | "Bool", [value])
        | ("SingleOrVec", "Single" | "Vec", [value])
        | ("Cow", "Borrowed" | "Owned", [value])
        | ("IntOrString", "Int" | "String", [value]) => Some(value.clone()),
        (
            "Box" | "Arc" | "Rc" | "Cell" | "RefCell" | "Mutex" | "RwLock" | "Wrapping" | "Saturating"
            | "Reverse",
            "new" | "from",
            [value],
        ) => Some(value.clone()),
        ("Regex", "new", [value @ Value::Text(_)]) => Some(Value::ok(value.clone())),
        (_, "from_value" | "to_value", [value]) if matches!(owner, "serde_json" | "value") => {
            Some(Value::ok(value.clone()))
        }
        ("serde_json" | "Value" | "Schema", "from_str", [Value::Text(text)]) => {
            let json: serde_json::Value = serde_json::from_str(text).ok()?;
            Some(Value::ok(Value::of_json(&json)?))
        }
        ("Rule", "new", [text]) => Some(Value::foreign("Rule", vec![("rule".to_owned(), text.clone())])),
        ("ListMerge" | "Message", _, [value]) => Some(Value::foreign(
            name_of(owner, name),
            vec![("0".to_owned(), value.clone())],
        )),
        (_, "new", [Value::Integer(number)]) if owner.starts_with("NonZero") => Some(if *number == 0 {
            Value::none()
        } else {
            Value::some(Value::Integer(*number))
        }),
        (_, "new_unchecked", [value @ Value::Integer(_)]) if owner.starts_with("NonZero") => {
            Some(value.clone())
        }
        ("Duration", _, _) => duration(before, name, arguments),
        ("Vec" | "VecDeque", "with_capacity", [_]) => Some(Value::List(Vec::new())),
        ("String", "with_capacity", [_]) => Some(Value::text_of("")),
        ("HashMap" | "IndexMap", "with_capacity", [_]) => Some(Value::Map(Vec::new())),
        _ => None,
    }
}

/// Returns the name of a variant that carries a value.
fn name_of<'n>(owner: &str, name: &'n str) -> &'n str {
    match (owner, name) {
        ("ListMerge", "Map") => "ListMerge::Map",
        ("Message", "Expression") => "Message::Expression",
        ("Message", "Message") => "Message::Message",
        (_, name) => name,
    }
}

/// Evaluates `new()` and `default()` of a type of schemars or kube.
pub(super) fn empty(owner: &str) -> Option<Value> {
    builders::is_known(owner).then(|| builders::made(owner, Vec::new()))
}

/// Returns a constant or a variant of another crate.
pub(super) fn constant(path: &[String]) -> Option<Value> {
    if !is_trusted(path) {
        return None;
    }
    let (last, before) = path.split_last()?;
    let owner = before.last().map(String::as_str)?;
    match (owner, last.as_str()) {
        ("InstanceType", kind) => Some(Value::Text(kind.to_lowercase())),
        ("Value", "Null") | ("Option", "None") => Some(Value::none()),
        ("Reason", reason) if reason.starts_with("Field") => Some(Value::text_of(reason)),
        ("ListMerge" | "MapMerge" | "StructMerge", merge) => {
            Some(Value::foreign(&format!("{owner}::{merge}"), Vec::new()))
        }
        // serde writes it as null.
        ("marker", "PhantomData") => Some(Value::Unit),
        ("Duration", "ZERO") => duration(before, "default", &[]),
        ("f32" | "f64", _) => None,
        (_, bound @ ("MAX" | "MIN")) => {
            let integer = IntegerType::named(owner)?;
            let number = if bound == "MIN" {
                integer.smallest()
            } else {
                integer.largest()?
            };
            Some(Value::Integer(number))
        }
        _ => None,
    }
}

/// Returns a duration of the standard library as serde writes it.
fn duration(owner: &[String], name: &str, arguments: &[Value]) -> Option<Value> {
    const BILLION: u64 = 1_000_000_000;
    let owner: Vec<_> = owner.iter().map(String::as_str).collect();
    if !matches!(owner.as_slice(), ["std" | "core", "time", "Duration"]) {
        return None;
    }
    let number = |index: usize| match arguments.get(index) {
        Some(Value::Integer(number)) => u64::try_from(*number).ok(),
        _ => None,
    };
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
    let part = |name: &str, number: u64| (name.to_owned(), Value::Integer(i128::from(number)));
    Some(Value::Map(vec![
        part("secs", seconds),
        part("nanos", nanoseconds),
    ]))
}
