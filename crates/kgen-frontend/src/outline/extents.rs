//! The whole text of a declaration, from the place of its name. Editors fold it, and show which one the cursor is in.

use std::ops::Range;

use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, tokenize};

use super::ItemKind;

/// The tokens of a text, without blanks and comments.
pub(super) struct Extents(Vec<(TokenKind, Range<usize>)>);

impl Extents {
    pub(super) fn of(text: &str) -> Self {
        let mut at = 0;
        let tokens = tokenize(text, FrontmatterAllowed::No).map(|token| {
            let start = at;
            at += token.len as usize;
            (token.kind, start..at)
        });
        let is_code = |kind: &TokenKind| {
            !matches!(
                kind,
                TokenKind::Whitespace | TokenKind::LineComment { .. } | TokenKind::BlockComment { .. }
            )
        };
        Self(tokens.filter(|(kind, _)| is_code(kind)).collect())
    }

    /// Returns the bytes of the declaration whose name is at a range, from its first keyword to its last token.
    pub(super) fn whole(&self, text: &str, name: Range<usize>, kind: ItemKind) -> Range<usize> {
        let behind = self.0.partition_point(|(_, range)| range.start < name.end);
        let first = self.0.partition_point(|(_, range)| range.start < name.start);
        let start = self.start(text, first).unwrap_or(name.start);
        start..self.end(behind, kind).unwrap_or(name.end).max(name.end)
    }

    /// Goes back over keywords such as `pub(crate) struct`.
    fn start(&self, text: &str, first: usize) -> Option<usize> {
        let mut at = first;
        let mut start = None;
        while let Some((kind, range)) = at.checked_sub(1).and_then(|before| self.0.get(before)) {
            match kind {
                TokenKind::Ident => start = Some(range.start),
                TokenKind::CloseParen => {
                    let open = (0..at)
                        .rev()
                        .find(|index| self.is(*index, TokenKind::OpenParen))?;
                    let keyword = self.0.get(open.checked_sub(1)?)?;
                    if text.get(keyword.1.clone()) != Some("pub") {
                        return start;
                    }
                    at = open;
                    continue;
                }
                _ => return start,
            }
            at -= 1;
        }
        start
    }

    fn end(&self, behind: usize, kind: ItemKind) -> Option<usize> {
        let is_part = matches!(kind, ItemKind::Field | ItemKind::Variant);
        let (mut depth, mut angles) = (0_usize, 0_usize);
        for (index, (token, range)) in self.0.iter().enumerate().skip(behind) {
            match token {
                TokenKind::OpenBrace | TokenKind::OpenParen | TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseBrace | TokenKind::CloseParen | TokenKind::CloseBracket => {
                    if depth == 0 {
                        return self.0.get(index.checked_sub(1)?).map(|(_, last)| last.end);
                    }
                    depth -= 1;
                    if depth == 0 && !is_part && *token == TokenKind::CloseBrace {
                        return Some(range.end);
                    }
                }
                TokenKind::Semi if depth == 0 => return Some(range.end),
                TokenKind::Comma if depth == 0 && angles == 0 && is_part => return Some(range.start),
                // A variant has `<` only in its number, where it shifts.
                TokenKind::Lt if depth == 0 && kind == ItemKind::Field => angles += 1,
                TokenKind::Gt if depth == 0 => {
                    let before = index.saturating_sub(1);
                    if !self.is(before, TokenKind::Minus) && !self.is(before, TokenKind::Eq) {
                        angles = angles.saturating_sub(1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn is(&self, index: usize, kind: TokenKind) -> bool {
        self.0.get(index).is_some_and(|(found, _)| *found == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_ends_with_its_last_token() {
        let whole = |text: &str, name: &str, kind: ItemKind| {
            let at = text.find(name).unwrap();
            let range = Extents::of(text).whole(text, at..at + name.len(), kind);
            text[range].to_owned()
        };
        let text = "/// A.\n#[derive(Clone)]\npub(crate) struct Aa<T> {\n    pub bb: Map<String, fn(i32) -> T>, // x\n    cc: [u8; 3]\n}\nenum Dd { Ee = 1 << 2, Ff { gg: i32 }, Hh }\npub type Ii = Vec<Aa<i32>>;\nstruct Jj(pub i32);\n";
        assert_eq!(
            whole(text, "bb", ItemKind::Field),
            "pub bb: Map<String, fn(i32) -> T>"
        );
        assert_eq!(whole(text, "cc", ItemKind::Field), "cc: [u8; 3]");
        let found = whole(text, "Aa", ItemKind::Struct);
        assert!(
            found.starts_with("pub(crate) struct Aa<T> {") && found.ends_with("3]\n}"),
            "{found}"
        );
        assert_eq!(whole(text, "Ee", ItemKind::Variant), "Ee = 1 << 2");
        assert_eq!(whole(text, "Ff", ItemKind::Variant), "Ff { gg: i32 }");
        assert_eq!(whole(text, "gg", ItemKind::Field), "gg: i32");
        assert_eq!(whole(text, "Hh", ItemKind::Variant), "Hh");
        assert!(whole(text, "Dd", ItemKind::Enum).ends_with("Hh }"));
        assert_eq!(whole(text, "Ii", ItemKind::Alias), "pub type Ii = Vec<Aa<i32>>;");
        assert_eq!(whole(text, "Jj", ItemKind::Struct), "struct Jj(pub i32);");
        // Half a text has declarations without an end.
        assert_eq!(whole("struct Aa {", "Aa", ItemKind::Struct), "struct Aa");
    }
}
