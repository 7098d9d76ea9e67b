//! Attributes as data: `serde`, `schemars`, `kube` and others, with names, values and places.

use kgen_diagnostics::{Span, Spanned};
use kgen_model::Sparse;
use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{End, ParseStream, Parser as _};
use syn::{Attribute, Expr, ExprLit, ExprUnary, Ident, Lit, Token, UnOp, ext::IdentExt as _};

use super::lower::{placed_name, span_of};
use super::{Source, plain_attributes};

/// A literal of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Text(String),
    Integer(i128),
    Float(f64),
    Boolean(bool),
}

/// `name`, `name = value`, `name(…)`, or a literal alone.
#[derive(Clone, Debug)]
pub(crate) struct Meta {
    /// Path segments joined by `::`; empty for a literal alone.
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) value: MetaValue,
    /// The place of the whole attribute.
    pub(crate) span: Span,
}

/// The part after the name.
#[derive(Clone, Debug)]
pub(crate) enum MetaValue {
    Word,
    Literal(Literal, Span),
    List(Vec<Meta>),
    /// An expression other than a literal, by its place.
    Expression(Span),
}

impl Meta {
    /// Returns the text of `name = "text"`.
    pub(crate) fn text(&self) -> Option<Spanned<&str>> {
        match &self.value {
            MetaValue::Literal(Literal::Text(text), span) => Some(Spanned::new(text, *span)),
            _ => None,
        }
    }

    /// Returns the parts of `name(…)`.
    pub(crate) fn list(&self) -> &[Meta] {
        match &self.value {
            MetaValue::List(list) => list,
            _ => &[],
        }
    }
}

/// The attributes of a node that kgen uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    /// Last segments of the derived traits.
    pub(crate) derives: Sparse<Vec<Spanned<String>>>,
    pub(crate) serde: Vec<Meta>,
    pub(crate) schemars: Sparse<Vec<Meta>>,
    pub(crate) validate: Sparse<Vec<Meta>>,
    pub(crate) garde: Sparse<Vec<Meta>>,
    pub(crate) kube: Sparse<Vec<Meta>>,
    pub(crate) x_kube: Sparse<Vec<Meta>>,
    pub(crate) repr: Sparse<Vec<Meta>>,
    /// `#[default]` on a variant.
    pub(crate) is_default: bool,
    /// `#[deprecated]`, with its note.
    pub(crate) deprecated: Option<Box<str>>,
}

impl Attributes {
    /// Returns the place where a trait of this name is derived.
    pub(crate) fn derives(&self, name: &str) -> Option<Span> {
        self.derives
            .iter()
            .find(|derive| derive.value == name)
            .map(|derive| derive.span)
    }

    /// Returns the part of `#[serde(…)]` called `name`.
    pub(crate) fn serde(&self, name: &str) -> Option<&Meta> {
        self.serde.iter().find(|meta| meta.name == name)
    }
}

/// Returns the name of the root struct that kube-derive generates, from the keys of `#[kube(…)]`.
pub(crate) fn kube_root_name(metas: &[Meta]) -> Option<&str> {
    // kube before version 0.99 calls it `struct`.
    let text = |key: &str| metas.iter().find(|meta| meta.name == key)?.text();
    let name = ["root", "struct", "kind"].into_iter().find_map(text)?;
    Some(name.value)
}

/// Lowers attributes. An attribute that cannot be parsed as a list of metas is left out, because kgen does not know any
/// of that form.
///
/// It consumes the tokens of these attributes.
pub(super) fn lower(attributes: &mut [Attribute], source: Source<'_>) -> Attributes {
    let mut lowered = Attributes::default();
    for attribute in attributes {
        let Some(name) = attribute
            .path()
            .segments
            .last()
            .map(|segment| segment.ident.to_string())
        else {
            continue;
        };
        let target = match name.as_str() {
            "serde" => &mut lowered.serde,
            "schemars" => &mut lowered.schemars,
            "validate" => &mut lowered.validate,
            "garde" => &mut lowered.garde,
            "kube" => &mut lowered.kube,
            "repr" => &mut lowered.repr,
            // kube's name for it before version 2.
            "x_kube" | "cel_validate" => &mut lowered.x_kube,
            // The adapters of serde_with read and write a field by code.
            "serde_as" => {
                let adapters = parse_list(attribute, source)
                    .into_iter()
                    .filter(|meta| matches!(meta.name.as_str(), "as" | "deserialize_as" | "serialize_as"));
                // An adapter is not a type whose schema counts, so its name is left out.
                lowered.serde.extend(adapters.map(|meta| Meta {
                    name: "with".to_owned(),
                    value: MetaValue::Word,
                    ..meta
                }));
                continue;
            }
            "derive" => {
                let metas = parse_list(attribute, source);
                lowered.derives.extend(metas.into_iter().map(|meta| {
                    let last = meta.name.rsplit("::").next().unwrap_or_default().to_owned();
                    Spanned::new(last, meta.name_span)
                }));
                continue;
            }
            "default" => {
                lowered.is_default = true;
                continue;
            }
            "deprecated" => {
                let note = parse_list(attribute, source)
                    .iter()
                    .find(|meta| meta.name == "note")
                    .and_then(|meta| meta.text().map(|text| text.value.to_owned()));
                lowered.deprecated = Some(note.unwrap_or_default().into());
                continue;
            }
            _ => continue,
        };
        let metas = parse_list(attribute, source);
        if target.is_empty() {
            *target = metas;
        } else {
            target.extend(metas);
        }
    }
    lowered
}

