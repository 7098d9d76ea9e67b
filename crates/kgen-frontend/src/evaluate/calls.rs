//! Calls of functions: those of the program are entered, those of other crates are known by name.

use std::ops::Range;

use kgen_diagnostics::Span;
use kgen_threads::on_large_stack;
use syn::{Expr, FnArg, ReceiverKind};

use super::budget::Budget;
use super::expressions::{not_found, stop, unread};
use super::frame::names_of;
use super::types::Type;
use super::value::Value;
use super::{Evaluator, Found, Host, Named, Read, Step, Stop, Unknown, external, names, types};
use crate::declare::parse_type;
use crate::program::TypeId;
use crate::shape::Scope;

impl Evaluator<'_> {
    /// Returns the value of a call.
    pub(super) fn call(&mut self, call: &syn::ExprCall, span: Span) -> Step<Value> {
        let Expr::Path(function) = call.func.as_ref() else {
            return Err(unread(span));
        };
        let path = names_of(&function.path);
        let path: Vec<_> = path.iter().map(String::as_str).collect();
        let last = path.last().copied().unwrap_or_default();
        if last == "json_schema" {
            let range = match &function.qself {
                Some(qualified) => Some(syn::spanned::Spanned::span(&*qualified.ty).byte_range()),
                None => before_last(function),
            };
            return self.type_schema(range.ok_or_else(|| unread(span))?, span);
        }
        // `LazyLock::new(|| …)` is the value that its closure makes.
        if let ([.., "Lazy" | "LazyLock" | "LazyCell", "new"], Some(closure)) =
            (path.as_slice(), call.args.first())
        {
            return self.apply(closure, Vec::new());
        }
        let mut arguments = Vec::with_capacity(call.args.len());
        for argument in &call.args {
            arguments.push(self.argument(argument)?);
        }
        if function.qself.is_some() {
            return self.qualified(function, Some(arguments), span);
        }
        let absolute = function.path.leading_colon.is_some();
        if let Some(Named::Value(found)) = self.generic_function(&function.path, absolute)
            && let [only] = found.as_slice()
        {
            let scope = self.generic_scope(only, &function.path);
            return Ok(self.enter_in(only, scope, None, arguments, span)?);
        }
        self.called(&path, absolute, arguments, span)
    }

    /// Returns the function of a call that states type arguments. Returns `None` for any other call.
    fn generic_function(&mut self, path: &syn::Path, absolute: bool) -> Option<Named> {
        let last = path.segments.last()?;
        if matches!(last.arguments, syn::PathArguments::None) {
            return None;
        }
        let names = names_of(path);
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        self.look_up(&names, absolute)
    }

    /// Returns the scope of a function that is called with type arguments.
    fn generic_scope(&mut self, found: &Found, path: &syn::Path) -> Scope {
        let mut scope = scope_of(found, Some(&self.frame.scope));
        let arguments = type_arguments(path, &self.frame.text);
        let caller = self.frame.scope.clone();
        bind_type_parameters(self.host, found, &arguments, &caller, &mut scope);
        scope
    }

    /// Evaluates an argument. One without a value, such as a schema generator, must not be used by the function.
    fn argument(&mut self, argument: &Expr) -> Step<Value> {
        let span = self.frame.place(argument);
        let is_reference = matches!(argument, Expr::Reference(reference) if reference.mutability.is_some());
        let is_changed = is_reference || self.borrowed(argument).is_some() || self.is_alias(argument);
        match self.value(argument) {
            Ok(_) if is_changed => Err(stop(span, "a function may change this variable")),
            Err(Stop::Unknown(unknown)) => Ok(Value::Absent(Box::new(unknown))),
            other => other,
        }
    }

    /// Calls the function, or makes the value, that a path names.
    pub(super) fn called(
        &mut self,
        path: &[&str],
        absolute: bool,
        arguments: Vec<Value>,
        span: Span,
    ) -> Step<Value> {
        match (path, arguments.as_slice()) {
            (["Some"] | ["Option", "Some"], [_]) => {
                return Ok(Value::some(present(arguments)?.remove(0)));
            }
            (["Ok"] | ["Result", "Ok"], [_]) => return Ok(Value::ok(present(arguments)?.remove(0))),
            (["Err"] | ["Result", "Err"], [_]) => {
                return Ok(Value::Result(Err(Box::new(present(arguments)?.remove(0)))));
            }
            _ => {}
        }
        match self.look_up(path, absolute) {
            Some(Named::Value(found)) => {
                let is_function = found.iter().all(|found| found.inputs.is_some());
                if !is_function {
                    return Err(unread(span));
                }
                Ok(self.overloaded(&found, arguments, span)?)
            }
            Some(Named::Variant(id, name)) => self.constructed(id, Some(name), present(arguments)?, span),
            Some(Named::Type(id)) => self.constructed(id, None, present(arguments)?, span),
            Some(Named::Unwritten(id, name)) => self.unwritten(id, &name, present(arguments)?, span),
            Some(Named::External(path)) => self.external(&path, arguments, span),
            None => Err(stop(span, not_found(&path.join("::")))),
        }
    }

    /// Evaluates `<T>::name` and `<T as Trait>::name`; a call if there are arguments.
    pub(super) fn qualified(
        &mut self,
        path: &syn::ExprPath,
        arguments: Option<Vec<Value>>,
        span: Span,
    ) -> Step<Value> {
        let (Some(qualified), Some(last)) = (&path.qself, path.path.segments.last()) else {
            return Err(unread(span));
        };
        let wanted = self.type_at(&qualified.ty);
        let name = last.ident.to_string();
        let named = match &wanted {
            Type::Declared(id, _) => names::of_type(self.program(), *id, &name),
            other => return self.of_plain_type(other, &name, arguments.unwrap_or_default(), span),
        };
        match (named, arguments) {
            (Named::Value(found), Some(arguments)) => Ok(self.overloaded(&found, arguments, span)?),
            (Named::Value(found), None) => match found.as_slice() {
                [constant] if constant.inputs.is_none() => {
                    Ok(self.enter(constant, None, Vec::new(), span)?)
                }
                _ => Err(unread(span)),
            },
            (Named::Variant(id, name), arguments) => {
                self.constructed(id, Some(name), present(arguments.unwrap_or_default())?, span)
            }
            (Named::Unwritten(id, name), Some(arguments)) => {
                self.unwritten(id, &name, present(arguments)?, span)
            }
            _ => Err(unread(span)),
        }
    }

    /// Calls a function of a type of the language.
    pub(super) fn of_plain_type(
        &mut self,
        wanted: &Type,
        name: &str,
        arguments: Vec<Value>,
        span: Span,
    ) -> Step<Value> {
        let mut arguments = present(arguments)?.into_iter();
        let value = match (name, arguments.next(), arguments.next()) {
            ("default" | "new", None, None) => self.default_of(wanted, span)?,
            ("from", Some(value), None) => self.converted(value, wanted, span)?,
            ("try_from", Some(value), None) => Value::ok(self.converted(value, wanted, span)?),
            ("from_iter", Some(Value::List(list)), None) => self.collected(list, wanted, span)?,
            _ => return Err(stop(span, not_found(name))),
        };
        Ok(value)
    }

    /// Calls a function of a declared type that is not in the source: those that a derive or the language gives it.
    fn unwritten(&mut self, id: TypeId, name: &str, arguments: Vec<Value>, span: Span) -> Step<Value> {
        let mut given = arguments.into_iter();
        match (name, given.next(), given.next()) {
            ("default", None, _) => Ok(self.default_of(&Type::Declared(id, Vec::new()), span)?),
            // Every type converts to itself.
            ("from" | "clone", Some(Value::Instance(instance)), None) if instance.id == id => {
                Ok(Value::Instance(instance))
            }
            _ => {
                let type_name = self
                    .program()
                    .declaration(id)
                    .map(|declared| declared.name.clone());
                Err(stop(
                    span,
                    not_found(&format!("{}::{name}", type_name.unwrap_or_default())),
                ))
            }
        }
    }

    /// Calls a function of another crate.
    fn external(&mut self, path: &[String], arguments: Vec<Value>, span: Span) -> Step<Value> {
        let (last, before) = path.split_last().ok_or_else(|| unread(span))?;
        let owner = before.last().map(String::as_str).unwrap_or_default();
        let unknown = || stop(span, not_found(&path.join("::")));
        if !external::is_known(path) {
            return Err(unknown());
        }
        let arguments = present(arguments)?;
        match (owner, last.as_str(), arguments.as_slice()) {
            // The type around the value does not show in JSON.
            ("Default" | "Box" | "Rc" | "Arc" | "Cow", "default", []) => {
                return Ok(Value::pending(super::value::Pending::Default));
            }
            ("Into", "into", [value]) | ("From", "from", [value]) => {
                return Ok(Value::pending(super::value::Pending::Into(value.clone())));
            }
            _ => {}
        }
        if let Some(value) = external::call(before, last, &arguments) {
            return Ok(value);
        }
        match (last.as_str(), arguments.split_first()) {
            ("default" | "new" | "from" | "try_from" | "from_iter", _) => {
                let wanted = types::external(before.to_vec(), Vec::new());
                match (&wanted, arguments.is_empty()) {
                    // `Schema::default()` takes any value, and so does a map without entries.
                    (Type::Json, true) if owner != "Value" => Ok(Value::Map(Vec::new())),
                    (Type::External(_), true) => external::empty(owner).ok_or_else(unknown),
                    _ => self.of_plain_type(&wanted, last, arguments, span),
                }
            }
            // `str::to_owned(text)` is the method.
            (_, Some((receiver, rest))) => self.method_of_value(receiver.clone(), last, rest.to_vec(), span),
            _ => Err(unknown()),
        }
    }

    /// Returns the types of the parameters of a function, without its receiver.
    pub(super) fn parameter_types(&mut self, found: &Found) -> Vec<Type> {
        let text = found
            .inputs
            .map_or("", |span| self.host.program().text(span))
            .to_owned();
        let scope = types::TypeScope::of(&scope_of(found, None));
        typed_inputs(&text)
            .into_iter()
            .map(
                |(_, written)| match written.and_then(|text| parse_type(&text, found.body)) {
                    Some(written) => types::read(self.program(), &written, &scope),
                    None => Type::Unknown,
                },
            )
            .collect()
    }

    /// Calls a function of the program, or evaluates a constant.
    pub(super) fn enter(
        &mut self,
        found: &Found,
        receiver: Option<Value>,
        arguments: Vec<Value>,
        span: Span,
    ) -> Read<Value> {
        let scope = scope_of(found, Some(&self.frame.scope));
        self.enter_in(found, scope, receiver, arguments, span)
    }

    /// Works like [`enter`](Self::enter), in a scope whose type parameters are known.
    pub(super) fn enter_in(
        &mut self,
        found: &Found,
        scope: Scope,
        receiver: Option<Value>,
        arguments: Vec<Value>,
        span: Span,
    ) -> Read<Value> {
        self.budget.descend(span)?;
        let length = found.body.range().len();
        let result = self.budget.spend(length / 32, span).and_then(|()| {
            let text = self.host.program().text(found.body);
            let needs_stack = self.budget.needs_large_stack(text);
            let (host, budget) = (&mut *self.host, self.budget);
            let (result, budget) = if needs_stack {
                on_large_stack(|| run(host, found, scope, receiver, arguments, budget))
            } else {
                run(host, found, scope, receiver, arguments, budget)
            };
            self.budget = budget;
            if needs_stack {
                self.budget.leave_large_stack();
            }
            result
        });
        self.budget.ascend();
        result
    }

    fn bind_parameters(&mut self, found: &Found, receiver: Option<Value>, arguments: Vec<Value>) -> Read<()> {
        let has_receiver = receiver.is_some();
        if let Some(receiver) = receiver {
            self.frame.bind("self", receiver);
        }
        let Some(inputs) = found.inputs else { return Ok(()) };
        let text = self.program().text(inputs).to_owned();
        let unknown = Unknown::new(inputs, "this parameter is known only at run time");
        let mut arguments = arguments.into_iter();
        // `Type::method(value)`, and `Type::method` as the function of `map`.
        if !has_receiver && self::receiver(&text) == Some(Receiver::Read) {
            let value = arguments
                .next()
                .unwrap_or_else(|| Value::Absent(Box::new(unknown.clone())));
            self.frame.bind("self", value);
        }
        let scope = types::TypeScope::of(&self.frame.scope);
        for (pattern, written) in typed_inputs(&text) {
            let value = arguments
                .next()
                .unwrap_or_else(|| Value::Absent(Box::new(unknown.clone())));
            let name = match pattern {
                syn::Pat::Ident(name) => name.ident.to_string(),
                syn::Pat::Wild(_) => continue,
                _ => {
                    return Err(Unknown::new(
                        inputs,
                        "kgen does not evaluate patterns in parameters",
                    ));
                }
            };
            let value = match (value, written.and_then(|text| parse_type(&text, inputs))) {
                (value @ Value::Absent(_), _) | (value, None) => value,
                (value, Some(written)) => {
                    let wanted = types::read(self.program(), &written, &scope);
                    self.coerced(value, &wanted, inputs)?
                }
            };
            self.frame.bind(name, value);
        }
        Ok(())
    }

    /// Returns the type of a constant, or of the value of a function.
    fn output(&mut self, found: &Found) -> Type {
        let Some(output) = found.output else {
            return Type::Unknown;
        };
        let text = self.program().text(output).trim().to_owned();
        let text = text.strip_prefix("->").unwrap_or(&text);
        let parsed = syn::parse::Parser::parse_str(
            |input: syn::parse::ParseStream<'_>| {
                let written: syn::Type = input.parse()?;
                input.parse::<Option<syn::WhereClause>>()?;
                Ok(syn::spanned::Spanned::span(&written).byte_range())
            },
            text,
        );
        match parsed.ok().and_then(|range| text.get(range)) {
            Some(text) => self.type_of_text(text),
            None => Type::Unknown,
        }
    }

    /// Returns the schema of the type that is written at a range of the text.
    pub(super) fn type_schema(&mut self, range: Range<usize>, span: Span) -> Step<Value> {
        let text = self.frame.text.get(range).ok_or_else(|| unread(span))?;
        // `Vec::<T>` and `Vec<T>` are the same type.
        let text = text.trim().trim_end_matches("::").replace("::<", "<");
        let written = parse_type(&text, span).ok_or_else(|| unread(span))?;
        let scope = self.frame.scope.clone();
        let schema = self.host.type_schema(&written, &scope, span);
        let schema = schema.ok_or_else(|| stop(span, "kgen does not know the schema of this type"))?;
        self.budget.spend(64, span)?;
        Ok(Value::Schema(Box::new(schema)))
    }
}

