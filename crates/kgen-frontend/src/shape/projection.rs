//! Converts Rust values to JSON, with serde's names and forms.
//!
//! The evaluator creates the values. A type whose JSON is created by code does not have any here, which is reported
//! with a place.

use kgen_diagnostics::{Problems, Span};
use serde_json::Value as Json;

use super::code::Written;
use super::conventions::Conventions;
use super::newtype::only_field;
use super::serde::{self, Container};
use super::{hand_written, numbered};
use crate::declare::{Field, Fields, ModuleBody, TypeDeclaration, TypeKind, Variant};
use crate::evaluate::{self, Instance, Read, Unknown, Value};
use crate::program::Program;

/// Projects values to JSON.
pub(super) struct Projection<'p> {
    program: &'p mut Program,
    conventions: Conventions,
    /// Problems of attributes are reported where their type is described.
    unreported: Problems,
}

impl<'p> Projection<'p> {
    pub(super) fn new(program: &'p mut Program, conventions: Conventions) -> Self {
        Self {
            program,
            conventions,
            unreported: Problems::new(),
        }
    }

    /// Returns the JSON of a value that was made at `span`.
    pub(super) fn json(&mut self, value: &Value, span: Span) -> Read<Json> {
        let unknown = || Unknown::new(span, "a schema is not a value");
        self.written(value, span)?.to_json().ok_or_else(unknown)
    }

