//! Values whose type is guessed, and JSON.

use serde_json::Value as JsonValue;

use super::scalars::{is_number, parse_number};
use super::strings::closing_quote;
use super::{Error, Located, Parser, TextFix, Value, ValueType, written};

/// A value whose type follows from how it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Any(pub JsonValue);

/// A value written as JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Json(pub JsonValue);

impl Value for Any {
    const TYPE: ValueType = ValueType::Any;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.any().map(Self)
    }

    fn write(&self) -> Option<String> {
        Some(written::any(&self.0))
    }
}

impl Value for Json {
    const TYPE: ValueType = ValueType::Json;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.skip_blanks();
        let rest = parser.rest().trim_end();
        if rest.starts_with("ref(") {
            return Err(Error::value(
                parser.position()..parser.position() + rest.len(),
                "kgen cannot resolve `ref(…)`",
            )
            .help("write the value itself"));
        }
        if rest.is_empty() {
            return Err(parser.missing_value());
        }
        parser.json().map(|found| Self(found.value))
    }

    fn write(&self) -> Option<String> {
        Some(written::json(&self.0))
    }
}

impl Parser<'_> {
    fn any(&mut self) -> Result<JsonValue, Error> {
        self.skip_blanks();
        let start = self.at;
        if !self.in_list && self.semicolon_ahead() {
            self.in_list = true;
            let list = self.nested(start, Self::legacy_list::<Any>);
            self.in_list = false;
            return Ok(list?.into_iter().map(|element| element.0).collect());
        }
        match self.peek() {
            Some('"') => self.double_quoted().map(|text| text.value.into()),
            Some('`') => self.back_quoted().map(|text| text.value.into()),
            Some('{') => self.nested(start, |parser| parser.any_in_braces(start)),
            Some('[') => self.json().map(|found| found.value),
            _ => self.bare_any(),
        }
    }

    fn bare_any(&mut self) -> Result<JsonValue, Error> {
        let bare = self.bare(&[])?;
        match bare.value {
            "" => Err(self.missing_value()),
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            // Inside of a list or map, the schema decides whether a value may be null.
            "null" if self.depth > 0 => Ok(JsonValue::Null),
            "null" => Err(refused_null(&bare)),
            text if is_guessed_number(text) => match parse_number(text) {
                Some(number) => Ok(number.to_json()),
                None => Err(Error::value(
                    bare.range,
                    format!("the number `{text}` is too large"),
                )),
            },
            text => Ok(text.into()),
        }
    }

    /// Parses a map if a key follows the brace, otherwise a list, whose elements may differ in type.
    fn any_in_braces(&mut self, opening: usize) -> Result<JsonValue, Error> {
        let mut ahead = self.clone();
        ahead.take('{');
        ahead.skip_blanks();
        let is_map = match ahead.peek() {
            Some('}') => true,
            Some('{' | '[') => false,
            _ => {
                let key = ahead.map_key();
                ahead.skip_blanks();
                key.is_ok() && ahead.peek() == Some(':')
            }
        };
        if is_map {
            let entries = self.braced_map::<Any>(opening)?;
            return Ok(entries
                .into_iter()
                .map(|(key, value)| (key.value, value.0))
                .collect());
        }
        let before = std::mem::replace(&mut self.in_list, true);
        let list = self.braced_list::<Any>(opening);
        self.in_list = before;
        Ok(list?.into_iter().map(|element| element.0).collect())
    }

    /// Returns whether a `;` comes before the value ends, which makes it a list.
    fn semicolon_ahead(&self) -> bool {
        let mut rest = self.rest();
        let mut depth = 0_usize;
        while let Some(next) = rest.chars().next() {
            match next {
                ';' if depth == 0 => return true,
                ',' if depth == 0 => return false,
                '}' | ']' | ')' if depth == 0 && (next == '}' || (next == ')' && self.in_parentheses)) => {
                    return false;
                }
                '{' | '[' => depth += 1,
                '}' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let quoted = if matches!(next, '"' | '`') {
                closing_quote(rest, next)
            } else {
                None
            };
            rest = rest.get(quoted.unwrap_or(next.len_utf8())..).unwrap_or_default();
        }
        false
    }

    /// Parses one JSON value at the parser's place, which is not `null` itself.
    fn json(&mut self) -> Result<Located<JsonValue>, Error> {
        let found = self.json_with_nulls()?;
        if found.value.is_null() {
            return Err(refused_null(&Located {
                value: self.slice(found.range.clone()),
                range: found.range,
            }));
        }
        Ok(found)
    }

    /// Parses one JSON value at the parser's place.
    pub(crate) fn json_with_nulls(&mut self) -> Result<Located<JsonValue>, Error> {
        self.skip_blanks();
        let start = self.at;
        let rest = self.rest();
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<JsonValue>();
        let value = match stream.next() {
            Some(Ok(value)) => value,
            Some(Err(error)) => return Err(self.json_error(&error)),
            None => return Err(self.missing_value()),
        };
        let range = start..start + stream.byte_offset().min(rest.len());
        self.jump(range.end);
        Ok(Located {
            value: with_whole_numbers(value),
            range,
        })
    }

    fn json_error(&self, error: &serde_json::Error) -> Error {
        let (start, rest) = (self.at, self.rest());
        let end = self.text.trim_end().len().max(start);
        if error.is_eof() {
            return Error::unclosed(start..end, "bracket or quote");
        }
        let line_start: usize = rest
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum();
        let mut at = (start + line_start + error.column().saturating_sub(1)).min(end);
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let width = self
            .text
            .get(at..)
            .and_then(|text| text.chars().next())
            .map_or(0, char::len_utf8);
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let problem = Error::value(at..at + width, format!("this is not valid JSON: {reason}"));
        if rest.starts_with(|first: char| first.is_alphabetic()) {
            problem.help("put a string in double quotes")
        } else {
            problem
        }
    }
}

fn refused_null(found: &Located<&str>) -> Error {
    Error::value(found.range.clone(), "Kubernetes does not keep `null` values")
        .help("write `\"null\"` for the string")
        .with_fix(TextFix::replace(found.range.clone(), "\"null\"").certain_if(false))
}

/// Kubernetes writes `1.0` as `1`.
fn with_whole_numbers(value: JsonValue) -> JsonValue {
    match value {
        JsonValue::Number(number) if number.is_f64() => {
            match number.as_f64().and_then(kgen_model::Number::from_f64) {
                Some(number) => number.to_json(),
                None => JsonValue::Number(number),
            }
        }
        JsonValue::Array(list) => list.into_iter().map(with_whole_numbers).collect(),
        JsonValue::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, with_whole_numbers(value)))
            .collect(),
        other => other,
    }
}

/// Works like [`is_number`], but digits that only look octal (`08`, `0912`) stay a text, as in controller-gen.
fn is_guessed_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let looks_octal =
        digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number(text) && !(looks_octal && digits.contains(['8', '9']))
}
