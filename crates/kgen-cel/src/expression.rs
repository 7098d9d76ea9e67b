//! Expressions from their text to their value: [`Expression`] is parsed, [`Checked`] has types.

use crate::checker::{self, Typed};
use crate::cost::{self, Unlimited};
use crate::environment::{Bindings, Environment};
use crate::evaluate::{self, Budget, EvaluateError, Value};
use crate::mistake::{Mistake, MistakeKind};
use crate::parse_error::ParseError;
use crate::parser;
use crate::schema::Schema;
use crate::stack::for_height;
use crate::tree::{Id, Tree};

/// A parsed expression.
///
/// ```
/// use kgen_cel::Expression;
///
/// let expression = Expression::parse("self.size >= oldSelf.size")?;
/// assert!(expression.uses("oldSelf"));
/// assert!(Expression::parse("self.size >=").is_err());
/// # Ok::<(), kgen_cel::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression<'t> {
    tree: Tree<'t>,
}

impl<'t> Expression<'t> {
    /// Parses a text as the API server does, with the macros and the syntax that Kubernetes enables.
    ///
    /// # Errors
    ///
    /// Returns the first problem in the text, also if the text exceeds one of the parser's [limits](crate::limits).
    pub fn parse(text: &'t str) -> Result<Self, ParseError> {
        Ok(Self {
            tree: parser::parse(text)?,
        })
    }

    /// Returns whether the expression mentions a variable.
    ///
    /// Kubernetes decides in this way whether a rule is a transition rule, which needs an old value.
    pub fn uses(&self, variable: &str) -> bool {
        self.tree.mentions(variable)
    }

    /// Returns whether the macros of the expression expand to more nodes than this crate handles.
    ///
    /// [`check`](Self::check) fails for such an expression, although the API server may accept it.
    pub fn is_too_large(&self) -> bool {
        self.tree.root().is_none()
    }

    /// Finds the types of the expression and checks the type of its result.
    ///
    /// # Errors
    ///
    /// Returns the first mistake in the text.
    pub fn check<S: Schema>(self, environment: &Environment<S>) -> Result<Checked<'t, S>, Mistake> {
        let mut tree = self.tree;
        let Some(root) = tree.root() else {
            let message = "its macros expand to too many nodes";
            return Err(Mistake::new(MistakeKind::TooLarge, 0, message));
        };
        let height = tree.height(root);
        let (typed, mistake) = for_height(height, || {
            checker::check(std::mem::take(&mut tree), root, environment)
        });
        if let Some(mistake) = mistake.or_else(|| environment.wrong_result(&typed)) {
            return Err(mistake);
        }
        if let Some((id, failure)) = for_height(height, || evaluate::failing_constant(&typed, root)) {
            return Err(Mistake::types(typed.tree.start(id), failure.to_string()));
        }
        Ok(Checked {
            typed,
            root,
            height,
            environment: *environment,
        })
    }
}

/// An expression whose types match, with its environment.
///
/// ```
/// use kgen_cel::{Environment, Expression, OpenApi};
/// use serde_json::json;
///
/// let schema = json!({"type": "array", "maxItems": 10, "items": {"type": "string", "maxLength": 20}});
/// let environment = Environment::rule(OpenApi::new(&schema)).unwrap();
/// let checked = Expression::parse("self.all(name, name.startsWith('a'))")?.check(&environment)?;
/// assert_eq!(checked.result_type(), "bool");
/// assert_eq!(checked.cost(), 52);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Checked<'t, S> {
    typed: Typed<'t>,
    root: Id,
    height: usize,
    environment: Environment<S>,
}

