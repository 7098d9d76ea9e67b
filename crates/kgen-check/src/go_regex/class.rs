//! Characters in brackets.

use super::cursor::Cursor;
use super::{Parser, Refusal, escape};

/// The classes of POSIX that Go knows, as in `[[:alpha:]]`; all of them are ASCII.
const POSIX_CLASSES: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "word", "xdigit",
];

/// Reads a bracketed class. The cursor is at the opening bracket.
pub(super) fn parse(parser: &mut Parser<'_>) -> Result<(), Refusal> {
    let mut cursor = parser.cursor;
    cursor.next();
    let fold = if parser.flags.fold_case { "i" } else { "" };
    let mut output = format!("(?{fold}:[");
    if cursor.take("^") {
        output.push('^');
    }
    let mut first = true;
    // A closing bracket in the first place is an ordinary character.
    while first || cursor.peek() != Some(']') {
        first = false;
        if let Some(class) = posix_class(&mut cursor)? {
            output.push_str(&class);
            continue;
        }
        if let Some(class) = escape::class(&mut cursor)? {
            output.push_str(&class);
            continue;
        }
        let before = cursor.rest();
        let lower = character(&mut cursor)?;
        let mut upper = lower;
        if cursor.peek() == Some('-') && !matches!(cursor.rest().as_bytes(), [b'-'] | [b'-', b']', ..]) {
            cursor.next();
            upper = character(&mut cursor)?;
        }
        if upper < lower {
            let range = before
                .get(..before.len() - cursor.rest().len())
                .unwrap_or_default();
            return Err(format!("the range `{range}` ends before it begins"));
        }
        push_range(parser, &mut output, lower, upper);
    }
    cursor.next();
    output.push_str("])");
    parser.output.push_str(&output);
    parser.cursor = cursor;
    Ok(())
}

/// `[:alpha:]` or `[:^alpha:]` within brackets.
fn posix_class(cursor: &mut Cursor<'_>) -> Result<Option<String>, Refusal> {
    let Some((inside, _)) = cursor
        .rest()
        .strip_prefix("[:")
        .and_then(|rest| rest.split_once(":]"))
    else {
        return Ok(None);
    };
    let name = inside.strip_prefix('^').unwrap_or(inside);
    if !POSIX_CLASSES.contains(&name) {
        return Err(format!("there is no class `[:{inside}:]`"));
    }
    cursor.skip(inside.len() + 4);
    Ok(Some(format!("[:{inside}:]")))
}

fn character(cursor: &mut Cursor<'_>) -> Result<u32, Refusal> {
    match cursor.peek() {
        None => Err("a class is never closed: `]` is missing".to_owned()),
        Some('\\') => escape::character(cursor),
        Some(letter) => {
            cursor.next();
            Ok(letter as u32)
        }
    }
}

/// Adds a range, without the surrogates that Rust's text never has.
fn push_range(parser: &mut Parser<'_>, output: &mut String, lower: u32, upper: u32) {
    let parts = [(lower, upper.min(0xD7FF)), (lower.max(0xE000), upper)];
    let mut written = false;
    for (lower, upper) in parts {
        if lower <= upper {
            output.push_str(&format!("\\x{{{lower:X}}}-\\x{{{upper:X}}}"));
            written = true;
        }
    }
    if !written {
        parser.translatable = false;
    }
}
