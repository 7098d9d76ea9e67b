//! Values that the source states: constants, and the defaults of serde.
//!
//! A small part of Rust is understood: literals, constants, functions and `Default` impls whose body is one expression,
//! variants, struct literals, `vec![…]`, maps of pairs, sums and products, `Some(…)` and the usual ways to make a `String`.
//! Anything else has no value here, and the field is then optional without a schema default.

use kgen_diagnostics::{Code, Problem, Spanned};
use serde_json::{Map, Value};
use syn::{BinOp, Expr, Lit, UnOp};

use super::serde::{self, Container, DefaultSource, Member};
use super::well_known::Known;
use super::{Resolved, Scope, Shapes, numbered};
use crate::declare::{Field, Fields, TypeKind};
use crate::program::{ModuleId, Target, TypeId};

/// How many functions and constants may stand behind each other.
const MAX_STEPS: usize = 16;

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
                let value = self.function_value(&path.value, scope.module, 0);
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
    fn put_field(
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
        let is_written = if value.is_null() {
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
    fn declared_default(&mut self, id: TypeId, depth: usize) -> Option<Value> {
        if depth > MAX_STEPS {
            return None;
        }
        let body = self.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        let is_written_by_code = ["from", "try_from", "into", "remote"]
            .iter()
            .any(|name| declaration.attributes.serde(name).is_some())
            || super::hand_written(declaration, &body).is_some();
        if is_written_by_code {
            return None;
        }
        let written = body
            .implementations
            .iter()
            .find(|found| found.trait_name == "Default" && found.type_name == declaration.name)
            .and_then(|found| found.values.iter().find(|value| value.name == "default"));
        if let Some(written) = written {
            let text = self.program.text(written.body).to_owned();
            let expression: Expr = syn::parse_str(&text).ok()?;
            return self.value_of(&expression, id.module, Some(id), depth + 1);
        }
        declaration.attributes.derives("Default")?;
        match &declaration.kind {
            TypeKind::Enum(variants) => {
                let variant = variants.iter().find(|variant| variant.attributes.is_default)?;
                self.variant_value(id, &variant.name)
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

    /// The text that serde writes for a unit variant.
    fn variant_value(&mut self, id: TypeId, name: &str) -> Option<Value> {
        let body = self.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        let TypeKind::Enum(variants) = &declaration.kind else {
            return None;
        };
        if numbered::derive_of(declaration).is_some() {
            return self.number_of(variants, name, id.module);
        }
        let variant = variants.iter().find(|variant| variant.name == name)?;
        let container = serde::container(&declaration.attributes, &mut self.problems);
        if !variant.fields.list().is_empty() || container.tag.is_some() || container.untagged.is_some() {
            return None;
        }
        let member = serde::member(&variant.attributes, &mut self.problems);
        let renamed = container
            .rename_all
            .map_or_else(|| name.to_owned(), |rule| rule.variant(name));
        Some(Value::from(member.rename.unwrap_or(renamed)))
    }

    /// The name of a field of a struct in JSON.
    fn json_name(&mut self, id: TypeId, field_name: &str) -> Option<String> {
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

    /// What `Default::default()` is for a field of a struct.
    fn default_of_field(&mut self, id: TypeId, name: &str, depth: usize) -> Option<Value> {
        let body = self.program.shared_body(id.module)?;
        let TypeKind::Struct(Fields::Named(fields)) = &body.types.get(id.index)?.kind else {
            return None;
        };
        let field = fields.iter().find(|field| field.name == name)?;
        let resolved = self.resolve(&field.field_type, &Scope::of(id.module))?;
        self.default_of(&resolved, depth)
    }

    /// The value of a function or constant, by its path.
    fn function_value(&mut self, path: &str, module: ModuleId, depth: usize) -> Option<Value> {
        if depth > MAX_STEPS {
            return None;
        }
        let names: Vec<_> = path.split("::").map(str::trim).collect();
        let (last, before) = names.split_last()?;
        let target = self.program.resolve(module, before, false).ok()?;
        let (home, this, span) = match target {
            Target::Module(home) => {
                let body = self.program.shared_body(home)?;
                (
                    home,
                    None,
                    body.values.iter().find(|value| value.name == *last)?.body,
                )
            }
            Target::Type(id) if *last == "default" => return self.declared_default(id, depth + 1),
            Target::Type(id) => match self.associated_value(id, last) {
                Some(found) => (found.module, found.this, found.body),
                None => return self.variant_value(id, last),
            },
            Target::External(_) => return None,
        };
        let text = self.program.text(span).to_owned();
        let expression: Expr = syn::parse_str(&text).ok()?;
        self.value_of(&expression, home, this, depth + 1)
    }

    /// The struct that a literal names.
    fn struct_of(&mut self, path: &syn::Path, module: ModuleId, this: Option<TypeId>) -> Option<TypeId> {
        if path.is_ident("Self") {
            return this;
        }
        let names: Vec<_> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        match self.program.resolve(module, &names, false).ok()? {
            Target::Type(id) => Some(id),
            _ => None,
        }
    }

    fn value_of(
        &mut self,
        expression: &Expr,
        module: ModuleId,
        this: Option<TypeId>,
        depth: usize,
    ) -> Option<Value> {
        if depth > MAX_STEPS {
            return None;
        }
        match strip(expression) {
            Expr::Lit(literal) => literal_value(&literal.lit),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                match self.value_of(&unary.expr, module, this, depth + 1)? {
                    Value::Number(number) => number
                        .as_i64()
                        .map(|value| Value::from(-value))
                        .or_else(|| Some(Value::from(-number.as_f64()?))),
                    _ => None,
                }
            }
            Expr::MethodCall(call)
                if call.args.is_empty()
                    && ["to_string", "to_owned", "into", "clone"]
                        .iter()
                        .any(|name| call.method == name) =>
            {
                self.value_of(&call.receiver, module, this, depth + 1)
            }
            Expr::Call(call) => {
                let Expr::Path(path) = call.func.as_ref() else {
                    return None;
                };
                let names: Vec<_> = path
                    .path
                    .segments
                    .iter()
                    .map(|segment| segment.ident.to_string())
                    .collect();
                let last = names.last()?;
                match (last.as_str(), call.args.first()) {
                    ("from", Some(Expr::Array(pairs)))
                        if names.iter().any(|name| name == "BTreeMap" || name == "HashMap") =>
                    {
                        let mut object = Map::new();
                        for pair in &pairs.elems {
                            let Expr::Tuple(pair) = pair else { return None };
                            let mut values = pair
                                .elems
                                .iter()
                                .map(|part| self.value_of(part, module, this, depth + 1));
                            let (key, value) = (values.next()??, values.next()??);
                            object.insert(key.as_str()?.to_owned(), value);
                        }
                        Some(Value::Object(object))
                    }
                    ("Some" | "from" | "Self" | "Quantity", Some(argument)) => {
                        self.value_of(argument, module, this, depth + 1)
                    }
                    ("new", None) => match names.first()?.as_str() {
                        "String" => Some(Value::from("")),
                        "Vec" | "BTreeSet" | "HashSet" => Some(Value::Array(Vec::new())),
                        "BTreeMap" | "HashMap" => Some(Value::Object(Map::new())),
                        _ => None,
                    },
                    (_, None) => self.function_value(&names.join("::"), module, depth + 1),
                    _ => None,
                }
            }
            Expr::Path(path) => {
                let names: Vec<_> = path
                    .path
                    .segments
                    .iter()
                    .map(|segment| segment.ident.to_string())
                    .collect();
                match (names.as_slice(), this) {
                    ([none], _) if none == "None" => Some(Value::Null),
                    ([first, variant], Some(this)) if first == "Self" => self.variant_value(this, variant),
                    _ => self.function_value(&names.join("::"), module, depth + 1),
                }
            }
            Expr::Binary(binary) => {
                let left = self.value_of(&binary.left, module, this, depth + 1)?.as_i64()?;
                let right = self.value_of(&binary.right, module, this, depth + 1)?.as_i64()?;
                let value = match binary.op {
                    BinOp::Add(_) => left.checked_add(right)?,
                    BinOp::Sub(_) => left.checked_sub(right)?,
                    BinOp::Mul(_) => left.checked_mul(right)?,
                    _ => return None,
                };
                Some(Value::from(value))
            }
            Expr::Struct(literal) => {
                let id = self.struct_of(&literal.path, module, this)?;
                let mut object = match &literal.rest {
                    None => Map::new(),
                    // What is not named is as in the default of the whole.
                    Some(rest) if is_default_call(rest) => match self.declared_default(id, depth + 1)? {
                        Value::Object(object) => object,
                        _ => return None,
                    },
                    Some(_) => return None,
                };
                for field in &literal.fields {
                    let syn::Member::Named(name) = &field.member else {
                        return None;
                    };
                    let name = name.to_string();
                    let value = if is_plain_default_call(&field.expr) {
                        self.default_of_field(id, &name, depth + 1)?
                    } else {
                        self.value_of(&field.expr, module, None, depth + 1)?
                    };
                    object.remove(&self.json_name(id, &name)?);
                    self.put_field(&mut object, id, &name, value)?;
                }
                Some(Value::Object(object))
            }
            Expr::Array(array) => array
                .elems
                .iter()
                .map(|element| self.value_of(element, module, this, depth + 1))
                .collect(),
            Expr::Macro(call) if call.mac.path.is_ident("vec") => {
                let list: syn::ExprArray = syn::parse_str(&format!("[{}]", call.mac.tokens)).ok()?;
                list.elems
                    .iter()
                    .map(|element| self.value_of(element, module, this, depth + 1))
                    .collect()
            }
            _ => None,
        }
    }
}

/// `Default::default()`, `Self::default()` or `Name::default()`.
fn is_default_call(expression: &Expr) -> bool {
    matches!(expression, Expr::Call(call) if call.args.is_empty()
        && matches!(call.func.as_ref(), Expr::Path(path)
            if path.path.segments.last().is_some_and(|last| last.ident == "default")))
}

/// `Default::default()`, which is of whatever type is wanted.
fn is_plain_default_call(expression: &Expr) -> bool {
    is_default_call(expression)
        && matches!(expression, Expr::Call(call) if matches!(call.func.as_ref(), Expr::Path(path)
            if path.path.segments.first().is_some_and(|first| first.ident == "Default")))
}

/// An expression without blocks, brackets and references around it.
fn strip(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(paren) => strip(&paren.expr),
        Expr::Group(group) => strip(&group.expr),
        Expr::Reference(reference) => strip(&reference.expr),
        Expr::Cast(cast) => strip(&cast.expr),
        Expr::Block(block) => match block.block.stmts.as_slice() {
            [syn::Stmt::Expr(inner, None)] => strip(inner),
            _ => expression,
        },
        other => other,
    }
}

fn literal_value(literal: &Lit) -> Option<Value> {
    match literal {
        Lit::Str(text) => Some(Value::from(text.value())),
        Lit::Char(character) => Some(Value::from(character.value().to_string())),
        Lit::Bool(boolean) => Some(Value::from(boolean.value)),
        Lit::Int(integer) => integer.base10_parse::<i64>().ok().map(Value::from),
        Lit::Float(float) => float.base10_parse::<f64>().ok().map(Value::from),
        _ => None,
    }
}
