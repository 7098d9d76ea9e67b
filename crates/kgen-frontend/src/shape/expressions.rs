//! What an expression is worth in JSON.
//!
//! A small part of Rust is understood: literals, constants and functions with their arguments, variables, variants, structs
//! and newtypes, lists and maps, sums and products, and the usual ways to make a text, an `Option` or a duration. Anything
//! else has no value here.

use kgen_diagnostics::Span;
use serde_json::{Map, Value};
use syn::{BinOp, Expr, Lit, UnOp};

use super::code::integer_bound;
use super::computed::{filled, integer, plain};
use super::defaults::is_written_by_code;
use super::rename::RenameRule;
use super::{Shapes, external_values as external};
use crate::declare::{Fields, TypeKind};
use crate::program::{ModuleId, Target, TypeId};

/// How many functions and constants may stand behind each other.
pub(super) const MAX_STEPS: usize = 16;

/// Variables, the newest last.
pub(super) type Bindings = Vec<(String, Value)>;

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'b> {
    pub(super) module: ModuleId,
    /// The type whose impl it is part of.
    pub(super) this: Option<TypeId>,
    pub(super) bindings: &'b [(String, Value)],
    pub(super) depth: usize,
}

impl<'b> Place<'b> {
    pub(super) fn at(module: ModuleId, this: Option<TypeId>) -> Self {
        Self {
            module,
            this,
            bindings: &[],
            depth: 0,
        }
    }

    /// The same place, as many steps from where everything began.
    pub(super) fn deeper(self, depth: usize) -> Self {
        Self { depth, ..self }
    }

    fn inside(self) -> Self {
        self.deeper(self.depth + 1)
    }

    pub(super) fn with(self, bindings: &'b [(String, Value)]) -> Self {
        Self { bindings, ..self }
    }
}

