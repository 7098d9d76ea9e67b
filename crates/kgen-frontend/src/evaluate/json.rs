//! The language of `json!` and `json_schema!`: JSON whose values may be Rust expressions.

use syn::parse::{Parse, ParseStream};
use syn::{Expr, Token, token};

/// A value as it is written.
pub(super) enum Json {
    Null,
    List(Vec<Json>),
    /// Keys are expressions too: mostly texts, sometimes constants.
    Object(Vec<(Expr, Json)>),
    Expression(Box<Expr>),
}

impl Parse for Json {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // A value can be a block or an object; a lookahead decides.
        if input.peek(token::Brace) && is_object(input) {
            let content;
            syn::braced!(content in input);
            let mut entries = Vec::new();
            while !content.is_empty() {
                let key = key(&content)?;
                content.parse::<Token![:]>()?;
                entries.push((key, content.parse()?));
                if content.is_empty() {
                    break;
                }
                content.parse::<Token![,]>()?;
            }
            return Ok(Self::Object(entries));
        }
        if input.peek(token::Bracket) && !is_indexed(input) {
            let content;
            syn::bracketed!(content in input);
            let list = content.parse_terminated(Self::parse, Token![,])?;
            return Ok(Self::List(list.into_iter().collect()));
        }
        if input.peek(syn::Ident) {
            let fork = input.fork();
            let ident: syn::Ident = fork.parse()?;
            if ident == "null" && (fork.is_empty() || fork.peek(Token![,])) {
                input.parse::<syn::Ident>()?;
                return Ok(Self::Null);
            }
        }
        Ok(Self::Expression(Box::new(input.parse()?)))
    }
}

/// Parses a key: a string, an expression in brackets, or the name of a constant.
fn key(input: ParseStream<'_>) -> syn::Result<Expr> {
    if input.peek(syn::Lit) {
        return Ok(Expr::Lit(input.parse()?));
    }
    if input.peek(token::Paren) {
        let content;
        syn::parenthesized!(content in input);
        return content.parse();
    }
    Ok(Expr::Path(input.parse()?))
}

/// Returns whether braces hold `key: value` pairs, or nothing.
fn is_object(input: ParseStream<'_>) -> bool {
    let look = || -> syn::Result<bool> {
        let fork = input.fork();
        let content;
        syn::braced!(content in fork);
        if content.is_empty() {
            return Ok(true);
        }
        key(&content)?;
        Ok(content.peek(Token![:]))
    };
    look().unwrap_or(false)
}

/// Returns whether something is done with a list, such as `["a", "b"].concat()`.
fn is_indexed(input: ParseStream<'_>) -> bool {
    let look = || -> syn::Result<bool> {
        let fork = input.fork();
        let content;
        syn::bracketed!(content in fork);
        while !content.is_empty() {
            content.parse::<proc_macro2::TokenTree>()?;
        }
        Ok(!fork.is_empty() && !fork.peek(Token![,]))
    };
    look().unwrap_or(false)
}