    /// Returns the JSON of a value, which may have schemas inside.
    pub(super) fn written(&mut self, value: &Value, span: Span) -> Read<Written> {
        let unknown = |reason: &str| Unknown::new(span, reason);
        Ok(match value {
            Value::Unit | Value::Option(None) => Written::null(),
            Value::Boolean(flag) => Written::Scalar(Json::from(*flag)),
            Value::Integer(number) => {
                let json = i64::try_from(*number).map(Json::from);
                let json = json.or_else(|_| u64::try_from(*number).map(Json::from));
                Written::Scalar(json.map_err(|_| unknown("JSON has no integers of this size"))?)
            }
            Value::Float(number) if number.number().is_finite() => {
                Written::Scalar(Json::from(number.number()))
            }
            Value::Float(_) => return Err(unknown("JSON has no such number")),
            Value::Character(character) => Written::of_text(*character),
            Value::Text(text) => Written::of_text(text.as_str()),
            Value::Option(Some(inner)) => self.written(inner, span)?,
            Value::List(list) | Value::Tuple(list) => {
                let list = list.iter().map(|value| self.written(value, span));
                Written::List(list.collect::<Read<_>>()?)
            }
            Value::Map(entries) => {
                let mut object = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    object.push((key.clone(), self.written(value, span)?));
                }
                Written::Object(object)
            }
            Value::Instance(instance) => self.instance(instance)?,
            Value::Schema(schema) => Written::Schema(schema.clone()),
            Value::Absent(unknown) => return Err((**unknown).clone()),
            Value::Result(_) => return Err(unknown("a result is not a value")),
            Value::Foreign(_) => return Err(unknown("kgen does not know the JSON of this type")),
            Value::Pending(_) => return Err(unknown("kgen does not know the type of this value")),
        })
    }

    fn instance(&mut self, instance: &Instance) -> Read<Written> {
        let unread = || Unknown::new(instance.span, "kgen does not read this type");
        let body = self.program.shared_body(instance.id.module).ok_or_else(unread)?;
        let declaration = body.types.get(instance.id.index).ok_or_else(unread)?;
        if is_written_by_code(declaration, &body) {
            return Err(Unknown::new(
                instance.span,
                format!("the JSON of `{}` is computed by code", declaration.name),
            ));
        }
        let container = serde::container(&declaration.attributes, &mut self.unreported);
        match (&declaration.kind, &instance.variant) {
            (TypeKind::Struct(Fields::Named(fields)), None) => {
                let rule = container.rename_all;
                let is_kubernetes = self.program.is_kubernetes(instance.id.module);
                let rename = |name: &str| rule.map_or_else(|| name.to_owned(), |rule| rule.field(name));
                if container.transparent {
                    return self.transparent(instance, fields);
                }
                let mut object = Vec::new();
                for field in fields {
                    self.put_field(&mut object, instance, field, &rename, is_kubernetes)?;
                }
                Ok(Written::Object(object))
            }
            (TypeKind::Struct(_), None) => self.unnamed(instance),
            (TypeKind::Enum(variants), Some(name)) => {
                let variant = variants
                    .iter()
                    .find(|variant| variant.name == *name)
                    .ok_or_else(unread)?;
                if numbered::derive_of(declaration).is_some() {
                    return self.numbered(variants, name, instance);
                }
                self.variant(instance, variant, &container)
            }
            _ => Err(unread()),
        }
    }

    /// Returns the number of a variant, which `serde_repr` writes.
    fn numbered(&mut self, variants: &[Variant], name: &str, instance: &Instance) -> Read<Written> {
        let numbers = evaluate::variant_numbers(self.program, variants, instance.id.module)?;
        let index = variants.iter().position(|variant| variant.name == name);
        let number = index.and_then(|index| numbers.get(index)).copied();
        let number = number.and_then(|number| i64::try_from(number).ok());
        let unknown = || Unknown::new(instance.span, "the discriminant of this variant is not known");
        Ok(Written::Scalar(Json::from(number.ok_or_else(unknown)?)))
    }

    /// Returns the JSON of a struct or variant without field names.
    fn unnamed(&mut self, instance: &Instance) -> Read<Written> {
        match instance.fields.as_slice() {
            [] => Ok(Written::null()),
            [(_, only)] => self.written(only, instance.span),
            several => {
                let list = several
                    .iter()
                    .map(|(_, value)| self.written(value, instance.span));
                Ok(Written::List(list.collect::<Read<_>>()?))
            }
        }
    }

    fn transparent(&mut self, instance: &Instance, fields: &[Field]) -> Read<Written> {
        let unknown = || Unknown::new(instance.span, "the JSON of this type is not known");
        let field = only_field(fields, &mut self.unreported).ok_or_else(unknown)?;
        let value = field_value(instance, &field.name).ok_or_else(unknown)?;
        self.written(value, instance.span)
    }

    /// Puts the value of a field into the object of its struct or variant. Absent options stay absent, unless values are written
    /// as serde writes them.
    fn put_field(
        &mut self,
        object: &mut Vec<(String, Written)>,
        instance: &Instance,
        field: &Field,
        rename: &dyn Fn(&str) -> String,
        is_kubernetes: bool,
    ) -> Read<()> {
        let member = serde::member(&field.attributes, &mut self.unreported);
        let Some(value) = field_value(instance, &field.name) else {
            return Ok(());
        };
        if member.skipped {
            return Ok(());
        }
        let written = self.written(value, instance.span)?;
        let is_written = if written.is_null() {
            !is_kubernetes
                && self.conventions.writes_values_like_serde()
                && is_kept(self.conventions, field, &Json::Null, false)
        } else {
            let json = written.to_json().unwrap_or(Json::Bool(true));
            is_kept(self.conventions, field, &json, false)
        };
        if !is_written {
            return Ok(());
        }
        if let Some(code) = &member.custom {
            return Err(Unknown::new(
                code.span,
                "the JSON of this field is computed by code",
            ));
        }
        if member.flatten.is_some() {
            match written {
                Written::Object(entries) => object.extend(entries),
                _ => return Err(Unknown::new(instance.span, "only an object can be flattened")),
            }
        } else {
            object.push((member.rename.unwrap_or_else(|| rename(&field.name)), written));
        }
        Ok(())
    }

    /// Returns the JSON of a variant of an enum, with the value that it holds.
    fn variant(&mut self, instance: &Instance, variant: &Variant, container: &Container) -> Read<Written> {
        let member = serde::member(&variant.attributes, &mut self.unreported);
        if let Some(code) = &member.custom {
            return Err(Unknown::new(
                code.span,
                "the JSON of this variant is computed by code",
            ));
        }
        let renamed = container
            .rename_all
            .map_or_else(|| variant.name.clone(), |rule| rule.variant(&variant.name));
        let name = member.rename.unwrap_or(renamed);
        let held = match serde::fields_of(variant) {
            Fields::Unit => None,
            Fields::Unnamed(_) => Some(self.unnamed(instance)?),
            Fields::Named(fields) => {
                let rule = member.rename_all.or(container.rename_all_fields);
                let rename = |name: &str| rule.map_or_else(|| name.to_owned(), |rule| rule.field(name));
                let mut object = Vec::new();
                for field in fields {
                    self.put_field(&mut object, instance, field, &rename, false)?;
                }
                Some(Written::Object(object))
            }
        };
        if container.untagged.is_some() || member.untagged.is_some() {
            return Ok(held.unwrap_or_else(Written::null));
        }
        let mut object = Vec::new();
        match (&container.tag, &container.content, held) {
            (None, _, None) => return Ok(Written::of_text(name)),
            (None, _, Some(held)) => object.push((name, held)),
            (Some(tag), None, held) => {
                object.push((tag.value.clone(), Written::of_text(name)));
                match held {
                    Some(Written::Object(entries)) => object.extend(entries),
                    Some(_) => return Err(Unknown::new(instance.span, "a tag needs an object around it")),
                    None => {}
                }
            }
            (Some(tag), Some(content), held) => {
                object.push((tag.value.clone(), Written::of_text(name)));
                object.extend(held.map(|held| (content.value.clone(), held)));
            }
        }
        Ok(Written::Object(object))
    }
}

