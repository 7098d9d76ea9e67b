//! Evaluates Rust expressions of the source to values, without running anything.
//!
//! One evaluator serves schemas in code, defaults, examples, rules, bounds and lengths. A value keeps its Rust type where
//! that matters; `shape/projection.rs` turns it into JSON with serde's names. An expression that cannot be evaluated is
//! [`Unknown`], with a place and a reason; nothing is guessed. Start reading in `expressions.rs`.
//!
//! | file | job |
//! |---|---|
//! | `value.rs` | values, and the pending ones whose type decides later |
//! | `types.rs` | types as far as values depend on them |
//! | `conversions.rs` | `into`, `collect`, `Default::default()` and annotations: a value meets a type |
//! | `names.rs` | functions, constants and variants by their path, in any module |
//! | `frame.rs` | the text of one function, its variables and its local items |
//! | `expressions.rs`, `blocks.rs`, `patterns.rs`, `structs.rs` | the language |
//! | `calls.rs`, `methods.rs`, `lists.rs`, `macros.rs`, `json.rs` | calls of all sorts |
//! | `assignments.rs` | statements that change a variable |
//! | `discriminants.rs` | the numbers of variants |
//! | `arithmetic.rs`, `format.rs` | operators, casts and `format!` |
//! | `external.rs`, `builders.rs` | functions and types of other crates that are known by name |
//! | `budget.rs` | bounds on steps and nesting |

mod arithmetic;
mod assignments;
mod blocks;
mod budget;
mod builders;
mod calls;
mod conversions;
mod discriminants;
mod expressions;
mod external;
mod float;
mod format;
mod frame;
mod json;
mod lists;
mod macros;
mod methods;
mod names;
mod patterns;
mod structs;
mod types;
mod value;

use kgen_diagnostics::Span;
use kgen_model::Schema;

use crate::declare::{TypeExpression, Variant};
use crate::program::{ModuleId, Program, TypeId};
use crate::shape::{Resolved, Scope};
use budget::Budget;
use frame::Frame;
pub(crate) use names::Found;
use names::{Language, Named};
pub(crate) use types::Type;
use types::TypeScope;
pub(crate) use value::{Instance, Value};

/// The evaluator's access to the program and, where a schema is described, to the schemas of types.
pub(crate) trait Host: Send {
    /// Returns the program whose code is evaluated.
    fn program(&mut self) -> &mut Program;

    /// Resolves a type that is written in code.
    fn resolve(&mut self, _written: &TypeExpression, _scope: &Scope) -> Option<Resolved> {
        None
    }

    /// Returns the schema of a type that code asks for, as `subschema_for::<T>()` does.
    fn type_schema(&mut self, _written: &TypeExpression, _scope: &Scope, _span: Span) -> Option<Schema> {
        None
    }

    /// Sets a keyword of such a schema. Returns `None` if the keyword cannot have the value.
    fn set_keyword(&mut self, _schema: &mut Schema, _key: &str, _value: &Value, _span: Span) -> Option<()> {
        None
    }

    /// Removes a keyword of such a schema.
    fn remove_keyword(&mut self, _schema: &mut Schema, _key: &str) -> Option<()> {
        None
    }
}

impl Host for Program {
    fn program(&mut self) -> &mut Program {
        self
    }
}

/// An expression whose value is not known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unknown {
    pub(crate) span: Span,
    /// The reason, as a clause for a label.
    pub(crate) reason: String,
}

impl Unknown {
    pub(crate) fn new(span: Span, reason: impl Into<String>) -> Self {
        Self {
            span,
            reason: reason.into(),
        }
    }
}

/// A result of the evaluator.
pub(crate) type Read<T> = Result<T, Unknown>;

/// The end of an evaluation inside a function.
enum Stop {
    Unknown(Unknown),
    /// `return`, or `?` on an absent value.
    Return(Value),
}

impl From<Unknown> for Stop {
    fn from(unknown: Unknown) -> Self {
        Self::Unknown(unknown)
    }
}

/// A result inside a function.
type Step<T> = Result<T, Stop>;

/// Evaluates the text of one function, constant or attribute.
pub(crate) struct Evaluator<'h> {
    host: &'h mut dyn Host,
    frame: Frame,
    budget: Budget,
}

