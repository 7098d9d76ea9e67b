//! Expressions: the part of Rust that has a value without being run.

use kgen_diagnostics::Span;
use syn::{Expr, Lit, UnOp};

use super::float::Float;
use super::frame::{Binding, Item, names_of};
use super::structs::member_name;
use super::types::Type;
use super::value::{Instance, Value};
use super::{Evaluator, Named, Read, Step, Stop, Unknown, arithmetic, external, names, types};
use crate::declare::{TypeKind, parse_type};

/// How long a list that one expression repeats may be.
const LONGEST_LIST: i128 = 4_096;

impl Evaluator<'_> {
    /// Evaluates an expression.
    pub(super) fn value(&mut self, expression: &Expr) -> Step<Value> {
        let span = self.frame.place(expression);
        self.budget.descend(span)?;
        let value = self.value_inside(expression, span);
        self.budget.ascend();
        value
    }

    fn value_inside(&mut self, expression: &Expr, span: Span) -> Step<Value> {
        match expression {
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Group(inner) => self.value(&inner.expr),
            Expr::Reference(inner) => self.value(&inner.expr),
            Expr::Lit(literal) => literal_value(&literal.lit).ok_or_else(|| unread(span)),
            Expr::Unary(unary) => {
                let value = self.value(&unary.expr)?;
                match unary.op {
                    UnOp::Deref(_) => Ok(value),
                    UnOp::Neg(_) => arithmetic::negated(&value).ok_or_else(|| unread(span)),
                    UnOp::Not(_) => value
                        .boolean()
                        .map(|flag| Value::Boolean(!flag))
                        .ok_or_else(|| unread(span)),
                    _ => Err(unread(span)),
                }
            }
            Expr::Binary(binary) => self.binary(binary, span),
            Expr::Cast(cast) => {
                let value = self.value(&cast.expr)?;
                let wanted = self.type_at(&cast.ty);
                match (&value, &wanted) {
                    (Value::Instance(instance), Type::Integer(_)) => {
                        let number = self.discriminant(instance, span)?;
                        Ok(self.coerced(Value::Integer(number), &wanted, span)?)
                    }
                    _ => arithmetic::cast(&value, &wanted)
                        .ok_or_else(|| stop(span, "kgen does not know this cast")),
                }
            }
            Expr::Try(inner) => match self.value(&inner.expr)? {
                Value::Option(Some(value)) | Value::Result(Ok(value)) => Ok(*value),
                value @ (Value::Option(None) | Value::Result(Err(_))) => Err(Stop::Return(value)),
                _ => Err(unread(span)),
            },
            Expr::Block(block) => self.block(&block.block.stmts),
            Expr::Array(array) => self.list(array.elems.iter()).map(Value::List),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => Ok(Value::Unit),
            Expr::Tuple(tuple) => self.list(tuple.elems.iter()).map(Value::Tuple),
            Expr::Repeat(repeat) => {
                let element = self.value(&repeat.expr)?;
                let length = self.value(&repeat.len)?;
                self.repeated(element, &length, span)
            }
            Expr::Range(range) => self.range(range, span),
            Expr::Macro(call) => self.macro_call(&call.mac),
            Expr::Path(path) => self.path(path, span),
            Expr::Field(field) => {
                let base = self.value(&field.base)?;
                field_of(base, &field.member).ok_or_else(|| stop(span, "kgen does not know this field"))
            }
            Expr::Index(index) => {
                let list = self.value(&index.expr)?;
                let position = self.value(&index.index)?;
                element_of(list, &position).ok_or_else(|| unread(span))
            }
            Expr::MethodCall(call) => self.method(call, span),
            Expr::Call(call) => self.call(call, span),
            Expr::Struct(literal) => self.struct_literal(literal, span),
            Expr::If(condition) => self.condition(condition),
            Expr::Match(choice) => self.choice(choice, span),
            Expr::Return(returned) => {
                let value = match &returned.expr {
                    Some(value) => self.value(value)?,
                    None => Value::Unit,
                };
                Err(Stop::Return(value))
            }
            Expr::Assign(assign) => self.assign(assign, span),
            Expr::ForLoop(each) => self.each(each, span),
            _ => Err(unread(span)),
        }
    }

    pub(super) fn list<'e>(&mut self, elements: impl Iterator<Item = &'e Expr>) -> Step<Vec<Value>> {
        elements.map(|element| self.value(element)).collect()
    }

    /// Evaluates `[element; length]`.
    pub(super) fn repeated(&mut self, element: Value, length: &Value, span: Span) -> Step<Value> {
        match length {
            Value::Integer(length) if (0..=LONGEST_LIST).contains(length) => {
                let length = usize::try_from(*length).unwrap_or_default();
                self.budget.spend(length.saturating_mul(element.size()), span)?;
                Ok(Value::List(vec![element; length]))
            }
            _ => Err(stop(span, "this list is too long to evaluate")),
        }
    }

    fn range(&mut self, range: &syn::ExprRange, span: Span) -> Step<Value> {
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            return Err(unread(span));
        };
        let (start, end) = (self.value(start)?, self.value(end)?);
        let (Value::Integer(start), Value::Integer(end)) = (start, end) else {
            return Err(unread(span));
        };
        let end = if matches!(range.limits, syn::RangeLimits::Closed(_)) {
            end.saturating_add(1)
        } else {
            end
        };
        if end.saturating_sub(start) > LONGEST_LIST {
            return Err(stop(span, "this range is too long to evaluate"));
        }
        Ok(Value::List((start..end).map(Value::Integer).collect()))
    }

    fn binary(&mut self, binary: &syn::ExprBinary, span: Span) -> Step<Value> {
        if let Some(operator) = arithmetic::plain_operator(&binary.op) {
            return self.assign_with(&binary.left, &operator, &binary.right, span);
        }
        let left = self.value(&binary.left)?;
        match (&binary.op, left.boolean()) {
            (syn::BinOp::And(_), Some(false)) => return Ok(Value::Boolean(false)),
            (syn::BinOp::Or(_), Some(true)) => return Ok(Value::Boolean(true)),
            _ => {}
        }
        let right = self.value(&binary.right)?;
        self.budget.spend(left.size() + right.size(), span)?;
        arithmetic::combined(&left, &binary.op, &right).ok_or_else(|| stop(span, "kgen cannot evaluate this"))
    }

    /// Evaluates the path of a variable, a constant, a variant or a unit struct.
    fn path(&mut self, path: &syn::ExprPath, span: Span) -> Step<Value> {
        if path.qself.is_some() {
            return self.qualified(path, None, span);
        }
        let names = names_of(&path.path);
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        self.named(&names, path.path.leading_colon.is_some(), span)
    }

    pub(super) fn named(&mut self, path: &[&str], absolute: bool, span: Span) -> Step<Value> {
        if let [name] = path {
            if let Some(index) = self.frame.binding(name) {
                return self.variable(index, span);
            }
            if let Some(constant) = self.local_constant(name) {
                let value = self.value(&constant.expr)?;
                let wanted = self.type_at(&constant.ty);
                return Ok(self.coerced(value, &wanted, span)?);
            }
        }
        if matches!(path, ["None"] | ["Option", "None"]) {
            return Ok(Value::none());
        }
        match self.look_up(path, absolute) {
            Some(Named::Value(found)) => match found.as_slice() {
                [constant] if constant.inputs.is_none() => {
                    Ok(self.enter(constant, None, Vec::new(), span)?)
                }
                _ => Err(stop(span, "kgen does not evaluate functions as values")),
            },
            Some(Named::Variant(id, name)) => self.constructed(id, Some(name), Vec::new(), span),
            Some(Named::Type(id)) => self.constructed(id, None, Vec::new(), span),
            Some(Named::External(path)) => {
                external::constant(&path).ok_or_else(|| stop(span, not_found(&path.join("::"))))
            }
            Some(Named::Unwritten(..)) | None => Err(stop(span, not_found(&path.join("::")))),
        }
    }

    /// Returns the value of a variable.
    fn variable(&mut self, index: usize, span: Span) -> Step<Value> {
        let value = match self.frame.bindings.get(index).map(|(_, binding)| binding) {
            Some(Binding::Value(value)) => Some(value),
            Some(Binding::Alias(place)) => self.part(place),
            None => None,
        };
        let value = match value {
            Some(Value::Absent(unknown)) => {
                return Err(Stop::Unknown(Unknown::new(span, unknown.reason.clone())));
            }
            Some(value) => value.clone(),
            None => return Err(unread(span)),
        };
        self.budget.spend(value.size(), span)?;
        Ok(value)
    }

    fn local_constant(&self, name: &str) -> Option<std::rc::Rc<syn::ItemConst>> {
        self.frame.items.iter().rev().find_map(|item| match item {
            Item::Constant(known, constant) if known == name => Some(std::rc::Rc::clone(constant)),
            _ => None,
        })
    }

    /// Returns the target of a path, local items and `Self` included.
    pub(super) fn look_up(&mut self, path: &[&str], absolute: bool) -> Option<Named> {
        let (first, rest) = path.split_first()?;
        if let (["Self"], Some(this)) = (path, self.this()) {
            return Some(Named::Type(this));
        }
        if let (["Self", name], Some(this)) = (path, self.this()) {
            return Some(names::of_type(self.program(), this, name));
        }
        let module = self.frame.scope.module;
        if !absolute {
            let items = self.frame.items.clone();
            for item in items.iter().rev() {
                let longer: Vec<String> = match item {
                    Item::Function(name, found) if rest.is_empty() && name == first => {
                        return Some(Named::Value(vec![found.clone()]));
                    }
                    Item::Other(name) if name == first => return None,
                    Item::Known(path) if path.last().is_some_and(|last| last == first) => {
                        let rest = rest.iter().map(|name| (*name).to_owned());
                        return Some(Named::External(path.iter().cloned().chain(rest).collect()));
                    }
                    Item::Import(name, path) if name == first => path
                        .iter()
                        .cloned()
                        .chain(rest.iter().map(|name| (*name).to_owned()))
                        .collect(),
                    Item::Glob(before) => before
                        .iter()
                        .cloned()
                        .chain(path.iter().map(|name| (*name).to_owned()))
                        .collect(),
                    _ => continue,
                };
                let longer: Vec<_> = longer.iter().map(String::as_str).collect();
                match names::find(self.program(), module, &longer, false) {
                    Some(Named::Unwritten(..)) | None => {}
                    found => return found,
                }
            }
        }
        let written = || path.iter().map(|name| (*name).to_owned()).collect();
        Some(
            names::find(self.program(), module, path, absolute).unwrap_or_else(|| Named::External(written())),
        )
    }

    /// Returns the number behind a variant of an enum.
    fn discriminant(&mut self, instance: &Instance, span: Span) -> Read<i128> {
        let unknown = || Unknown::new(span, "the discriminant of this variant is not known");
        let name = instance.variant.as_deref().ok_or_else(unknown)?;
        let body = self
            .program()
            .shared_body(instance.id.module)
            .ok_or_else(unknown)?;
        let declared = body.types.get(instance.id.index).ok_or_else(unknown)?;
        let TypeKind::Enum(variants) = &declared.kind else {
            return Err(unknown());
        };
        let numbers = self.numbers(variants, instance.id.module)?;
        let index = variants.iter().position(|variant| variant.name == name);
        index
            .and_then(|index| numbers.get(index).copied())
            .ok_or_else(unknown)
    }

    /// Returns the type at a place in the text.
    pub(super) fn type_at(&mut self, written: &syn::Type) -> Type {
        let range = syn::spanned::Spanned::span(written).byte_range();
        let text = self.frame.text.get(range).unwrap_or_default().to_owned();
        self.type_of_text(&text)
    }

    pub(super) fn type_of_text(&mut self, text: &str) -> Type {
        let Some(written) = parse_type(text, self.frame.start) else {
            return Type::Unknown;
        };
        let scope = types::TypeScope::of(&self.frame.scope);
        types::read(self.program(), &written, &scope)
    }
}

