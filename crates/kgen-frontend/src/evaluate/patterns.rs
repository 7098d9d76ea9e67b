//! Patterns of `let`, `match`, `if let`, `for` and parameters.

use syn::Pat;

use super::expressions::stop;
use super::frame::names_of;
use super::structs::member_name;
use super::value::Value;
use super::{Evaluator, Named, Step};

impl Evaluator<'_> {
    /// Returns whether a value fits a pattern. The names of the pattern become variables if it does.
    pub(super) fn matches(&mut self, pattern: &Pat, value: &Value) -> Step<bool> {
        let span = self.frame.span(syn::spanned::Spanned::span(pattern));
        self.budget.spend(1, span)?;
        let unread = || stop(span, "kgen does not evaluate this pattern");
        match pattern {
            Pat::Wild(_) | Pat::Rest(_) => Ok(true),
            Pat::Paren(inner) => self.matches(&inner.pat, value),
            Pat::Reference(inner) => self.matches(&inner.pat, value),
            Pat::Type(typed) => self.matches(&typed.pat, value),
            Pat::Ident(ident) => {
                if let Some((_, inner)) = &ident.subpat
                    && !self.matches(inner, value)?
                {
                    return Ok(false);
                }
                let name = ident.ident.to_string();
                // A name in capitals is a constant or a variant, unless nothing is called so.
                let is_constant = ident.by_ref.is_none()
                    && ident.mutability.is_none()
                    && name.chars().next().is_some_and(char::is_uppercase);
                if is_constant {
                    let constant = self.named(&[&name], false, span)?;
                    return self.equal(&constant, value, span);
                }
                self.frame.bind(name, value.clone());
                Ok(true)
            }
            Pat::Guard(guarded) => Ok(self.matches(&guarded.pat, value)? && self.holds(&guarded.guard)?),
            Pat::Lit(literal) => {
                let literal = self.value(&syn::Expr::Lit(literal.clone()))?;
                self.equal(&literal, value, span)
            }
            Pat::Path(path) => {
                let names = names_of(&path.path);
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                let constant = self.named(&names, path.path.leading_colon.is_some(), span)?;
                self.equal(&constant, value, span)
            }
            Pat::Or(cases) => {
                for case in &cases.cases {
                    if self.matches(case, value)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Pat::Tuple(tuple) => match value {
                Value::Tuple(list) => self.all_match(tuple.elems.iter(), list),
                _ => Err(unread()),
            },
            Pat::Slice(slice) => match value {
                Value::List(_) if slice.elems.iter().any(is_named_rest) => Err(unread()),
                Value::List(list) if list.len() == slice.elems.len() => {
                    self.all_match(slice.elems.iter(), list)
                }
                Value::List(_) if !slice.elems.iter().any(|part| matches!(part, Pat::Rest(_))) => Ok(false),
                _ => Err(unread()),
            },
            Pat::TupleStruct(tuple) => {
                let names = names_of(&tuple.path);
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                let inner: Vec<Value> = match (names.as_slice(), value) {
                    (["Some"] | ["Option", "Some"], Value::Option(held)) => match held {
                        Some(held) => vec![held.as_ref().clone()],
                        None => return Ok(false),
                    },
                    (["Ok"], Value::Result(Ok(held))) | (["Err"], Value::Result(Err(held))) => {
                        vec![held.as_ref().clone()]
                    }
                    (["Ok" | "Err"], Value::Result(_)) => return Ok(false),
                    (_, Value::Instance(instance)) => {
                        if !self.is_instance(&names, value)? {
                            return Ok(false);
                        }
                        instance.fields.iter().map(|(_, value)| value.clone()).collect()
                    }
                    _ => return Err(unread()),
                };
                self.all_match(tuple.elems.iter(), &inner)
            }
            Pat::Struct(parts) => {
                let names = names_of(&parts.path);
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                let Value::Instance(instance) = value else {
                    return Err(unread());
                };
                if !self.is_instance(&names, value)? {
                    return Ok(false);
                }
                for part in &parts.fields {
                    let name = member_name(&part.member);
                    let field = instance.fields.iter().find(|(known, _)| *known == name);
                    let Some((_, field)) = field else {
                        return Err(unread());
                    };
                    if !self.matches(&part.pat, field)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Pat::Range(range) => {
                let (Value::Integer(number), Some(start), Some(end)) = (value, &range.start, &range.end)
                else {
                    return Err(unread());
                };
                let (start, end) = (self.value(start)?, self.value(end)?);
                let (Value::Integer(start), Value::Integer(end)) = (start, end) else {
                    return Err(unread());
                };
                let is_closed = matches!(range.limits, syn::RangeLimits::Closed(_));
                Ok(start <= *number && (*number < end || (is_closed && *number == end)))
            }
            _ => Err(unread()),
        }
    }

    fn all_match<'p>(&mut self, patterns: impl Iterator<Item = &'p Pat>, values: &[Value]) -> Step<bool> {
        let patterns: Vec<_> = patterns.collect();
        let rest = patterns
            .iter()
            .position(|pattern| matches!(pattern, Pat::Rest(_)));
        let pairs: Vec<_> = match rest {
            None if patterns.len() != values.len() => return Ok(false),
            None => patterns.iter().zip(values).collect(),
            Some(rest) => {
                let behind = patterns.len() - rest - 1;
                let from = values.len().saturating_sub(behind);
                let front = patterns.iter().take(rest).zip(values);
                let back = patterns.iter().skip(rest + 1).zip(values.iter().skip(from));
                front.chain(back).collect()
            }
        };
        for (pattern, value) in pairs {
            if !self.matches(pattern, value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether a value is of the struct or variant at a path.
    fn is_instance(&mut self, path: &[&str], value: &Value) -> Step<bool> {
        let Value::Instance(instance) = value else {
            return Ok(false);
        };
        Ok(match self.look_up(path, false) {
            Some(Named::Variant(id, name)) => instance.id == id && instance.variant.as_ref() == Some(&name),
            Some(Named::Type(id)) => instance.id == id,
            _ => {
                return Err(stop(instance.span, "kgen cannot find the pattern for this value"));
            }
        })
    }

    fn equal(&mut self, constant: &Value, value: &Value, span: kgen_diagnostics::Span) -> Step<bool> {
        match (constant, value) {
            (Value::Instance(constant), Value::Instance(value)) if constant.fields.is_empty() => {
                Ok(constant.id == value.id && constant.variant == value.variant)
            }
            (constant, value) if constant.is_plain() && value.is_plain() => Ok(constant == value),
            _ => Err(stop(span, "kgen does not evaluate this pattern")),
        }
    }
}

/// Returns whether a part of a slice pattern is `name @ ..`.
fn is_named_rest(part: &Pat) -> bool {
    matches!(part, Pat::Ident(ident) if matches!(&ident.subpat, Some((_, rest)) if matches!(**rest, Pat::Rest(_))))
}

/// Returns the name in `Some(name)`, `Ok(name)` or `Schema::Object(name)`. Any other pattern may not fit what is
/// borrowed.
pub(super) fn inner_name(pattern: &Pat) -> Option<String> {
    let Pat::TupleStruct(tuple) = pattern else {
        return None;
    };
    let names = names_of(&tuple.path);
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    if !matches!(
        names.as_slice(),
        [.., "Some"] | ["Ok"] | [.., "Schema" | "SingleOrVec", "Object" | "Single"]
    ) {
        return None;
    }
    let mut elements = tuple.elems.iter();
    match (elements.next()?, elements.next()) {
        (Pat::Ident(ident), None) if ident.subpat.is_none() => Some(ident.ident.to_string()),
        _ => None,
    }
}
