//! Reviews: objects that are only an answer, such as a `SelfSubjectAccessReview`.

use serde_json::{Value, json};

use super::{Answer, Call, User};
use crate::apply::{FieldManager, Schema, Version, manager_of_request};
use crate::state::State;
use crate::status::Failure;
use crate::wire::target::Verb;

pub(super) fn execute(state: &State, call: &Call) -> Result<Answer, Failure> {
    let target = &call.target;
    if target.verb != Verb::Create || !target.name.is_empty() {
        return Err(Failure::method_not_allowed());
    }
    let mut body = call.body_json().unwrap_or_default();
    track(state, call, &mut body);
    match target.resource.as_str() {
        "selfsubjectaccessreviews" => Ok(answer(state, &call.user, body)),
        "subjectaccessreviews" | "localsubjectaccessreviews" => {
            let text = |key: &str| body.pointer(key).and_then(Value::as_str).unwrap_or_default();
            let groups = body.pointer("/spec/groups").and_then(Value::as_array);
            let groups = groups.into_iter().flatten().filter_map(Value::as_str);
            let user = User {
                name: text("/spec/user").to_owned(),
                groups: groups.map(str::to_owned).collect(),
                is_limited: true,
            };
            Ok(answer(state, &user, body))
        }
        "selfsubjectreviews" => {
            let user = json!({"username": call.user.name, "groups": call.user.groups});
            Ok(Answer::json(
                201,
                json!({
                    "kind": "SelfSubjectReview", "apiVersion": "authentication.k8s.io/v1",
                    "metadata": {"creationTimestamp": state.clock.text()}, "status": {"userInfo": user},
                }),
            ))
        }
        other => Err(Failure::not_implemented(other)),
    }
}

/// Sets the managed fields of a review, which it has like every other object.
fn track(state: &State, call: &Call, review: &mut Value) {
    let text = |key: &str| {
        review
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    let Some(schema) = crate::kind::built_in_schema(&call.target.group, &call.target.version, &kind) else {
        return;
    };
    let version = Version::of_built_in(Schema::of_custom_resource(schema.schema()), false);
    let kinds = crate::apply::Kind::with_version(&api_version, version);
    let manager = manager_of_request(call.query.get("fieldManager"), &call.user_agent);
    FieldManager::new(&kinds, &api_version, &kind, "").update(None, review, &manager, &state.clock.text());
}

fn answer(state: &State, user: &User, mut review: Value) -> Answer {
    let text = |key: &str| {
        review
            .pointer(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let allowed = if review.pointer("/spec/resourceAttributes").is_some() {
        let part = |key: &str| text(&format!("/spec/resourceAttributes/{key}"));
        state.access.allows(
            &state.store,
            user,
            &kgen_access::Asked {
                verb: part("verb"),
                group: part("group"),
                resource: match part("subresource").as_str() {
                    "" => part("resource"),
                    subresource => format!("{}/{subresource}", part("resource")),
                },
                namespace: part("namespace"),
                name: part("name"),
            },
        )
    } else {
        true
    };
    let mut status = json!({"allowed": allowed});
    if allowed {
        status["reason"] = json!("");
        crate::kind::remove(&mut status, "reason");
    }
    review["status"] = status;
    if review.get("metadata").is_none() {
        review["metadata"] = json!({});
    }
    Answer::json(201, review)
}
