//! Structs and variants: constructors, struct literals and their fields.

use kgen_diagnostics::Span;

use super::expressions::{not_found, stop, unread};
use super::frame::names_of;
use super::types::Type;
use super::value::{Instance, Value};
use super::{Evaluator, Named, Step, builders, types};
use crate::declare::{Fields, TypeKind};
use crate::program::TypeId;

impl Evaluator<'_> {
    /// Returns a value of a tuple struct, a unit struct or a variant.
    pub(super) fn constructed(
        &mut self,
        id: TypeId,
        variant: Option<String>,
        arguments: Vec<Value>,
        span: Span,
    ) -> Step<Value> {
        let body = self
            .program()
            .shared_body(id.module)
            .ok_or_else(|| unread(span))?;
        let fields = fields_of(&body, id, variant.as_deref()).ok_or_else(|| unread(span))?;
        if matches!(fields, Fields::Named(_)) || fields.list().len() != arguments.len() {
            return Err(stop(span, "kgen does not know how to construct this value"));
        }
        let scope = types::TypeScope::inside(self.program(), id, &[]);
        let mut values = Vec::with_capacity(arguments.len());
        for (index, (value, field)) in arguments.into_iter().zip(fields.list()).enumerate() {
            let wanted = types::read(self.program(), &field.field_type, &scope);
            values.push((index.to_string(), self.coerced(value, &wanted, span)?));
        }
        Ok(Value::Instance(Box::new(Instance {
            id,
            variant,
            fields: values,
            span,
        })))
    }

    pub(super) fn struct_literal(&mut self, literal: &syn::ExprStruct, span: Span) -> Step<Value> {
        let path = names_of(&literal.path);
        let path: Vec<_> = path.iter().map(String::as_str).collect();
        let (id, variant) = match self.look_up(&path, literal.path.leading_colon.is_some()) {
            Some(Named::Type(id)) => (id, None),
            Some(Named::Variant(id, name)) => (id, Some(name)),
            Some(Named::External(path)) => return self.foreign_literal(&path, literal, span),
            _ => return Err(stop(span, not_found(&path.join("::")))),
        };
        let mut values = match &literal.rest {
            None => Vec::new(),
            Some(rest) => {
                let rest_span = self.frame.place(rest);
                let rest = self.value(rest)?;
                match self.coerced(rest, &Type::Declared(id, Vec::new()), rest_span)? {
                    Value::Instance(instance) if instance.id == id => instance.fields,
                    _ => return Err(unread(rest_span)),
                }
            }
        };
        let body = self
            .program()
            .shared_body(id.module)
            .ok_or_else(|| unread(span))?;
        let fields = fields_of(&body, id, variant.as_deref()).ok_or_else(|| unread(span))?;
        let scope = types::TypeScope::inside(self.program(), id, &[]);
        for written in &literal.fields {
            let name = member_name(&written.member);
            let field = match (&written.member, name.parse::<usize>()) {
                (syn::Member::Unnamed(_), Ok(index)) => fields.list().get(index),
                _ => fields.list().iter().find(|field| field.name == name),
            };
            let field = field.ok_or_else(|| stop(span, "kgen does not know this field"))?;
            let value = self.value(&written.expr)?;
            let wanted = types::read(self.program(), &field.field_type, &scope);
            let place = self.frame.place(&written.expr);
            let value = self.coerced(value, &wanted, place)?;
            super::value::set_entry(&mut values, &name, value);
        }
        Ok(Value::Instance(Box::new(Instance {
            id,
            variant,
            fields: values,
            span,
        })))
    }

    /// Evaluates a struct of another crate: a part of a schema of schemars 0.8, or a rule of kube.
    fn foreign_literal(&mut self, path: &[String], literal: &syn::ExprStruct, span: Span) -> Step<Value> {
        let name = path.last().cloned().unwrap_or_default();
        if !builders::is_known(&name) {
            return Err(stop(span, not_found(&path.join("::"))));
        }
        let mut entries = match &literal.rest {
            None => Vec::new(),
            Some(rest) => {
                let rest_span = self.frame.place(rest);
                let rest = self.value(rest)?;
                match self.coerced(rest, &Type::Json, rest_span)? {
                    Value::Map(entries) => entries,
                    Value::Foreign(foreign) => foreign.fields,
                    _ => return Err(unread(rest_span)),
                }
            }
        };
        for field in &literal.fields {
            let value = self.value(&field.expr)?;
            builders::set(&name, &mut entries, &member_name(&field.member), value)
                .ok_or_else(|| unread(self.frame.place(&field.expr)))?;
        }
        Ok(builders::made(&name, entries))
    }
}

/// Returns the fields of a struct or of a variant.
pub(super) fn fields_of<'b>(
    body: &'b crate::declare::ModuleBody,
    id: TypeId,
    variant: Option<&str>,
) -> Option<&'b Fields> {
    match (&body.types.get(id.index)?.kind, variant) {
        (TypeKind::Struct(fields), None) => Some(fields),
        (TypeKind::Enum(variants), Some(name)) => variants
            .iter()
            .find(|variant| variant.name == name)
            .map(|variant| &variant.fields),
        _ => None,
    }
}

pub(super) fn member_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => {
            let name = name.to_string();
            name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
        }
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}
