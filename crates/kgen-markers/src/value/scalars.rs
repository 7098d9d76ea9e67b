//! Integers, numbers and truth values.

use kgen_model::Number;

use super::strings::closing_quote;
use super::{Error, Located, Parser, TextFix};

impl<'a> Parser<'a> {
    /// Returns the next word: up to a blank or separator, or a quoted text as a whole.
    fn word(&mut self) -> Result<Located<&'a str>, Error> {
        self.skip_blanks();
        let start = self.at;
        let rest = self.rest();
        let quoted = match self.peek() {
            Some(quote @ ('"' | '`')) => closing_quote(rest, quote),
            Some('\'') => {
                self.refuse_single_quotes()?;
                None
            }
            _ => None,
        };
        let ends = |next: char| {
            next.is_whitespace() || matches!(next, ',' | ';' | '}') || (next == ')' && self.in_parentheses)
        };
        let length = quoted.unwrap_or_else(|| rest.find(ends).unwrap_or(rest.len()));
        if length == 0 {
            return Err(self.missing_value_of_type());
        }
        self.at += length;
        Ok(Located {
            value: self.slice(start..self.at),
            range: start..self.at,
        })
    }

    fn missing_value_of_type(&self) -> Error {
        Error {
            help: Vec::new(),
            fixes: Vec::new(),
            ..self.missing_value()
        }
    }

    pub(super) fn integer(&mut self) -> Result<Located<i64>, Error> {
        let word = self.word()?;
        let digits = word.value.strip_prefix('-').unwrap_or(word.value);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong_type(&word, "integer"));
        }
        match word.value.parse() {
            Ok(value) => Ok(Located {
                value,
                range: word.range,
            }),
            Err(_) => Err(Error::value(
                word.range,
                format!("`{}` does not fit in 64 bits", word.value),
            )),
        }
    }

    pub(super) fn number(&mut self) -> Result<Located<Number>, Error> {
        let word = self.word()?;
        if !is_number(word.value) {
            return Err(wrong_type(&word, "number"));
        }
        match parse_number(word.value) {
            Some(value) => Ok(Located {
                value,
                range: word.range,
            }),
            None => Err(Error::value(
                word.range,
                format!("the number `{}` is too large", word.value),
            )),
        }
    }

    pub(super) fn boolean(&mut self) -> Result<Located<bool>, Error> {
        let word = self.word()?;
        let value = match word.value {
            "true" => true,
            "false" => false,
            other => {
                return Err(Error::value(
                    word.range,
                    format!("`{other}` is neither `true` nor `false`"),
                ));
            }
        };
        Ok(Located {
            value,
            range: word.range,
        })
    }
}

fn wrong_type(word: &Located<&str>, wanted: &str) -> Error {
    let article = if wanted == "integer" { "an" } else { "a" };
    let error = Error::value(
        word.range.clone(),
        format!("`{}` is not {article} {wanted}", word.value),
    );
    let inner = word.value.trim_matches(['"', '`']);
    if inner.len() != word.value.len() && is_number(inner) {
        error
            .help(format!("write it without quotes: {inner}"))
            .with_fix(TextFix::replace(word.range.clone(), inner))
    } else {
        error
    }
}

/// Returns whether a text is a decimal number; a fraction and an exponent are optional.
pub(super) fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(index) => (text.get(..index).unwrap_or_default(), text.get(index + 1..)),
        None => (text, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_fits = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty()) && exponent_fits
}

/// Returns the number that [`is_number`] found: whole ones exactly, as far as 64 bits go.
pub(super) fn parse_number(text: &str) -> Option<Number> {
    text.parse()
        .ok()
        .map(Number::Integer)
        .or_else(|| text.parse().ok().and_then(Number::from_f64))
}
