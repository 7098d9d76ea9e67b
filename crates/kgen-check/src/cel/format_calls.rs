//! Calls of `format` with a text and a list that are written down: each clause of the text needs a value of a type that it
//! can show.

use super::checker::Checker;
use super::mistake::Sort;
use super::tree::{Expression, Id, Literal};
use super::types::Type;

/// Checks a call of `format` on `target`.
pub(super) fn check(checker: &mut Checker<'_, '_>, call: Id, target: Id, arguments: &[Id]) {
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
                "the text has places for {} values, and there are {}",
                clauses.len(),
                values.len()
            ),
        )),
        Ok(clauses) => clauses.iter().zip(&values).find_map(|(clause, value)| {
            let wrong = refused_part(checker, *clause, *value)?;
            let shown = checker.types.shown(checker.type_of(wrong));
            Some((
                checker.tree.start(wrong),
                format!("`%{clause}` cannot show a `{shown}`"),
            ))
        }),
    };
    if let Some((place, message)) = found {
        let help =
            "`%s` shows texts, numbers, lists, maps and times, `%d` whole numbers, `%f` and `%e` others";
        checker
            .mistakes
            .add(Sort::Type, place, message, Some(help.to_owned()));
    }
}

/// The letters of all clauses of a text.
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
                return Err("`%.` needs a number of digits behind it".to_owned());
            }
        }
        match letters.next() {
            Some(clause @ ('s' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o')) => found.push(clause),
            Some(other) => return Err(format!("`%{}` means nothing", other.escape_debug())),
            None => return Err("the text ends within a clause".to_owned()),
        }
    }
    Ok(found)
}

/// The value, or the part of a list or map that is written down, which a clause cannot show.
fn refused_part(checker: &Checker<'_, '_>, clause: char, value: Id) -> Option<Id> {
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
