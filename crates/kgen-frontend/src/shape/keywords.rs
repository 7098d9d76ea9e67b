//! Words of `#[serde(…)]` and `#[kube(…)]` that are slips of known ones. Their derives refuse them when the program is
//! compiled; kgen reads programs that do not compile yet, and must not pass over what changes the schema.

use kgen_diagnostics::{Code, Fix, Problem, Problems, nearest};

use crate::declare::Meta;

/// Every word of `#[serde(…)]`, wherever it may stand.
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

/// Every word of `#[kube(…)]`, those of older versions included.
const KUBE: &[&str] = &[
    "annotation",
    "apiextensions",
    "attr",
    "category",
    "cel",
    "crates",
    "deprecated",
    "derive",
    "doc",
    "group",
    "kind",
    "label",
    "namespaced",
    "no_spec",
    "plural",
    "printcolumn",
    "root",
    "rule",
    "scale",
    "schema",
    "selectable",
    "served",
    "shortname",
    "singular",
    "status",
    "storage",
    "struct",
    "validation",
    "version",
];

/// Words up to this length are too short for their slips to be told.
const SHORT: usize = 4;

/// Reports slips in `#[serde(…)]`.
pub(crate) fn check_serde(metas: &[Meta], problems: &mut Problems) {
    check(metas, "serde", SERDE, problems);
}

/// Reports slips in `#[kube(…)]`.
pub(crate) fn check_kube(metas: &[Meta], problems: &mut Problems) {
    check(metas, "kube", KUBE, problems);
}

fn check(metas: &[Meta], attribute: &str, known: &[&str], problems: &mut Problems) {
    for meta in metas.iter().filter(|meta| !known.contains(&meta.name.as_str())) {
        // Other crates read these attributes too, and know words that kgen does not. Most short words are near to one.
        let long = known.iter().copied().filter(|word| word.len() > SHORT);
        if let Some(near) = nearest(&meta.name, long) {
            problems.push(
                Problem::error(
                    Code::InvalidAttribute,
                    meta.name_span,
                    format!("`#[{attribute}(…)]` does not have `{}`", meta.name),
                )
                // The crates may have learned the word since.
                .with_fix(Fix::near(meta.name_span, near).uncertain()),
            );
        }
    }
}
