//! `fieldPath` of a rule: names after dots, and names in brackets and quotes.

use crate::schema::Schema;

/// Converts a path such as `.spec['a.b']` to the notation of errors. Returns `None` if the path leads nowhere.
pub(super) fn normalized(path: &str, schema: &Schema) -> Option<String> {
    let mut rest = path;
    let mut schema = schema;
    let mut text = String::new();
    while !rest.is_empty() {
        let name = if let Some(after) = rest.strip_prefix('.') {
            let length = after.find(['.', '[', ']']).unwrap_or(after.len());
            let (name, after) = after.split_at_checked(length)?;
            rest = after;
            name.to_owned()
        } else {
            let (name, after) = quoted_name(rest.strip_prefix("['")?)?;
            rest = after;
            name
        };
        if let Some(property) = schema.properties.get(&name) {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(&name);
            schema = property;
        } else {
            let other = schema
                .additional_schema()
                .filter(|_| schema.properties.is_empty())?;
            text.push_str(&format!("[{name}]"));
            schema = other;
        }
    }
    Some(text)
}

/// Reads a name up to the quote and the bracket after it.
fn quoted_name(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = text.chars();
    loop {
        match characters.next()? {
            '\'' => return Some((name, characters.as_str().strip_prefix(']')?)),
            '\\' => name.push(match characters.next()? {
                'a' => '\x07',
                'b' => '\x08',
                'f' => '\x0c',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\x0b',
                plain @ ('\'' | '\\') => plain,
                _ => return None,
            }),
            character => name.push(character),
        }
    }
}