fn field_value<'i>(instance: &'i Instance, name: &str) -> Option<&'i Value> {
    instance
        .fields
        .iter()
        .find(|(known, _)| known == name)
        .map(|(_, value)| value)
}

/// Returns whether a value is written. A value that serde leaves out is not, if values are written as serde writes them.
pub(super) fn is_kept(conventions: Conventions, field: &Field, value: &Json, is_usual: bool) -> bool {
    let Some(condition) = field.attributes.serde("skip_serializing_if") else {
        return field.attributes.serde("skip_serializing").is_none()
            || !conventions.writes_values_like_serde();
    };
    if value.is_null() {
        return false;
    }
    let is_zero = match value {
        Json::Null => true,
        Json::Bool(value) => !value,
        Json::Number(number) => number.as_f64() == Some(0.0),
        Json::String(text) => text.is_empty(),
        Json::Array(list) => list.is_empty(),
        Json::Object(object) => object.is_empty(),
    };
    let name = condition.text().map_or("", |text| text.value);
    let last = name.rsplit("::").next().unwrap_or(name);
    // The usual conditions. Another function leaves nothing out, as far as kgen knows.
    let skips_zero = [
        "is_empty",
        "is_none",
        "is_false",
        "is_zero",
        "not",
        "is_default",
        "is_null",
    ]
    .iter()
    .any(|known| last.ends_with(known));
    let skips_true = *value == Json::Bool(true) && last.ends_with("is_true");
    let skips = (is_zero && skips_zero) || skips_true || (is_usual && last.ends_with("is_default"));
    !(conventions.writes_values_like_serde() && skips)
}

/// Returns whether code decides the JSON of a type.
pub(super) fn is_written_by_code(declaration: &TypeDeclaration, body: &ModuleBody) -> bool {
    ["from", "try_from", "into", "remote"]
        .iter()
        .any(|name| declaration.attributes.serde(name).is_some())
        || hand_written(declaration, body).is_some()
}