fn parse_list(attribute: &mut Attribute, source: Source<'_>) -> Vec<Meta> {
    let syn::Meta::List(list) = &mut attribute.meta else {
        return Vec::new();
    };
    let tokens: Vec<TokenTree> = std::mem::take(&mut list.tokens).into_iter().collect();
    plain_attributes::read(&tokens, source)
        .unwrap_or_else(|| parse_tokens(tokens.into_iter().collect(), source))
}

fn parse_tokens(tokens: TokenStream, source: Source<'_>) -> Vec<Meta> {
    let parser = |input: ParseStream<'_>| parse_metas(input, source);
    parser.parse2(tokens).unwrap_or_default()
}

fn parse_metas(input: ParseStream<'_>, source: Source<'_>) -> syn::Result<Vec<Meta>> {
    let mut metas = Vec::new();
    while !input.is_empty() {
        // A part in another form is ignored and does not affect the others.
        match parse_meta(input, source) {
            Ok(meta) => metas.push(meta),
            Err(_) => skip_to_comma(input)?,
        }
        if input.is_empty() {
            break;
        }
        if input.parse::<Token![,]>().is_err() {
            skip_to_comma(input)?;
        }
    }
    metas.shrink_to_fit();
    Ok(metas)
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Parses `"name" = value`, as `extend` of schemars takes it. The value is in the language of `json!`, and read on
/// demand.
fn parse_extension(input: ParseStream<'_>, source: Source<'_>) -> syn::Result<Meta> {
    let name: syn::LitStr = input.parse()?;
    let name_span = span_of(source, name.span());
    input.parse::<Token![=]>()?;
    let mut value_span: Option<Span> = None;
    while !input.is_empty() && !input.peek(Token![,]) {
        let token = span_of(source, input.parse::<TokenTree>()?.span());
        value_span = Some(value_span.map_or(token, |start| start.to(token)));
    }
    let value_span = value_span.unwrap_or(name_span);
    Ok(Meta {
        name: name.value(),
        name_span,
        value: MetaValue::Expression(value_span),
        span: name_span.to(value_span),
    })
}

/// Returns whether the list of a name is one expression: `pattern(…)`, and `contains(…)` unless it has named parts.
fn takes_expression(name: &str, content: ParseStream<'_>) -> bool {
    matches!(name, "pattern" | "contains")
        && !content.is_empty()
        && !content.peek2(Token![,])
        && !content.peek2(Token![=])
}

/// Parses an expression without a name.
fn parse_alone(input: ParseStream<'_>, source: Source<'_>) -> syn::Result<Meta> {
    let expression: Expr = input.parse()?;
    let (value, span) = lower_value(&expression, source);
    Ok(Meta {
        name: String::new(),
        name_span: span,
        value,
        span,
    })
}

fn parse_meta(input: ParseStream<'_>, source: Source<'_>) -> syn::Result<Meta> {
    if input.peek(syn::LitStr) && input.peek2(Token![=]) {
        return parse_extension(input, source);
    }
    if input.peek(Lit) || input.peek(Token![-]) {
        return parse_alone(input, source);
    }
    // `!keyword` of schemars unsets the keyword of serde.
    let unset = if input.peek(Token![!]) {
        Some(input.parse::<Token![!]>()?)
    } else {
        None
    };
    if input.peek(Token![::]) {
        input.parse::<Token![::]>()?;
    }
    let first = Ident::parse_any(input)?;
    let (mut name, mut name_span) = placed_name(&first, source);
    while input.peek(Token![::]) {
        input.parse::<Token![::]>()?;
        let next = Ident::parse_any(input)?;
        let (next, next_span) = placed_name(&next, source);
        name.push_str("::");
        name.push_str(&next);
        name_span = name_span.to(next_span);
    }
    if unset.is_some() {
        name.insert(0, '!');
    }
    let (value, span) = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        // Almost every value is a literal, and parsing it as an expression takes ten times as long.
        let expression = if input.peek(Lit) && (input.peek2(Token![,]) || input.peek2(End)) {
            Expr::Lit(ExprLit {
                attrs: Vec::new(),
                lit: input.parse()?,
            })
        } else {
            input.parse()?
        };
        let (value, value_span) = lower_value(&expression, source);
        (value, name_span.to(value_span))
    } else if input.peek(syn::token::Paren) {
        let content;
        let paren = syn::parenthesized!(content in input);
        let span = name_span.to(span_of(source, paren.span.close()));
        let list = if takes_expression(&name, &content) {
            vec![parse_alone(&content, source)?]
        } else {
            parse_metas(&content, source)?
        };
        (MetaValue::List(list), span)
    } else {
        (MetaValue::Word, name_span)
    };
    Ok(Meta {
        name,
        name_span,
        value,
        span,
    })
}