/// Calls a function that changes its only argument, and returns the argument.
pub(super) fn changed(host: &mut dyn Host, found: &Found, scope: Scope, argument: Value) -> Read<Value> {
    let mut inner = Evaluator::at(host, scope, found.body, Budget::new());
    inner.bind_parameters(found, None, vec![argument])?;
    inner.whole(found.language, &Type::Unknown)?;
    let unknown = || Unknown::new(found.body, "this function does not have a parameter");
    inner.first_variable().ok_or_else(unknown)
}

/// Evaluates a body with its own evaluator, which may be on another thread. Returns the rest of the budget as well.
fn run(
    host: &mut dyn Host,
    found: &Found,
    scope: Scope,
    receiver: Option<Value>,
    arguments: Vec<Value>,
    budget: Budget,
) -> (Read<Value>, Budget) {
    let mut scope = scope;
    let block = found.block.as_deref();
    if let Some(block) = block.and_then(|name| host.program().block(found.module, name)) {
        scope.module = block;
    }
    let mut inner = Evaluator::at(host, scope, found.body, budget);
    inner.frame.items.extend(found.known_names());
    let wanted = inner.output(found);
    let result = inner
        .bind_parameters(found, receiver, arguments)
        .and_then(|()| inner.whole(found.language, &wanted));
    (result, inner.budget)
}

