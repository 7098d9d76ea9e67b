//! Names that two resources of a group both use: the API server accepts only the first.

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{Api, Resource};

use super::written_versions;

/// Who claimed a name first.
struct Claim<'a> {
    kind: &'a str,
    what: &'static str,
    span: Span,
}

/// Resources of one group share two namespaces: one for plurals, singulars and short names, and one for kinds and list
/// kinds.
pub(super) fn check(api: &Api, problems: &mut Problems) {
    let mut claims = BTreeMap::new();
    for (position, resource) in api.resources.iter().enumerate() {
        check_versions(resource, problems);
        let Some(span) = written_versions(resource).next().map(|version| version.span) else {
            continue;
        };
        for (space, what, name) in claimed_names(resource) {
            let key = (resource.group.as_str(), space, name);
            let (owner, first) = claims.entry(key).or_insert_with(|| {
                (
                    position,
                    Claim {
                        kind: &resource.kind,
                        what,
                        span,
                    },
                )
            });
            if *owner != position {
                problems.push(clash(resource, what, name, span, first));
                // Two resources that share one name usually share others too; one problem is enough.
                break;
            }
        }
    }
}

fn claimed_names(resource: &Resource) -> impl Iterator<Item = (u8, &'static str, &str)> {
    let names = &resource.names;
    let kinds = [
        (0, "kind", resource.kind.as_str()),
        (0, "kind of lists", names.list_kind.as_str()),
    ];
    let words = [
        (1, "plural", names.plural.as_str()),
        (1, "singular", names.singular.as_str()),
    ];
    let short = names
        .short_names
        .iter()
        .map(|name| (1, "short name", name.as_str()));
    kinds
        .into_iter()
        .chain(words)
        .chain(short)
        .filter(|(_, _, name)| !name.is_empty())
}

fn clash(resource: &Resource, what: &str, name: &str, span: Span, first: &Claim<'_>) -> Problem {
    let Claim {
        kind,
        what: first_what,
        ..
    } = first;
    let message = if *kind == resource.kind && what == "kind" {
        format!(
            "the kind `{kind}` is declared twice in the group `{}`",
            resource.group
        )
    } else {
        format!(
            "`{name}` is the {what} of `{}`, but already the {first_what} of `{kind}` in the group `{}`",
            resource.kind, resource.group
        )
    };
    Problem::error(Code::DuplicateKind, span, message)
        .help("change the name with `path`, `singular` or `shortName` of `+kubebuilder:resource`")
        .related(first.span, format!("`{kind}` is declared here"))
}

/// Checks that no version of a kind is declared twice.
fn check_versions(resource: &Resource, problems: &mut Problems) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for version in written_versions(resource) {
        if let Some(first) = seen.get(version.version.as_str()) {
            let message = format!(
                "`{}` is declared twice in version `{}`",
                resource.kind, version.version
            );
            problems.push(
                Problem::error(Code::DuplicateKind, version.span, message)
                    .related(*first, "the first one".to_owned()),
            );
        } else {
            seen.insert(&version.version, version.span);
        }
    }
}
