//! The grammar of selectors: requirements separated by commas, each `key`, `!key`, `key = value`, `key != value`,
//! `key in (…)` or `key notin (…)`.

use std::ops::Range;

use super::Mistake;
use super::tokens::{Token, tokens};
use crate::kubernetes_names;

/// The operator of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equals,
    NotEquals,
    In,
    NotIn,
    Exists,
    DoesNotExist,
}

/// One part of a selector.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Requirement {
    pub(super) key: String,
    pub(super) operator: Operator,
    /// In the order written, each once.
    pub(super) values: Vec<String>,
    /// Its place in the text.
    pub(super) range: Range<usize>,
}

const NAME_HELP: &str =
    "use at most 63 letters, digits, `-`, `_` and `.`; begin and end with a letter or digit";

/// Returns all requirements of a text; an empty text has none.
pub(super) fn requirements(text: &str) -> Result<Vec<Requirement>, Mistake> {
    let tokens = tokens(text);
    let mut parser = Parser {
        tokens: &tokens,
        end: text.len(),
    };
    let mut requirements = Vec::new();
    if parser.peek() == Token::End {
        return Ok(requirements);
    }
    loop {
        requirements.push(parser.requirement()?);
        match parser.next() {
            (Token::End, _) => return Ok(requirements),
            (Token::Sign(","), _) => {}
            (token, range) => return Err(unexpected(token, range, "`,` or the end", EXAMPLES)),
        }
    }
}

const EXAMPLES: &str = "write a selector as for `kubectl -l`, as in `env=prod,tier in (web,api),!legacy`";

/// Walks over the tokens of a text.
struct Parser<'a> {
    tokens: &'a [(Token<'a>, Range<usize>)],
    end: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens.first().map_or(Token::End, |(token, _)| *token)
    }

    fn next(&mut self) -> (Token<'a>, Range<usize>) {
        match self.tokens.split_first() {
            Some((first, rest)) => {
                self.tokens = rest;
                first.clone()
            }
            None => (Token::End, self.end..self.end),
        }
    }

    fn requirement(&mut self) -> Result<Requirement, Mistake> {
        let (mut token, mut range) = self.next();
        let start = range.start;
        let absent = token == Token::Sign("!");
        if absent {
            (token, range) = self.next();
        }
        let key = key(token, range.clone())?;
        let mut end = range.end;
        let (operator, values) = if absent {
            (Operator::DoesNotExist, Vec::new())
        } else if matches!(self.peek(), Token::End | Token::Sign(",")) {
            (Operator::Exists, Vec::new())
        } else {
            let operator = self.operator()?;
            let values = match operator {
                Operator::In | Operator::NotIn => self.values(&mut end)?,
                _ => vec![self.value(&mut end)?],
            };
            (operator, values)
        };
        Ok(Requirement {
            key,
            operator,
            values,
            range: start..end,
        })
    }

    fn operator(&mut self) -> Result<Operator, Mistake> {
        match self.next() {
            (Token::Sign("=" | "=="), _) => Ok(Operator::Equals),
            (Token::Sign("!="), _) => Ok(Operator::NotEquals),
            (Token::Word("in"), _) => Ok(Operator::In),
            (Token::Word("notin"), _) => Ok(Operator::NotIn),
            (Token::Sign(sign @ (">" | "<")), range) => Err(Mistake::new(
                range,
                format!("`{sign}` cannot be used in the selector of a webhook"),
                "use `=`, `!=`, `in` or `notin`",
            )),
            (token, range) => Err(unexpected(token, range, "`,` or an operator", EXAMPLES)),
        }
    }

    /// Parses one value; a missing one is the empty value.
    fn value(&mut self, end: &mut usize) -> Result<String, Mistake> {
        if matches!(self.peek(), Token::End | Token::Sign(",")) {
            return Ok(String::new());
        }
        match self.next() {
            (Token::Word(word), range) => {
                *end = range.end;
                label_value(word, range)
            }
            (token, range) => Err(unexpected(token, range, "a value", EXAMPLES)),
        }
    }

    /// Parses values in parentheses. A missing value between two separators is the empty value.
    fn values(&mut self, end: &mut usize) -> Result<Vec<String>, Mistake> {
        match self.next() {
            (Token::Sign("("), _) => {}
            (token, range) => return Err(unexpected(token, range, "`(`", "write `key in (value,value)`")),
        }
        let mut values = Vec::new();
        loop {
            let value = match self.peek() {
                Token::Word(word) => label_value(word, self.next().1)?,
                _ => String::new(),
            };
            if !values.contains(&value) {
                values.push(value);
            }
            match self.next() {
                (Token::Sign(","), _) => {}
                (Token::Sign(")"), range) => {
                    *end = range.end;
                    return Ok(values);
                }
                (Token::End, range) => {
                    return Err(Mistake::new(
                        range,
                        "a `)` is missing here",
                        "write `key in (value,value)`",
                    ));
                }
                (token, range) => {
                    return Err(unexpected(
                        token,
                        range,
                        "`,` or `)`",
                        "write `key in (value,value)`",
                    ));
                }
            }
        }
    }
}

fn key(token: Token<'_>, range: Range<usize>) -> Result<String, Mistake> {
    match token {
        Token::Word(word) if kubernetes_names::is_qualified_name(word) => Ok(word.to_owned()),
        Token::Word(word) => {
            let help = format!("write a name, or a domain, a slash and a name; in the name, {NAME_HELP}");
            Err(Mistake::new(
                range,
                format!("`{word}` cannot be the key of a label"),
                help,
            ))
        }
        token => Err(unexpected(token, range, "a label", EXAMPLES)),
    }
}

fn label_value(word: &str, range: Range<usize>) -> Result<String, Mistake> {
    if kubernetes_names::is_label_value(word) {
        return Ok(word.to_owned());
    }
    Err(Mistake::new(
        range,
        format!("`{word}` cannot be the value of a label"),
        NAME_HELP,
    ))
}

fn unexpected(token: Token<'_>, range: Range<usize>, wanted: &str, help: &str) -> Mistake {
    let message = match token {
        Token::Word(text) | Token::Sign(text) => format!("expected {wanted}, found `{text}`"),
        Token::End => format!("{wanted} is missing here"),
    };
    Mistake::new(range, message, help)
}
