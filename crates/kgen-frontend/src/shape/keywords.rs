//! Words of `#[serde(…)]` and `#[kube(…)]` that are typos of known ones. Their derives reject them when the program is
//! compiled; kgen reads programs that do not compile yet, and must not ignore a word that changes the schema.

use kgen_diagnostics::{Code, Fix, Problem, Problems, nearest};

use crate::declare::Meta;

/// Every word of `#[serde(…)]`, on any node.
const SERDE: &[&str] = &[
    "alias",
    "borrow",
    "bound",
    "content",
    "crate",
    "default",
    "deny_unknown_fields",
    "deserialize_with",
    "expecting",
    "field_identifier",
    "flatten",
    "from",
    "getter",
    "into",
    "other",
    "remote",
    "rename",
    "rename_all",
    "rename_all_fields",
    "serialize_with",
    "skip",
    "skip_deserializing",
    "skip_serializing",
    "skip_serializing_if",
    "tag",
    "transparent",
    "try_from",
    "untagged",
    "variant_identifier",
    "with",
];

/// Words up to this length are too short to detect typos.
const SHORT: usize = 4;

/// Reports typos in `#[serde(…)]`.
pub(crate) fn check_serde(metas: &[Meta], problems: &mut Problems) {
    check_words(metas, "serde", SERDE.iter().copied(), problems);
}

/// Reports words of an attribute that are typos of known ones.
pub(super) fn check_words(
    metas: &[Meta],
    attribute: &str,
    known: impl Iterator<Item = &'static str> + Clone,
    problems: &mut Problems,
) {
    for meta in metas
        .iter()
        .filter(|meta| !known.clone().any(|word| word == meta.name))
    {
        // Other crates read these attributes too, and have words that kgen does not know. Most short words are similar
        // to one.
        let long = known.clone().filter(|word| word.len() > SHORT);
        if let Some(near) = nearest(&meta.name, long) {
            problems.push(
                Problem::error(
                    Code::InvalidAttribute,
                    meta.name_span,
                    format!("`#[{attribute}(…)]` does not have `{}`", meta.name),
                )
                // The crates may have added the word since.
                .with_fix(Fix::near(meta.name_span, near).uncertain()),
            );
        }
    }
}
