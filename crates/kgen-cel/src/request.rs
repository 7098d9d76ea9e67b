//! The type of `request` in match conditions of webhooks.
//!
//! Mirrors `BuildRequestType` of the API server. The names of kinds and resources are maps here, because two of them
//! have the same type and can be compared.

use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use crate::declared::Declared;
use crate::openapi::OpenApi;

static REQUEST: LazyLock<Json> = LazyLock::new(|| {
    let text = json!({"type": "string"});
    let texts = json!({"type": "array", "items": text});
    let names = json!({"type": "object", "additionalProperties": text});
    json!({
        "type": "object",
        "properties": {
            "kind": names,
            "resource": names,
            "subResource": text,
            "requestKind": names,
            "requestResource": names,
            "requestSubResource": text,
            "name": text,
            "namespace": text,
            "operation": text,
            "userInfo": {
                "type": "object",
                "properties": {
                    "username": text,
                    "uid": text,
                    "groups": texts,
                    "extra": {"type": "object", "additionalProperties": texts},
                },
            },
            "dryRun": {"type": "boolean"},
            // The options can be anything.
            "options": {"x-kubernetes-int-or-string": true},
        },
    })
});

pub(crate) fn declared() -> Declared<OpenApi<'static>> {
    Declared::Value(OpenApi::new(&REQUEST))
}
