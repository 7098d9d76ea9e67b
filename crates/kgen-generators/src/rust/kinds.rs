//! The kinds that typed Rust is written for, by group and version, with the names and verbs that each of them gets.
//!
//! Everything that markers, the type and the definition say differently is reported here, before a line is written.

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{Api, KindVersion, Resource, RustKind, Scope, Verb};

use super::{names, verbs};

/// A group and version with its kinds.
#[derive(Debug)]
pub(super) struct GroupVersion<'a> {
    /// Such as `example.com/v1alpha1`, or `v1` for the core group.
    pub(super) api_version: String,
    /// The module and the accessor: `example_v1alpha1`.
    pub(super) module: String,
    /// The type of its clients: `ExampleV1alpha1`.
    pub(super) type_name: String,
    /// Its kinds, by name.
    pub(super) kinds: Vec<Kind<'a>>,
}

/// One version of a kind.
#[derive(Debug)]
pub(super) struct Kind<'a> {
    pub(super) resource: &'a Resource,
    pub(super) version: &'a KindVersion,
    pub(super) rust: &'a RustKind,
    /// How its files start: `http_route`.
    pub(super) stem: String,
    /// The type of its clients: `HTTPRoutes`.
    pub(super) plural_type: String,
    /// The accessor of its clients: `http_routes`.
    pub(super) accessor: String,
    /// The verbs that the client has.
    pub(super) verbs: BTreeSet<Verb>,
}

impl Kind<'_> {
    /// The name of the kind.
    pub(super) fn name(&self) -> &str {
        &self.version.kind
    }

    /// Such as `foos.example.com/v1alpha1`.
    pub(super) fn title(&self) -> String {
        let group = if self.version.group.is_empty() {
            String::new()
        } else {
            format!(".{}", self.version.group)
        };
        format!("{}{group}/{}", self.resource.names.plural, self.version.version)
    }

    pub(super) fn is_namespaced(&self) -> bool {
        self.resource.scope == Scope::Namespaced
    }

    pub(super) fn has(&self, verb: Verb) -> bool {
        self.verbs.contains(&verb)
    }
}

/// All kinds, whether they ask for a client or not.
pub(super) fn all<'a>(api: &'a Api, problems: &mut Problems) -> Vec<GroupVersion<'a>> {
    gather(api, false, problems)
}

/// The kinds that ask for a client.
pub(super) fn with_client<'a>(api: &'a Api, problems: &mut Problems) -> Vec<GroupVersion<'a>> {
    gather(api, true, problems)
}

fn gather<'a>(api: &'a Api, clients: bool, problems: &mut Problems) -> Vec<GroupVersion<'a>> {
    let mut groups: BTreeMap<(&str, &str), Vec<Kind<'a>>> = BTreeMap::new();
    for resource in &api.resources {
        for version in &resource.versions {
            let Some(rust) = &version.rust else { continue };
            if clients && version.client.wanted.is_none() {
                continue;
            }
            let verbs = if clients {
                verbs::of(resource, version, problems)
            } else {
                BTreeSet::new()
            };
            let plural_type = names::plural(&version.kind, &resource.names.plural);
            groups
                .entry((&version.group, &version.version))
                .or_default()
                .push(Kind {
                    resource,
                    version,
                    rust,
                    stem: names::snake(&version.kind),
                    accessor: names::free(&names::snake(&plural_type)),
                    plural_type: names::free(&plural_type),
                    verbs,
                });
        }
    }
    let mut found: Vec<GroupVersion<'a>> = Vec::new();
    for ((group, version), mut kinds) in groups {
        kinds.sort_by(|left, right| left.version.kind.cmp(&right.version.kind));
        let name = group_name(group, &kinds);
        let module = names::free(&names::snake(&format!("{name}_{version}")));
        check_names(&kinds, problems);
        if let Some(other) = found.iter().find(|other| other.module == module) {
            report_group(&module, other, &kinds, problems);
        }
        let api_version = if group.is_empty() {
            version.to_owned()
        } else {
            format!("{group}/{version}")
        };
        found.push(GroupVersion {
            api_version,
            type_name: names::pascal(&module),
            module,
            kinds,
        });
    }
    found.sort_by(|left, right| left.module.cmp(&right.module));
    found
}

/// What accessors call a group: what a marker says, or its first part.
fn group_name(group: &str, kinds: &[Kind<'_>]) -> String {
    let marked = kinds
        .iter()
        .find_map(|kind| kind.version.client.group_name.as_ref());
    match marked {
        Some(name) => names::snake(&name.value),
        None if group.is_empty() => "core".to_owned(),
        None => names::snake(group.split('.').next().unwrap_or(group)),
    }
}

fn report_group(module: &str, other: &GroupVersion<'_>, kinds: &[Kind<'_>], problems: &mut Problems) {
    let place = |kinds: &[Kind<'_>]| kinds.first().map(|kind| kind.version.group_span);
    if let (Some(span), Some(first)) = (place(kinds), place(&other.kinds)) {
        problems.push(
            Problem::error(
                Code::ClientName,
                span,
                format!("two groups would both be called `{module}` in Rust"),
            )
            .related(first, "the first one")
            .help("give one of them a name of its own with `//! +groupGoName=…` at the head of its module"),
        );
    }
}

/// Reports kinds of one group and version whose Rust names are the same.
fn check_names(kinds: &[Kind<'_>], problems: &mut Problems) {
    let mut taken: BTreeMap<String, (Span, &str)> = BTreeMap::new();
    for kind in kinds {
        let span = kind.version.span;
        let mut claims = vec![
            format!("module {}", kind.stem),
            format!("struct {}", kind.plural_type),
            format!("fn {}", kind.accessor),
        ];
        if kind.is_namespaced() {
            claims.push(format!("struct All{}", kind.plural_type));
            claims.push(format!("fn all_{}", kind.accessor));
        }
        claims.extend(
            ["Lister", "NamespaceLister", "Informer"].map(|what| format!("struct {}{what}", kind.name())),
        );
        let clash = claims
            .iter()
            .find_map(|claim| taken.get(claim).map(|known| (claim, *known)));
        if let Some((claim, (first, other))) = clash {
            problems.push(
                Problem::error(
                    Code::ClientName,
                    span,
                    format!(
                        "`{}` and `{other}` would both have a `{claim}` in Rust",
                        kind.name()
                    ),
                )
                .related(first, "the first one")
                .help("give one of them another plural with `+kubebuilder:resource:path=…`, or another kind"),
            );
            continue;
        }
        for claim in claims {
            taken.insert(claim, (span, kind.name()));
        }
    }
}
