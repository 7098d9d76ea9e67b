//! The variables that an expression can use, and the values that they have when it is evaluated.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::checker::Typed;
use crate::declared::Declared;
use crate::evaluate::Value;
use crate::go_regex::Patterns;
use crate::mistake::{Mistake, MistakeKind};
use crate::openapi::OpenApi;
use crate::request;
use crate::schema::Schema;
use crate::types::{Type, TypeId};

/// The variables of an expression and the type that its result must have.
///
/// There is one constructor for each place where Kubernetes has expressions that this crate supports:
///
/// - [`rule`](Self::rule) and [`root_rule`](Self::root_rule) for `x-kubernetes-validations` of a CRD,
///   with `self` and `oldSelf`;
/// - [`message_expression`](Self::message_expression), which turns one of these into the environment of
///   `messageExpression`;
/// - [`match_condition`](Environment::match_condition) for `matchConditions` of a webhook, with `object`, `oldObject`,
///   `namespaceObject`, `request` and `authorizer`.
#[derive(Clone, Copy, Debug)]
pub struct Environment<S> {
    pub(crate) variables: Variables<S>,
    result: Wanted,
}

/// The variables of an environment.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Variables<S> {
    /// `self` and `oldSelf`.
    Rule {
        value: Declared<S>,
        /// Whether `oldSelf` is an optional value.
        optional_old_self: bool,
    },
    /// The parts of an admission request, whose own type is given.
    Request(Declared<S>),
}

/// The type that the result must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Bool,
    String,
    Any,
}

impl<S: Schema> Environment<S> {
    /// Returns the environment of a rule on a value within the object.
    ///
    /// Returns `None` if the schema does not state a type, because rules cannot read such a value.
    ///
    /// ```
    /// use kgen_cel::{Environment, OpenApi};
    /// use serde_json::json;
    ///
    /// assert!(Environment::rule(OpenApi::new(&json!({"type": "string"}))).is_some());
    /// assert!(Environment::rule(OpenApi::new(&json!({"x-kubernetes-preserve-unknown-fields": true}))).is_none());
    /// ```
    pub fn rule(schema: S) -> Option<Self> {
        Self::of(Declared::of(schema, false)?)
    }

    /// Returns the environment of a rule on the whole object, which also has `apiVersion`, `kind` and `metadata`.
    ///
    /// Returns `None` if the schema does not state a type.
    ///
    /// ```
    /// use kgen_cel::{Environment, Expression, OpenApi};
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "object"});
    /// let environment = Environment::root_rule(OpenApi::new(&schema)).unwrap();
    /// let expression = Expression::parse("self.metadata.name.size() < 20")?;
    /// assert!(expression.check(&environment).is_ok());
    /// # Ok::<(), kgen_cel::ParseError>(())
    /// ```
    pub fn root_rule(schema: S) -> Option<Self> {
        Self::of(Declared::of(schema, true)?)
    }

    fn of(value: Declared<S>) -> Option<Self> {
        Some(Self {
            variables: Variables::Rule {
                value,
                optional_old_self: false,
            },
            result: Wanted::Bool,
        })
    }

    /// Sets whether `oldSelf` is an optional value (`optionalOldSelf` of a rule).
    ///
    /// ```
    /// use kgen_cel::{Environment, Expression, OpenApi};
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "integer"});
    /// let environment = Environment::rule(OpenApi::new(&schema)).unwrap().optional_old_self(true);
    /// let expression = Expression::parse("self >= oldSelf.orValue(0)")?;
    /// assert!(expression.check(&environment).is_ok());
    /// # Ok::<(), kgen_cel::ParseError>(())
    /// ```
    #[must_use]
    pub fn optional_old_self(mut self, optional: bool) -> Self {
        if let Variables::Rule {
            optional_old_self, ..
        } = &mut self.variables
        {
            *optional_old_self = optional;
        }
        self
    }

    /// Requires a string as the result, as `messageExpression` of a rule does.
    ///
    /// ```
    /// use kgen_cel::{Environment, Expression, OpenApi};
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "integer"});
    /// let environment = Environment::rule(OpenApi::new(&schema)).unwrap().message_expression();
    /// assert!(Expression::parse("'%d is too small'.format([self])")?.check(&environment).is_ok());
    /// let mistake = Expression::parse("self > 0")?.check(&environment).unwrap_err();
    /// assert_eq!(mistake.message, "it returns `bool`, but must return `string`");
    /// # Ok::<(), kgen_cel::ParseError>(())
    /// ```
    #[must_use]
    pub fn message_expression(self) -> Self {
        Self {
            result: Wanted::String,
            ..self
        }
    }

    /// Accepts a result of any type.
    ///
    /// ```
    /// use kgen_cel::{Environment, Expression, OpenApi};
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "integer"});
    /// let environment = Environment::rule(OpenApi::new(&schema)).unwrap().any_result();
    /// let checked = Expression::parse("[self, 2]")?.check(&environment)?;
    /// assert_eq!(checked.result_type(), "list(int)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn any_result(self) -> Self {
        Self {
            result: Wanted::Any,
            ..self
        }
    }

    /// Reads the values of variables from JSON, as the types in the schema require.
    ///
    /// A value that does not match its schema, or whose type this crate does not evaluate, becomes
    /// [`Value::Unknown`]. With [`optional_old_self`](Self::optional_old_self), an absent `oldSelf` becomes the empty
    /// optional value.
    pub fn bind<'b, 'j>(&self, variables: impl IntoIterator<Item = (&'b str, &'j Json)>) -> Bindings<'b> {
        let mut bindings = Bindings::default();
        for (name, json) in variables {
            bindings = bindings.with(name, self.read(name, json));
        }
        if let Variables::Rule {
            optional_old_self: true,
            ..
        } = self.variables
            && bindings.get("oldSelf").is_none()
        {
            bindings = bindings.with("oldSelf", Value::Optional(None));
        }
        bindings
    }

    fn read(&self, name: &str, json: &Json) -> Value {
        match (self.variables, name) {
            (Variables::Rule { value, .. }, "self") => Value::of(json, value),
            (
                Variables::Rule {
                    value,
                    optional_old_self,
                },
                "oldSelf",
            ) => {
                let old = Value::of(json, value);
                if optional_old_self {
                    Value::Optional(Some(Arc::new(old)))
                } else {
                    old
                }
            }
            (Variables::Request(request), "request") => Value::of(json, request),
            (Variables::Request(_), "object" | "oldObject" | "namespaceObject") => Value::dynamic(json),
            _ => Value::Unknown,
        }
    }

    /// Returns the value that a rule is evaluated for.
    pub(crate) fn value(&self) -> Option<Declared<S>> {
        match self.variables {
            Variables::Rule { value, .. } => Some(value),
            Variables::Request(_) => None,
        }
    }

    /// Returns a mistake if the result does not have the required type.
    pub(crate) fn wrong_result(&self, typed: &Typed<'_>) -> Option<Mistake> {
        let wanted = match self.result {
            Wanted::Bool => TypeId::BOOL,
            Wanted::String => TypeId::TEXT,
            Wanted::Any => return None,
        };
        if typed.result == wanted {
            return None;
        }
        let help = match (self.result, self.variables, typed.types.get(typed.result)) {
            (Wanted::String, ..) => "convert the value with `string(…)`",
            (_, Variables::Request(_), _) => "compare it with another value, as in `object.spec.size > 0`",
            (.., Type::Dyn) => "convert it with `bool(…)`; its type is known only at run time",
            _ => "compare it with another value, as in `self.size > 0`",
        };
        let message = format!(
            "it returns `{}`, but must return `{}`",
            typed.types.shown(typed.result),
            typed.types.shown(wanted)
        );
        let mistake = Mistake::new(MistakeKind::Type, 0, message).help(help);
        Some(Mistake {
            offset: None,
            ..mistake
        })
    }
}

