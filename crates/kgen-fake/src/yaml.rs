//! Reads YAML as the API server does: with the scalars of YAML 1.1, so that `y` and `off` are booleans and `010` is eight.
//!
//! Mirrors go-yaml 2 behind `sigs.k8s.io/yaml`: the result is JSON, and numbers without a fraction are integers.

use std::collections::BTreeMap;

use granit_parser::{Event, Parser, ScalarStyle, Tag};
use serde_json::{Map, Value};

/// Deeper values are refused.
const DEEPEST: usize = 200;
/// More values are refused, because aliases can repeat each other.
const MOST_VALUES: usize = 1_000_000;

/// A document, and the duplicate keys with their lines.
pub(crate) struct Document {
    pub(crate) value: Value,
    pub(crate) duplicates: Vec<(String, usize)>,
}

impl Document {
    /// Returns the messages about duplicate keys.
    pub(crate) fn duplicate_keys(&self) -> Vec<String> {
        let keys = self.duplicates.iter();
        keys.map(|(key, line)| format!("line {line}: key {key:?} already set in map"))
            .collect()
    }
}

/// Returns mistakes as one error of the Go package.
pub(crate) fn unmarshal_errors(mistakes: &[String]) -> String {
    format!("yaml: unmarshal errors:\n  {}", mistakes.join("\n  "))
}

/// Reads the first document; an empty text is `null`.
pub(crate) fn read(text: &str) -> Result<Document, String> {
    let first = read_all(text)?.into_iter().next();
    Ok(first.unwrap_or(Document {
        value: Value::Null,
        duplicates: Vec::new(),
    }))
}

/// Reads all documents.
pub(crate) fn read_all(text: &str) -> Result<Vec<Document>, String> {
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
        anchors: BTreeMap::new(),
        duplicates: Vec::new(),
        count: 0,
    };
    let mut documents = Vec::new();
    while let Some((event, line)) = reader.next()? {
        match event {
            Event::DocumentStart(..) | Event::DocumentEnd | Event::StreamStart => {}
            Event::StreamEnd => break,
            event => {
                let value = reader.value(event, line, 0)?;
                documents.push(Document {
                    value,
                    duplicates: std::mem::take(&mut reader.duplicates),
                });
            }
        }
    }
    Ok(documents)
}

struct Reader<'t, I: granit_parser::BorrowedInput<'t>> {
    parser: Parser<'t, I>,
    anchors: BTreeMap<usize, Value>,
    duplicates: Vec<(String, usize)>,
    count: usize,
}

impl<'t, I: granit_parser::BorrowedInput<'t>> Reader<'t, I> {
    /// Returns the next event and its line.
    fn next(&mut self) -> Result<Option<(Event<'t>, usize)>, String> {
        loop {
            match self.parser.next_event() {
                None => return Ok(None),
                Some(Err(error)) => return Err(error.to_string()),
                Some(Ok((Event::Comment(..) | Event::Anchor(..), _))) => {}
                Some(Ok((event, span))) => return Ok(Some((event, span.start.line()))),
            }
        }
    }

    fn inner(&mut self) -> Result<(Event<'t>, usize), String> {
        self.next()?.ok_or_else(|| "unexpected end".to_owned())
    }

    fn value(&mut self, event: Event<'t>, line: usize, depth: usize) -> Result<Value, String> {
        self.count += 1;
        if depth > DEEPEST || self.count > MOST_VALUES {
            return Err(format!("line {line}: the document is too large"));
        }
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => (scalar(&text, style, tag.as_deref()), anchor),
            Event::SequenceStart(_, anchor, _) => {
                let mut items = Vec::new();
                loop {
                    match self.inner()? {
                        (Event::SequenceEnd, _) => break,
                        (event, line) => items.push(self.value(event, line, depth + 1)?),
                    }
                }
                (Value::Array(items), anchor)
            }
            Event::MappingStart(_, anchor, _) => (self.mapping(depth)?, anchor),
            Event::Alias(anchor) => {
                let found = self.anchors.get(&anchor).cloned();
                let found = found.ok_or_else(|| format!("line {line}: unknown anchor"))?;
                self.count += size(&found);
                (found, 0)
            }
            _ => return Err(format!("line {line}: did not find expected node content")),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, value.clone());
        }
        Ok(value)
    }

    fn mapping(&mut self, depth: usize) -> Result<Value, String> {
        let mut entries = Map::new();
        let mut merged = Map::new();
        loop {
            let (event, line) = self.inner()?;
            if matches!(event, Event::MappingEnd) {
                break;
            }
            let is_merge = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<");
            let key = self.value(event, line, depth + 1)?;
            let (event, value_line) = self.inner()?;
            let value = self.value(event, value_line, depth + 1)?;
            if is_merge {
                let sources = match value {
                    Value::Array(items) => items,
                    other => vec![other],
                };
                for source in sources {
                    let Value::Object(source) = source else {
                        return Err(format!(
                            "line {line}: map merge requires map or sequence of maps as the value"
                        ));
                    };
                    for (key, value) in source {
                        merged.entry(key).or_insert(value);
                    }
                }
                continue;
            }
            let key = match key {
                Value::String(text) => text,
                Value::Bool(flag) => flag.to_string(),
                Value::Number(number) => number.to_string(),
                _ => return Err(format!("line {line}: unsupported map key")),
            };
            if entries.insert(key.clone(), value).is_some() {
                self.duplicates.push((key, line));
            }
        }
        for (key, value) in merged {
            entries.entry(key).or_insert(value);
        }
        Ok(Value::Object(entries))
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(entries) => 1 + entries.values().map(size).sum::<usize>(),
        _ => 1,
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let is_text = tag.is_some_and(|tag| tag.to_string().ends_with("str"));
    if style != ScalarStyle::Plain || is_text {
        return Value::from(text);
    }
    kgen_yaml::plain_scalar(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{read, read_all};

    #[test]
    fn scalars_are_those_of_yaml_1_1() {
        let text = "{a: y, b: off, c: 'y', d: 010, e: 0x10, f: 1e1, g: 1_000, h: ~, i: .5, j: 2020-01-02, k: 0o7, l: 1.0, m: -3, n: 1.2.3, o: Y, p: 0b11, q: 09}";
        let expected = json!({
            "a": true, "b": false, "c": "y", "d": 8, "e": 16, "f": 10, "g": 1000, "h": null, "i": 0.5, "j": "2020-01-02",
            "k": 7, "l": 1, "m": -3, "false": "1.2.3", "o": true, "p": 3, "q": 9,
        });
        assert_eq!(read(text).unwrap().value, expected);
    }

    #[test]
    fn documents_have_anchors_merges_and_duplicates() {
        let text = "x: &x {a: 1, b: 2}\nz:\n  <<: *x\n  b: 3\n  b: 4\n---\n- 1\n";
        let documents = read_all(text).unwrap();
        assert_eq!(
            documents[0].value,
            json!({"x": {"a": 1, "b": 2}, "z": {"a": 1, "b": 4}})
        );
        assert_eq!(documents[0].duplicates, [("b".to_owned(), 5)]);
        assert_eq!(documents[1].value, json!([1]));
        assert!(read("a: [").is_err());
    }
}
