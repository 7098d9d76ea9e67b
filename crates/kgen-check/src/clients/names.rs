//! The names of kinds and groups in generated Rust, and their conflicts.

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{KindVersion, Resource, Scope, Verb, rust_names};

use super::Kind;

/// A kind with its names and verbs, whether its Rust type was described or not.
#[derive(Debug)]
pub(super) struct Named<'a> {
    resource: &'a Resource,
    pub(super) version: &'a KindVersion,
    stem: String,
    client_type: String,
    accessor: String,
    verbs: BTreeSet<Verb>,
}

impl<'a> Named<'a> {
    pub(super) fn new(resource: &'a Resource, version: &'a KindVersion, verbs: BTreeSet<Verb>) -> Self {
        let plural = &resource.names.plural;
        Self {
            resource,
            version,
            stem: rust_names::snake(&version.kind),
            client_type: rust_names::client_type(&version.kind, plural),
            accessor: rust_names::client_accessor(&version.kind, plural),
            verbs,
        }
    }

    /// Returns `None` if the Rust type was not described, because no Rust is generated.
    pub(super) fn into_kind(self) -> Option<Kind<'a>> {
        Some(Kind {
            resource: self.resource,
            version: self.version,
            rust: self.version.rust.as_ref()?,
            stem: self.stem,
            client_type: self.client_type,
            accessor: self.accessor,
            verbs: self.verbs,
        })
    }

    /// Returns the names that the code of this kind takes in the module of its group and version.
    fn claims(&self) -> Vec<String> {
        let mut claims = vec![format!("module {}", self.stem)];
        if self.version.client.wanted.is_none() {
            return claims;
        }
        claims.push(format!("struct {}", self.client_type));
        claims.push(format!("fn {}", self.accessor));
        if self.resource.scope == Scope::Namespaced {
            claims.push(format!("struct All{}", self.client_type));
            claims.push(format!("fn all_{}", self.accessor));
        }
        claims.extend(
            ["Lister", "NamespaceLister", "Informer"]
                .map(|what| format!("struct {}{what}", self.version.kind)),
        );
        claims
    }
}

/// Returns the name of a group in accessors: the one that a marker gives, or its first part.
pub(super) fn of_group(group: &str, marked: Option<&str>) -> String {
    match marked {
        Some(name) => rust_names::snake(name),
        None => rust_names::group(group),
    }
}

/// Reports a group and version whose module another one has already taken.
pub(super) fn check_group(
    module: &str,
    kinds: &[Named<'_>],
    taken: &mut BTreeMap<String, Span>,
    problems: &mut Problems,
) {
    let Some(span) = kinds.first().map(|kind| kind.version.group_span) else {
        return;
    };
    let Some(first) = taken.get(module) else {
        taken.insert(module.to_owned(), span);
        return;
    };
    problems.push(
        Problem::error(
            Code::ClientName,
            span,
            format!("two groups would have the same name `{module}` in Rust"),
        )
        .related(*first, "the first one")
        .help("give one of them another name with `//! +groupGoName=…` at the top of its module"),
    );
}

/// Reports kinds of one group and version whose Rust names are the same.
pub(super) fn check_kinds(kinds: &[Named<'_>], problems: &mut Problems) {
    let mut taken: BTreeMap<String, (Span, &str)> = BTreeMap::new();
    for kind in kinds {
        let (span, name) = (kind.version.span, kind.version.kind.as_str());
        let claims = kind.claims();
        let clash = claims
            .iter()
            .find_map(|claim| taken.get(claim).map(|known| (claim, *known)));
        if let Some((claim, (first, other))) = clash {
            problems.push(
                Problem::error(
                    Code::ClientName,
                    span,
                    format!("`{name}` and `{other}` would both generate the Rust item `{claim}`"),
                )
                .related(first, "the first one")
                .help("give one of them another plural with `+kubebuilder:resource:path=…`, or another kind"),
            );
            continue;
        }
        for claim in claims {
            taken.insert(claim, (span, name));
        }
    }
}
