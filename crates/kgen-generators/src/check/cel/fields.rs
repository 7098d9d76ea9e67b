//! The fields that an expression reads from `self` and `oldSelf`: each must be in the schema.
//!
//! Only plain chains such as `self.spec.name` are followed, up to the first call, index or optional field. What comes
//! behind these, and the types of whole expressions, is not decided here.

use kgen_model::{JsonType, Schema};

use super::super::text;
use super::lexer::{Kind, Token, tokens};

/// What can be read of the metadata of an object.
const METADATA: [&str; 2] = ["generateName", "name"];

/// Words of CEL, which are written between underscores where a field has such a name.
const WORDS: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
];

/// Where a chain of fields has come to.
enum Place<'a> {
    Schema(&'a Schema),
    /// A whole object, which has its type and metadata as well.
    Object(&'a Schema),
    Metadata,
    /// A value without fields, or one that nothing is known of.
    Text,
    Unknown,
}

/// Why the expression reads a field that does not exist. `old_self` says whether `oldSelf` is a value like `self`.
pub(super) fn missing(source: &str, schema: &Schema, is_object: bool, old_self: bool) -> Option<String> {
    let tokens = tokens(source).ok()?;
    let symbol = |index: usize, sign: &'static str| {
        tokens
            .get(index)
            .is_some_and(|token| token.kind == Kind::Symbol(sign))
    };
    let is_start = |index: usize, token: &Token<'_>| {
        token.kind == Kind::Identifier
            && (token.text == "self" || (old_self && token.text == "oldSelf"))
            && !index.checked_sub(1).is_some_and(|before| symbol(before, "."))
    };
    // A variable of a macro can take the name; then the expression speaks of something else.
    let is_taken = |index: usize| {
        symbol(index + 1, ",")
            && index
                .checked_sub(1)
                .is_some_and(|before| symbol(before, "(") || symbol(before, ","))
    };
    let mut starts = tokens
        .iter()
        .enumerate()
        .filter(|(index, token)| is_start(*index, token));
    if starts.clone().any(|(index, _)| is_taken(index)) {
        return None;
    }
    starts.find_map(|(index, token)| {
        let mut place = if is_object {
            Place::Object(schema)
        } else {
            Place::Schema(schema)
        };
        let mut path = token.text.to_owned();
        let mut next = index + 1;
        while symbol(next, ".") && !symbol(next + 2, "(") {
            let name = field_name(tokens.get(next + 1)?)?;
            place = match step(&place, &name) {
                Ok(place) => place,
                Err(hint) => return Some(format!("`{path}` has no field `{name}`{hint}")),
            };
            path = format!("{path}.{name}");
            next += 2;
        }
        None
    })
}

/// The name of a field as it stands behind a dot. Nothing for `?`, which asks for a field that may be absent.
fn field_name(token: &Token<'_>) -> Option<String> {
    match token.kind {
        Kind::Identifier => Some(token.text.to_owned()),
        Kind::EscapedIdentifier => Some(token.text.trim_matches('`').to_owned()),
        _ => None,
    }
}

fn step<'a>(place: &Place<'a>, name: &str) -> Result<Place<'a>, String> {
    match place {
        Place::Unknown => Ok(Place::Unknown),
        Place::Text => Err(String::new()),
        Place::Metadata if METADATA.contains(&name) => Ok(Place::Text),
        Place::Metadata => {
            Err(": rules can read `metadata.name` and `metadata.generateName` alone".to_owned())
        }
        Place::Object(_) if matches!(name, "apiVersion" | "kind") => Ok(Place::Text),
        Place::Object(_) if name == "metadata" => Ok(Place::Metadata),
        Place::Schema(schema) if schema.embedded_resource => step(&Place::Object(schema), name),
        Place::Object(schema) | Place::Schema(schema) => property(schema, name),
    }
}

fn property<'a>(schema: &'a Schema, name: &str) -> Result<Place<'a>, String> {
    let found = schema
        .properties
        .iter()
        .find(|(known, _)| known.as_str() == name || escaped(known) == name);
    if let Some((_, property)) = found {
        return Ok(Place::Schema(property));
    }
    let is_open = schema.json_type.is_none() || schema.preserve_unknown_fields;
    if is_open || schema.additional_properties.is_some() {
        return Ok(schema
            .additional_properties
            .as_deref()
            .filter(|_| !is_open)
            .map_or(Place::Unknown, Place::Schema));
    }
    if schema.json_type != Some(JsonType::Object) {
        return Err(": it is no object".to_owned());
    }
    let hint = text::suggestion(name, schema.properties.keys().map(String::as_str));
    Err(hint.map_or_else(String::new, |hint| format!("; {hint}")))
}

/// How an expression writes the name of a field that is no name in CEL.
fn escaped(name: &str) -> String {
    if WORDS.contains(&name) {
        return format!("__{name}__");
    }
    name.replace("__", "__underscores__")
        .replace('.', "__dot__")
        .replace('-', "__dash__")
        .replace('/', "__slash__")
}
