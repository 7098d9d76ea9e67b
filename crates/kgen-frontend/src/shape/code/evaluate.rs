//! Expressions: the small part of Rust that schemas and constants are written in.

use kgen_diagnostics::Span;
use kgen_model::Schema;
use serde_json::Value;
use syn::{BinOp, Expr, Lit, UnOp};

use super::super::computed::{self, filled, integer};
use super::json::Json;
use super::written::Written;
use super::{Read, Scope, Shapes, keywords, schemars_08, statements};
use crate::Compat;
use crate::declare::{KeepPlaces, parse_type};
use crate::program::TypeId;

/// How many functions and constants may stand behind each other.
const MAX_DEPTH: usize = 16;

/// Methods that leave a value what it is.
const TRANSPARENT_METHODS: &[&str] = &[
    "as_ref",
    "as_str",
    "clone",
    "cloned",
    "collect",
    "expect",
    "into",
    "into_iter",
    "into_object",
    "iter",
    "to_owned",
    "to_string",
    "to_value",
    "to_vec",
    "unwrap",
    "unwrap_or_default",
];

/// Functions around a value that leave it what it is.
const TRANSPARENT_FUNCTIONS: &[&str] = &[
    "Array",
    "Bool",
    "Borrowed",
    "Number",
    "Object",
    "Ok",
    "Owned",
    "Single",
    "Some",
    "String",
    "Vec",
    "from",
    "from_iter",
    "from_value",
    "new",
    "to_value",
    "try_from",
    "must",
];

/// Reads one piece of source text.
pub(super) struct Evaluator<'s, 'a> {
    shapes: &'s mut Shapes<'a>,
    scope: Scope,
    this: Option<TypeId>,
    text: String,
    /// Where the text stands.
    start: Span,
    pub(super) bindings: Vec<(String, Written)>,
    /// Parameters whose values only running the code would tell.
    unknown: Vec<String>,
    /// Other names of bindings, such as that of a mutable reference.
    pub(super) aliases: Vec<(String, String)>,
    depth: usize,
    /// What is evaluated may lead to files that are not read yet.
    _places: KeepPlaces,
}

impl<'s, 'a> Evaluator<'s, 'a> {
    /// An evaluator for the text at `span`.
    pub(super) fn at(
        shapes: &'s mut Shapes<'a>,
        scope: Scope,
        this: Option<TypeId>,
        span: Span,
        depth: usize,
    ) -> Self {
        let text = shapes.program.text(span).to_owned();
        Self {
            shapes,
            scope,
            this,
            text,
            start: span,
            bindings: Vec::new(),
            unknown: Vec::new(),
            aliases: Vec::new(),
            depth,
            _places: KeepPlaces::new(),
        }
    }

    pub(super) fn compat(&self) -> Compat {
        self.shapes.options.compat
    }

    /// The whole text as an expression.
    pub(super) fn expression(&self) -> Read<Expr> {
        syn::parse_str(&self.text).map_err(|_| self.start)
    }

    /// What the whole text is.
    pub(super) fn whole(&mut self) -> Read<Written> {
        let expression = self.expression()?;
        self.value(&expression)
    }

    /// What the whole text is in the language of `json!`.
    pub(super) fn json_value(&mut self) -> Read<Written> {
        let json: Json = syn::parse_str(&self.text).map_err(|_| self.start)?;
        self.json(&json)
    }

    /// The schema that the whole text makes.
    pub(super) fn schema(&mut self) -> Read<Schema> {
        let expression = self.expression()?;
        let written = self.value(&expression)?;
        let place = self.place(&expression);
        self.schema_of(&written).ok_or(place)
    }

    fn schema_of(&self, written: &Written) -> Option<Schema> {
        keywords::schema(written, self.compat()).ok()
    }

    /// Where an expression stands.
    pub(super) fn place(&self, expression: &Expr) -> Span {
        self.place_of(syn::spanned::Spanned::span(expression))
    }

    fn place_of(&self, span: proc_macro2::Span) -> Span {
        let range = span.byte_range();
        let start = self.start.start as usize;
        Span::of(self.start.file, start + range.start..start + range.end)
    }