impl<S: Schema> Checked<'_, S> {
    /// Converts the expression to a form that can be kept: it borrows neither the text nor the schema.
    pub fn into_program(self) -> Program {
        Program {
            typed: self.typed.into_owned(),
            root: self.root,
            height: self.height,
        }
    }

    /// Returns the type of the result in the notation of CEL, such as `bool` or `list(string)`.
    pub fn result_type(&self) -> String {
        self.typed.types.shown(self.typed.result)
    }

    /// Estimates the most that one evaluation can cost, as the API server does when it accepts a CRD.
    ///
    /// A rule is evaluated once for every value of its schema, so multiply by [`evaluations`](crate::evaluations) before
    /// you compare with [`limits::ESTIMATED_RULE_COST`](crate::limits::ESTIMATED_RULE_COST). For match conditions, the
    /// API server limits only the cost at run time.
    pub fn cost(&self) -> u64 {
        for_height(self.height, || {
            cost::estimate(&self.typed, self.root, self.environment.value())
        })
    }

    /// Returns the lists, maps and strings without a limit that make the expression expensive, the most expensive first.
    ///
    /// ```
    /// use kgen_cel::{Environment, Expression, OpenApi};
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "object", "properties": {
    ///     "names": {"type": "array", "items": {"type": "string", "maxLength": 20}},
    /// }});
    /// let environment = Environment::rule(OpenApi::new(&schema)).unwrap();
    /// let checked = Expression::parse("self.names.all(name, name != '')")?.check(&environment)?;
    /// let unlimited = checked.unlimited();
    /// assert_eq!(unlimited[0].path, ".names");
    /// assert_eq!(unlimited[0].keyword, "maxItems");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unlimited(&self) -> Vec<Unlimited<S>> {
        for_height(self.height, || {
            cost::reasons(&self.typed, self.root, self.environment.value())
        })
    }

    /// Evaluates the expression within the [limit for one evaluation](crate::limits::EVALUATION_COST).
    ///
    /// ```
    /// use kgen_cel::{Environment, EvaluateError, Expression, OpenApi, Value};
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "array", "items": {"type": "integer"}});
    /// let environment = Environment::rule(OpenApi::new(&schema)).unwrap();
    /// let checked = Expression::parse("self[0] == 1")?.check(&environment)?;
    /// let (full, empty) = (json!([1, 2]), json!([]));
    /// assert_eq!(checked.evaluate(&environment.bind([("self", &full)])), Ok(Value::Bool(true)));
    /// assert!(matches!(
    ///     checked.evaluate(&environment.bind([("self", &empty)])),
    ///     Err(EvaluateError::Failed(failure)) if failure.to_string() == "the list has no item 0",
    /// ));
    /// // Without a value for `self`, the result is not known.
    /// assert_eq!(checked.evaluate(&environment.bind([])), Err(EvaluateError::NotKnown));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an [`EvaluateError`] if the expression fails, if it costs too much, or if the value is not known.
    pub fn evaluate(&self, bindings: &Bindings<'_>) -> Result<Value, EvaluateError> {
        self.evaluate_within(bindings, &mut Budget::default())
    }

    /// Evaluates the expression and subtracts its cost from a budget, which several expressions can share.
    ///
    /// # Errors
    ///
    /// Returns an [`EvaluateError`] if the expression fails, if it costs more than the budget or the limit for one
    /// evaluation, or if the value is not known.
    pub fn evaluate_within(
        &self,
        bindings: &Bindings<'_>,
        budget: &mut Budget,
    ) -> Result<Value, EvaluateError> {
        for_height(self.height, || {
            evaluate::evaluate(&self.typed, self.root, bindings, budget)
        })
    }
}

/// A checked expression that owns all its parts, so that it can be kept and evaluated for many values.
///
/// ```
/// use kgen_cel::{Budget, Environment, Expression, OpenApi, Program, Value};
/// use serde_json::json;
///
/// let schema = json!({"type": "integer"});
/// let environment = Environment::rule(OpenApi::new(&schema)).unwrap();
/// let program: Program = Expression::parse("self > 0")?.check(&environment)?.into_program();
/// let bindings = environment.bind([("self", &json!(3))]);
/// assert_eq!(program.evaluate_within(&bindings, &mut Budget::default())?, Value::Bool(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Program {
    typed: Typed<'static>,
    root: Id,
    height: usize,
}

impl Program {
    /// Evaluates the expression and subtracts its cost from a budget, which several expressions can share.
    ///
    /// The bindings must come from the environment that the expression was checked in.
    ///
    /// # Errors
    ///
    /// Returns an [`EvaluateError`] if the expression fails, if it costs more than the budget or the limit for one
    /// evaluation, or if the value is not known.
    pub fn evaluate_within(
        &self,
        bindings: &Bindings<'_>,
        budget: &mut Budget,
    ) -> Result<Value, EvaluateError> {
        for_height(self.height, || {
            evaluate::evaluate(&self.typed, self.root, bindings, budget)
        })
    }
}