pub(super) fn lower_value(expression: &Expr, source: Source<'_>) -> (MetaValue, Span) {
    match expression {
        Expr::Lit(literal) => {
            let span = span_of(source, literal.lit.span());
            (
                lower_literal(literal, 1).map_or(MetaValue::Expression(span), |value| {
                    MetaValue::Literal(value, span)
                }),
                span,
            )
        }
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(minus),
            expr,
            ..
        }) => {
            if let Expr::Lit(literal) = expr.as_ref() {
                let span = span_of(source, minus.span).to(span_of(source, literal.lit.span()));
                if let Some(value) = lower_literal(literal, -1) {
                    return (MetaValue::Literal(value, span), span);
                }
            }
            let span = expression_span(expression, source);
            (MetaValue::Expression(span), span)
        }
        other => {
            let span = expression_span(other, source);
            (MetaValue::Expression(span), span)
        }
    }
}

fn lower_literal(literal: &ExprLit, sign: i128) -> Option<Literal> {
    Some(match &literal.lit {
        Lit::Str(text) => Literal::Text(text.value()),
        Lit::Char(character) => Literal::Text(character.value().to_string()),
        Lit::Bool(boolean) => Literal::Boolean(boolean.value),
        Lit::Int(integer) => Literal::Integer(integer.base10_parse::<i128>().ok()?.checked_mul(sign)?),
        Lit::Float(float) => {
            let value: f64 = float.base10_parse().ok()?;
            Literal::Float(if sign < 0 { -value } else { value })
        }
        _ => return None,
    })
}

/// Returns the place of any expression. Printing its tokens to find it is slow, but these are rare.
fn expression_span(expression: &Expr, source: Source<'_>) -> Span {
    span_of(source, syn::spanned::Spanned::span(expression))
}

#[cfg(test)]
mod tests {
    use kgen_diagnostics::Files;

    use super::*;

    /// Returns the parts that are parsed token by token and those that syn parses.
    fn both_ways(text: &str) -> (Option<Vec<Meta>>, Vec<Meta>) {
        let source = Source::new(Files::default().next_id(), text);
        let tokens: TokenStream = text.parse().unwrap();
        let list: Vec<TokenTree> = tokens.clone().into_iter().collect();
        (
            plain_attributes::read(&list, source),
            parse_tokens(tokens, source),
        )
    }

    #[test]
    fn usual_attributes_are_read_as_syn_reads_them() {
        for text in [
            "",
            "default",
            "default, skip_serializing_if = \"Option::is_none\",",
            "rename = \"größe\", r#type, with = \"a::b\"",
            "Clone, serde::Serialize, ::kube::CustomResource",
            "min = 3, max = 012, skip",
            "if = \"a\", crate = \"b\"",
        ] {
            let (plain, parsed) = both_ways(text);
            let is_usual = !text.contains(" ::");
            assert_eq!(plain.is_some(), is_usual, "{text}");
            if let Some(plain) = plain {
                assert_eq!(format!("{plain:?}"), format!("{parsed:?}"), "{text}");
            }
        }
    }

    #[test]
    fn unusual_attributes_are_left_to_syn() {
        for text in [
            "rename(serialize = \"a\")",
            "a = \"\\n\"",
            "a = r\"b\"",
            "a = 'b'",
            "a = 1.5",
            "a = 1u8",
            "a = -1",
            "a = true",
            "a = CONSTANT",
            "a == 1",
            "\"x\" = 1",
            "!required",
            "a b",
            "a,,b",
        ] {
            assert!(both_ways(text).0.is_none(), "{text}");
        }
    }
}
