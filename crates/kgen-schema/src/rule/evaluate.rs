//! Evaluates the rules of a value and of everything within it.
//!
//! Mirrors `Validator.validate` in `apiextensions-apiserver/pkg/apiserver/schema/cel`.

use kgen_cel::go_regex::Patterns;
use kgen_cel::limits::EVALUATION_COST;
use kgen_cel::{Bindings, Budget, Environment, EvaluateError, JsonType, Value as CelValue};
use serde_json::{Map, Value};

use super::{BrokenRule, Compiled, Rule, RuleTree};
use crate::correlation::{Correlation, old_item};
use crate::error::{ErrorKind, FieldError, Undecided};
use crate::path::{Path, ROOT};
use crate::schema::{Handle, Schema};
use crate::validate::sorted;

/// The longest message that an expression can give, in bytes.
const MESSAGE_BYTES: usize = 5 * 1024;

/// The old value of a part, for the decision whether its errors are reported.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ratchet<'v> {
    /// The part and its old value, if they belong together.
    pub(crate) current: Option<Correlation<'v>>,
    /// The nearest part around it that has an old value.
    pub(crate) parent: Option<Correlation<'v>>,
}

impl<'v> Ratchet<'v> {
    fn hides_errors(&self) -> bool {
        self.current
            .or(self.parent)
            .is_some_and(|correlation| correlation.is_unchanged())
    }

    fn key(self, name: &str) -> Self {
        match self.current {
            None => self,
            // The type of the whole object is converted before it is compared, so a change of the type is not visible.
            Some(_) if self.parent.is_none() && matches!(name, "apiVersion" | "kind") => Self::default(),
            Some(current) => Self {
                current: current.key(name),
                parent: Some(current),
            },
        }
    }

    fn index(self, index: usize) -> Self {
        match self.current {
            None => self,
            Some(current) => Self {
                current: current.index(index),
                parent: Some(current),
            },
        }
    }
}

/// A place in the schema.
#[derive(Clone, Copy)]
struct Place<'s> {
    tree: &'s RuleTree,
    schema: &'s Schema,
}

/// The evaluation of all rules for one object.
pub(crate) struct Evaluation<'e> {
    pub(crate) patterns: &'e Patterns,
    pub(crate) budget: Budget,
    pub(crate) errors: Vec<FieldError>,
    /// Errors of values that have not changed.
    pub(crate) warnings: Vec<FieldError>,
    pub(crate) undecided: Vec<Undecided>,
    /// The rules that the errors are about.
    pub(crate) broken: Vec<BrokenRule>,
    /// Whether the value is a whole object, whose rules can read its metadata.
    pub(crate) is_object: bool,
}

/// The budget is used up, so that no further rule is evaluated.
struct OutOfBudget;

type Outcome = Result<(), OutOfBudget>;

impl<'e> Evaluation<'e> {
    pub(crate) fn new(patterns: &'e Patterns) -> Self {
        Self {
            patterns,
            budget: Budget::default(),
            errors: Vec::new(),
            warnings: Vec::new(),
            undecided: Vec::new(),
            broken: Vec::new(),
            is_object: true,
        }
    }

    /// Evaluates the rules for a whole object.
    pub(crate) fn run(
        &mut self,
        tree: &RuleTree,
        schema: &Schema,
        value: &Value,
        old: Option<&Value>,
        ratchet: Ratchet<'_>,
    ) {
        let place = Place { tree, schema };
        // The errors say that the budget is used up.
        let _ = self.node(place, value, old, &ROOT, ratchet);
    }

    fn node(
        &mut self,
        place: Place<'_>,
        value: &Value,
        old: Option<&Value>,
        path: &Path<'_>,
        ratchet: Ratchet<'_>,
    ) -> Outcome {
        if value.is_null() {
            return Ok(());
        }
        let Place { tree, schema } = place;
        let old = old.filter(|old| !old.is_null());
        if !schema.rules.is_empty() {
            self.rules(schema, value, old, path, ratchet)?;
        }
        match value {
            Value::Array(items) => {
                if let (Some(tree), Some(expected)) = (&tree.items, &schema.items) {
                    let place = Place {
                        tree,
                        schema: expected,
                    };
                    let old = old.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                    for (index, item) in items.iter().enumerate() {
                        let old = old_item(schema, old, item);
                        self.node(place, item, old, &path.index(index), ratchet.index(index))?;
                    }
                }
                Ok(())
            }
            Value::Object(entries) => self.entries(place, entries, old, path, ratchet),
            _ => Ok(()),
        }
    }

