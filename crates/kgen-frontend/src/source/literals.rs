//! Where the parts of a string are written in Rust source: in a plain literal with escapes, or in a raw one.

use kgen_diagnostics::{Span, TextOrigin};
use ra_ap_rustc_lexer::{FrontmatterAllowed, LiteralKind, TokenKind, tokenize};

/// Returns where the parts of `value` are written within `source`, the text at `span`. The origin is empty unless exactly
/// one literal in that text has the value.
pub(crate) fn string_origin(source: &str, span: Span, value: &str) -> TextOrigin {
    let mut found = TextOrigin::default();
    let mut is_found = false;
    let mut offset = 0;
    for token in tokenize(source, FrontmatterAllowed::No) {
        let start = offset;
        offset += token.len as usize;
        let TokenKind::Literal { kind, suffix_start } = token.kind else {
            continue;
        };
        let end = start + suffix_start as usize;
        let parts = match (kind, source.get(start..end)) {
            (LiteralKind::Str { terminated: true }, Some(literal)) => plain_parts(literal),
            (LiteralKind::RawStr { n_hashes: Some(_) }, Some(literal)) => raw_parts(literal),
            _ => continue,
        };
        let Some(parts) = parts.filter(|parts| text_of(parts) == value) else {
            continue;
        };
        if std::mem::replace(&mut is_found, true) {
            return TextOrigin::default();
        }
        let mut at = span.range().start + start;
        for part in parts {
            if let Some(character) = part.character {
                let place = Span::of(span.file, at..at + part.written);
                found.push(character.len_utf8(), place);
            }
            at += part.written;
        }
    }
    found
}

/// A character of a string, or an escape without a character.
struct Part {
    character: Option<char>,
    /// How many bytes of the source it takes.
    written: usize,
}

fn text_of(parts: &[Part]) -> String {
    parts.iter().filter_map(|part| part.character).collect()
}

fn sign(written: usize) -> Part {
    Part {
        character: None,
        written,
    }
}

fn character(character: char, written: usize) -> Part {
    Part {
        character: Some(character),
        written,
    }
}

/// Returns the next character of a string. A line break of two characters is one in the value.
fn unescaped(rest: &str) -> Option<Part> {
    if rest.starts_with("\r\n") {
        return Some(character('\n', 2));
    }
    let next = rest.chars().next()?;
    Some(character(next, next.len_utf8()))
}

fn raw_parts(literal: &str) -> Option<Vec<Part>> {
    let open = literal.find('"')? + 1;
    let close = literal.rfind('"')?;
    let mut rest = literal.get(open..close)?;
    let mut parts = vec![sign(open)];
    while let Some(part) = unescaped(rest) {
        rest = rest.get(part.written..)?;
        parts.push(part);
    }
    Some(parts)
}

fn plain_parts(literal: &str) -> Option<Vec<Part>> {
    let mut rest = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut parts = vec![sign(1)];
    while !rest.is_empty() {
        let part = match rest.strip_prefix('\\') {
            Some(behind) => escape(behind)?,
            None => unescaped(rest)?,
        };
        rest = rest.get(part.written..)?;
        parts.push(part);
    }
    Some(parts)
}

/// Returns the escape whose backslash is before `behind`.
fn escape(behind: &str) -> Option<Part> {
    let next = behind.chars().next()?;
    let simple = match next {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '0' => Some('\0'),
        '\\' | '\'' | '"' => Some(next),
        _ => None,
    };
    if let Some(simple) = simple {
        return Some(character(simple, 2));
    }
    match next {
        'x' => {
            let code = u8::from_str_radix(behind.get(1..3)?, 16).ok()?;
            Some(character(char::from(code), 4))
        }
        'u' => {
            let (digits, _) = behind.strip_prefix("u{")?.split_once('}')?;
            let code = u32::from_str_radix(&digits.replace('_', ""), 16).ok()?;
            Some(character(char::from_u32(code)?, digits.len() + 4))
        }
        // A backslash at the end of a line leaves out the break and the blanks of the next line.
        '\n' | '\r' => Some(sign(1 + behind.len() - behind.trim_start().len())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use kgen_diagnostics::Files;

    use super::*;

    fn place(source: &str, value: &str, part: &str) -> Option<String> {
        let id = Files::default().next_id();
        let origin = string_origin(source, Span::of(id, 0..source.len()), value);
        let at = value.find(part)?;
        let span = origin.span(at..at + part.len())?;
        source.get(span.range()).map(str::to_owned)
    }

    #[test]
    fn parts_are_found_behind_escapes() {
        let found = |source: &str, value: &str, part: &str| place(source, value, part);
        assert_eq!(found(r#""a == b""#, "a == b", "b").as_deref(), Some("b"));
        assert_eq!(
            found(r#""a == \"x\" && b""#, r#"a == "x" && b"#, "b").as_deref(),
            Some("b")
        );
        assert_eq!(
            found(r#""\x41\u{e9} == b""#, "Aé == b", "é").as_deref(),
            Some(r"\u{e9}")
        );
        assert_eq!(found("\"a &&\\\n   b\"", "a &&b", "b").as_deref(), Some("b"));
        assert_eq!(
            found(
                "Rule::new(r#\"a == \"x\"\"#).message(\"m\")",
                "a == \"x\"",
                "\"x\""
            )
            .as_deref(),
            Some("\"x\"")
        );
    }

    #[test]
    fn two_equal_literals_have_no_certain_place() {
        assert_eq!(place(r#"("a", "a")"#, "a", "a"), None);
        assert_eq!(place("CONSTANT", "a", "a"), None);
    }
}
