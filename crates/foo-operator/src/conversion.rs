//! The conversion between the versions of Foo. kgen generates its table; the translations below are the part that the types
//! cannot tell.

use kgen_runtime::conversion::Conversion;

use crate::generated::conversion::{FooConversion, foo};

/// Returns the conversion between all versions, which every replica serves at `/convert`.
pub fn conversion() -> Conversion {
    foo::<Rules>()
}

// ANCHOR: rules
/// The translations between `image` of `v1alpha1` and `repository` and `tag` of `v1`.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl FooConversion for Rules {
    fn v1_foo_spec_repository_tag(image: String) -> (Option<String>, Option<String>) {
        // The colon in `localhost:5000/nginx` is not that of a tag.
        match image.rsplit_once(':') {
            Some((repository, tag)) if !tag.contains('/') => {
                (Some(repository.to_owned()), Some(tag.to_owned()))
            }
            _ => (Some(image), None),
        }
    }

    fn v1alpha1_foo_spec_image(repository: Option<String>, tag: Option<String>) -> Option<String> {
        match (repository, tag) {
            (None, None) => None,
            (Some(repository), None) => Some(repository),
            (repository, Some(tag)) => Some(format!("{}:{tag}", repository.as_deref().unwrap_or("nginx"))),
        }
    }
}
// ANCHOR_END: rules
