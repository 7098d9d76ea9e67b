//! The verbs of Kubernetes. A role may name any verb, but a verb that is never requested grants nothing. The warning
//! finds typos such as `lst`, and HTTP methods that are used instead of verbs of the API.

use kgen_diagnostics::{Code, Fix, Problem, Spanned, words};

use crate::text;

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

/// Verbs that Kubernetes checks in addition to requests, each for its own resources: certificates and their signers,
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

/// Verbs of requests to non-resource URLs: the HTTP methods, in lower case.
const OF_URLS: &[&str] = &["delete", "get", "head", "options", "patch", "post", "put"];

/// The verb of an HTTP method in a request to a resource.
const METHODS_AS_VERBS: &[(&str, &str)] = &[("head", "get"), ("post", "create"), ("put", "update")];

/// The HTTP method of a request to a resource.
const VERBS_AS_METHODS: &[(&str, &str)] = &[
    ("create", "post"),
    ("deletecollection", "delete"),
    ("list", "get"),
    ("update", "put"),
    ("watch", "get"),
];

/// Returns the warning about a verb that no request to a resource, or to an address, ever has.
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
    let fix = match translated {
        // A request has another word, but perhaps another permission is meant.
        Some(translated) => Some(
            Fix::word(verb.span, translated)
                .only_for(word)
                .asked()
                .uncertain(),
        ),
        None => text::meant(verb.span, word, candidates.iter().copied()),
    };
    let (message, help) = match for_urls {
        true => (
            "not a verb of requests to `urls`",
            format!("use one of the verbs {}", words::all_of(known.iter().copied())),
        ),
        false => (
            "not a verb of the Kubernetes API",
            format!("use one of the verbs {}", words::all_of(known.iter().copied())),
        ),
    };
    let verbs: Vec<&str> = word.split(';').map(str::trim).collect();
    let (help, fix) = match verbs.as_slice() {
        [] | [_] => (help, fix),
        several => {
            let list = several.join(";");
            let without_quotes = Fix::replace(verb.span, list.clone()).only_for(format!("\"{word}\""));
            (
                format!("write `{list}` without quotes, which make it a single verb"),
                Some(fix.unwrap_or(without_quotes)),
            )
        }
    };
    let problem = Problem::warning(Code::RbacVerb, verb.span, format!("`{word}` is {message}")).help(help);
    Some(match fix {
        Some(fix) => problem.with_fix(fix),
        None => problem,
    })
}
