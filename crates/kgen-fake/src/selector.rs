//! Label selectors and field selectors, with the messages of the API server.
//!
//! Mirrors `labels.Parse` and `fields.ParseSelector`.

use kgen_schema::{ErrorKind, FieldError, names};
use serde_json::Value;

/// A condition on the labels of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    operator: Operator,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Operator {
    Exists,
    Absent,
    In(Vec<String>),
    NotIn(Vec<String>),
    Greater(i64),
    Less(i64),
}

/// Conditions on labels. All of them must be met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LabelSelector(Vec<Requirement>);

impl LabelSelector {
    /// Parses the text of a query.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser {
            tokens: tokens(text),
            position: 0,
        };
        parser.requirements().map(Self)
    }

    /// Reads `matchLabels` and `matchExpressions`.
    pub(crate) fn from_json(selector: &Value) -> Self {
        let mut requirements = Vec::new();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let labels = selector.get("matchLabels").and_then(Value::as_object);
        for (key, value) in labels.into_iter().flatten() {
            requirements.push(Requirement {
                key: key.clone(),
                operator: Operator::In(vec![text(value)]),
            });
        }
        let expressions = selector.get("matchExpressions").and_then(Value::as_array);
        for expression in expressions.into_iter().flatten() {
            let values = expression.get("values").and_then(Value::as_array);
            let values: Vec<String> = values.into_iter().flatten().map(text).collect();
            let operator = match expression.get("operator").and_then(Value::as_str) {
                Some("In") => Operator::In(values),
                Some("NotIn") => Operator::NotIn(values),
                Some("Exists") => Operator::Exists,
                _ => Operator::Absent,
            };
            let key = expression.get("key").map(text).unwrap_or_default();
            requirements.push(Requirement { key, operator });
        }
        Self(requirements)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the labels of an object meet all conditions.
    pub(crate) fn matches(&self, object: &Value) -> bool {
        let labels = object.pointer("/metadata/labels").and_then(Value::as_object);
        self.0.iter().all(|requirement| {
            let value = labels
                .and_then(|labels| labels.get(&requirement.key))
                .and_then(Value::as_str);
            match (&requirement.operator, value) {
                (Operator::Exists, value) => value.is_some(),
                (Operator::Absent, value) => value.is_none(),
                (Operator::In(values), value) => value.is_some_and(|value| values.iter().any(|v| v == value)),
                (Operator::NotIn(values), value) => {
                    value.is_none_or(|value| !values.iter().any(|v| v == value))
                }
                (Operator::Greater(limit), value) => number(value).is_some_and(|value| value > *limit),
                (Operator::Less(limit), value) => number(value).is_some_and(|value| value < *limit),
            }
        })
    }
}

