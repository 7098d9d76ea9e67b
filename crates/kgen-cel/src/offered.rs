//! The names that an editor offers in an expression, from the tables of functions and macros.

use crate::declarations::{Function, Signature, names};
use crate::macros::collection_macros;
use crate::schema::JsonType;
use crate::types::Type;

/// Returns the functions and macros that can be called on a value of a JSON type, sorted. Without a type, those that need no
/// value.
///
/// ```
/// use kgen_cel::{JsonType, function_names};
///
/// assert!(function_names(Some(JsonType::String)).contains(&"startsWith"));
/// assert!(!function_names(Some(JsonType::Array)).contains(&"startsWith"));
/// assert!(function_names(None).contains(&"quantity"));
/// ```
pub fn function_names(value: Option<JsonType>) -> Vec<&'static str> {
    let is_receiver = |signature: &Signature, value: JsonType| {
        matches!(
            (signature, value),
            (Signature::Is(Type::Text), JsonType::String)
                | (Signature::Is(Type::Int), JsonType::Integer)
                | (Signature::Is(Type::Double), JsonType::Number)
                | (Signature::Is(Type::Bool), JsonType::Boolean)
                | (Signature::List(_), JsonType::Array)
                | (Signature::Map(..), JsonType::Object)
        )
    };
    let is_callable = |function: &Function| {
        function.overloads.iter().any(|overload| match value {
            None => !overload.member,
            Some(value) => {
                let first = overload.arguments.first();
                overload.member && first.is_some_and(|first| is_receiver(first, value))
            }
        })
    };
    let mut names: Vec<_> = names(is_callable).collect();
    match value {
        Some(JsonType::Array | JsonType::Object) => names.extend(collection_macros()),
        None => names.push("has"),
        Some(_) => {}
    }
    names.sort_unstable();
    names.dedup();
    names
}