    pub(super) fn value(&mut self, expression: &Expr) -> Read<Written> {
        let place = self.place(expression);
        match expression {
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Group(inner) => self.value(&inner.expr),
            Expr::Reference(inner) => self.value(&inner.expr),
            Expr::Cast(inner) => self.value(&inner.expr),
            Expr::Try(inner) => self.value(&inner.expr),
            Expr::Closure(closure) => self.value(&closure.body),
            Expr::Block(block) => self.block(&block.block.stmts),
            Expr::Unsafe(_) => Err(place),
            Expr::Lit(literal) => scalar(&literal.lit).map(Written::Scalar).ok_or(place),
            Expr::Unary(unary) => match unary.op {
                UnOp::Deref(_) => self.value(&unary.expr),
                UnOp::Neg(_) => self
                    .value(&unary.expr)
                    .and_then(|value| negated(&value).ok_or(place)),
                _ => Err(place),
            },
            Expr::Binary(binary) => {
                let left = self.value(&binary.left)?;
                let right = self.value(&binary.right)?;
                combined(&left, &binary.op, &right).ok_or(place)
            }
            Expr::Array(array) => self.list(array.elems.iter()),
            Expr::Tuple(tuple) => self.list(tuple.elems.iter()),
            Expr::Macro(call) => self.macro_call(&call.mac),
            Expr::Path(path) => self.path(path),
            Expr::Field(field) => match &field.member {
                syn::Member::Named(name) if name == "schema" => self.value(&field.base),
                _ => Err(place),
            },
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.call(call),
            Expr::Struct(literal) => {
                let name = literal
                    .path
                    .segments
                    .last()
                    .map(|segment| segment.ident.to_string());
                if name.is_some_and(|name| schemars_08::is_part(&name)) {
                    schemars_08::literal(self, literal)
                } else {
                    Err(place)
                }
            }
            _ => Err(place),
        }
    }

