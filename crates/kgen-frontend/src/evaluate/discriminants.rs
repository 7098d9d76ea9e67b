//! The numbers behind the variants of an enum.

use kgen_diagnostics::Span;

use super::types::{IntegerType, Type};
use super::value::Value;
use super::{Evaluator, Found, Language, Read, Unknown};
use crate::declare::{Literal, MetaValue, Variant};
use crate::program::ModuleId;
use crate::shape::Scope;

impl Evaluator<'_> {
    /// Returns the number of each variant: the one behind `=`, or one more than the variant before.
    pub(super) fn numbers(&mut self, variants: &[Variant], module: ModuleId) -> Read<Vec<i128>> {
        let mut next: i128 = 0;
        let mut numbers = Vec::with_capacity(variants.len());
        for variant in variants {
            let number = match variant.discriminant.as_deref() {
                None => next,
                Some(MetaValue::Literal(Literal::Integer(number), _)) => *number,
                Some(MetaValue::Expression(span)) => self.integer_at(*span, module)?,
                Some(MetaValue::Literal(_, span)) => {
                    return Err(Unknown::new(*span, "this is not an integer"));
                }
                Some(MetaValue::Word | MetaValue::List(_)) => {
                    return Err(Unknown::new(variant.span, "this is not an integer"));
                }
            };
            numbers.push(number);
            next = number.saturating_add(1);
        }
        Ok(numbers)
    }

    fn integer_at(&mut self, span: Span, module: ModuleId) -> Read<i128> {
        let scope = Scope::of(module);
        let expression = Found::expression(module, span, Language::Rust);
        let value = self.enter_in(&expression, scope, None, Vec::new(), span)?;
        let any = Type::Integer(IntegerType {
            bits: 128,
            is_signed: true,
        });
        match self.coerced(value, &any, span)? {
            Value::Integer(number) => Ok(number),
            _ => Err(Unknown::new(span, "this is not an integer")),
        }
    }
}
