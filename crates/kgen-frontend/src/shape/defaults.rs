//! Values that the source states: constants, and the defaults of serde.
//!
//! What expressions are worth is in `expressions`. What has no value there makes the field optional without a schema default.

use kgen_diagnostics::{Code, Problem, Spanned};
use serde_json::{Map, Value};
use syn::{Expr, Lit};

use super::expressions::{MAX_STEPS, Place, strip};
use super::serde::{self, Container, DefaultSource, Member};
use super::{Resolved, Scope, Shapes, numbered};
use crate::declare::{Field, Fields, ModuleBody, TypeDeclaration, TypeKind};
use crate::program::{ModuleId, TypeId};
use crate::well_known::Known;

/// The warning that a default was asked for and cannot be read.
fn unknown_default(function: &Spanned<String>) -> Problem {
    Problem::warning(
        Code::OpaqueType,
        function.span,
        format!(
            "only running `{}` would tell this default, so the schema has none",
            function.value
        ),
    )
    .help("state it with `+kubebuilder:default=…`, or make the body of the function one literal")
}

impl Shapes<'_> {
    /// The value of an integer expression: a literal, or a constant of the module.
    pub(super) fn constant_integer(&self, text: &str, module: ModuleId) -> Option<i128> {
        let mut text = text.trim().to_owned();
        for _ in 0..MAX_STEPS {
            let expression: Expr = syn::parse_str(&text).ok()?;
            match strip(&expression) {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Int(integer) => return integer.base10_parse().ok(),
                    _ => return None,
                },
                Expr::Path(path) => {
                    let name = path.path.get_ident()?.to_string();
                    let body = self.program.body(module)?;
                    let value = body
                        .values
                        .iter()
                        .find(|value| value.name == name && value.inputs.is_none())?;
                    text = self.program.text(value.body).to_owned();
                }
                _ => return None,
            }
        }
        None
    }

    /// The value that serde puts in place of an absent field, as far as the source states it.
    pub(super) fn serde_default(
        &mut self,
        field: &Field,
        member: &Member,
        container: &Container,
        scope: &Scope,
    ) -> Option<Value> {
        let value = match (&member.default, container.default.as_ref()) {
            (Some(DefaultSource::Trait), _) => {
                let resolved = self.resolve(&field.field_type, scope)?;
                self.default_of(&resolved, 0)
            }
            (Some(DefaultSource::Function(path)), _) => {
                let this = scope.this.as_ref().map(|(id, _)| *id);
                let value = self.function_value(&path.value, Place::at(scope.module, this));
                if value.is_none() && self.options.serde_defaults {
                    self.problems.push(unknown_default(path));
                }
                value
            }
            (None, None | Some(DefaultSource::Function(_))) => None,
            (None, Some(DefaultSource::Trait)) => {
                let (id, _) = scope.this.as_ref()?;
                let whole = self.declared_default(*id, 0)?;
                let name = self.json_name(*id, &field.name)?;
                whole.get(&name).cloned()
            }
        }?;
        let is_usual = matches!(member.default, Some(DefaultSource::Trait)) || {
            let resolved = self.resolve(&field.field_type, scope)?;
            self.default_of(&resolved, 0).as_ref() == Some(&value)
        };
        // A null says nothing that leaving the field out does not say.
        (!value.is_null() && self.is_kept(field, &value, is_usual)).then_some(value)
    }

    /// Whether kube-derive would write a value: what serde leaves out is no default there.
    fn is_kept(&self, field: &Field, value: &Value, is_usual: bool) -> bool {
        let Some(condition) = field.attributes.serde("skip_serializing_if") else {
            return field.attributes.serde("skip_serializing").is_none()
                || !self.options.compat.is_kube_derive();
        };
        if value.is_null() {
            return false;
        }
        let is_zero = match value {
            Value::Null => true,
            Value::Bool(value) => !value,
            Value::Number(number) => number.as_f64() == Some(0.0),
            Value::String(text) => text.is_empty(),
            Value::Array(list) => list.is_empty(),
            Value::Object(object) => object.is_empty(),
        };
        let name = condition.text().map_or("", |text| text.value);
        let last = name.rsplit("::").next().unwrap_or(name);
        // The usual conditions; what another function says, only running it would tell.
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
        let skips_true = *value == Value::Bool(true) && last.ends_with("is_true");
        let skips = (is_zero && skips_zero) || skips_true || (is_usual && last.ends_with("is_default"));
        !(self.options.compat.is_kube_derive() && skips)
    }

    /// Puts the value of a field into the value of its struct. Options that are absent stay absent, but for kube-derive,
    /// which writes what serde writes.
    pub(super) fn put_field(
        &mut self,
        object: &mut Map<String, Value>,
        id: TypeId,
        name: &str,
        value: Value,
    ) -> Option<()> {
        let body = self.program.shared_body(id.module)?;
        let TypeKind::Struct(Fields::Named(fields)) = &body.types.get(id.index)?.kind else {
            return None;
        };
        let field = fields.iter().find(|field| field.name == name)?;
        let member = serde::member(&field.attributes, &mut self.problems);
        let is_written = if value.is_null() && self.program.is_kubernetes(id.module) {
            false
        } else if value.is_null() {
            self.options.compat.is_kube_derive() && self.is_kept(field, &value, false)
        } else {
            self.is_kept(field, &value, false)
        };
        if is_written && !member.skipped {
            if member.flatten.is_some() {
                object.extend(value.as_object()?.clone());
            } else {
                object.insert(self.json_name(id, name)?, value);
            }
        }
        Some(())
    }

    /// `Default::default()` of a type.
    fn default_of(&mut self, resolved: &Resolved, depth: usize) -> Option<Value> {
        match resolved {
            Resolved::Known(known, arguments) => match known.known() {
                Known::Optional => Some(Value::Null),
                Known::List | Known::Set => Some(Value::Array(Vec::new())),
                Known::Map => Some(Value::Object(Map::new())),
                Known::Transparent => self.default_of(arguments.last()?, depth),
                Known::Value(make) => match make().json_type? {
                    kgen_model::JsonType::Boolean => Some(Value::Bool(false)),
                    kgen_model::JsonType::Integer => Some(Value::from(0)),
                    kgen_model::JsonType::String if make().constraints == kgen_model::Sparse::default() => {
                        Some(Value::from(""))
                    }
                    _ => None,
                },
                _ => None,
            },
            Resolved::Declared(id, _) => self.declared_default(*id, depth),
            Resolved::Slice(_) | Resolved::Array(..) | Resolved::Constant(_) => None,
        }
    }

    /// The default of a declared type: by its `#[default]` variant, its derive, or its hand-written impl.
    pub(super) fn declared_default(&mut self, id: TypeId, depth: usize) -> Option<Value> {
        if depth > MAX_STEPS {
            return None;
        }
        let body = self.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        if is_written_by_code(declaration, &body) {
            return None;
        }
        let written = body
            .implementations
            .iter()
            .find(|found| found.trait_name == "Default" && found.type_name == declaration.name)
            .and_then(|found| found.values.iter().find(|value| value.name == "default"));
        if let Some(written) = written {
            let place = Place::at(id.module, Some(id)).deeper(depth + 1);
            return self.text_value(written.body, place);
        }
        declaration.attributes.derives("Default")?;
        match &declaration.kind {
            TypeKind::Enum(variants) => {
                let variant = variants.iter().find(|variant| variant.attributes.is_default)?;
                self.variant_value(id, &variant.name, None)
            }
            TypeKind::Struct(Fields::Named(fields)) => {
                let scope = Scope::of(id.module);
                let mut object = Map::new();
                for field in fields {
                    let resolved = self.resolve(&field.field_type, &scope)?;
                    let value = self.default_of(&resolved, depth + 1)?;
                    self.put_field(&mut object, id, &field.name, value)?;
                }
                Some(Value::Object(object))
            }
            TypeKind::Struct(Fields::Unnamed(fields)) => {
                let [field] = fields.as_slice() else { return None };
                let resolved = self.resolve(&field.field_type, &Scope::of(id.module))?;
                self.default_of(&resolved, depth + 1)
            }
            _ => None,
        }
    }

    /// What serde writes for a variant of an enum, with what it holds.
    pub(super) fn variant_value(&mut self, id: TypeId, name: &str, held: Option<Value>) -> Option<Value> {
        let body = self.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        let TypeKind::Enum(variants) = &declaration.kind else {
            return None;
        };
        if numbered::derive_of(declaration).is_some() {
            return self.number_of(variants, name, id.module);
        }
        let variant = variants.iter().find(|variant| variant.name == name)?;
        if variant.fields.list().is_empty() != held.is_none() || is_written_by_code(declaration, &body) {
            return None;
        }
        let container = serde::container(&declaration.attributes, &mut self.problems);
        let member = serde::member(&variant.attributes, &mut self.problems);
        let renamed = container
            .rename_all
            .map_or_else(|| name.to_owned(), |rule| rule.variant(name));
        let name = member.rename.unwrap_or(renamed);
        if container.untagged.is_some() {
            return held.or(Some(Value::Null));
        }
        let mut object = Map::new();
        match (container.tag, container.content, held) {
            (None, _, None) => return Some(Value::from(name)),
            (None, _, Some(held)) => {
                object.insert(name, held);
            }
            (Some(tag), None, held) => {
                object.insert(tag.value, Value::from(name));
                if let Some(held) = held {
                    object.extend(held.as_object()?.clone());
                }
            }
            (Some(tag), Some(content), held) => {
                object.insert(tag.value, Value::from(name));
                object.extend(held.map(|held| (content.value, held)));
            }
        }
        Some(Value::Object(object))
    }

    /// The name of a field of a struct in JSON.
    pub(super) fn json_name(&mut self, id: TypeId, field_name: &str) -> Option<String> {
        let body = self.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        let TypeKind::Struct(Fields::Named(fields)) = &declaration.kind else {
            return None;
        };
        let field = fields.iter().find(|field| field.name == field_name)?;
        let container = serde::container(&declaration.attributes, &mut self.problems);
        let member = serde::member(&field.attributes, &mut self.problems);
        let renamed = container
            .rename_all
            .map_or_else(|| field_name.to_owned(), |rule| rule.field(field_name));
        Some(member.rename.unwrap_or(renamed))
    }

    /// The name of a field of a variant in JSON, and whether it is written.
    pub(super) fn variant_field(
        &mut self,
        id: TypeId,
        variant: &str,
        name: &str,
        is_null: bool,
    ) -> Option<(String, bool)> {
        let body = self.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        let TypeKind::Enum(variants) = &declaration.kind else {
            return None;
        };
        let variant = variants.iter().find(|known| known.name == variant)?;
        let field = variant.fields.list().iter().find(|field| field.name == name)?;
        let container = serde::container(&declaration.attributes, &mut self.problems);
        let rule = serde::member(&variant.attributes, &mut self.problems)
            .rename_all
            .or(container.rename_all_fields);
        let member = serde::member(&field.attributes, &mut self.problems);
        let renamed = rule.map_or_else(|| name.to_owned(), |rule| rule.field(name));
        let is_left_out = is_null && (member.left_out.is_some() || !self.options.compat.is_kube_derive());
        Some((member.rename.unwrap_or(renamed), !is_left_out && !member.skipped))
    }

    /// What `Default::default()` is for a field of a struct.
    pub(super) fn default_of_field(&mut self, id: TypeId, name: &str, depth: usize) -> Option<Value> {
        let body = self.program.shared_body(id.module)?;
        let TypeKind::Struct(Fields::Named(fields)) = &body.types.get(id.index)?.kind else {
            return None;
        };
        let field = fields.iter().find(|field| field.name == name)?;
        let resolved = self.resolve(&field.field_type, &Scope::of(id.module))?;
        self.default_of(&resolved, depth)
    }
}

/// Whether code decides what JSON a type has.
pub(super) fn is_written_by_code(declaration: &TypeDeclaration, body: &ModuleBody) -> bool {
    ["from", "try_from", "into", "remote"]
        .iter()
        .any(|name| declaration.attributes.serde(name).is_some())
        || super::hand_written(declaration, body).is_some()
}
