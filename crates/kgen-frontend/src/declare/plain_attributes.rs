//! Parses the usual forms of attributes token by token: `word`, `path::word` and `name = "text"`, separated by commas.
//!
//! syn first copies the tokens into its own buffer, which takes ten times as long, and an API has an attribute for
//! every field. Other forms are left to syn, so that only one parser knows the whole syntax.

use kgen_diagnostics::Span;
use proc_macro2::{Spacing, TokenTree};

use super::Source;
use super::attributes::{Literal, Meta, MetaValue};
use super::lower::placed_name;

/// Returns the parts of an attribute, or `None` if one of them has another form.
pub(super) fn read(mut tokens: &[TokenTree], source: Source<'_>) -> Option<Vec<Meta>> {
    let mut metas = Vec::with_capacity(1 + tokens.iter().filter(|token| is(token, ',')).count());
    while !tokens.is_empty() {
        let (meta, rest) = meta(tokens, source)?;
        metas.push(meta);
        tokens = match rest {
            [] => rest,
            [comma, rest @ ..] if is(comma, ',') => rest,
            _ => return None,
        };
    }
    metas.shrink_to_fit();
    Some(metas)
}

fn meta<'t>(tokens: &'t [TokenTree], source: Source<'_>) -> Option<(Meta, &'t [TokenTree])> {
    let (name, name_span, rest) = path(tokens, source)?;
    let (value, span, rest) = match rest {
        [equals, TokenTree::Literal(written), rest @ ..] if is(equals, '=') => {
            let start = source.start_of(written.span());
            let written = written.to_string();
            let value_span = Span::of(source.file, start..start + written.len());
            let value = MetaValue::Literal(literal(&written)?, value_span);
            (value, name_span.to(value_span), rest)
        }
        rest => (MetaValue::Word, name_span, rest),
    };
    let meta = Meta {
        name,
        name_span,
        value,
        span,
    };
    Some((meta, rest))
}

/// Reads names with `::` between them.
fn path<'t>(tokens: &'t [TokenTree], source: Source<'_>) -> Option<(String, Span, &'t [TokenTree])> {
    let [TokenTree::Ident(first), rest @ ..] = tokens else {
        return None;
    };
    let (mut name, mut span) = placed_name(first, source);
    let mut tokens = rest;
    while let [colon, second, TokenTree::Ident(next), rest @ ..] = tokens
        && is_joint_colon(colon)
        && is(second, ':')
    {
        let (next, next_span) = placed_name(next, source);
        name.push_str("::");
        name.push_str(&next);
        span = span.to(next_span);
        tokens = rest;
    }
    Some((name, span, tokens))
}

/// Reads a string without escapes, or a small number.
fn literal(written: &str) -> Option<Literal> {
    if let Some(text) = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        let is_plain = !text.contains(['\\', '\r']);
        return is_plain.then(|| Literal::Text(text.to_owned()));
    }
    let is_number = written.len() < 19 && written.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| written.parse().ok().map(Literal::Integer))?
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character && punct.spacing() == Spacing::Alone)
}

fn is_joint_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint)
}
