//! What is computed where code is read, for schemas and for values alike: texts of `format!`, and integers.

use serde_json::Value;
use syn::BinOp;

/// What an operator makes of two integers; nothing if the result does not fit, or if the operator is not understood.
pub(super) fn integer(left: i64, operator: &BinOp, right: i64) -> Option<i64> {
    match operator {
        BinOp::Add(_) => left.checked_add(right),
        BinOp::Sub(_) => left.checked_sub(right),
        BinOp::Mul(_) => left.checked_mul(right),
        BinOp::Div(_) => left.checked_div(right),
        BinOp::Shl(_) => left.checked_shl(u32::try_from(right).ok()?),
        _ => None,
    }
}

/// A scalar as `format!` and `concat!` write it.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(boolean) => Some(boolean.to_string()),
        _ => None,
    }
}

/// The text that `format!` makes: each hole of the pattern is filled with what `fill` gives for the text between its braces, which is empty for `{}`.
pub(super) fn filled<E>(pattern: &str, mut fill: impl FnMut(&str) -> Result<String, E>) -> Result<String, E> {
    let mut text = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('{', Some('{')) | ('}', Some('}')) => {
                letters.next();
                text.push(letter);
            }
            ('{', _) => {
                let hole: String = letters.by_ref().take_while(|letter| *letter != '}').collect();
                text.push_str(&fill(&hole)?);
            }
            _ => text.push(letter),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_and_braces_stay() {
        let upper = |hole: &str| match hole {
            "bad" => Err(()),
            hole => Ok(format!("<{hole}>")),
        };
        assert_eq!(filled("a {} {{b}} {c}", upper), Ok("a <> {b} <c>".to_owned()));
        assert_eq!(filled("{bad}", upper), Err(()));
        assert_eq!(filled("{open", upper), Ok("<open>".to_owned()));
    }
}