/// Evaluates the expression that is written at a place.
pub(crate) fn expression(host: &mut dyn Host, scope: &Scope, span: Span, wanted: &Type) -> Read<Value> {
    evaluated(
        host,
        scope,
        &Found::expression(scope.module, span, Language::Rust),
        wanted,
    )
}

/// Evaluates a text in the language of `json!` that is written at a place.
pub(crate) fn json(host: &mut dyn Host, scope: &Scope, span: Span) -> Read<Value> {
    evaluated(
        host,
        scope,
        &Found::expression(scope.module, span, Language::Json),
        &Type::Json,
    )
}

/// Evaluates an expression of an attribute of kube, which knows kube's own types by their names.
pub(crate) fn kube_expression(host: &mut dyn Host, scope: &Scope, span: Span) -> Read<Value> {
    evaluated(
        host,
        scope,
        &Found::expression(scope.module, span, Language::Kube),
        &Type::Unknown,
    )
}

fn evaluated(host: &mut dyn Host, scope: &Scope, expression: &Found, wanted: &Type) -> Read<Value> {
    let span = expression.body;
    let mut evaluator = Evaluator::at(host, scope.clone(), span, Budget::new());
    let value = evaluator.enter_in(expression, scope.clone(), None, Vec::new(), span)?;
    evaluator.coerced(value, wanted, span)
}

/// Evaluates the constant, or calls the function, at a path that an attribute holds as text.
pub(crate) fn path(host: &mut dyn Host, scope: &Scope, path: &str, span: Span, wanted: &Type) -> Read<Value> {
    let unknown = || Unknown::new(span, format!("kgen cannot find `{path}` in the source"));
    let names = path_names(path).ok_or_else(unknown)?;
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let mut evaluator = Evaluator::at(host, scope.clone(), span, Budget::new());
    let value = match evaluator.look_up(&names, false) {
        Some(Named::Value(found)) => match found.as_slice() {
            [found] => evaluator.enter(found, None, Vec::new(), span)?,
            _ => return Err(unknown()),
        },
        Some(_) => evaluator.within(|evaluator| evaluator.called(&names, false, Vec::new(), span))?,
        None => return Err(unknown()),
    };
    evaluator.coerced(value, wanted, span)
}

/// Calls a function or evaluates a constant that is already resolved. Its parameters do not have values.
pub(crate) fn found(host: &mut dyn Host, scope: &Scope, found: &Found) -> Read<Value> {
    let mut evaluator = Evaluator::at(host, scope.clone(), found.body, Budget::new());
    let value = evaluator.enter_in(found, scope.clone(), None, Vec::new(), found.body)?;
    evaluator.coerced(value, &Type::Json, found.body)
}

/// Calls the function of the source at a path that an attribute holds as text.
pub(crate) fn called(
    host: &mut dyn Host,
    scope: &Scope,
    path: &str,
    arguments: Vec<Value>,
    span: Span,
) -> Read<Value> {
    let (found, inside) = find(host, scope, path)
        .ok_or_else(|| Unknown::new(span, format!("kgen cannot find `{path}` in the source")))?;
    let mut evaluator = Evaluator::at(host, inside.clone(), span, Budget::new());
    evaluator.enter_in(&found, inside, None, arguments, span)
}

/// Lets the function or closure at a place change a value.
pub(crate) fn changed(host: &mut dyn Host, scope: &Scope, span: Span, value: Value) -> Read<Value> {
    let text = host.program().text(span).to_owned();
    if let Some((found, inside)) = find(host, scope, &text) {
        return calls::changed(host, &found, inside, value);
    }
    let unread = || Unknown::new(span, "this is not a function of the source");
    let closure: syn::ExprClosure = crate::declare::parse_text(&text).ok_or_else(unread)?;
    let name = match closure.inputs.first() {
        Some(syn::Pat::Ident(name)) => name.ident.to_string(),
        Some(syn::Pat::Type(typed)) => match typed.pat.as_ref() {
            syn::Pat::Ident(name) => name.ident.to_string(),
            _ => return Err(unread()),
        },
        _ => return Err(unread()),
    };
    let mut evaluator = Evaluator::at(host, scope.clone(), span, Budget::new());
    evaluator.frame.bind(name, value);
    evaluator.within(|evaluator| evaluator.value(&closure.body))?;
    evaluator.first_variable().ok_or_else(unread)
}

