//! The managed fields of every write, and server-side apply: the one place where the verbs ask for them.

use serde_json::Value;

use super::Request;
use crate::meta;
use crate::state::State;
use crate::status::Failure;

/// The result of an apply patch.
pub(super) struct Applied {
    /// The merged object, before it is defaulted.
    pub(super) object: Value,
    /// Its managed fields.
    pub(super) managed: Value,
}

/// Updates the managed fields of an object that a create, an update or a patch wrote.
pub(super) fn written(
    _state: &State,
    _request: &Request<'_>,
    _old: Option<&Value>,
    object: &mut Value,
) -> Result<(), Failure> {
    meta::unset(object, "managedFields");
    Ok(())
}

/// Applies the configuration in the body to the current object.
pub(super) fn applied(
    _state: &State,
    _request: &Request<'_>,
    _old: Option<&Value>,
) -> Result<Applied, Failure> {
    Err(Failure::not_implemented("server-side apply"))
}
