//! The verbs of the client of a kind, and the markers that contradict their kind.

use std::collections::BTreeSet;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{ClientMethod, KindVersion, Resource, Scope, Verb, rust_names};

use crate::Part;

const STATUS: [Verb; 2] = [Verb::UpdateStatus, Verb::ApplyStatus];
const READING: [Verb; 3] = [Verb::Get, Verb::List, Verb::Watch];

/// The verbs that a lister needs.
pub(super) const LISTER: [Verb; 2] = [Verb::List, Verb::Get];
/// The verbs that an informer needs, without the verbs of its lister.
pub(super) const INFORMER: [Verb; 2] = [Verb::List, Verb::Watch];

/// Returns the verbs of a client.
pub(super) fn of(
    resource: &Resource,
    version: &KindVersion,
    parts: &[Part],
    problems: &mut Problems,
) -> BTreeSet<Verb> {
    let client = &version.client;
    check_scope(resource, version, problems);
    check_resource_name(resource, version, problems);
    check_status(version, problems);
    let mut verbs: BTreeSet<Verb> = if client.no_verbs.is_some() {
        BTreeSet::new()
    } else {
        match (&client.only_verbs, client.read_only) {
            (Some(only), read_only) => {
                let more = read_only.map_or(&[][..], |_| &READING);
                only.value.iter().chain(more).copied().collect()
            }
            (None, Some(_)) => READING.into_iter().collect(),
            (None, None) => Verb::ALL.iter().copied().collect(),
        }
    };
    if let Some(skipped) = &client.skip_verbs {
        verbs.retain(|verb| !skipped.value.contains(verb));
    }
    if version.status_subresource.is_none() || client.no_status.is_some() {
        verbs.retain(|verb| !STATUS.contains(verb));
    }
    check_methods(version, &verbs, problems);
    if parts.contains(&Part::Listers) {
        check_both(version, "lister", LISTER, &verbs, problems);
    }
    if parts.contains(&Part::Informers) {
        check_both(version, "informer", INFORMER, &verbs, problems);
    }
    verbs
}

fn marker(span: Span, message: impl Into<String>) -> Problem {
    Problem::error(Code::ClientMarker, span, message)
}

fn check_scope(resource: &Resource, version: &KindVersion, problems: &mut Problems) {
    if let (Some(span), Scope::Namespaced) = (version.client.non_namespaced, resource.scope) {
        let stated = resource
            .versions
            .iter()
            .find_map(|version| version.scope.as_ref())
            .map_or(version.span, |scope| scope.span);
        problems.push(
            marker(
                span,
                format!("`{}` is namespaced, but its client is not", version.kind),
            )
            .related(stated, "the scope of the kind")
            .help("write `+kubebuilder:resource:scope=Cluster`, or remove this marker"),
        );
    }
}

fn check_resource_name(resource: &Resource, version: &KindVersion, problems: &mut Problems) {
    let Some(name) = &version.client.resource_name else {
        return;
    };
    let plural = &resource.names.plural;
    if name.value != *plural {
        problems.push(
            marker(
                name.span,
                format!(
                    "the plural of `{}` is `{plural}` in the CRD, but `{}` in the client",
                    version.kind, name.value
                ),
            )
            .help(format!(
                "write `+kubebuilder:resource:path={}`, which applies to both",
                name.value
            )),
        );
    }
}

fn check_status(version: &KindVersion, problems: &mut Problems) {
    let client = &version.client;
    let has_field = version.schema.properties.contains_key("status");
    if let (Some(span), false, None) = (version.status_subresource, has_field, client.no_status) {
        problems.push(
            marker(
                span,
                format!(
                    "`{}` has the status subresource, but no field `status`",
                    version.kind
                ),
            )
            .related(version.span, "this kind")
            .help("add `pub status: Option<…>`, or remove the subresource"),
        );
    }
    let Some(only) = &client.only_verbs else { return };
    for verb in only.value.iter().filter(|verb| STATUS.contains(verb)) {
        let word = verb.word();
        if version.status_subresource.is_none() {
            problems.push(
                marker(
                    only.span,
                    format!(
                        "`{}` does not have the subresource that `{word}` needs",
                        version.kind
                    ),
                )
                .related(version.span, "this kind")
                .help(format!(
                    "add `+kubebuilder:subresource:status`, or remove `{word}`"
                )),
            );
        }
    }
}

