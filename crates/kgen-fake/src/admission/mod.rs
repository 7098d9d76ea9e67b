//! Admission webhooks: which ones a request concerns, and what their answers change.
//!
//! The webhooks are called outside the lock. A verb that needs an answer stops with [`Stop::Review`]; after the call it is
//! carried out again, with the answer in its [`Draft`].

mod handler;
mod matching;
mod review;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::state::State;
use crate::status::Failure;
use crate::verbs::Request;
use crate::verbs::list::Listed;

pub use handler::{ByHandler, ByService, IntoWebhookHandler, WebhookFuture, WebhookHandler};
use review::Question;
pub(crate) use review::Review;

/// Why a verb did not end with an answer.
pub(crate) enum Stop {
    Failed(Failure),
    /// A webhook has to be asked first.
    Review(Box<Review>),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// The operation of an admission request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    Create,
    Update,
    Delete,
}

impl Operation {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Create => "CREATE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Mutating,
    Reinvoking,
    Validating,
}

/// Decisions about a request that stay the same when it is carried out again.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) name: Option<String>,
    pub(crate) uid: Option<String>,
    /// Parts of the metadata that are stored, but not shown; see [`Stored`](crate::store::Stored).
    pub(crate) unshown: Vec<&'static str>,
    /// Answers by the text of the question.
    answers: BTreeMap<String, Result<Value, Failure>>,
    pub(crate) warnings: Vec<String>,
    /// The objects of a collection that is being deleted.
    pub(crate) collection: Option<Listed>,
}

impl Draft {
    /// Keeps the answer of a webhook.
    pub(crate) fn answer(&mut self, review: &Review, answer: Result<Value, String>) {
        let judged = review.judge(answer);
        self.warnings.extend(judged.warnings);
        self.answers.insert(review.question.clone(), judged.result);
    }

    /// Asks the mutating webhooks. Returns the object as they changed it.
    pub(crate) fn mutate(
        &mut self,
        state: &State,
        request: &Request<'_>,
        operation: Operation,
        old: Option<&Value>,
        object: Value,
    ) -> Result<Value, Stop> {
        let hooks = matching::hooks(state, request, "mutatingwebhookconfigurations");
        if hooks.is_empty() {
            return Ok(object);
        }
        let mut changed = object;
        let mut reinvoked = Vec::new();
        for (index, hook) in hooks.iter().enumerate() {
            let before = changed.clone();
            changed = self.ask(state, request, operation, old, changed, (Phase::Mutating, hook))?;
            if changed != before {
                // Earlier webhooks see the change if they want to.
                let earlier = hooks.iter().take(index);
                reinvoked = earlier.filter(|hook| hook.is_reinvoked).collect();
            }
        }
        for hook in reinvoked {
            changed = self.ask(state, request, operation, old, changed, (Phase::Reinvoking, hook))?;
        }
        Ok(changed)
    }

    /// Asks the validating webhooks.
    pub(crate) fn validate(
        &mut self,
        state: &State,
        request: &Request<'_>,
        operation: Operation,
        old: Option<&Value>,
        object: &Value,
    ) -> Result<(), Stop> {
        let hooks = matching::hooks(state, request, "validatingwebhookconfigurations");
        for hook in &hooks {
            self.ask(
                state,
                request,
                operation,
                old,
                object.clone(),
                (Phase::Validating, hook),
            )?;
        }
        Ok(())
    }

    /// Returns the object after the answer of one webhook.
    fn ask(
        &mut self,
        state: &State,
        request: &Request<'_>,
        operation: Operation,
        old: Option<&Value>,
        object: Value,
        (phase, hook): (Phase, &matching::Hook),
    ) -> Result<Value, Stop> {
        let Some(version) = hook.version(request, operation) else {
            return Ok(object);
        };
        // The webhook sees the object in the version of its rule.
        let is_converted = version != request.version();
        let shown = |object: &Value| match is_converted && !object.is_null() {
            true => request.kind.convert(object, version),
            false => Ok(object.clone()),
        };
        let (asked, old) = (shown(&object)?, old.map(shown).transpose()?);
        if !hook.selects(state, request, (operation, version), &asked, old.as_ref())? {
            return Ok(object);
        }
        if request.call.is_dry_run() && !hook.has_no_side_effects {
            let message = format!("admission webhook \"{}\" does not support dry run", hook.name);
            return Err(Failure::bad_request(message).into());
        }
        let question = Question {
            operation,
            version,
            object: &asked,
            old: old.as_ref(),
            phase: &format!("{phase:?}"),
        };
        let review = Review::new(state, request, &question, hook);
        match self.answers.get(&review.question) {
            None => Err(Stop::Review(Box::new(review))),
            Some(Err(failure)) => Err(failure.clone().into()),
            Some(Ok(patch)) if patch.is_null() || phase == Phase::Validating => Ok(object),
            Some(Ok(patch)) => {
                let mut changed = asked;
                crate::patch::apply_json(&mut changed, patch).map_err(|_| {
                    Failure::new(
                        500,
                        "InternalError",
                        "Internal error occurred: the patch of a webhook failed",
                    )
                })?;
                request.kind.default(version, &mut changed);
                if is_converted {
                    changed = request.kind.convert(&changed, request.version())?;
                }
                Ok(changed)
            }
        }
    }
}
