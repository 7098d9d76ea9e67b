//! Escapes.

use super::cursor::Cursor;
use super::{Parser, Refusal, unicode};

/// The ASCII classes `\d`, `\s` and `\w` as ranges of a bracketed class. Capital letters negate them.
const PERL_CLASSES: [(char, &str); 3] = [('d', "0-9"), ('s', r"\t\n\f\r\x20"), ('w', "0-9A-Za-z_")];

/// Reads an escape outside of brackets.
pub(super) fn outside_class(parser: &mut Parser<'_>) -> Result<(), Refusal> {
    let positions = [
        (r"\A", r"\A"),
        (r"\b", r"(?-u:\b)"),
        (r"\B", r"(?-u:\B)"),
        (r"\z", r"\z"),
    ];
    for (go, rust) in positions {
        if parser.cursor.take(go) {
            parser.output.push_str(rust);
            return Ok(());
        }
    }
    if let Some(class) = class(&mut parser.cursor)? {
        let fold = if parser.flags.fold_case { "i" } else { "" };
        parser.output.push_str(&format!("(?{fold}:[{class}])"));
        return Ok(());
    }
    let code_point = character(&mut parser.cursor)?;
    parser.literal(code_point);
    Ok(())
}

/// Translates a class such as `\d` or `\p{Greek}` to an item of a bracketed class. Returns `None` for other escapes.
pub(super) fn class(cursor: &mut Cursor<'_>) -> Result<Option<String>, Refusal> {
    if let Some(class) = unicode::class(cursor)? {
        return Ok(Some(class));
    }
    let mut letters = cursor.rest().chars();
    let (Some('\\'), Some(letter)) = (letters.next(), letters.next()) else {
        return Ok(None);
    };
    let known = PERL_CLASSES
        .iter()
        .find(|(name, _)| *name == letter.to_ascii_lowercase());
    let Some((_, ranges)) = known else { return Ok(None) };
    cursor.skip(2);
    Ok(Some(if letter.is_ascii_uppercase() {
        format!("[^{ranges}]")
    } else {
        (*ranges).to_owned()
    }))
}

/// Reads an escape for one character. The cursor is at the backslash.
pub(super) fn character(cursor: &mut Cursor<'_>) -> Result<u32, Refusal> {
    cursor.next();
    let Some(letter) = cursor.next() else {
        return Err("a character is missing after `\\`".to_owned());
    };
    let refused = || Err(format!("`\\{letter}` is not a valid escape"));
    match letter {
        'a' => Ok(0x07),
        'f' => Ok(0x0C),
        'n' => Ok(0x0A),
        'r' => Ok(0x0D),
        't' => Ok(0x09),
        'v' => Ok(0x0B),
        'x' => hexadecimal(cursor),
        '1'..='9' if !(letter < '8' && cursor.peek().is_some_and(|next| next.is_digit(8))) => Err(format!(
            "`\\{letter}` refers back to a group, which is not supported"
        )),
        '0'..='7' => Ok(octal(letter, cursor)),
        _ if letter.is_ascii() && !letter.is_ascii_alphanumeric() => Ok(letter as u32),
        _ => refused(),
    }
}

/// Reads the rest of up to three octal digits.
fn octal(first: char, cursor: &mut Cursor<'_>) -> u32 {
    let mut value = first.to_digit(8).unwrap_or_default();
    for _ in 0..2 {
        let Some(digit) = cursor.peek().and_then(|letter| letter.to_digit(8)) else {
            break;
        };
        value = value * 8 + digit;
        cursor.next();
    }
    value
}

/// Reads two hexadecimal digits, or any number of them in braces.
fn hexadecimal(cursor: &mut Cursor<'_>) -> Result<u32, Refusal> {
    let refusal = || "`\\x` needs two hexadecimal digits, or some in braces up to `{10FFFF}`".to_owned();
    let digits = if let Some(braced) = cursor.rest().strip_prefix('{') {
        let (digits, _) = braced.split_once('}').ok_or_else(refusal)?;
        cursor.skip(digits.len() + 2);
        digits
    } else {
        let digits = cursor.rest().get(..2).ok_or_else(refusal)?;
        cursor.skip(2);
        digits
    };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(refusal());
    }
    // Leading zeros are allowed, so the number of digits has no limit.
    let significant = digits.trim_start_matches('0');
    let value = if significant.is_empty() {
        Ok(0)
    } else {
        u32::from_str_radix(significant, 16)
    };
    value
        .ok()
        .filter(|value| *value <= 0x0010_FFFF)
        .ok_or_else(refusal)
}