/// Checks the methods that verbs bring. Two methods of one name are reported with the markers.
fn check_methods(version: &KindVersion, verbs: &BTreeSet<Verb>, problems: &mut Problems) {
    let taken = method_names(version, verbs);
    for method in &version.client.methods {
        check_subresource(version, method, problems);
        let name = rust_names::snake(&method.name);
        if taken.contains(&name.as_str()) {
            problems.push(
                marker(
                    method.span,
                    format!("the client of `{}` already has a method `{name}`", version.kind),
                )
                .help("rename it, or remove the verb of that name with `+genclient:skipVerbs`"),
            );
        }
    }
}

/// Definitions have two subresources, and a method can only address those that are there. A server of one's own has
/// others, so unknown names pass.
fn check_subresource(version: &KindVersion, method: &ClientMethod, problems: &mut Problems) {
    let subresource = method.subresource.as_deref();
    let missing = match subresource {
        Some("status") => version.status_subresource.is_none(),
        Some("scale") => version.scale.is_none(),
        _ => false,
    };
    if let (true, Some(name)) = (missing, subresource) {
        problems.push(
            marker(
                method.span,
                format!("`{}` has no subresource `{name}`", version.kind),
            )
            .related(version.span, "this kind")
            .help(format!(
                "add `+kubebuilder:subresource:{name}`, or remove the method"
            )),
        );
    }
    let of_its_own = method.input.is_some() || method.result.is_some();
    if subresource.is_none() && of_its_own && matches!(method.verb, Verb::Create | Verb::List) {
        problems.push(
            marker(
                method.span,
                format!("`{}` with other types needs a subresource", method.verb.word()),
            )
            .help("add `subresource=…`, or remove `input` and `result`"),
        );
    }
}

/// Returns the methods that the client has without markers of its own.
fn method_names(version: &KindVersion, verbs: &BTreeSet<Verb>) -> Vec<&'static str> {
    let mut names = vec!["as_api", "with_options", "new"];
    for verb in verbs {
        names.extend(match verb {
            Verb::Create => &["create"][..],
            Verb::Update => &["update"],
            Verb::UpdateStatus => &["update_status"],
            Verb::Delete => &["delete"],
            Verb::DeleteCollection => &["delete_collection"],
            Verb::Get => &["get", "get_opt"],
            Verb::List => &["list"],
            Verb::Watch => &["watch"],
            Verb::Patch => &["patch"],
            Verb::Apply => &["apply"],
            Verb::ApplyStatus => &["apply_status"],
        });
    }
    if version.scale.is_some() {
        for (verb, name) in [
            (Verb::Get, "get_scale"),
            (Verb::Update, "update_scale"),
            (Verb::Patch, "patch_scale"),
        ] {
            if verbs.contains(&verb) {
                names.push(name);
            }
        }
    }
    names
}

/// Reports a kind that has only one of two required verbs. To have neither is a decision.
fn check_both(
    version: &KindVersion,
    what: &str,
    needed: [Verb; 2],
    verbs: &BTreeSet<Verb>,
    problems: &mut Problems,
) {
    let missing: Vec<Verb> = needed.into_iter().filter(|verb| !verbs.contains(verb)).collect();
    let [missing] = missing.as_slice() else {
        return;
    };
    let [first, second] = needed.map(Verb::word);
    let (name, word) = (&version.kind, missing.word());
    problems.push(
        marker(
            taken_away(version, *missing),
            format!("the {what} of `{name}` needs `{first}` and `{second}`, but `{word}` is missing"),
        )
        .related(version.span, "this kind")
        .help(format!(
            "add `{word}` to its verbs, or remove both `{first}` and `{second}` to have no {what}"
        )),
    );
}

/// Returns the place where a verb was taken away from a client.
fn taken_away(version: &KindVersion, verb: Verb) -> Span {
    let client = &version.client;
    let skipped = client
        .skip_verbs
        .as_ref()
        .filter(|skipped| skipped.value.contains(&verb))
        .map(|skipped| skipped.span);
    skipped
        .or(client.only_verbs.as_ref().map(|only| only.span))
        .or(client.no_verbs)
        .or(client.wanted)
        .unwrap_or(version.span)
}