impl Shapes<'_> {
    /// The value of the expression that is written at a place in the source.
    pub(super) fn text_value(&mut self, span: Span, place: Place<'_>) -> Option<Value> {
        let text = self.program.text(span).to_owned();
        let expression: Expr = syn::parse_str(&text).ok()?;
        self.value_of(&expression, place.inside())
    }

    /// The value of a function or constant, by its path.
    pub(super) fn function_value(&mut self, path: &str, place: Place<'_>) -> Option<Value> {
        let names: Vec<_> = path.split("::").map(str::trim).collect();
        self.named_value(&names, &[], place)
    }

    /// The value of a constant, of a variant, or of a function for these arguments.
    fn named_value(&mut self, names: &[&str], arguments: &[Value], place: Place<'_>) -> Option<Value> {
        if place.depth > MAX_STEPS {
            return None;
        }
        let (last, before) = names.split_last()?;
        let this = match (before, place.this) {
            (["Self"], Some(this)) => Some(this),
            ([], _) => None,
            _ => match self.program.resolve(place.module, before, false) {
                Ok(Target::Type(id)) => Some(id),
                _ => None,
            },
        };
        let found = match this {
            Some(id) => self.associated_value(id, last),
            None => self.find_value(place.module, names),
        };
        let Some(found) = found else {
            let id = this?;
            return match (*last, arguments) {
                ("default", []) => self.declared_default(id, place.depth + 1),
                (_, []) => self.variant_value(id, last, None),
                (_, [held]) => self.variant_value(id, last, Some(held.clone())),
                _ => self.variant_value(id, last, Some(Value::Array(arguments.to_vec()))),
            };
        };
        let parameters = self.parameters(&found);
        let bindings: Bindings = parameters
            .into_iter()
            .zip(arguments)
            .filter_map(|(name, value)| Some((name?, value.clone())))
            .collect();
        let home = Place::at(found.module, found.this)
            .deeper(place.depth)
            .with(&bindings);
        self.text_value(found.body, home)
    }

    /// The type that a literal or constructor names.
    fn type_of(&mut self, names: &[&str], place: Place<'_>) -> Option<TypeId> {
        if names == ["Self"] {
            return place.this;
        }
        match self.program.resolve(place.module, names, false).ok()? {
            Target::Type(id) => Some(id),
            _ => None,
        }
    }

    /// The whole path of a type of another crate that kgen knows without its source.
    fn external_path(&mut self, names: &[&str], place: Place<'_>) -> Option<String> {
        match self.program.resolve(place.module, names, false).ok()? {
            Target::External(external) => Some(external.path.join("::")),
            _ => None,
        }
    }

    pub(super) fn value_of(&mut self, expression: &Expr, place: Place<'_>) -> Option<Value> {
        if place.depth > MAX_STEPS {
            return None;
        }
        let place = place.inside();
        match strip(expression) {
            Expr::Lit(literal) => literal_value(&literal.lit),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                negated(&self.value_of(&unary.expr, place)?)
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.value_of(&unary.expr, place),
            Expr::MethodCall(call) => self.method_value(call, place),
            Expr::Call(call) => self.call_value(call, place),
            Expr::Path(path) => self.path_value(&path.path, place),
            Expr::Binary(binary) => {
                let left = self.value_of(&binary.left, place)?;
                let right = self.value_of(&binary.right, place)?;
                combined(&left, &binary.op, &right)
            }
            Expr::Struct(literal) => self.literal_struct(literal, place),
            Expr::Field(field) => {
                let whole = self.value_of(&field.base, place)?;
                part_of(whole, &field.member)
            }
            Expr::Array(array) => self.list_value(array.elems.iter(), place),
            Expr::Tuple(tuple) => self.list_value(tuple.elems.iter(), place),
            Expr::Repeat(repeat) => {
                let length = usize::try_from(self.value_of(&repeat.len, place)?.as_u64()?).ok()?;
                let element = self.value_of(&repeat.expr, place)?;
                (length <= 64).then(|| Value::Array(vec![element; length]))
            }
            Expr::Block(block) => self.block_value(&block.block, place),
            Expr::Return(returned) => self.value_of(returned.expr.as_ref()?, place),
            Expr::Macro(call) => self.macro_value(&call.mac, place),
            _ => None,
        }
    }

    fn list_value<'e>(
        &mut self,
        elements: impl Iterator<Item = &'e Expr>,
        place: Place<'_>,
    ) -> Option<Value> {
        elements.map(|element| self.value_of(element, place)).collect()
    }

    fn path_value(&mut self, path: &syn::Path, place: Place<'_>) -> Option<Value> {
        let names = names_of(path);
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        match names.as_slice() {
            ["None"] | ["Option", "None"] => return Some(Value::Null),
            [name] => {
                if let Some((_, value)) = place.bindings.iter().rev().find(|(known, _)| known == name) {
                    return Some(value.clone());
                }
            }
            [.., integer, bound @ ("MAX" | "MIN")] => {
                if let Some(value) = integer_bound(integer, bound) {
                    return Some(value);
                }
            }
            _ => {}
        }
        self.named_value(&names, &[], place)
    }

    fn call_value(&mut self, call: &syn::ExprCall, place: Place<'_>) -> Option<Value> {
        let Expr::Path(path) = call.func.as_ref() else {
            return None;
        };
        let names = names_of(&path.path);
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let (last, before) = names.split_last()?;
        // `Vec::from([…])` and its like may hold pairs, which are a map.
        let arguments = call.args.iter().map(|argument| self.value_of(argument, place));
        let arguments: Vec<_> = arguments.collect::<Option<_>>()?;
        if let Some(value) = self.constructed(&names, &arguments, place) {
            return Some(value);
        }
        if let Some(value) = self.named_value(&names, &arguments, place) {
            return Some(value);
        }
        let is_own = matches!(before, ["Self"]) || self.type_of(before, place).is_some();
        if !before.is_empty() && is_own {
            // A conversion of the crate's own, which may do anything.
            return None;
        }
        let path = self
            .external_path(before, place)
            .unwrap_or_else(|| before.join("::"));
        external::call(&path, last, &arguments)
    }

    /// The value of a newtype around an argument.
    fn constructed(&mut self, names: &[&str], arguments: &[Value], place: Place<'_>) -> Option<Value> {
        let [argument] = arguments else { return None };
        let id = self.type_of(names, place)?;
        let body = self.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        match &declaration.kind {
            TypeKind::Struct(Fields::Unnamed(fields)) if fields.len() == 1 => {
                (!is_written_by_code(declaration, &body)).then(|| argument.clone())
            }
            _ => None,
        }
    }

    fn literal_struct(&mut self, literal: &syn::ExprStruct, place: Place<'_>) -> Option<Value> {
        let names = names_of(&literal.path);
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let Some(id) = self.type_of(&names, place) else {
            return self.literal_variant(&names, literal, place);
        };
        let mut object = match &literal.rest {
            None => Map::new(),
            // What is not named is as in the default of the whole.
            Some(rest) if is_default_call(rest) => match self.declared_default(id, place.depth)? {
                Value::Object(object) => object,
                _ => return None,
            },
            Some(rest) => match self.value_of(rest, place)? {
                Value::Object(object) => object,
                _ => return None,
            },
        };
        for field in &literal.fields {
            let syn::Member::Named(name) = &field.member else {
                return None;
            };
            let name = name.to_string();
            let value = if is_plain_default_call(&field.expr) {
                self.default_of_field(id, &name, place.depth)?
            } else {
                self.value_of(&field.expr, place)?
            };
            object.remove(&self.json_name(id, &name)?);
            self.put_field(&mut object, id, &name, value)?;
        }
        Some(Value::Object(object))
    }

    /// `Kind::Variant { … }`.
    fn literal_variant(
        &mut self,
        names: &[&str],
        literal: &syn::ExprStruct,
        place: Place<'_>,
    ) -> Option<Value> {
        let (variant_name, before) = names.split_last()?;
        let id = self.type_of(before, place)?;
        if literal.rest.is_some() {
            return None;
        }
        let mut object = Map::new();
        for field in &literal.fields {
            let syn::Member::Named(name) = &field.member else {
                return None;
            };
            let value = self.value_of(&field.expr, place)?;
            let (json, is_written) =
                self.variant_field(id, variant_name, &name.to_string(), value.is_null())?;
            if is_written {
                object.insert(json, value);
            }
        }
        self.variant_value(id, variant_name, Some(Value::Object(object)))
    }

    fn block_value(&mut self, block: &syn::Block, place: Place<'_>) -> Option<Value> {
        let mut bindings: Bindings = place.bindings.to_vec();
        let (last, before) = block.stmts.split_last()?;
        for statement in before {
            match statement {
                syn::Stmt::Local(local) => {
                    let name = super::code::pattern_name(&local.pat)?;
                    let start = &local.init.as_ref()?.expr;
                    let value = self.value_of(start, place.with(&bindings))?;
                    bindings.push((name, value));
                }
                syn::Stmt::Expr(Expr::MethodCall(call), Some(_)) => self.grow(call, &mut bindings, place)?,
                syn::Stmt::Item(syn::Item::Const(constant)) => {
                    let value = self.value_of(&constant.expr, place.with(&bindings))?;
                    bindings.push((constant.ident.to_string(), value));
                }
                syn::Stmt::Item(syn::Item::Use(_)) => {}
                _ => return None,
            }
        }
        match last {
            syn::Stmt::Expr(value, None) => self.value_of(value, place.with(&bindings)),
            syn::Stmt::Expr(value @ Expr::Return(_), Some(_)) => self.value_of(value, place.with(&bindings)),
            syn::Stmt::Macro(call) if call.semi_token.is_none() => {
                self.macro_value(&call.mac, place.with(&bindings))
            }
            _ => None,
        }
    }

    /// A statement that adds to a list or a map.
    fn grow(&mut self, call: &syn::ExprMethodCall, bindings: &mut Bindings, place: Place<'_>) -> Option<()> {
        let Expr::Path(receiver) = call.receiver.as_ref() else {
            return None;
        };
        let receiver = receiver.path.get_ident()?.to_string();
        let arguments = call
            .args
            .iter()
            .map(|argument| self.value_of(argument, place.with(bindings)));
        let arguments: Vec<_> = arguments.collect::<Option<_>>()?;
        let (_, grown) = bindings.iter_mut().rev().find(|(name, _)| *name == receiver)?;
        match (call.method.to_string().as_str(), grown, arguments.as_slice()) {
            ("insert", Value::Object(object), [key, value]) => {
                object.insert(key.as_str()?.to_owned(), value.clone());
            }
            ("push" | "insert", Value::Array(list), [value]) => list.push(value.clone()),
            _ => return None,
        }
        Some(())
    }

    fn method_value(&mut self, call: &syn::ExprMethodCall, place: Place<'_>) -> Option<Value> {
        let receiver = self.value_of(&call.receiver, place)?;
        let name = call.method.to_string();
        match (name.as_str(), call.args.first()) {
            ("map", Some(Expr::Closure(closure))) => {
                let parameter = super::code::pattern_name(closure.inputs.first()?)?;
                let mut bindings: Bindings = place.bindings.to_vec();
                let mut mapped = Vec::new();
                for element in receiver.as_array()? {
                    bindings.push((parameter.clone(), element.clone()));
                    mapped.push(self.value_of(&closure.body, place.with(&bindings))?);
                    bindings.pop();
                }
                Some(Value::Array(mapped))
            }
            ("map", Some(Expr::Path(function))) => {
                let last = function.path.segments.last()?.ident.to_string();
                matches!(last.as_str(), "from" | "into" | "to_string" | "to_owned" | "Some")
                    .then_some(receiver)
            }
            _ => external::method(receiver, &name),
        }
    }

    fn macro_value(&mut self, call: &syn::Macro, place: Place<'_>) -> Option<Value> {
        match call.path.segments.last()?.ident.to_string().as_str() {
            "vec" => {
                let array = format!("[{}]", call.tokens);
                let list: Expr = syn::parse_str(&array).ok()?;
                self.value_of(&list, place)
            }
            "json" => serde_json::from_str(&call.tokens.to_string()).ok(),
            name @ ("format" | "concat") => {
                let parser = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
                let parsed = syn::parse::Parser::parse2(parser, call.tokens.clone()).ok()?;
                let values = parsed.iter().map(|part| self.value_of(part, place));
                let values: Vec<_> = values.collect::<Option<_>>()?;
                if name == "concat" {
                    let texts = values.iter().map(plain);
                    return texts.collect::<Option<String>>().map(Value::from);
                }
                let (pattern, rest) = values.split_first()?;
                self.formatted(pattern.as_str()?, rest, place)
            }
            _ => None,
        }
    }

    /// `format!` with plain holes.
    fn formatted(&mut self, pattern: &str, arguments: &[Value], place: Place<'_>) -> Option<Value> {
        let mut arguments = arguments.iter();
        let text = filled(pattern, |hole| {
            let value = if hole.is_empty() {
                arguments.next().cloned()
            } else {
                let path = syn::parse_str(hole).ok();
                path.and_then(|path| self.path_value(&path, place))
            };
            value.as_ref().and_then(plain).ok_or(())
        });
        text.ok().map(Value::from)
    }
}