/// Returns the function or constant at a path that an attribute holds as text, and the scope of its body.
pub(crate) fn find(host: &mut dyn Host, scope: &Scope, path: &str) -> Option<(Found, Scope)> {
    let parsed: syn::ExprPath = crate::declare::parse_text(path)?;
    let names = frame::names_of(&parsed.path);
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let named = match (names.as_slice(), &scope.this) {
        (["Self", name], Some((this, _))) => names::of_type(host.program(), *this, name),
        _ => names::find(host.program(), scope.module, &names, false)?,
    };
    let Named::Value(found) = named else { return None };
    let found = found.into_iter().next()?;
    let mut inside = match &scope.this {
        // The type parameters of the type around the attribute stay known.
        Some((this, _)) if found.this == Some(*this) => Scope {
            module: found.module,
            ..scope.clone()
        },
        _ => Scope {
            this: found.this.map(|id| (id, Vec::new())),
            ..Scope::of(found.module)
        },
    };
    let arguments = calls::type_arguments(&parsed.path, path);
    calls::bind_type_parameters(host, &found, &arguments, scope, &mut inside);
    Some((found, inside))
}

/// Returns the names of a path. Type arguments do not matter for a value.
fn path_names(path: &str) -> Option<Vec<String>> {
    let parsed: syn::ExprPath = crate::declare::parse_text(path)?;
    Some(frame::names_of(&parsed.path))
}

/// Evaluates `Default::default()` of a type.
pub(crate) fn default_of(host: &mut dyn Host, wanted: &Type, scope: &Scope, span: Span) -> Read<Value> {
    let mut evaluator = Evaluator::at(host, scope.clone(), span, Budget::new());
    evaluator.default_of(wanted, span)
}

/// Returns the type that is written at a place, as far as values depend on it.
pub(crate) fn read_type(host: &mut dyn Host, written: &TypeExpression, scope: &Scope) -> Type {
    types::read(host.program(), written, &TypeScope::of(scope))
}

/// Returns the type around a place.
pub(crate) fn this_type(scope: &Scope) -> Option<Type> {
    TypeScope::of(scope).this
}

/// Returns the number of each variant of an enum.
pub(crate) fn variant_numbers(
    host: &mut dyn Host,
    variants: &[Variant],
    module: ModuleId,
) -> Read<Vec<i128>> {
    let place = variants.first().map(|variant| variant.span);
    let Some(place) = place else { return Ok(Vec::new()) };
    let mut evaluator = Evaluator::at(host, Scope::of(module), place, Budget::new());
    evaluator.numbers(variants, module)
}

impl<'h> Evaluator<'h> {
    fn at(host: &'h mut dyn Host, scope: Scope, span: Span, budget: Budget) -> Self {
        let text = host.program().text(span).to_owned();
        Self {
            host,
            frame: Frame::new(scope, text, span),
            budget,
        }
    }

    fn program(&mut self) -> &mut Program {
        self.host.program()
    }

    /// Returns the type around the function that is evaluated.
    fn this(&self) -> Option<TypeId> {
        self.frame.scope.this.as_ref().map(|(id, _)| *id)
    }

    /// Returns the value of the first variable, which is the first parameter.
    fn first_variable(&mut self) -> Option<Value> {
        match self.frame.bindings.drain(..).next() {
            Some((_, frame::Binding::Value(value))) => Some(value),
            _ => None,
        }
    }

    /// Evaluates the whole text.
    fn whole(&mut self, language: Language, wanted: &Type) -> Read<Value> {
        let start = self.frame.start;
        let unread = || Unknown::new(start, "this is not an expression");
        let value = if language == Language::Json {
            let parsed: json::Json = self.frame.parse().ok_or_else(unread)?;
            self.within(|evaluator| evaluator.json(&parsed))?
        } else {
            let parsed: syn::Expr = self.frame.parse().ok_or_else(unread)?;
            self.within(|evaluator| evaluator.value(&parsed))?
        };
        self.coerced(value, wanted, start)
    }

    /// Does one function's work: a `return` inside is its value.
    fn within(&mut self, work: impl FnOnce(&mut Self) -> Step<Value>) -> Read<Value> {
        match work(self) {
            Ok(value) | Err(Stop::Return(value)) => Ok(value),
            Err(Stop::Unknown(unknown)) => Err(unknown),
        }
    }
}