    fn list<'e>(&mut self, elements: impl Iterator<Item = &'e Expr>) -> Read<Written> {
        elements
            .map(|element| self.value(element))
            .collect::<Read<Vec<_>>>()
            .map(Written::List)
    }

    fn json(&mut self, json: &Json) -> Read<Written> {
        match json {
            Json::Null => Ok(Written::null()),
            Json::List(list) => list
                .iter()
                .map(|value| self.json(value))
                .collect::<Read<Vec<_>>>()
                .map(Written::List),
            Json::Object(entries) => {
                let mut object = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let place = self.place(key);
                    let key = self.value(key)?.text().map(str::to_owned).ok_or(place)?;
                    let value = self.json(value)?;
                    Written::set(&mut object, &key, value);
                }
                Ok(Written::Object(object))
            }
            Json::Expression(expression) => self.value(expression),
        }
    }

    pub(super) fn macro_call(&mut self, call: &syn::Macro) -> Read<Written> {
        let place = self.place_of(syn::spanned::Spanned::span(call));
        let name = call.path.segments.last().map(|segment| segment.ident.to_string());
        match name.as_deref() {
            Some("json" | "json_schema") => {
                let json: Json = syn::parse2(call.tokens.clone()).map_err(|_| place)?;
                self.json(&json)
            }
            Some("vec") => {
                let list = self.arguments(call, place)?;
                self.list(list.iter())
            }
            Some("concat") => {
                let mut text = String::new();
                for part in self.arguments(call, place)? {
                    text.push_str(&plain(&self.value(&part)?).ok_or(place)?);
                }
                Ok(Written::of_text(text))
            }
            Some("format") => {
                let arguments = self.arguments(call, place)?;
                self.format(&arguments, place)
            }
            Some("schema_for") => {
                let range = syn::spanned::Spanned::span(&call.tokens).byte_range();
                self.type_schema(range, place)
            }
            Some("map" | "btreemap" | "hashmap" | "indexmap") => Err(place),
            _ => Err(place),
        }
    }

    fn arguments(&self, call: &syn::Macro, place: Span) -> Read<Vec<Expr>> {
        let parser = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        let parsed = syn::parse::Parser::parse2(parser, call.tokens.clone()).map_err(|_| place)?;
        Ok(parsed.into_iter().collect())
    }

    /// `format!` with plain holes.
    fn format(&mut self, arguments: &[Expr], place: Span) -> Read<Written> {
        let (first, rest) = arguments.split_first().ok_or(place)?;
        let pattern = self.value(first)?.text().map(str::to_owned).ok_or(place)?;
        let mut rest = rest.iter();
        let text = filled(&pattern, |hole| {
            let value = if hole.is_empty() {
                let argument = rest.next().ok_or(place)?;
                self.value(argument)?
            } else {
                let name: syn::ExprPath = syn::parse_str(hole).map_err(|_| place)?;
                self.named(&[hole])
                    .ok_or(())
                    .or_else(|()| self.path(&name))
                    .map_err(|_| place)?
            };
            plain(&value).ok_or(place)
        })?;
        Ok(Written::of_text(text))
    }

    /// A binding or constant by its path.
    fn named(&mut self, names: &[&str]) -> Option<Written> {
        if let [name] = names
            && let Some((_, value)) = self.bindings.iter().rev().find(|(known, _)| known == name)
        {
            return Some(value.clone());
        }
        if let [name] = names
            && self.unknown.iter().any(|known| known == name)
        {
            return None;
        }
        self.called(names, Vec::new())
    }

    /// The value of a constant, or of a function for these arguments. An argument without a value, such as a generator of
    /// schemas, is one that the function must not look at.
    fn called(&mut self, names: &[&str], arguments: Vec<Option<Written>>) -> Option<Written> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        let (found, scope) = match (names, self.this) {
            (["Self", name], Some(this)) => (self.shapes.associated_value(this, name)?, self.scope.clone()),
            _ => {
                let found = self.shapes.find_value(self.scope.module, names)?;
                let scope = Scope::of(found.module);
                (found, scope)
            }
        };
        let parameters = if arguments.is_empty() {
            Vec::new()
        } else {
            self.shapes.parameters(&found)
        };
        let mut evaluator = Evaluator::at(self.shapes, scope, found.this, found.body, self.depth + 1);
        for (name, value) in parameters.into_iter().zip(arguments) {
            match (name, value) {
                (Some(name), Some(value)) => evaluator.bindings.push((name, value)),
                (Some(name), None) => evaluator.unknown.push(name),
                (None, _) => {}
            }
        }
        evaluator.whole().ok()
    }

    fn path(&mut self, path: &syn::ExprPath) -> Read<Written> {
        let place = self.place_of(syn::spanned::Spanned::span(path));
        let names: Vec<_> = path
            .path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        match names.as_slice() {
            ["None"] => return Ok(Written::null()),
            [.., "InstanceType", kind] => return Ok(Written::of_text(kind.to_lowercase())),
            [integer, bound @ ("MAX" | "MIN")] => {
                if let Some(value) = integer_bound(integer, bound) {
                    return Ok(Written::Scalar(value));
                }
            }
            _ => {}
        }
        self.named(&names).ok_or(place)
    }

    fn method(&mut self, call: &syn::ExprMethodCall) -> Read<Written> {
        let name = call.method.to_string();
        let place = self.place_of(syn::spanned::Spanned::span(call));
        match name.as_str() {
            "subschema_for" | "root_schema_for" | "into_root_schema_for" => {
                let written = call
                    .turbofish
                    .as_ref()
                    .and_then(|turbofish| turbofish.args.first());
                let range = written.map(|argument| syn::spanned::Spanned::span(argument).byte_range());
                self.type_schema(range.ok_or(place)?, place)
            }
            "map" => {
                let elements = self.value(&call.receiver)?;
                let Some(Expr::Closure(closure)) = call.args.first() else {
                    // `.map(Value::from)` and its like leave an element what it is.
                    return Ok(elements);
                };
                let parameter = closure.inputs.first().and_then(statements::pattern_name);
                let parameter = parameter.ok_or(place)?;
                let mut mapped = Vec::new();
                for element in elements.list().ok_or(place)? {
                    self.bindings.push((parameter.clone(), element.clone()));
                    let value = self.value(&closure.body);
                    self.bindings.pop();
                    mapped.push(value?);
                }
                Ok(Written::List(mapped))
            }
            "concat" => {
                let parts = self.value(&call.receiver)?;
                let texts = parts.list().ok_or(place)?.iter().map(plain);
                Ok(Written::of_text(texts.collect::<Option<String>>().ok_or(place)?))
            }
            "join" => {
                let parts = self.value(&call.receiver)?;
                let separator = self.value(call.args.first().ok_or(place)?)?;
                let texts = parts.list().ok_or(place)?.iter().map(plain);
                let texts = texts.collect::<Option<Vec<_>>>().ok_or(place)?;
                Ok(Written::of_text(texts.join(separator.text().ok_or(place)?)))
            }
            _ if TRANSPARENT_METHODS.contains(&name.as_str()) => self.value(&call.receiver),
            _ => Err(place),
        }
    }

    fn call(&mut self, call: &syn::ExprCall) -> Read<Written> {
        let place = self.place_of(syn::spanned::Spanned::span(call));
        let Expr::Path(function) = call.func.as_ref() else {
            return Err(place);
        };
        let names: Vec<_> = function
            .path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        let last = names.last().map(String::as_str).unwrap_or_default();
        if last == "json_schema" {
            let range = match &function.qself {
                Some(qualified) => syn::spanned::Spanned::span(&*qualified.ty).byte_range(),
                None => self.before_last(function).ok_or(place)?,
            };
            return self.type_schema(range, place);
        }
        // A function of the crate goes before the usual ones of the same name.
        let own: Vec<_> = names.iter().map(String::as_str).collect();
        if let Some(arguments) = self.given(call)
            && let Some(value) = self.called(&own, arguments)
        {
            return Ok(value);
        }
        match (last, call.args.first()) {
            (_, Some(argument)) if TRANSPARENT_FUNCTIONS.contains(&last) => self.value(argument),
            ("new" | "default", None) => Ok(match names.first().map(String::as_str) {
                Some("String") => Written::of_text(""),
                Some("Vec") => Written::List(Vec::new()),
                _ => Written::Object(Vec::new()),
            }),
            _ => Err(place),
        }
    }

    /// The values that a function is called with. Nothing if it could change one of them.
    fn given(&mut self, call: &syn::ExprCall) -> Option<Vec<Option<Written>>> {
        let mut arguments = Vec::with_capacity(call.args.len());
        for argument in &call.args {
            let value = self.value(argument).ok();
            let is_changed = matches!(argument, Expr::Reference(reference) if reference.mutability.is_some());
            if is_changed && value.is_some() {
                return None;
            }
            arguments.push(value);
        }
        Some(arguments)
    }

    /// The text range of a path without its last name.
    fn before_last(&self, path: &syn::ExprPath) -> Option<std::ops::Range<usize>> {
        let mut segments = path.path.segments.iter().rev().skip(1);
        let end = syn::spanned::Spanned::span(segments.next()?).byte_range().end;
        let start = syn::spanned::Spanned::span(path).byte_range().start;
        Some(start..end)
    }

    /// The schema of the type that is written at a range of the text.
    fn type_schema(&mut self, range: std::ops::Range<usize>, place: Span) -> Read<Written> {
        let text = self.text.get(range).ok_or(place)?;
        // `Vec::<T>` and `Vec<T>` are the same type.
        let text = text.trim().trim_end_matches("::").replace("::<", "<");
        let expression = parse_type(&text, place).ok_or(place)?;
        let scope = self.scope.clone();
        let resolved = self.shapes.resolve(&expression, &scope).ok_or(place)?;
        let schema = self.shapes.value_schema(&resolved, place).ok_or(place)?;
        Ok(Written::Schema(Box::new(schema)))
    }
}