/// Returns the texts of the type arguments of the last name of a path that is written in `text`.
pub(super) fn type_arguments(path: &syn::Path, text: &str) -> Vec<String> {
    let Some(syn::PathArguments::AngleBracketed(arguments)) =
        path.segments.last().map(|last| &last.arguments)
    else {
        return Vec::new();
    };
    let written = arguments.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(written) => {
            let range = syn::spanned::Spanned::span(written).byte_range();
            Some(text.get(range)?.to_owned())
        }
        _ => None,
    });
    written.collect()
}

/// Gives the type parameters of a function the types that are written where it is called.
pub(super) fn bind_type_parameters(
    host: &mut dyn Host,
    found: &Found,
    arguments: &[String],
    caller: &Scope,
    scope: &mut Scope,
) {
    let Some(span) = found.generics else { return };
    let Some(generics) = crate::declare::parse_text::<syn::Generics>(host.program().text(span)) else {
        return;
    };
    for (parameter, argument) in generics.type_params().zip(arguments) {
        let resolved = parse_type(argument, found.body).and_then(|written| host.resolve(&written, caller));
        if let Some(resolved) = resolved {
            scope.parameters.push((parameter.ident.to_string(), resolved));
        }
    }
}

/// Returns the scope of a function: that of the caller where both are of the same type, so that type parameters stay
/// known.
fn scope_of(found: &Found, caller: Option<&Scope>) -> Scope {
    let caller =
        caller.filter(|caller| found.this.is_some() && caller.this.as_ref().map(|(id, _)| *id) == found.this);
    match caller {
        Some(caller) => Scope {
            module: found.module,
            ..caller.clone()
        },
        None => Scope {
            this: found.this.map(|id| (id, Vec::new())),
            ..Scope::of(found.module)
        },
    }
}

