//! Reading one object.

use super::{Answer, Content, Request};
use crate::state::State;
use crate::status::Failure;

pub(super) fn get(state: &State, request: &Request<'_>) -> Result<Answer, Failure> {
    if let Some(text) = request
        .call
        .query
        .get("resourceVersion")
        .filter(|text| !text.is_empty())
    {
        let Ok(version) = text.parse::<u64>() else {
            return Err(Failure::internal(format!(
                "resourceVersion: Invalid value: \"{text}\": strconv.ParseUint: parsing \"{text}\": invalid syntax"
            )));
        };
        if version > state.store.revision() {
            return Err(Failure::too_large_version(version, state.store.revision()));
        }
    }
    let stored = state.store.get(&request.kind.resource, &request.key());
    let stored = stored.ok_or_else(|| request.not_found())?;
    let object = request.kind.view(stored, request.version())?;
    Ok(Answer {
        code: 200,
        content: Content::Object {
            object,
            shown: request.shown(false),
        },
        warnings: Vec::new(),
    })
}