fn scalar(literal: &Lit) -> Option<Value> {
    match literal {
        Lit::Str(text) => Some(Value::from(text.value())),
        Lit::Char(character) => Some(Value::from(character.value().to_string())),
        Lit::Bool(boolean) => Some(Value::from(boolean.value)),
        Lit::Int(integer) => integer
            .base10_parse::<i64>()
            .map(Value::from)
            .or_else(|_| integer.base10_parse::<u64>().map(Value::from))
            .ok(),
        Lit::Float(float) => float.base10_parse::<f64>().ok().map(Value::from),
        _ => None,
    }
}

fn negated(value: &Written) -> Option<Written> {
    let Written::Scalar(Value::Number(number)) = value else {
        return None;
    };
    let negated = match number.as_i64() {
        Some(integer) => Value::from(integer.checked_neg()?),
        None => Value::from(-number.as_f64()?),
    };
    Some(Written::Scalar(negated))
}

fn combined(left: &Written, operator: &BinOp, right: &Written) -> Option<Written> {
    if let (BinOp::Add(_), Some(left), Some(right)) = (operator, left.text(), right.text()) {
        return Some(Written::of_text(format!("{left}{right}")));
    }
    let (Written::Scalar(left), Written::Scalar(right)) = (left, right) else {
        return None;
    };
    let value = integer(left.as_i64()?, operator, right.as_i64()?)?;
    Some(Written::Scalar(Value::from(value)))
}

fn plain(value: &Written) -> Option<String> {
    match value {
        Written::Scalar(value) => computed::plain(value),
        _ => None,
    }
}

pub(in crate::shape) fn integer_bound(integer: &str, bound: &str) -> Option<Value> {
    Some(match (integer, bound) {
        ("u8" | "u16" | "u32" | "u64" | "usize", "MIN") => Value::from(0),
        ("u8", _) => Value::from(u8::MAX),
        ("u16", _) => Value::from(u16::MAX),
        ("u32", _) => Value::from(u32::MAX),
        ("i8", "MIN") => Value::from(i8::MIN),
        ("i8", _) => Value::from(i8::MAX),
        ("i16", "MIN") => Value::from(i16::MIN),
        ("i16", _) => Value::from(i16::MAX),
        ("i32", "MIN") => Value::from(i32::MIN),
        ("i32", _) => Value::from(i32::MAX),
        ("i64" | "isize", "MIN") => Value::from(i64::MIN),
        ("i64" | "isize", _) => Value::from(i64::MAX),
        _ => return None,
    })
}
