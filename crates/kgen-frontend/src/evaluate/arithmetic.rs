//! Operators and casts.

use syn::BinOp;

use super::float::Float;
use super::types::Type;
use super::value::Value;

pub(super) fn negated(value: &Value) -> Option<Value> {
    match value {
        Value::Integer(number) => number.checked_neg().map(Value::Integer),
        Value::Float(number) => Some(Value::Float(number.negated())),
        _ => None,
    }
}

/// Returns the value of an operator. Returns `None` if the result does not fit, or if it depends on more than the
/// values.
pub(super) fn combined(left: &Value, operator: &BinOp, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) if matches!(operator, BinOp::Add(_)) => {
            return Some(Value::Text(format!("{left}{right}")));
        }
        (Value::Integer(left), Value::Integer(right)) => {
            if let Some(number) = integer(*left, operator, *right) {
                return Some(Value::Integer(number));
            }
        }
        (Value::Float(left), Value::Float(right)) => {
            if let Some(number) = left.combined(operator, *right) {
                return Some(Value::Float(number));
            }
        }
        (Value::Boolean(left), Value::Boolean(right)) => {
            let flag = match operator {
                BinOp::And(_) | BinOp::BitAnd(_) => Some(*left && *right),
                BinOp::Or(_) | BinOp::BitOr(_) => Some(*left || *right),
                BinOp::BitXor(_) => Some(left != right),
                _ => None,
            };
            if let Some(flag) = flag {
                return Some(Value::Boolean(flag));
            }
        }
        _ => {}
    }
    compared(left, operator, right).map(Value::Boolean)
}

fn integer(left: i128, operator: &BinOp, right: i128) -> Option<i128> {
    match operator {
        BinOp::Add(_) => left.checked_add(right),
        BinOp::Sub(_) => left.checked_sub(right),
        BinOp::Mul(_) => left.checked_mul(right),
        BinOp::Div(_) => left.checked_div(right),
        BinOp::Rem(_) => left.checked_rem(right),
        // A bit that is shifted out, or into the sign, depends on the type.
        BinOp::Shl(_) => {
            let factor = 1_i128.checked_shl(u32::try_from(right).ok().filter(|bits| *bits < 100)?)?;
            left.checked_mul(factor)
        }
        BinOp::Shr(_) => left.checked_shr(u32::try_from(right).ok()?),
        BinOp::BitAnd(_) => Some(left & right),
        BinOp::BitOr(_) => Some(left | right),
        BinOp::BitXor(_) => Some(left ^ right),
        _ => None,
    }
}

fn compared(left: &Value, operator: &BinOp, right: &Value) -> Option<bool> {
    if !left.is_plain() || !right.is_plain() {
        return None;
    }
    let is_float = matches!((left, right), (Value::Float(_), Value::Float(_)));
    match operator {
        BinOp::Eq(_) if !is_float => return Some(left == right),
        BinOp::Ne(_) if !is_float => return Some(left != right),
        _ => {}
    }
    let order = match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => left.partial_cmp(right),
        (Value::Float(left), Value::Float(right)) => left.compared(*right),
        (Value::Text(left), Value::Text(right)) => left.partial_cmp(right),
        (Value::Character(left), Value::Character(right)) => left.partial_cmp(right),
        _ => None,
    }?;
    match operator {
        BinOp::Eq(_) => Some(order.is_eq()),
        BinOp::Ne(_) => Some(order.is_ne()),
        BinOp::Lt(_) => Some(order.is_lt()),
        BinOp::Le(_) => Some(order.is_le()),
        BinOp::Gt(_) => Some(order.is_gt()),
        BinOp::Ge(_) => Some(order.is_ge()),
        _ => None,
    }
}

/// Returns the operator inside `+=` and its like.
pub(super) fn plain_operator(operator: &BinOp) -> Option<BinOp> {
    Some(match operator {
        BinOp::AddAssign(token) => BinOp::Add(syn::Token![+](token.spans[0])),
        BinOp::SubAssign(token) => BinOp::Sub(syn::Token![-](token.spans[0])),
        BinOp::MulAssign(token) => BinOp::Mul(syn::Token![*](token.spans[0])),
        BinOp::DivAssign(token) => BinOp::Div(syn::Token![/](token.spans[0])),
        _ => return None,
    })
}

/// Evaluates `value as T`. A cast to a type that is not known leaves a value as it is only if nothing else is possible.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "these are the rules of the cast that is evaluated"
)]
pub(super) fn cast(value: &Value, wanted: &Type) -> Option<Value> {
    match (wanted, value) {
        (Type::Integer(integer), Value::Integer(number)) => {
            let Some(bits) = integer.bits.checked_sub(1).filter(|_| integer.bits < 128) else {
                return integer.holds(*number).then(|| value.clone());
            };
            let cut = number & ((1_i128 << integer.bits) - 1);
            let is_negative = integer.is_signed && cut >> bits & 1 == 1;
            Some(Value::Integer(if is_negative {
                cut - (1_i128 << integer.bits)
            } else {
                cut
            }))
        }
        (Type::Integer(integer), Value::Float(number)) => {
            let largest = integer.largest()?;
            Some(Value::Integer(
                (number.number() as i128).clamp(integer.smallest(), largest),
            ))
        }
        (Type::Integer(integer), Value::Character(character)) => cast(
            &Value::Integer(i128::from(u32::from(*character))),
            &Type::Integer(*integer),
        ),
        (Type::Integer(_), Value::Boolean(flag)) => Some(Value::Integer(i128::from(*flag))),
        (Type::Float { is_single: false }, Value::Integer(number)) => {
            Some(Value::Float(Float::Double(*number as f64)))
        }
        (Type::Float { is_single: true }, Value::Integer(number)) => {
            Some(Value::Float(Float::Single(*number as f32)))
        }
        (Type::Float { is_single: false }, Value::Float(number)) => Some(Value::Float(number.to_double())),
        (Type::Float { is_single: true }, Value::Float(number)) => Some(Value::Float(number.to_single())),
        (Type::Character, Value::Integer(number)) => u8::try_from(*number)
            .ok()
            .map(|byte| Value::Character(byte.into())),
        // `&[…] as &[_]` and the like.
        (Type::List(_), Value::List(_)) | (Type::Text, Value::Text(_)) => Some(value.clone()),
        _ => None,
    }
}