    fn entries(
        &mut self,
        Place { tree, schema }: Place<'_>,
        entries: &Map<String, Value>,
        old: Option<&Value>,
        path: &Path<'_>,
        ratchet: Ratchet<'_>,
    ) -> Outcome {
        let old_entry = |name: &str| old.and_then(|old| old.get(name));
        if let (Some(tree), Some(schema)) = (&tree.additional, schema.additional_schema()) {
            let place = Place { tree, schema };
            for (name, entry) in sorted(entries) {
                self.node(place, entry, old_entry(name), &path.key(name), ratchet.key(name))?;
            }
        }
        for (name, tree) in &tree.properties {
            if let (Some(entry), Some(schema)) = (entries.get(name), schema.properties.get(name)) {
                let place = Place { tree, schema };
                let path = path.property(name);
                self.node(place, entry, old_entry(name), &path, ratchet.key(name))?;
            }
        }
        Ok(())
    }

    fn rules(
        &mut self,
        schema: &Schema,
        value: &Value,
        old: Option<&Value>,
        path: &Path<'_>,
        ratchet: Ratchet<'_>,
    ) -> Outcome {
        let is_object = path.is_root() && self.is_object;
        let environment = if is_object {
            Environment::root_rule(Handle(schema))
        } else {
            Environment::rule(Handle(schema))
        };
        let type_word = type_word(schema);
        let Some(environment) = environment else {
            return Ok(());
        };
        if self.budget.remaining() == 0 {
            self.record(path, 0, Some(EvaluateError::CostExceeded));
            self.out_of_budget(path, type_word)?;
        }
        let plain = environment.bind(
            [("self", value)]
                .into_iter()
                .chain(old.map(|old| ("oldSelf", old))),
        );
        let plain = plain.with_patterns(self.patterns);
        let mut optional: Option<Bindings<'_>> = None;
        for (index, rule) in schema.rules.iter().enumerate() {
            if rule.rule.trim().is_empty() {
                continue;
            }
            let compiled = rule.compiled(schema, &environment, is_object);
            if compiled.uses_old_self && old.is_none() && !rule.optional_old_self {
                continue;
            }
            let bindings = if rule.optional_old_self {
                &*optional.get_or_insert_with(|| {
                    let environment = environment.optional_old_self(true);
                    let values = [("self", value)]
                        .into_iter()
                        .chain(old.map(|old| ("oldSelf", old)));
                    environment.bind(values).with_patterns(self.patterns)
                })
            } else {
                &plain
            };
            let Some(program) = &compiled.program else {
                self.undecided(path, rule);
                continue;
            };
            let before = self.budget.remaining();
            match program.evaluate_within(bindings, &mut self.budget) {
                Ok(CelValue::Bool(true)) => {}
                Ok(CelValue::Bool(false)) => {
                    self.record(path, index, None);
                    self.failed(rule, compiled, &plain, value, type_word, path, ratchet)?;
                }
                Err(EvaluateError::Failed(failure)) => {
                    let message = failure.server_message().to_owned();
                    self.record(path, index, Some(EvaluateError::Failed(failure)));
                    let detail = if message.starts_with("no such overload") {
                        format!(
                            "'{message}': call arguments did not match a supported operator, function or macro signature \
                             for rule: {}",
                            rule.shown()
                        )
                    } else {
                        format!("{message} evaluating rule: {}", rule.shown())
                    };
                    self.error(path, type_word, detail);
                }
                Err(EvaluateError::CostExceeded) if before >= EVALUATION_COST => {
                    let detail = format!(
                        "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due \
                         to call cost exceeds limit for rule: {}",
                        rule.shown()
                    );
                    self.record(path, index, Some(EvaluateError::CostExceeded));
                    self.error(path, type_word, detail);
                    return Err(OutOfBudget);
                }
                Err(EvaluateError::CostExceeded) => {
                    self.record(path, index, Some(EvaluateError::CostExceeded));
                    self.out_of_budget(path, type_word)?;
                }
                _ => self.undecided(path, rule),
            }
        }
        Ok(())
    }