fn number(value: Option<&str>) -> Option<i64> {
    value?.parse().ok()
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// An identifier, or a text that is none.
    Word(String),
    Sign(&'static str),
    In,
    NotIn,
    End,
}

impl Token {
    fn text(&self) -> &str {
        match self {
            Self::Word(word) => word,
            Self::Sign(sign) => sign,
            Self::In => "in",
            Self::NotIn => "notin",
            Self::End => "",
        }
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let Some(first) = rest.chars().next() else { break };
        if is_special(first) {
            // A sign of two characters may be followed by others that do not belong to it.
            let end = rest.find(|c| !is_special(c)).unwrap_or(rest.len());
            let run = rest.get(..end).unwrap_or_default();
            let signs = ["==", "!=", "(", ")", ",", "=", "!", ">", "<"];
            match signs.into_iter().find(|sign| run.starts_with(sign)) {
                Some(sign) => {
                    tokens.push(Token::Sign(sign));
                    rest = rest.get(sign.len()..).unwrap_or_default();
                }
                None => {
                    tokens.push(Token::Word(run.to_owned()));
                    rest = rest.get(end..).unwrap_or_default();
                }
            }
        } else {
            let end = rest
                .find(|c: char| is_special(c) || c.is_ascii_whitespace())
                .unwrap_or(rest.len());
            let word = rest.get(..end).unwrap_or_default();
            tokens.push(match word {
                "in" => Token::In,
                "notin" => Token::NotIn,
                word => Token::Word(word.to_owned()),
            });
            rest = rest.get(end..).unwrap_or_default();
        }
    }
    tokens
}

fn is_special(character: char) -> bool {
    matches!(character, '=' | '!' | '(' | ')' | ',' | '>' | '<')
}

struct Parser {
    tokens: Vec<Token>,
    position: usize,
}

impl Parser {
    fn peek(&self) -> Token {
        self.tokens.get(self.position).cloned().unwrap_or(Token::End)
    }

    /// The next token, where `in` and `notin` are values.
    fn peek_value(&self) -> Token {
        match self.peek() {
            token @ (Token::In | Token::NotIn) => Token::Word(token.text().to_owned()),
            token => token,
        }
    }

    fn requirements(&mut self) -> Result<Vec<Requirement>, String> {
        let mut found = Vec::new();
        loop {
            match self.peek_value() {
                Token::Word(_) | Token::Sign("!") => {
                    let requirement = self
                        .requirement()
                        .map_err(|error| format!("unable to parse requirement: {error}"))?;
                    found.push(requirement);
                    match self.peek() {
                        Token::End => return Ok(found),
                        Token::Sign(",") => {
                            self.position += 1;
                            let next = self.peek_value();
                            if !matches!(next, Token::Word(_) | Token::Sign("!")) {
                                return Err(format!(
                                    "found '{}', expected: identifier after ','",
                                    next.text()
                                ));
                            }
                        }
                        other => {
                            return Err(format!(
                                "found '{}', expected: ',' or 'end of string'",
                                other.text()
                            ));
                        }
                    }
                }
                Token::End => return Ok(found),
                other => {
                    return Err(format!(
                        "found '{}', expected: !, identifier, or 'end of string'",
                        other.text()
                    ));
                }
            }
        }
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let negated = self.peek() == Token::Sign("!");
        if negated {
            self.position += 1;
        }
        let Token::Word(key) = self.peek_value() else {
            return Err(format!(
                "found '{}', expected: identifier",
                self.peek_value().text()
            ));
        };
        self.position += 1;
        let mistakes = names::key_mistakes(&key);
        if !mistakes.is_empty() {
            let errors = FieldError::new(ErrorKind::Invalid, "<nil>", mistakes.join("; ")).with_value(&key);
            return Err(errors.to_string());
        }
        if negated {
            let operator = Operator::Absent;
            return Ok(Requirement { key, operator });
        }
        let operator = match self.peek() {
            Token::End | Token::Sign(",") => {
                let operator = Operator::Exists;
                return Ok(Requirement { key, operator });
            }
            other => {
                self.position += 1;
                other
            }
        };
        let operator = match operator {
            Token::In => Operator::In(self.values(&key)?),
            Token::NotIn => Operator::NotIn(self.values(&key)?),
            Token::Sign("=" | "==") => Operator::In(vec![self.single(&key)?]),
            Token::Sign("!=") => Operator::NotIn(vec![self.single(&key)?]),
            Token::Sign(sign @ (">" | "<")) => {
                let value = self.single(&key)?;
                let Ok(limit) = value.parse() else {
                    let detail = "for 'Gt', 'Lt' operators, the value must be an integer";
                    let error = FieldError::new(ErrorKind::Invalid, "values[0]", detail);
                    return Err(error.with_value(&value).to_string());
                };
                if sign == ">" {
                    Operator::Greater(limit)
                } else {
                    Operator::Less(limit)
                }
            }
            other => {
                return Err(format!(
                    "found '{}', expected: in, notin, =, ==, !=, gt, lt",
                    other.text()
                ));
            }
        };
        Ok(Requirement { key, operator })
    }

    fn single(&mut self, key: &str) -> Result<String, String> {
        match self.peek_value() {
            // An empty value is allowed.
            Token::End | Token::Sign(",") => Ok(String::new()),
            Token::Word(value) => {
                self.position += 1;
                checked(key, &value)?;
                Ok(value)
            }
            other => Err(format!("found '{}', expected: identifier", other.text())),
        }
    }

    fn values(&mut self, key: &str) -> Result<Vec<String>, String> {
        if self.peek_value() != Token::Sign("(") {
            return Err(format!("found '{}' expected: '('", self.peek_value().text()));
        }
        self.position += 1;
        let mut values = Vec::new();
        loop {
            match self.peek_value() {
                Token::Word(value) => {
                    self.position += 1;
                    values.push(value);
                    match self.peek_value() {
                        Token::Sign(",") => {
                            self.position += 1;
                            // A comma before the end adds an empty value.
                            if self.peek_value() == Token::Sign(")") {
                                self.position += 1;
                                values.push(String::new());
                                break;
                            }
                        }
                        Token::Sign(")") => {
                            self.position += 1;
                            break;
                        }
                        other => {
                            return Err(format!("found '{}', expected: ',' or ')'", other.text()));
                        }
                    }
                }
                Token::Sign(")") if values.is_empty() => {
                    self.position += 1;
                    values.push(String::new());
                    break;
                }
                Token::Sign(",") => {
                    self.position += 1;
                    values.push(String::new());
                    if self.peek_value() == Token::Sign(")") {
                        self.position += 1;
                        values.push(String::new());
                        break;
                    }
                }
                other => {
                    return Err(format!(
                        "found '{}', expected: ',', ')' or identifier",
                        other.text()
                    ));
                }
            }
        }
        for value in &values {
            checked(key, value)?;
        }
        values.sort();
        values.dedup();
        Ok(values)
    }
}

fn checked(key: &str, value: &str) -> Result<(), String> {
    let mistakes = names::value_mistakes(value);
    if mistakes.is_empty() {
        return Ok(());
    }
    let field = format!("values[0][{key}]");
    let error = FieldError::new(ErrorKind::Invalid, field, mistakes.join("; ")).with_value(value);
    Err(error.to_string())
}

/// Conditions on fields. All of them must be met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FieldSelector(Vec<FieldCondition>);

/// A condition on one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldCondition {
    pub(crate) field: String,
    pub(crate) value: String,
    pub(crate) is_equal: bool,
}

