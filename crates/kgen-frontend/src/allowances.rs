//! How far a marker `+kgen:allow` reaches: over its comment and the item or field below it, or over its file.

use kgen_diagnostics::{Allowance, Code, Files, Problems, Span};
use kgen_markers::{Marker, apply_to_api};
use kgen_model::Api;
use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, tokenize};

/// Widens the places of allowances from their markers to everything that they are about.
pub(crate) fn widen(allowances: &mut [Allowance], files: &Files) {
    for allowance in allowances {
        let Some(marker) = allowance.place else { continue };
        let Some(text) = files.get(marker.file).map(|file| file.text()) else {
            continue;
        };
        allowance.place = Some(reach(marker, text));
    }
}

/// Returns the places at which the markers of a file that was read on demand allow floating-point numbers.
pub(crate) fn of_floats(blocks: &[Vec<Marker>], files: &Files) -> Vec<Allowance> {
    let mut api = Api::default();
    for block in blocks {
        // Such a file contributes types. Its access rules and webhooks do not count, and neither do their problems.
        apply_to_api(block, &mut api, &mut Problems::new());
    }
    widen(&mut api.allowances, files);
    let floats = only_floats(&api.allowances).into_iter();
    // Their markers are not part of the run, so nobody learns whether they are used.
    floats
        .map(|allowance| Allowance {
            marker: None,
            ..allowance
        })
        .collect()
}

/// Returns the allowances of floating-point numbers.
pub(crate) fn only_floats(allowances: &[Allowance]) -> Vec<Allowance> {
    let is_float = |allowance: &&Allowance| allowance.code == Code::DangerousType;
    allowances.iter().filter(is_float).copied().collect()
}

fn reach(marker: Span, text: &str) -> Span {
    let before = text.get(..marker.range().start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.trim_start().starts_with("//!") {
        return Span::of(marker.file, 0..text.len());
    }
    let line_start = before.len() - line.len();
    let start = line_start - comment_above(text.get(..line_start).unwrap_or_default());
    let behind = text.get(marker.range().end..).unwrap_or_default();
    Span::of(marker.file, start..marker.range().end + item_length(behind))
}

/// Returns the length of the lines at the end of a text that are comments or attributes.
fn comment_above(text: &str) -> usize {
    let lines = text.split_inclusive('\n').rev();
    lines
        .take_while(|line| {
            let line = line.trim_start();
            line.starts_with("//") && !line.starts_with("//!") || line.starts_with("#[")
        })
        .map(str::len)
        .sum()
}

/// Returns the length of the rest of a comment, the attributes and the item or field that follow.
fn item_length(text: &str) -> usize {
    let mut offset = text.find('\n').unwrap_or(text.len());
    let mut depth = 0_usize;
    let mut angles = 0_usize;
    let mut last = TokenKind::Eof;
    let mut in_attribute = false;
    for token in tokenize(text.get(offset..).unwrap_or_default(), FrontmatterAllowed::No) {
        offset += token.len as usize;
        match token.kind {
            TokenKind::OpenBrace | TokenKind::OpenParen | TokenKind::OpenBracket => {
                in_attribute |= depth == 0 && last == TokenKind::Pound;
                depth += 1;
            }
            TokenKind::CloseBrace | TokenKind::CloseParen | TokenKind::CloseBracket => {
                // The end of the block or list that contains the comment.
                if depth == 0 {
                    return offset;
                }
                depth -= 1;
                if depth == 0 && token.kind == TokenKind::CloseBrace && !in_attribute {
                    return offset;
                }
                in_attribute &= depth > 0;
            }
            TokenKind::Lt => angles += 1,
            TokenKind::Gt if last != TokenKind::Minus => angles = angles.saturating_sub(1),
            TokenKind::Semi if depth == 0 => return offset,
            TokenKind::Comma if depth == 0 && angles == 0 => return offset,
            _ => {}
        }
        if !matches!(
            token.kind,
            TokenKind::Whitespace | TokenKind::LineComment { .. } | TokenKind::BlockComment { .. }
        ) {
            last = token.kind;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use kgen_diagnostics::Files;

    use super::*;

    fn covered(text: &str) -> &str {
        let at = text.find("+allow").unwrap();
        let id = Files::default().next_id();
        text.get(reach(Span::of(id, at..at + 6), text).range()).unwrap()
    }

    #[test]
    fn an_allowance_reaches_to_the_end_of_its_item() {
        assert_eq!(
            covered("struct A;\n/// Doc.\n// +allow\n#[derive(X)]\npub struct B { c: D, e: F }\nstruct G;"),
            "/// Doc.\n// +allow\n#[derive(X)]\npub struct B { c: D, e: F }"
        );
        assert_eq!(
            covered("struct A {\n    // +allow\n    b: Map<C, D>,\n    e: F,\n}"),
            "    // +allow\n    b: Map<C, D>,"
        );
        assert_eq!(
            covered("struct A {\n    // +allow\n    b: C }\nstruct D;"),
            "    // +allow\n    b: C }"
        );
        assert_eq!(
            covered("// +allow\npub struct A(B);\nstruct C;"),
            "// +allow\npub struct A(B);"
        );
        assert_eq!(covered("//! +allow\nstruct A;"), "//! +allow\nstruct A;");
        assert_eq!(covered("// +allow"), "// +allow");
    }
}
