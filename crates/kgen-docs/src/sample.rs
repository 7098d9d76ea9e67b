//! Sample objects of the kinds of an API.

use kgen_generators::crd::{CrdOptions, definition};
use kgen_model::Resource;
use kgen_sample::Judge;

/// Returns the judge of the CRD of a kind.
pub(crate) fn judge(resource: &Resource) -> Judge {
    let options = CrdOptions {
        max_description_length: Some(0),
        ..CrdOptions::default()
    };
    Judge::of(&definition(resource, &options, None))
}
