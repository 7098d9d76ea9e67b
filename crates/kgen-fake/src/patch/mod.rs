//! JSON patches, merge patches and strategic merge patches, as functions on JSON.

mod json;
mod merge;
mod strategic;

pub(crate) use json::{JsonPatchError, apply as apply_json};
pub(crate) use merge::apply as apply_merge;
pub(crate) use strategic::apply as apply_strategic;
