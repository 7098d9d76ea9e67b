//! Checks calls of `format` with a constant string and a list literal: each clause of the string needs a value of a type
//! that it can show.

use crate::schema::Schema;

use super::checker::Checker;
use super::mistake::Mistake;
use super::tree::{Expression, Id, Literal};
use super::types::Type;

/// Checks a call of `format` on `target`.
pub(super) fn check<S: Schema>(checker: &mut Checker<'_, S>, call: Id, target: Id, arguments: &[Id]) {
    let [list] = arguments else { return };
    let Some(Expression::Literal(Literal::Text(text))) = checker.tree.expression(target) else {
        return;
    };
    let Some(Expression::List(items)) = checker.tree.expression(*list) else {
        return;
    };
    let values: Vec<Id> = items.iter().map(|item| item.value).collect();
    let found = match clauses(text) {
        Err(reason) => Some((checker.tree.start(target), reason)),
        Ok(clauses) if clauses.len() != values.len() => Some((
            checker.tree.point(call),
            format!(
                "the string has {} clauses, but the list has {} items",
                clauses.len(),
                values.len()
            ),
        )),
        Ok(clauses) => clauses.iter().zip(&values).find_map(|(clause, value)| {
            let wrong = refused_part(checker, *clause, *value)?;
            let shown = checker.types.shown(checker.type_of(wrong));
            Some((
                checker.tree.start(wrong),
                format!("`%{clause}` cannot format a `{shown}`"),
            ))
        }),
    };
    if let Some((place, message)) = found {
        let help = "use `%s` for strings, numbers, lists, maps and times, `%d` for integers, `%f` and `%e` for other numbers";
        checker.mistakes.add(Mistake::types(place, message).help(help));
    }
}

/// Returns the letters of all clauses in a string.
fn clauses(text: &str) -> Result<Vec<char>, String> {
    let mut found = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '%' || letters.next_if_eq(&'%').is_some() {
            continue;
        }
        if letters.next_if_eq(&'.').is_some() {
            let mut digits = 0;
            while letters.next_if(char::is_ascii_digit).is_some() {
                digits += 1;
            }
            if digits == 0 {
                return Err("`%.` needs a number of digits".to_owned());
            }
        }
        match letters.next() {
            Some(clause @ ('s' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o')) => found.push(clause),
            Some(other) => return Err(format!("`%{}` is not a valid clause", other.escape_debug())),
            None => return Err("the string ends within a clause".to_owned()),
        }
    }
    Ok(found)
}

/// Returns the value, or the part of a list or map literal, that a clause cannot show.
fn refused_part<S: Schema>(checker: &Checker<'_, S>, clause: char, value: Id) -> Option<Id> {
    let own = checker.types.get(checker.type_of(value));
    let shows = match (clause, own) {
        (_, Type::Dyn | Type::Error) | ('d' | 'o', Type::Int | Type::Uint) => true,
        ('f' | 'e', Type::Double | Type::Text) | ('b', Type::Int | Type::Uint | Type::Bool) => true,
        ('x' | 'X', Type::Int | Type::Uint | Type::Text | Type::Bytes) => true,
        ('s', Type::Object(_) | Type::Named(_) | Type::Optional(_) | Type::Free(_)) => false,
        (clause, _) => clause == 's',
    };
    if !shows {
        return Some(value);
    }
    let refused = |part: Id| refused_part(checker, clause, part);
    match checker.tree.expression(value) {
        Some(Expression::List(items)) if clause == 's' => items.iter().find_map(|item| refused(item.value)),
        Some(Expression::Map(entries)) if clause == 's' => entries
            .iter()
            .find_map(|entry| refused(entry.key).or_else(|| refused(entry.value))),
        _ => None,
    }
}
