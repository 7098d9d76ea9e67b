//! Statements that change a variable: `insert`, `push`, `=`, and the few ways to add a keyword to a schema.

use kgen_diagnostics::Span;
use syn::{BinOp, Expr};

use super::expressions::{stop, unread};
use super::frame::{Binding, Frame, Place};
use super::structs::{fields_of, member_name};
use super::types::{Type, TypeScope};
use super::value::{Value, set_entry};
use super::{Evaluator, Step, arithmetic, builders, types};

/// Methods that return a mutable reference to the value itself, or to the content of an `Option`.
const BORROWS: &[&str] = &[
    "as_mut",
    "as_object_mut",
    "ensure_object",
    "get_or_insert_default",
    "get_or_insert_with",
];

impl Evaluator<'_> {
    /// Applies a method to a variable. Returns `None` if the method does not change it.
    pub(super) fn change(
        &mut self,
        call: &syn::ExprMethodCall,
        name: &str,
        span: Span,
    ) -> Step<Option<Value>> {
        if !matches!(
            name,
            "insert" | "push" | "push_back" | "push_str" | "extend" | "remove"
        ) {
            return Ok(None);
        }
        let Some(place) = self.place(&call.receiver) else {
            return Ok(None);
        };
        let arguments = self.list(call.args.iter())?;
        match (name, arguments.as_slice()) {
            ("insert", [key, value]) => {
                let key = key.key().ok_or_else(|| unread(span))?;
                self.set(&place, &key, value.clone(), span)?;
            }
            ("insert" | "push" | "push_back", [value]) => self.add(&place, vec![value.clone()], span)?,
            ("push_str", [text]) => {
                let added = text.text().ok_or_else(|| unread(span))?;
                match part_mut(&mut self.frame, &place) {
                    Some(Value::Text(text)) => text.push_str(added),
                    _ => return Err(unread(span)),
                }
            }
            ("push", _) => return Err(unread(span)),
            ("extend", [more]) => match self.part(&place) {
                Some(Value::List(_)) => {
                    let more = more.list().ok_or_else(|| unread(span))?.to_vec();
                    self.add(&place, more, span)?;
                }
                _ => {
                    let entries = builders::entries_of(more.clone()).ok_or_else(|| unread(span))?;
                    for (key, value) in entries {
                        self.set(&place, &key, value, span)?;
                    }
                }
            },
            ("remove", [key]) => {
                let key = key.key().ok_or_else(|| unread(span))?;
                self.remove(&place, &key, span)?;
            }
            _ => return Err(unread(span)),
        }
        Ok(Some(Value::Unit))
    }

    /// Evaluates `place = value`.
    pub(super) fn assign(&mut self, assign: &syn::ExprAssign, span: Span) -> Step<Value> {
        let value = self.value(&assign.right)?;
        // `schema.extensions = …` sets all its entries.
        if let Expr::Field(field) = assign.left.as_ref()
            && builders::is_merged(&member_name(&field.member))
            && let Some(base) = self.place(&field.base)
            && matches!(self.part(&base), Some(Value::Map(_) | Value::Schema(_)))
        {
            if value.is_none() {
                return Ok(Value::Unit);
            }
            for (key, value) in builders::entries_of(value).ok_or_else(|| unread(span))? {
                self.set(&base, &key, value, span)?;
            }
            return Ok(Value::Unit);
        }
        let place = self.place(&assign.left).ok_or_else(|| unread(span))?;
        self.put(place, value, span)
    }

    /// Evaluates `place += value` and its like.
    pub(super) fn assign_with(
        &mut self,
        left: &Expr,
        operator: &BinOp,
        right: &Expr,
        span: Span,
    ) -> Step<Value> {
        let place = self.place(left).ok_or_else(|| unread(span))?;
        let (left, right) = (self.value(left)?, self.value(right)?);
        let value = arithmetic::combined(&left, operator, &right).ok_or_else(|| unread(span))?;
        self.put(place, value, span)
    }

    fn put(&mut self, mut place: Place, value: Value, span: Span) -> Step<Value> {
        match place.path.pop() {
            None => match part_mut(&mut self.frame, &place) {
                Some(known) => *known = value,
                None => return Err(unread(span)),
            },
            // Among keywords, `None` is an absent one.
            Some(key)
                if value.is_none() && matches!(self.part(&place), Some(Value::Map(_) | Value::Schema(_))) =>
            {
                self.remove(&place, &key, span)?;
            }
            Some(key) => self.set(&place, &key, value, span)?,
        }
        Ok(Value::Unit)
    }

    /// Returns the variable, or the part of one, that an expression borrows: `schema`, `&mut schema`,
    /// `schema.metadata()`, …
    pub(super) fn place(&self, expression: &Expr) -> Option<Place> {
        match expression {
            Expr::Path(path) => {
                let index = self.frame.binding(&path.path.get_ident()?.to_string())?;
                match self.frame.bindings.get(index) {
                    Some((_, Binding::Alias(place))) => Some(place.clone()),
                    Some((_, Binding::Value(Value::Absent(_)))) | None => None,
                    Some(_) => Some(Place {
                        binding: index,
                        path: Vec::new(),
                    }),
                }
            }
            Expr::Reference(reference) => self.place(&reference.expr),
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.place(&unary.expr),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let is_same = BORROWS.contains(&name.as_str())
                    || matches!(name.as_str(), "unwrap" | "expect")
                    || builders::is_group(&name);
                is_same.then(|| self.place(&call.receiver))?
            }
            Expr::Field(field) => {
                let mut place = self.place(&field.base)?;
                let name = member_name(&field.member);
                match self.part(&place)? {
                    Value::Instance(_) | Value::Tuple(_) => place.path.push(name),
                    Value::Map(_) | Value::Schema(_) if builders::is_merged(&name) => {}
                    Value::Map(_) | Value::Schema(_) => place.path.push(builders::keyword(&name)?),
                    _ => return None,
                }
                Some(place)
            }
            Expr::Index(index) => match index.index.as_ref() {
                Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(key),
                    ..
                }) => {
                    let mut place = self.place(&index.expr)?;
                    matches!(self.part(&place)?, Value::Map(_) | Value::Schema(_)).then(|| {
                        place.path.push(key.value());
                        place
                    })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the place that an expression borrows in order to change it. Returns `None` if the expression creates a
    /// value.
    pub(super) fn borrowed(&self, expression: &Expr) -> Option<Place> {
        is_borrow(expression).then(|| self.place(expression))?
    }

    /// Returns whether an expression is a variable that is a mutable reference to another one.
    pub(super) fn is_alias(&self, expression: &Expr) -> bool {
        let Expr::Path(path) = expression else {
            return false;
        };
        let name = path.path.get_ident().map(ToString::to_string);
        let index = name.and_then(|name| self.frame.binding(&name));
        let binding = index.and_then(|index| self.frame.bindings.get(index));
        matches!(binding, Some((_, Binding::Alias(_))))
    }

    /// Returns the value at a place.
    pub(super) fn part(&self, place: &Place) -> Option<&Value> {
        let (_, Binding::Value(root)) = self.frame.bindings.get(place.binding)? else {
            return None;
        };
        place.path.iter().try_fold(held(root), |value, name| match value {
            Value::Map(entries) => find(entries, name),
            Value::Instance(instance) => find(&instance.fields, name),
            Value::Tuple(list) => list.get(name.parse::<usize>().ok()?).map(held),
            _ => None,
        })
    }

    /// Sets an entry, a field or a keyword of the value at a place. A map that does not exist yet begins empty.
    fn set(&mut self, place: &Place, key: &str, value: Value, span: Span) -> Step<()> {
        let wanted = match self.part(place) {
            Some(Value::Instance(instance)) => {
                let (id, variant) = (instance.id, instance.variant.clone());
                self.field_type(id, variant.as_deref(), key)
            }
            Some(Value::Schema(_)) => Type::Json,
            _ => Type::Unknown,
        };
        let value = self.coerced(value, &wanted, span)?;
        self.budget.spend(value.size(), span)?;
        if self.part(place).is_none() {
            self.begin(place, Value::Map(Vec::new()), span)?;
        }
        match part_mut(&mut self.frame, place) {
            Some(Value::Map(entries)) => set_entry(entries, key, value),
            Some(Value::Instance(instance)) => set_entry(&mut instance.fields, key, value),
            Some(Value::Schema(schema)) => self
                .host
                .set_keyword(schema, key, &value, span)
                .ok_or_else(|| stop(span, format!("`{key}` cannot have this value")))?,
            _ => return Err(unread(span)),
        }
        Ok(())
    }

    /// Adds to the list at a place. A list that does not exist yet begins empty.
    fn add(&mut self, place: &Place, values: Vec<Value>, span: Span) -> Step<()> {
        self.budget.spend(values.iter().map(Value::size).sum(), span)?;
        if self.part(place).is_none() {
            self.begin(place, Value::List(Vec::new()), span)?;
        }
        match (part_mut(&mut self.frame, place), values.as_slice()) {
            (Some(Value::List(list)), _) => list.extend(values),
            (Some(Value::Text(text)), [Value::Character(character)]) => text.push(*character),
            _ => return Err(unread(span)),
        }
        Ok(())
    }

    fn remove(&mut self, place: &Place, key: &str, span: Span) -> Step<()> {
        match part_mut(&mut self.frame, place) {
            Some(Value::Map(entries)) => entries.retain(|(known, _)| known != key),
            Some(Value::Schema(schema)) => self
                .host
                .remove_keyword(schema, key)
                .ok_or_else(|| stop(span, format!("kgen cannot remove `{key}`")))?,
            _ => return Err(unread(span)),
        }
        Ok(())
    }

    /// Creates a part of a map that does not exist yet.
    fn begin(&mut self, place: &Place, empty: Value, span: Span) -> Step<()> {
        let mut parent = place.clone();
        let key = parent.path.pop().ok_or_else(|| unread(span))?;
        match part_mut(&mut self.frame, &parent) {
            Some(Value::Map(entries)) => {
                set_entry(entries, &key, empty);
                Ok(())
            }
            _ => Err(unread(span)),
        }
    }

    fn field_type(&mut self, id: crate::program::TypeId, variant: Option<&str>, name: &str) -> Type {
        let Some(body) = self.program().shared_body(id.module) else {
            return Type::Unknown;
        };
        let fields = fields_of(&body, id, variant);
        let field = fields.and_then(|fields| match name.parse::<usize>() {
            Ok(index) => fields.list().get(index),
            Err(_) => fields.list().iter().find(|field| field.name == name),
        });
        let scope = TypeScope::inside(self.program(), id, &[]);
        field.map_or(Type::Unknown, |field| {
            types::read(self.program(), &field.field_type, &scope)
        })
    }
}