fn names_of(path: &syn::Path) -> Vec<String> {
    path.segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect()
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
pub(super) fn strip(expression: &Expr) -> &Expr {
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

/// A field of a struct that is already JSON. What a newtype holds is the value itself.
fn part_of(whole: Value, member: &syn::Member) -> Option<Value> {
    match (member, whole) {
        (syn::Member::Named(name), Value::Object(object)) => {
            let name = name.to_string();
            let renamed = RenameRule::from_name("camelCase")?.field(&name);
            object.get(&name).or_else(|| object.get(&renamed)).cloned()
        }
        (syn::Member::Unnamed(index), whole) if index.index == 0 && !whole.is_array() => Some(whole),
        _ => None,
    }
}

fn negated(value: &Value) -> Option<Value> {
    match value.as_i64() {
        Some(integer) => integer.checked_neg().map(Value::from),
        None => Some(Value::from(-value.as_f64()?)),
    }
}

fn combined(left: &Value, operator: &BinOp, right: &Value) -> Option<Value> {
    if let (BinOp::Add(_), Some(left), Some(right)) = (operator, left.as_str(), right.as_str()) {
        return Some(Value::from(format!("{left}{right}")));
    }
    integer(left.as_i64()?, operator, right.as_i64()?).map(Value::from)
}