    /// Reports a rule that is not satisfied.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one evaluation, used only here"
    )]
    fn failed(
        &mut self,
        rule: &Rule,
        compiled: &Compiled,
        bindings: &Bindings<'_>,
        value: &Value,
        type_word: &str,
        path: &Path<'_>,
        ratchet: Ratchet<'_>,
    ) -> Outcome {
        let field = match (path.is_root(), compiled.field_path.as_str()) {
            (_, "") => path.bracketed(),
            (true, relative) => relative.to_owned(),
            (false, relative) => format!("{}.{relative}", path.bracketed()),
        };
        let is_hidden = !compiled.uses_old_self && ratchet.hides_errors();
        let list = |evaluation: &'_ mut Self, error| {
            if is_hidden {
                evaluation.warnings.push(error);
            } else {
                evaluation.errors.push(error);
            }
        };
        let mut detail = match &rule.message {
            Some(message) => message.trim().to_owned(),
            None => format!("failed rule: {}", rule.rule.trim()),
        };
        if let Some(expression) = &rule.message_expression {
            match self.message(compiled, bindings) {
                Message::Text(text) => detail = text,
                Message::Unusable => {}
                Message::NotKnown => self.undecided(path, rule),
                Message::TooExpensive { per_call } => {
                    let detail = if per_call {
                        format!(
                            "no further validation rules will be run due to call cost exceeds limit for \
                             messageExpression: {}",
                            crate::go_text::quoted(expression)
                        )
                    } else {
                        "messageExpression evaluation failed due to running out of cost budget, no further validation \
                         rules will be run"
                            .to_owned()
                    };
                    let error = FieldError::new(ErrorKind::Invalid, field, detail);
                    list(self, error.with_text(type_word));
                    return Err(OutOfBudget);
                }
            }
        }
        let kind = rule.reason.kind();
        let shows_value = matches!(kind, ErrorKind::Invalid | ErrorKind::Duplicate)
            && !matches!(type_word, "object" | "array");
        let detail = if kind == ErrorKind::Duplicate {
            String::new()
        } else {
            detail
        };
        let mut error = FieldError::new(kind, field, detail);
        if shows_value {
            error = error.with_json(value);
        }
        list(self, error);
        Ok(())
    }

    fn message(&mut self, compiled: &Compiled, bindings: &Bindings<'_>) -> Message {
        let Some(program) = &compiled.message else {
            return Message::NotKnown;
        };
        let before = self.budget.remaining();
        match program.evaluate_within(bindings, &mut self.budget) {
            Ok(CelValue::String(text)) => {
                let text = text.trim();
                if text.is_empty() || text.len() > MESSAGE_BYTES || text.contains('\n') {
                    Message::Unusable
                } else {
                    Message::Text(text.to_owned())
                }
            }
            Err(EvaluateError::Failed(_)) => Message::Unusable,
            Err(EvaluateError::CostExceeded) => Message::TooExpensive {
                per_call: before >= EVALUATION_COST,
            },
            _ => Message::NotKnown,
        }
    }

    fn record(&mut self, path: &Path<'_>, index: usize, failure: Option<EvaluateError>) {
        self.broken.push(BrokenRule {
            segments: path.segments(),
            index,
            failure,
        });
    }

    fn out_of_budget(&mut self, path: &Path<'_>, type_word: &str) -> Outcome {
        let detail =
            "validation failed due to running out of cost budget, no further validation rules will be run";
        self.error(path, type_word, detail);
        Err(OutOfBudget)
    }

    /// Reports a rule that could not be evaluated. The API server shows the type in place of the value.
    fn error(&mut self, path: &Path<'_>, type_word: &str, detail: impl Into<String>) {
        let error = FieldError::new(ErrorKind::Invalid, path.bracketed(), detail);
        self.errors.push(error.with_text(type_word));
    }

    fn undecided(&mut self, path: &Path<'_>, rule: &Rule) {
        self.undecided.push(Undecided {
            field: path.bracketed(),
            rule: rule.rule.clone(),
        });
    }
}

/// The result of a message expression.
enum Message {
    Text(String),
    /// The expression fails, or its text cannot be used, so that the message of the rule is used.
    Unusable,
    NotKnown,
    TooExpensive {
        per_call: bool,
    },
}

fn type_word(schema: &Schema) -> &'static str {
    match schema.json_type {
        None => "",
        Some(JsonType::Array) => "array",
        Some(JsonType::Boolean) => "boolean",
        Some(JsonType::Integer) => "integer",
        Some(JsonType::Number) => "number",
        Some(JsonType::Object) => "object",
        Some(JsonType::String) => "string",
    }
}