pub(super) fn not_found(path: &str) -> String {
    format!("kgen does not know the value of `{path}`")
}

/// Returns the error for an expression that is not read.
pub(super) fn unread(span: Span) -> Stop {
    stop(span, "kgen does not evaluate this expression")
}

pub(super) fn stop(span: Span, reason: impl Into<String>) -> Stop {
    Stop::Unknown(Unknown::new(span, reason))
}

fn literal_value(literal: &Lit) -> Option<Value> {
    match literal {
        Lit::Str(text) => Some(Value::Text(text.value())),
        Lit::Char(character) => Some(Value::Character(character.value())),
        Lit::Byte(byte) => Some(Value::Integer(i128::from(byte.value()))),
        Lit::Bool(boolean) => Some(Value::Boolean(boolean.value)),
        Lit::Int(integer) if matches!(integer.suffix(), "f32" | "f64") => {
            Float::literal(integer.base10_digits(), integer.suffix()).map(Value::Float)
        }
        Lit::Int(integer) => integer.base10_parse().ok().map(Value::Integer),
        Lit::Float(float) => Float::literal(float.base10_digits(), float.suffix()).map(Value::Float),
        _ => None,
    }
}

fn field_of(base: Value, member: &syn::Member) -> Option<Value> {
    let name = member_name(member);
    match base {
        Value::Instance(instance) => take(instance.fields, &name),
        Value::Foreign(foreign) => take(foreign.fields, &name),
        Value::Tuple(list) => list.into_iter().nth(name.parse().ok()?),
        // `root.schema` of schemars 0.8 is the root itself.
        value @ (Value::Map(_) | Value::Schema(_)) if name == "schema" => Some(value),
        _ => None,
    }
}

fn take(fields: Vec<(String, Value)>, name: &str) -> Option<Value> {
    fields
        .into_iter()
        .find(|(known, _)| known == name)
        .map(|(_, value)| value)
}

fn element_of(list: Value, position: &Value) -> Option<Value> {
    match (list, position) {
        (Value::List(list), Value::Integer(index)) => list.into_iter().nth(usize::try_from(*index).ok()?),
        (Value::Map(entries), Value::Text(key)) => take(entries, key),
        _ => None,
    }
}
