//! Replaces the parts of answers that differ between two runs: UIDs, versions, times, generated names, tokens.
//!
//! The same value gets the same number, in the order of first appearance, so that equal values stay recognizable.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value};

pub struct Normal {
    numbers: BTreeMap<&'static str, Vec<String>>,
    keeps_managed_fields: bool,
    now: Timestamp,
}

impl Normal {
    /// Times of a day and a half around `now` are replaced.
    pub fn new(keeps_managed_fields: bool, now: Timestamp) -> Self {
        Self {
            numbers: BTreeMap::new(),
            keeps_managed_fields,
            now,
        }
    }

    fn number(&mut self, sort: &'static str, value: &str) -> String {
        let known = self.numbers.entry(sort).or_default();
        let position = known.iter().position(|known| known == value).unwrap_or_else(|| {
            known.push(value.to_owned());
            known.len() - 1
        });
        format!("<{sort}-{}>", position + 1)
    }

    /// Normalizes a value. Fields are visited in the order in which the server writes them.
    pub fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::Object(entries) => self.object(entries),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::String(text) => Value::String(self.text(text)),
            other => other.clone(),
        }
    }

    fn object(&mut self, entries: &Map<String, Value>) -> Value {
        let metadata = entries.get("metadata");
        let text = |key: &str| {
            metadata
                .and_then(|metadata| metadata.get(key))
                .and_then(Value::as_str)
        };
        if let (Some(prefix), Some(name)) = (
            text("generateName").filter(|prefix| !prefix.is_empty()),
            text("name"),
        ) {
            let prefix: String = prefix.chars().take(58).collect();
            if name.starts_with(&prefix) && name.len() == prefix.len() + 5 {
                self.number("name", name);
            }
        }
        let is_list = ["items", "rows", "_bookmark"]
            .iter()
            .any(|key| entries.contains_key(*key));
        let causes = entries
            .get("details")
            .and_then(|details| details.get("causes"))
            .and_then(Value::as_array);
        let has_causes = causes.is_some_and(|causes| causes.len() > 1);
        let mut result = Map::new();
        for (key, value) in entries {
            let mut value = value.clone();
            match key.as_str() {
                "_bookmark" => continue,
                "managedFields" if !self.keeps_managed_fields => continue,
                "causes" => sort(&mut value, &["field", "message"]),
                "managedFields" => sort(&mut value, &["operation", "subresource", "manager", "apiVersion"]),
                "message" if has_causes => {
                    if let Some((front, _)) =
                        value.as_str().and_then(|text| text.split_once(" is invalid: ["))
                    {
                        value = Value::from(format!("{front} is invalid: [<causes>]"));
                    }
                }
                "metadata" if is_list => {
                    if let Some(metadata) = value.as_object_mut() {
                        for (key, shown) in [("resourceVersion", "<list-rv>"), ("continue", "<continue>")] {
                            if metadata.get(key).is_some_and(|found| *found != "") {
                                metadata.insert(key.to_owned(), Value::from(shown));
                            }
                        }
                    }
                }
                "resourceVersion" => {
                    if let Some(text) = value.as_str()
                        && text != "0"
                        && !text.is_empty()
                        && text.bytes().all(|byte| byte.is_ascii_digit())
                    {
                        let shown = self.number("rv", text);
                        result.insert(key.clone(), Value::from(shown));
                        continue;
                    }
                }
                _ => {}
            }
            let value = self.value(&value);
            result.insert(key.clone(), value);
        }
        Value::Object(result)
    }

    fn text(&mut self, text: &str) -> String {
        let mut text = self.uids(text);
        let names = self.numbers.get("name").cloned().unwrap_or_default();
        for (index, name) in names.iter().enumerate() {
            text = text.replace(name, &format!("<name-{}>", index + 1));
        }
        text = times(&text, self.now);
        for (front, back) in [
            ("too old resource version: ", " ("),
            ("Too large resource version: ", ", current: "),
        ] {
            text = versions(&text, front, back);
        }
        for (front, middle) in [
            (
                "ResourceVersion in the precondition (",
                ") does not match the ResourceVersion in record (",
            ),
            (
                "ResourceVersion in precondition: ",
                ", ResourceVersion in object meta: ",
            ),
        ] {
            text = both_versions(&text, front, middle);
        }
        if let Some(start) = text.find("failed to create typed patch object (")
            && let Some(end) = text[start..].find("): ")
        {
            text.truncate(start + end + 3);
            text.push_str("<errors>");
        }
        text
    }

    /// Replaces all UIDs in a text.
    fn uids(&mut self, text: &str) -> String {
        let mut result = String::new();
        let mut rest = text;
        loop {
            let found = (0..rest.len()).find(|start| is_uid(rest, *start));
            let Some(start) = found else {
                result.push_str(rest);
                return result;
            };
            result.push_str(&rest[..start]);
            let shown = self.number("uid", &rest[start..start + 36]);
            result.push_str(&shown);
            rest = &rest[start + 36..];
        }
    }
}

fn is_uid(text: &str, start: usize) -> bool {
    let Some(candidate) = text.get(start..start + 36) else {
        return false;
    };
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let bytes = text.as_bytes();
    let is_alone = (start == 0 || !is_word(bytes.get(start - 1))) && !is_word(bytes.get(start + 36));
    is_alone
        && candidate.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        })
}

/// Replaces the times around `now`.
fn times(text: &str, now: Timestamp) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("20") {
        let (front, back) = rest.split_at(start);
        result.push_str(front);
        let end = back
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | ':' | 'T' | '.')))
            .filter(|end| back[*end..].starts_with('Z'))
            .map(|end| end + 1);
        let is_near = |time: Timestamp| (time.as_second() - now.as_second()).abs() < 36 * 3600;
        match end.filter(|end| back[..*end].parse().is_ok_and(is_near)) {
            Some(end) => {
                result.push_str("<time>");
                rest = &back[end..];
            }
            None => {
                result.push_str("20");
                rest = &back[2..];
            }
        }
    }
    result.push_str(rest);
    result
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn versions(text: &str, front: &str, back: &str) -> String {
    let Some(start) = text.find(front) else {
        return text.to_owned();
    };
    let asked = start + front.len();
    let asked = asked + digits(&text[asked..]);
    match text[asked..].strip_prefix(back) {
        Some(rest) => format!("{}{back}<rv>{}", &text[..asked], &rest[digits(rest)..]),
        None => text.to_owned(),
    }
}

fn both_versions(text: &str, front: &str, middle: &str) -> String {
    let Some(start) = text.find(front) else {
        return text.to_owned();
    };
    let first = start + front.len();
    let after = &text[first + digits(&text[first..])..];
    match after.strip_prefix(middle) {
        Some(rest) => format!("{}<rv>{middle}<rv>{}", &text[..first], &rest[digits(rest)..]),
        None => text.to_owned(),
    }
}

fn sort(value: &mut Value, keys: &[&str]) {
    if let Value::Array(items) = value {
        let key = |item: &Value| -> Vec<String> {
            let text = |key: &&str| {
                item.get(*key)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned()
            };
            keys.iter().map(text).collect()
        };
        items.sort_by_key(key);
    }
}
