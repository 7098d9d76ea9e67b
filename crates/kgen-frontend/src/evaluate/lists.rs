//! Methods of lists and iterators that take a function.

use kgen_diagnostics::Span;
use syn::Expr;

use super::expressions::unread;
use super::value::Value;
use super::{Evaluator, Step};

impl Evaluator<'_> {
    /// Applies a function to the elements of a list. Returns `None` if the method takes a plain value.
    pub(super) fn adapted_list(
        &mut self,
        list: &[Value],
        name: &str,
        function: &Expr,
        span: Span,
    ) -> Step<Option<Value>> {
        let mut kept = Vec::new();
        match name {
            "map" => {
                for element in list {
                    kept.push(self.apply(function, vec![element.clone()])?);
                }
            }
            "filter" => {
                for element in list {
                    let holds = self.apply(function, vec![element.clone()])?;
                    if holds.boolean().ok_or_else(|| unread(span))? {
                        kept.push(element.clone());
                    }
                }
            }
            "filter_map" | "flat_map" => {
                for element in list {
                    match self.apply(function, vec![element.clone()])? {
                        Value::Option(held) => kept.extend(held.map(|held| *held)),
                        Value::List(list) if name == "flat_map" => kept.extend(list),
                        _ => return Err(unread(span)),
                    }
                }
            }
            "any" | "all" => {
                for element in list {
                    let holds = self.apply(function, vec![element.clone()])?;
                    let holds = holds.boolean().ok_or_else(|| unread(span))?;
                    if holds == (name == "any") {
                        return Ok(Some(Value::Boolean(holds)));
                    }
                }
                return Ok(Some(Value::Boolean(name == "all")));
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::List(kept)))
    }
}
