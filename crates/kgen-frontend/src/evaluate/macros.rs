//! Macros: `json!`, `vec!`, `format!`, `concat!` and the schemas of types.

use kgen_diagnostics::Span;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

use super::expressions::{stop, unread};
use super::format::{display, filled};
use super::json::Json;
use super::value::{Value, set_entry};
use super::{Evaluator, Step};

impl Evaluator<'_> {
    /// Returns the value of a macro call.
    pub(super) fn macro_call(&mut self, call: &syn::Macro) -> Step<Value> {
        let span = self.frame.span(syn::spanned::Spanned::span(call));
        let name = call.path.segments.last().map(|segment| segment.ident.to_string());
        let name = name.unwrap_or_default();
        match name.as_str() {
            "json" | "json_schema" => {
                let json: Json = syn::parse2(call.tokens.clone()).map_err(|_| unread(span))?;
                self.json(&json)
            }
            "vec" => {
                if let Ok(repeat) = syn::parse2::<Repeat>(call.tokens.clone()) {
                    let element = self.value(&repeat.element)?;
                    let length = self.value(&repeat.length)?;
                    return self.repeated(element, &length, span);
                }
                let list = arguments(call, span)?;
                self.list(list.iter()).map(Value::List)
            }
            "concat" => {
                let mut text = String::new();
                for part in arguments(call, span)? {
                    match &part {
                        // A float is written as in the source.
                        Expr::Lit(syn::ExprLit {
                            lit: syn::Lit::Float(float),
                            ..
                        }) => text.push_str(float.base10_digits()),
                        _ => {
                            let value = self.value(&part)?;
                            text.push_str(&display(&value).ok_or_else(|| unread(span))?);
                        }
                    }
                }
                Ok(Value::Text(text))
            }
            "format" => self.format(&arguments(call, span)?, span),
            "stringify" => Err(unread(span)),
            "schema_for" => {
                let range = syn::spanned::Spanned::span(&call.tokens).byte_range();
                self.type_schema(range, span)
            }
            // These do not have a value or a relevant effect.
            "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" => Ok(Value::Unit),
            _ => Err(stop(span, format!("kgen does not evaluate `{name}!`"))),
        }
    }

    /// Evaluates a value in the language of `json!`.
    pub(super) fn json(&mut self, json: &Json) -> Step<Value> {
        let start = self.frame.start;
        self.budget.descend(start)?;
        let value = self.json_inside(json);
        self.budget.ascend();
        value
    }

    fn json_inside(&mut self, json: &Json) -> Step<Value> {
        match json {
            Json::Null => Ok(Value::none()),
            Json::List(list) => {
                let list = list.iter().map(|value| self.json(value));
                Ok(Value::List(list.collect::<Step<Vec<_>>>()?))
            }
            Json::Object(entries) => {
                let mut object = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let span = self.frame.place(key);
                    let key = self.value(key)?;
                    let key = key.text().map(str::to_owned).ok_or_else(|| unread(span))?;
                    let value = self.json(value)?;
                    set_entry(&mut object, &key, value);
                }
                Ok(Value::Map(object))
            }
            Json::Expression(expression) => self.value(expression),
        }
    }

    /// Evaluates `format!` with placeholders without options.
    fn format(&mut self, arguments: &[Expr], span: Span) -> Step<Value> {
        let (first, rest) = arguments.split_first().ok_or_else(|| unread(span))?;
        let pattern = self.value(first)?;
        let pattern = pattern.text().map(str::to_owned).ok_or_else(|| unread(span))?;
        let (mut values, mut named) = (Vec::new(), Vec::new());
        for argument in rest {
            match argument {
                Expr::Assign(assign) => {
                    let Expr::Path(name) = assign.left.as_ref() else {
                        return Err(unread(span));
                    };
                    let name = name.path.get_ident().map(ToString::to_string);
                    let value = self.value(&assign.right)?;
                    named.push((name.ok_or_else(|| unread(span))?, value));
                }
                other => values.push((self.value(other)?, self.frame.place(other))),
            }
        }
        let mut next = 0;
        let text = filled(&pattern, |hole| {
            let (value, place) = if hole.is_empty() {
                let value = values.get(next).cloned();
                next += 1;
                value.ok_or_else(|| unread(span))?
            } else if let Ok(index) = hole.parse::<usize>() {
                values.get(index).cloned().ok_or_else(|| unread(span))?
            } else if let Some((_, value)) = named.iter().find(|(name, _)| name == hole) {
                (value.clone(), span)
            } else if syn::parse_str::<syn::Ident>(hole).is_ok() {
                (self.named(&[hole], false, span)?, span)
            } else {
                return Err(stop(
                    span,
                    format!("kgen does not evaluate `{{{hole}}}` in a format"),
                ));
            };
            display(&value).ok_or_else(|| stop(place, "the text of this value is computed by code"))
        })?;
        let text = text.ok_or_else(|| unread(span))?;
        self.budget.spend(text.len() / 16, span)?;
        Ok(Value::Text(text))
    }
}

/// `element; length`, as in `vec![element; length]`.
struct Repeat {
    element: Expr,
    length: Expr,
}

impl syn::parse::Parse for Repeat {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let element = input.parse()?;
        input.parse::<Token![;]>()?;
        let length = input.parse()?;
        Ok(Self { element, length })
    }
}

fn arguments(call: &syn::Macro, span: Span) -> Step<Vec<Expr>> {
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    let parsed = syn::parse::Parser::parse2(parser, call.tokens.clone()).map_err(|_| unread(span))?;
    Ok(parsed.into_iter().collect())
}
