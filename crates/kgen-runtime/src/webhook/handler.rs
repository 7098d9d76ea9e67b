//! Connects requests to typed handlers. The types of the handlers are erased here: the server knows only [`Handler`].

use std::collections::BTreeMap;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use kube::core::Status;
use serde_json::value::RawValue;

use super::answer::{denial, failure};
use super::patch::patch;
use super::request::{Operation, Request};
use super::review::Incoming;
use super::verdict::Verdict;
use super::{AdmissionObject, Defaulter, FieldError, FieldErrorKind, Validator};

/// A defaulter or validator of any kind.
pub(super) trait Handler: Send + Sync {
    fn judge<'a>(&'a self, incoming: &'a Incoming<'a>) -> BoxFuture<'a, Judgment>;
}

/// The result of a request.
#[derive(Debug, Default)]
pub(super) struct Judgment {
    /// Why the request is denied, if it is.
    pub(super) denial: Option<Box<Status>>,
    /// The text of a JSON patch.
    pub(super) patch: Option<Vec<u8>>,
    pub(super) warnings: Vec<String>,
    pub(super) audit_annotations: BTreeMap<String, String>,
}

impl Judgment {
    pub(super) fn denied(denial: Box<Status>) -> Self {
        Self {
            denial: Some(denial),
            ..Self::default()
        }
    }

    fn of(verdict: &Verdict, request: &Request) -> Self {
        Self {
            denial: denial(verdict, request),
            patch: None,
            warnings: verdict.warnings().to_vec(),
            audit_annotations: verdict.audit_annotations().clone(),
        }
    }
}

/// A defaulter as the server calls it.
pub(super) struct Defaulting<D>(pub(super) D);

impl<D: Defaulter> Defaulting<D> {
    async fn run(&self, incoming: &Incoming<'_>) -> Result<Judgment, Box<Status>> {
        let request = &incoming.request;
        if !matches!(request.operation, Operation::Create | Operation::Update) {
            return Ok(Judgment::default());
        }
        check_kind::<D::Object>(request)?;
        let sent = present(incoming.object, "object", request)?;
        let mut object: D::Object = decode(sent, request)?;
        let before = encode(&object)?;
        let verdict = self.0.default(&mut object, request).await;
        let mut judgment = Judgment::of(&verdict, request);
        if judgment.denial.is_none() {
            let after = encode(&object)?;
            if before != after {
                let sent = serde_json::from_str(sent.get()).map_err(|error| undecodable(&error))?;
                let steps = patch(&sent, &before, &after);
                if !steps.is_empty() {
                    judgment.patch = Some(serde_json::to_vec(&steps).map_err(|error| unwritable(&error))?);
                }
            }
        }
        Ok(judgment)
    }
}

impl<D: Defaulter> Handler for Defaulting<D> {
    fn judge<'a>(&'a self, incoming: &'a Incoming<'a>) -> BoxFuture<'a, Judgment> {
        self.run(incoming)
            .map(|result| result.unwrap_or_else(Judgment::denied))
            .boxed()
    }
}

/// A validator as the server calls it.
pub(super) struct Validating<V>(pub(super) V);

impl<V: Validator> Validating<V> {
    async fn run(&self, incoming: &Incoming<'_>) -> Result<Judgment, Box<Status>> {
        let request = &incoming.request;
        if request.operation == Operation::Connect {
            return Ok(Judgment::default());
        }
        check_kind::<V::Object>(request)?;
        let new = || decode(present(incoming.object, "object", request)?, request);
        let old = || decode(present(incoming.old_object, "oldObject", request)?, request);
        let verdict = match request.operation {
            Operation::Create => self.0.validate_create(&new()?, request).await,
            Operation::Update => self.0.validate_update(&old()?, &new()?, request).await,
            Operation::Delete => self.0.validate_delete(&old()?, request).await,
            Operation::Connect => Verdict::default(),
        };
        Ok(Judgment::of(&verdict, request))
    }
}

impl<V: Validator> Handler for Validating<V> {
    fn judge<'a>(&'a self, incoming: &'a Incoming<'a>) -> BoxFuture<'a, Judgment> {
        self.run(incoming)
            .map(|result| result.unwrap_or_else(Judgment::denied))
            .boxed()
    }
}

/// Returns whether the object has the kind and version of the handler.
fn check_kind<K: AdmissionObject>(request: &Request) -> Result<(), Box<Status>> {
    let kind = &request.kind;
    let (group, version, name) = (K::group(&()), K::version(&()), K::kind(&()));
    if kind.group == group && kind.version == version && kind.kind == name {
        return Ok(());
    }
    let full = |group: &str, version: &str, kind: &str| match group {
        "" => format!("{version} {kind}"),
        _ => format!("{group}/{version} {kind}"),
    };
    let message = format!(
        "this webhook is for {}, and was sent {}; the rules of its configuration must name no other kind, version or \
         subresource, or have matchPolicy: Equivalent",
        full(&group, &version, &name),
        full(&kind.group, &kind.version, &kind.kind)
    );
    Err(failure(400, "BadRequest", message))
}

/// Returns the object, which the operation needs.
fn present<'a>(
    object: Option<&'a RawValue>,
    name: &str,
    request: &Request,
) -> Result<&'a RawValue, Box<Status>> {
    object.ok_or_else(|| {
        let message = format!("the request has no {name}, which {} needs", request.operation);
        failure(400, "BadRequest", message)
    })
}

/// Deserializes an object. A mismatch is reported as an error of its field.
fn decode<K: AdmissionObject>(object: &RawValue, request: &Request) -> Result<K, Box<Status>> {
    let error = match serde_json::from_str(object.get()) {
        Ok(object) => return Ok(object),
        Err(error) => error,
    };
    // Only after a failure, because tracking the path takes time, and nearly all objects can be deserialized.
    let deserializer = &mut serde_json::Deserializer::from_str(object.get());
    let path = match serde_path_to_error::deserialize::<_, K>(deserializer) {
        Err(error) => error.path().to_string(),
        Ok(object) => return Ok(object),
    };
    if path.is_empty() || path == "." {
        return Err(undecodable(&error));
    }
    let mut verdict = Verdict::default();
    verdict.push(FieldError::new(
        FieldErrorKind::TypeInvalid,
        path,
        without_place(&error),
    ));
    Err(denial(&verdict, request).unwrap_or_else(|| undecodable(&error)))
}

/// Returns the error without the line and column, because the user does not see that text.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(place) => text[..place].to_owned(),
        None => text,
    }
}

fn undecodable(error: &serde_json::Error) -> Box<Status> {
    let message = format!("the object cannot be read: {}", without_place(error));
    failure(400, "BadRequest", message)
}

fn unwritable(error: &serde_json::Error) -> Box<Status> {
    let message = format!("the object cannot be written as JSON: {error}");
    failure(500, "InternalError", message)
}

fn encode<K: AdmissionObject>(object: &K) -> Result<serde_json::Value, Box<Status>> {
    serde_json::to_value(object).map_err(|error| unwritable(&error))
}