impl FieldSelector {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut conditions = Vec::new();
        for part in split(text) {
            if part.is_empty() {
                continue;
            }
            let (field, value, is_equal) = term(&part)
                .ok_or_else(|| format!("invalid selector: '{text}'; can't understand '{part}'"))?;
            let value = unescaped(value).map_err(|error| format!("invalid field selector: {error}"))?;
            conditions.push(FieldCondition {
                field: field.to_owned(),
                value,
                is_equal,
            });
        }
        Ok(Self(conditions))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn conditions(&self) -> &[FieldCondition] {
        &self.0
    }

    /// Returns whether all conditions are met by the values that `field` returns.
    pub(crate) fn matches(&self, field: impl Fn(&str) -> String) -> bool {
        self.0
            .iter()
            .all(|condition| (field(&condition.field) == condition.value) == condition.is_equal)
    }

    /// Returns the name that an object must have, if the selector requires one.
    pub(crate) fn name(&self) -> Option<&str> {
        let is_name = |condition: &&FieldCondition| condition.is_equal && condition.field == "metadata.name";
        self.0
            .iter()
            .find(is_name)
            .map(|condition| condition.value.as_str())
    }
}

/// Splits at commas that are not escaped.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut escaped = false;
    for character in text.chars() {
        if character == ',' && !escaped {
            parts.push(String::new());
            continue;
        }
        escaped = character == '\\' && !escaped;
        if let Some(part) = parts.last_mut() {
            part.push(character);
        }
    }
    parts
}

/// Splits a term at its first operator.
fn term(text: &str) -> Option<(&str, &str, bool)> {
    for (index, _) in text.char_indices() {
        let rest = text.get(index..)?;
        for (sign, is_equal) in [("!=", false), ("==", true), ("=", true)] {
            if let Some(value) = rest.strip_prefix(sign) {
                return Some((text.get(..index)?, value, is_equal));
            }
        }
    }
    None
}

fn unescaped(value: &str) -> Result<String, String> {
    let mut read = String::new();
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(next @ ('\\' | ',' | '=')) => read.push(next),
                other => {
                    let sequence: String = ['\\'].into_iter().chain(other).collect();
                    return Err(format!("invalid escape sequence: {sequence}"));
                }
            },
            ',' | '=' => return Err(format!("unescaped character in field selector: {character}")),
            other => read.push(other),
        }
    }
    Ok(read)
}
