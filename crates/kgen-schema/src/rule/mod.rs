//! CEL rules on values: `x-kubernetes-validations`.

mod broken;
mod evaluate;
mod tree;

use std::sync::{Arc, OnceLock};

use kgen_cel::{Environment, Expression, Program};

use crate::error::ErrorKind;
use crate::field_path;
use crate::schema::{Handle, Schema};

pub use broken::{BrokenRule, broken_rules};
pub(crate) use evaluate::{Evaluation, Ratchet};
pub(crate) use tree::RuleTree;

/// A rule of a schema.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The expression, which is `true` for valid values.
    pub rule: String,
    /// `message`.
    pub message: Option<String>,
    /// `messageExpression`.
    pub message_expression: Option<String>,
    /// `reason`.
    pub reason: Reason,
    /// `fieldPath`.
    pub field_path: Option<String>,
    /// `optionalOldSelf`.
    pub optional_old_self: bool,
    /// The expressions in their compiled form, from the first evaluation on: for any value, and for whole objects. A rule
    /// about metadata is only an expression for the latter.
    compiled: Arc<[OnceLock<Compiled>; 2]>,
}

/// The value of `reason`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reason {
    /// `FieldValueInvalid`, or no reason.
    #[default]
    Invalid,
    /// `FieldValueForbidden`.
    Forbidden,
    /// `FieldValueRequired`.
    Required,
    /// `FieldValueDuplicate`.
    Duplicate,
}

impl Reason {
    /// Returns the reason that a CRD calls `word`.
    pub fn from_word(word: &str) -> Self {
        match word {
            "FieldValueForbidden" => Self::Forbidden,
            "FieldValueRequired" => Self::Required,
            "FieldValueDuplicate" => Self::Duplicate,
            _ => Self::Invalid,
        }
    }

    fn kind(self) -> ErrorKind {
        match self {
            Self::Invalid => ErrorKind::Invalid,
            Self::Forbidden => ErrorKind::Forbidden,
            Self::Required => ErrorKind::Required,
            Self::Duplicate => ErrorKind::Duplicate,
        }
    }
}

/// A rule that is ready to be evaluated.
#[derive(Debug)]
struct Compiled {
    /// `None` if `kgen-cel` does not accept the expression. The API server has accepted it, so it knows more.
    program: Option<Program>,
    uses_old_self: bool,
    message: Option<Program>,
    /// `fieldPath` in the notation of errors; empty if there is none.
    field_path: String,
}

impl Rule {
    /// Returns a rule that has only an expression.
    pub fn new(rule: impl Into<String>) -> Self {
        Self {
            rule: rule.into(),
            message: None,
            message_expression: None,
            reason: Reason::Invalid,
            field_path: None,
            optional_old_self: false,
            compiled: Arc::default(),
        }
    }

    /// Returns the text that identifies the rule in messages.
    fn shown(&self) -> &str {
        self.message.as_deref().unwrap_or(&self.rule).trim()
    }

    fn compiled(&self, schema: &Schema, environment: &Environment<Handle<'_>>, is_object: bool) -> &Compiled {
        let [of_values, of_objects] = &*self.compiled;
        let compiled = if is_object { of_objects } else { of_values };
        compiled.get_or_init(|| {
            let environment = environment.optional_old_self(self.optional_old_self);
            let parsed = Expression::parse(&self.rule).ok();
            let uses_old_self = parsed.as_ref().is_some_and(|parsed| parsed.uses("oldSelf"));
            let program = parsed.and_then(|parsed| parsed.check(&environment).ok());
            let message = self.message_expression.as_ref().and_then(|text| {
                let parsed = Expression::parse(text).ok()?;
                parsed.check(&environment.message_expression()).ok()
            });
            let path = self.field_path.as_deref();
            Compiled {
                program: program.map(|checked| checked.into_program()),
                uses_old_self,
                message: message.map(|checked| checked.into_program()),
                field_path: path
                    .and_then(|path| field_path::normalized(path, schema))
                    .unwrap_or_default(),
            }
        })
    }
}