impl Environment<OpenApi<'static>> {
    /// Returns the environment of a match condition of a webhook.
    ///
    /// `object`, `oldObject` and `namespaceObject` can be anything; `request` has the fields of an admission request.
    /// Calls on `authorizer` are checked loosely and are never evaluated.
    ///
    /// ```
    /// use kgen_cel::{Environment, Expression, Value};
    /// use serde_json::json;
    ///
    /// let environment = Environment::match_condition();
    /// let checked = Expression::parse("request.operation != 'DELETE' && object.spec.size > 1")?.check(&environment)?;
    /// let bindings = environment.bind([
    ///     ("request", &json!({"operation": "CREATE"})),
    ///     ("object", &json!({"spec": {"size": 3}})),
    /// ]);
    /// assert_eq!(checked.evaluate(&bindings)?, Value::Bool(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn match_condition() -> Self {
        Self {
            variables: Variables::Request(request::declared()),
            result: Wanted::Bool,
        }
    }
}

/// The values of the variables for one evaluation.
///
/// [`Environment::bind`] creates them from JSON; [`with`](Self::with) adds values of other origin.
///
/// ```
/// use kgen_cel::{Bindings, Environment, Expression, OpenApi, Value};
/// use serde_json::json;
///
/// let schema = json!({"type": "integer"});
/// let environment = Environment::rule(OpenApi::new(&schema)).unwrap();
/// let checked = Expression::parse("self > oldSelf")?.check(&environment)?;
/// let bindings = Bindings::default().with("self", Value::Int(2)).with("oldSelf", Value::Int(1));
/// assert_eq!(checked.evaluate(&bindings)?, Value::Bool(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bindings<'b> {
    variables: Vec<(&'b str, Value)>,
    patterns: Option<&'b Patterns>,
}

impl<'b> Bindings<'b> {
    /// Adds a variable. The value must have the type that the environment declares.
    #[must_use]
    pub fn with(mut self, name: &'b str, value: Value) -> Self {
        self.variables.retain(|(known, _)| *known != name);
        self.variables.push((name, value));
        self
    }

    /// Shares compiled regular expressions with other evaluations.
    #[must_use]
    pub fn with_patterns(mut self, patterns: &'b Patterns) -> Self {
        self.patterns = Some(patterns);
        self
    }

    /// Returns the value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value)
    }

    pub(crate) fn patterns(&self) -> Option<&'b Patterns> {
        self.patterns
    }
}