/// Returns the parameters of a function with the texts of their types, without the receiver.
fn typed_inputs(text: &str) -> Vec<(syn::Pat, Option<String>)> {
    let parser = syn::punctuated::Punctuated::<FnArg, syn::Token![,]>::parse_terminated;
    let inputs = syn::parse::Parser::parse_str(parser, text).unwrap_or_default();
    inputs
        .into_iter()
        .filter_map(|input| match input {
            FnArg::Typed(typed) => {
                let range = syn::spanned::Spanned::span(&*typed.ty).byte_range();
                Some((*typed.pat, text.get(range).map(str::to_owned)))
            }
            FnArg::Receiver(_) => None,
        })
        .collect()
}

/// How a function takes `self`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// By value or as a shared reference.
    Read,
    /// As a mutable reference, so that it may change the variable.
    Changed,
}

/// Returns how a function with these parameters takes `self`, or `None` if it does not.
pub(super) fn receiver(text: &str) -> Option<Receiver> {
    let parser = syn::punctuated::Punctuated::<FnArg, syn::Token![,]>::parse_terminated;
    let inputs = syn::parse::Parser::parse_str(parser, text).unwrap_or_default();
    match inputs.first()? {
        FnArg::Receiver(receiver) => Some(match &receiver.kind {
            ReceiverKind::Value | ReceiverKind::Reference(_, _, None) => Receiver::Read,
            ReceiverKind::Typed(_, written) => match written.as_ref() {
                syn::Type::Reference(reference) if reference.mutability.is_some() => Receiver::Changed,
                _ => Receiver::Read,
            },
            _ => Receiver::Changed,
        }),
        FnArg::Typed(_) => None,
    }
}

/// Returns the arguments, all of which must have values.
fn present(arguments: Vec<Value>) -> Step<Vec<Value>> {
    arguments
        .into_iter()
        .map(|argument| match argument {
            Value::Absent(unknown) => Err(Stop::Unknown(*unknown)),
            value => Ok(value),
        })
        .collect()
}

/// Returns the text range of a path without its last name.
fn before_last(path: &syn::ExprPath) -> Option<Range<usize>> {
    let mut segments = path.path.segments.iter().rev().skip(1);
    let end = syn::spanned::Spanned::span(segments.next()?).byte_range().end;
    let start = syn::spanned::Spanned::span(path).byte_range().start;
    Some(start..end)
}
