//! The other direction: values as text that the parser reads again.

use serde_json::Value as JsonValue;

/// Returns a string: bare if it is a plain word or path, otherwise in quotes.
pub(crate) fn string(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/');
    let starts_plain = text.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '.');
    if starts_plain && text.chars().all(is_plain) && !text.contains("//") {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// Returns a string in quotes: in backticks where that saves escapes.
pub(crate) fn quoted(text: &str) -> String {
    let needs_escapes = text.contains(['"', '\\']);
    if needs_escapes && !text.contains('`') && !text.chars().any(is_unprintable) {
        return format!("`{text}`");
    }
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    for letter in text.chars() {
        match letter {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            '\t' => result.push_str("\\t"),
            letter if is_unprintable(letter) => {
                let code = u32::from(letter);
                if code <= 0xffff {
                    result.push_str(&format!("\\u{code:04x}"));
                } else {
                    result.push_str(&format!("\\U{code:08x}"));
                }
            }
            letter => result.push(letter),
        }
    }
    result.push('"');
    result
}

/// Returns whether a character cannot be part of a comment line, or would not be seen there. The compiler refuses those that
/// change the direction of text.
fn is_unprintable(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}')
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns a value whose type is guessed.
pub(crate) fn any(value: &JsonValue) -> String {
    match value {
        JsonValue::String(text) => {
            let is_word = text.starts_with(|first: char| first.is_ascii_alphabetic())
                && !matches!(text.as_str(), "true" | "false" | "null");
            if is_word { string(text) } else { quoted(text) }
        }
        JsonValue::Object(entries) => map(entries.iter().map(|(key, value)| (key.as_str(), any(value)))),
        JsonValue::Array(_) => json(value),
        other => other.to_string(),
    }
}

/// Returns a value as JSON on one line, without characters that a comment cannot have.
pub(crate) fn json(value: &JsonValue) -> String {
    let text = value.to_string();
    if !text.chars().any(is_unprintable) {
        return text;
    }
    let mut result = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_unprintable(letter) {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                result.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            result.push(letter);
        }
    }
    result
}

/// Returns a list. A list without elements has only one form.
pub(crate) fn list(elements: impl Iterator<Item = String>) -> String {
    let elements: Vec<_> = elements.collect();
    if elements.is_empty() {
        "{}".to_owned()
    } else if elements
        .first()
        .is_some_and(|first| first.starts_with(['{', '[']))
    {
        // A bracket at the start would be that of the list itself.
        format!("{{{}}}", elements.join(", "))
    } else {
        elements.join(";")
    }
}

/// Returns a map.
pub(crate) fn map<'a>(entries: impl Iterator<Item = (&'a str, String)>) -> String {
    let entries: Vec<_> = entries
        .map(|(key, value)| format!("{}: {value}", quoted(key)))
        .collect();
    format!("{{{}}}", entries.join(", "))
}
