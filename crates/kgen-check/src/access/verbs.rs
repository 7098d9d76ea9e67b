//! The verbs of Kubernetes. A role may name any verb, but one that nobody ever asks for grants nothing: the warning
//! finds slips such as `lst`, and verbs of HTTP where verbs of the API belong.

use kgen_diagnostics::{Code, Problem, Spanned};

use crate::words;

/// Stands for all verbs.
const ALL: &str = "*";

/// Verbs of requests to resources.
const OF_RESOURCES: &[&str] = &[
    "create",
    "delete",
    "deletecollection",
    "get",
    "list",
    "patch",
    "update",
    "watch",
];

/// Verbs that Kubernetes asks for beside requests, each on resources of its own: certificates and their signers,
/// roles, users, and so on. `proxy` is an old verb that existing roles still grant.
const SPECIAL: &[&str] = &[
    "approve",
    "attest",
    "bind",
    "escalate",
    "impersonate",
    "proxy",
    "request-serviceaccounts-token-audience",
    "sign",
    "unsafe-delete-ignore-read-errors",
    "use",
];

/// Beginnings of verbs that carry a second word, such as `impersonate:user-info`.
const SPECIAL_BEGINNINGS: &[&str] = &[
    "arbitrary-node:",
    "associated-node:",
    "impersonate:",
    "impersonate-on:",
];

/// Verbs of requests to addresses that are no resources: the methods of HTTP, in lower case.
const OF_URLS: &[&str] = &["delete", "get", "head", "options", "patch", "post", "put"];

/// What a method of HTTP is called in a request to a resource.
const METHODS_AS_VERBS: &[(&str, &str)] = &[("head", "get"), ("post", "create"), ("put", "update")];

/// What a request to a resource is called at an address.
const VERBS_AS_METHODS: &[(&str, &str)] = &[
    ("create", "post"),
    ("deletecollection", "delete"),
    ("list", "get"),
    ("update", "put"),
    ("watch", "get"),
];

/// The warning about a verb that no request to a resource, or to an address, ever has.
pub(super) fn check(verb: &Spanned<String>, for_urls: bool) -> Option<Problem> {
    let word = verb.value.as_str();
    let special = SPECIAL.contains(&word)
        || SPECIAL_BEGINNINGS
            .iter()
            .any(|beginning| word.starts_with(beginning));
    let (known, others, translations) = match for_urls {
        true => (OF_URLS, &[][..], VERBS_AS_METHODS),
        false => (OF_RESOURCES, SPECIAL, METHODS_AS_VERBS),
    };
    if word == ALL || known.contains(&word) || (special && !for_urls) {
        return None;
    }
    let lower_case = word.to_lowercase();
    let translated = translations
        .iter()
        .find(|(from, _)| *from == lower_case)
        .map(|(_, to)| *to);
    let candidates: Vec<&str> = known.iter().chain(others).copied().collect();
    let label = match translated {
        Some(translated) => format!("did you mean `{translated}`?"),
        None => words::did_you_mean(word, &candidates),
    };
    let (message, help) = match for_urls {
        true => (
            "no verb of requests to `urls`",
            format!("`urls` know the verbs {}", words::all_of(known)),
        ),
        false => (
            "no verb of the Kubernetes API",
            format!("resources know the verbs {}", words::all_of(known)),
        ),
    };
    let help = match word.split(';').map(str::trim).collect::<Vec<_>>().as_slice() {
        [] | [_] => help,
        several => format!("quotes make one verb of it: write `{}`", several.join(";")),
    };
    Some(
        Problem::warning(Code::RbacVerb, verb.span, format!("`{word}` is {message}"))
            .label(label)
            .help(help),
    )
}