fn find<'v>(entries: &'v [(String, Value)], name: &str) -> Option<&'v Value> {
    entries
        .iter()
        .find(|(known, _)| known == name)
        .map(|(_, value)| held(value))
}

/// Returns the value inside an `Option`.
fn held(value: &Value) -> &Value {
    match value {
        Value::Option(Some(inner)) => held(inner),
        other => other,
    }
}

fn held_mut(value: &mut Value) -> &mut Value {
    match value {
        Value::Option(Some(inner)) => held_mut(inner),
        other => other,
    }
}

fn part_mut<'f>(frame: &'f mut Frame, place: &Place) -> Option<&'f mut Value> {
    let (_, Binding::Value(root)) = frame.bindings.get_mut(place.binding)? else {
        return None;
    };
    let mut value = held_mut(root);
    for name in &place.path {
        let next = match value {
            Value::Map(entries) => entries
                .iter_mut()
                .find(|(known, _)| known == name)
                .map(|(_, value)| value),
            Value::Instance(instance) => instance
                .fields
                .iter_mut()
                .find(|(known, _)| known == name)
                .map(|(_, value)| value),
            Value::Tuple(list) => list.get_mut(name.parse::<usize>().ok()?),
            _ => None,
        };
        value = held_mut(next?);
    }
    Some(value)
}

/// Returns whether an expression borrows a value to change it, instead of creating one.
fn is_borrow(expression: &Expr) -> bool {
    match expression {
        Expr::Reference(reference) => reference.mutability.is_some(),
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            BORROWS.contains(&name.as_str())
                || builders::is_group(&name)
                || (matches!(name.as_str(), "unwrap" | "expect") && is_borrow(&call.receiver))
        }
        _ => false,
    }
}
