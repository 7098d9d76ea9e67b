//! The kinds and webhooks of a project, as the generators see them.
//!
//! The front end reads the source, so that scaffolded names are the same as generated names. The model is complete only
//! if the source does not have errors, so errors stop the command.

use std::collections::BTreeSet;
use std::path::PathBuf;

use kgen_build::{Overlay, read_apis};
use kgen_diagnostics::{Code, Problem};
use kgen_model::{Api, KindVersion, Resource, Scope, Webhook};

use crate::draft::Refusal;
use crate::kind::Kind;
use crate::project::Found;
use crate::{names_in_code, version};

/// The kinds and webhooks in the source of a project.
pub(crate) struct Kinds {
    apis: Vec<Api>,
}

/// A version of a kind that the source declares.
pub(crate) struct Declared<'a> {
    resource: &'a Resource,
    pub(crate) version: &'a KindVersion,
}

impl Kinds {
    /// Reads the source of a project, and finds the module of the group of `kind`.
    ///
    /// It ignores the types of `kind` if the user allows the command to replace them, because they can be invalid.
    pub(crate) fn read(project: &Found, kind: &mut Kind, force: &[PathBuf]) -> Result<Self, Refusal> {
        let types = project.root.join(kind.types_file());
        let mut unsaved = Overlay::default();
        if force.iter().any(|force| project.root.join(force) == types) {
            unsaved.remove(types);
        }
        let mut configuration = project.configuration.clone();
        configuration.unsaved = unsaved;
        let apis = read_apis(&configuration).map_err(Refusal)?;
        let kinds = Self { apis };
        kinds.settle_group(kind, project);
        Ok(kinds)
    }

    /// Reads the whole source of a project.
    pub(crate) fn read_all(project: &Found) -> Result<Self, Refusal> {
        read_apis(&project.configuration)
            .map(|apis| Self { apis })
            .map_err(Refusal)
    }

    /// Returns all versions of all kinds.
    pub(crate) fn all(&self) -> impl Iterator<Item = Kind> {
        let resources = self.apis.iter().flat_map(|api| &api.resources);
        resources.flat_map(|resource| {
            resource.versions.iter().map(|version| Kind {
                group: resource.group.clone(),
                version: version.version.clone(),
                kind: resource.kind.clone(),
                plural: resource.names.plural.clone(),
                shorts: resource.names.short_names.clone(),
                cluster: resource.scope == Scope::Cluster,
                group_stem: group_module(version)
                    .map_or_else(|| names_in_code::group(&resource.group), str::to_owned),
            })
        })
    }

    /// Finds the module of the group of `kind`: the one that its kinds are in, or one that no other group has.
    fn settle_group(&self, kind: &mut Kind, project: &Found) {
        let resources = self.apis.iter().flat_map(|api| &api.resources);
        let modules = resources.flat_map(|resource| {
            let modules = resource.versions.iter().filter_map(group_module);
            modules.map(|module| (resource.group.as_str(), module))
        });
        let modules: BTreeSet<(&str, &str)> = modules.collect();
        let mut own = modules.iter().filter(|(group, _)| *group == kind.group);
        if let Some((_, first)) = own.clone().next() {
            // The author of the project can have added others.
            if !own.any(|(_, module)| *module == kind.group_stem) {
                (*first).clone_into(&mut kind.group_stem);
            }
            return;
        }
        let candidates = names_in_code::groups(&kind.group, &project.domain);
        let mut free = candidates
            .into_iter()
            .filter(|stem| modules.iter().all(|(_, module)| module != stem));
        if let Some(stem) = free.next() {
            kind.group_stem = stem;
        }
    }

    /// Returns whether a kind of another group has the same name.
    pub(crate) fn has_namesake(&self, kind: &Kind) -> bool {
        let mut resources = self.apis.iter().flat_map(|api| &api.resources);
        resources.any(|resource| resource.kind == kind.kind && resource.group != kind.group)
    }

    /// Returns the resource of a kind with all its versions, or `None` if the source does not declare it.
    pub(crate) fn resource(&self, kind: &Kind) -> Option<&Resource> {
        let mut resources = self.apis.iter().flat_map(|api| &api.resources);
        resources.find(|resource| resource.group == kind.group && resource.kind == kind.kind)
    }

    /// Returns a warning if the source declares a kind that another project defines, so that its CRD is generated.
    pub(crate) fn declared_foreign(&self, kind: &Kind) -> Option<Problem> {
        self.resource(kind)?;
        let message = format!(
            "the source declares `{}` of `{}`, so kgen generates its CRD, which belongs to another project",
            kind.kind, kind.group
        );
        let exclude = format!("exclude = [{:?}]", kind.kind);
        Some(
            Problem::general_warning(Code::Usage, message)
                .help(format!("add `{exclude}` to the first lines of `kgen.toml`"))
                .help("or move the types to a crate of their own"),
        )
    }

    /// Returns the version that `kind` names, or `None` if the source does not declare it.
    pub(crate) fn declared(&self, kind: &Kind) -> Option<Declared<'_>> {
        let resource = self.resource(kind)?;
        let mut versions = resource.versions.iter();
        let version = versions.find(|version| version.version == kind.version)?;
        Some(Declared { resource, version })
    }

    /// Returns the version whose types a new version of the kind starts with, or `None` if there is no other version.
    pub(crate) fn model(&self, kind: &Kind) -> Option<Declared<'_>> {
        let resource = self.resource(kind)?;
        let version = version::model(&resource.versions, &kind.version)?;
        Some(Declared { resource, version })
    }

    /// Returns the kinds that are declared in the module of a version of `kind`, in addition to `kind`.
    pub(crate) fn neighbors(&self, kind: &Kind) -> Vec<&str> {
        let module = kind.types_module();
        let resources = self.apis.iter().flat_map(|api| &api.resources);
        let versions = resources.flat_map(|resource| &resource.versions);
        versions
            .filter(|version| version.kind != kind.kind && is_in(&version.rust_path, &module))
            .map(|version| version.kind.as_str())
            .collect()
    }

    /// Returns whether the source declares a webhook at a path.
    pub(crate) fn has_webhook(&self, path: &str) -> bool {
        let mut webhooks = self.apis.iter().flat_map(|api| &api.webhooks);
        webhooks.any(|webhook| webhook.path.as_ref().is_some_and(|found| found.value == path))
    }

    /// Returns the names of all kinds with their group and version.
    pub(crate) fn names(&self) -> Vec<String> {
        let resources = self.apis.iter().flat_map(|api| &api.resources);
        let versions = resources.flat_map(|resource| {
            let versions = resource.versions.iter();
            versions.map(|version| format!("`{}` of `{}/{}`", version.kind, resource.group, version.version))
        });
        versions.collect()
    }

    /// Returns the admission webhooks, except those at `paths`.
    pub(crate) fn webhooks_except(&self, paths: &[String]) -> Vec<&Webhook> {
        let webhooks = self.apis.iter().flat_map(|api| &api.webhooks);
        let is_excepted = |webhook: &Webhook| {
            let path = webhook.path.as_ref();
            path.is_some_and(|path| paths.contains(&path.value))
        };
        webhooks.filter(|webhook| !is_excepted(webhook)).collect()
    }

    /// Returns whether a webhook converts the objects of a kind.
    pub(crate) fn has_conversions(&self) -> bool {
        let resources = self.apis.iter().flat_map(|api| &api.resources);
        let mut versions = resources.flat_map(|resource| &resource.versions);
        versions.any(|version| version.conversion.webhook.is_some())
    }

    /// Returns whether the source declares an admission webhook.
    pub(crate) fn has_webhooks(&self) -> bool {
        self.apis.iter().any(|api| !api.webhooks.is_empty())
    }
}

/// Returns the module of the group of a kind, if it is in the place of a scaffolded one.
fn group_module(version: &KindVersion) -> Option<&str> {
    let mut modules = version.rust_path.split("::");
    let group = (modules.next() == Some("api"))
        .then(|| modules.next())
        .flatten()?;
    (modules.next() == Some(version.version.as_str())).then_some(group)
}

/// Returns whether a path is in a module.
fn is_in(path: &str, module: &str) -> bool {
    path.strip_prefix(module)
        .is_some_and(|rest| rest.starts_with("::"))
}

impl Declared<'_> {
    /// Checks that the type is in the module that generated code imports it from, or in a submodule.
    pub(crate) fn check_place(&self, kind: &Kind) -> Result<(), Problem> {
        let module = kind.types_module();
        let path = &self.version.rust_path;
        if is_in(path, &module) {
            return Ok(());
        }
        let message = format!(
            "`{}` of `{}/{}` is `crate::{path}`, which is not in `crate::{module}`",
            kind.kind, self.resource.group, self.version.version
        );
        Err(Problem::general(Code::Usage, message).help(format!(
            "move it to `{}`, because new code imports it from there",
            kind.types_file()
        )))
    }
}

/// The names and the scope that the user gave a kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Given<'a> {
    pub(crate) plural: Option<&'a str>,
    pub(crate) shorts: &'a [String],
    pub(crate) cluster: bool,
}

impl Given<'_> {
    /// Completes `kind` with the names and the scope of its types, which all versions share.
    ///
    /// Returns a problem for each argument of the user that contradicts the types.
    pub(crate) fn complete(self, kind: &mut Kind, kinds: &Kinds) -> Vec<Problem> {
        if let Some(plural) = self.plural {
            plural.clone_into(&mut kind.plural);
        }
        kind.shorts = self.shorts.to_vec();
        kind.cluster = self.cluster;
        let Some(resource) = kinds.resource(kind) else {
            return Vec::new();
        };
        let (names, is_cluster) = (&resource.names, resource.scope == Scope::Cluster);
        let mut problems = Vec::new();
        let mut contradict = |given: String, stated: String| {
            let message = format!(
                "{given} is given, but the types of `{}` declare {stated}",
                resource.kind
            );
            let problem = Problem::general(Code::Usage, message);
            problems.push(problem.help("leave it out, or change the types of all versions first"));
        };
        if let Some(plural) = self.plural.filter(|plural| *plural != names.plural) {
            contradict(format!("`--plural {plural}`"), format!("`{}`", names.plural));
        }
        if !self.shorts.is_empty() && self.shorts != names.short_names {
            let stated = match names.short_names.as_slice() {
                [] => "no short names".to_owned(),
                shorts => format!("`{}`", shorts.join(",")),
            };
            contradict(format!("`--short {}`", self.shorts.join(",")), stated);
        }
        if self.cluster && !is_cluster {
            contradict("`--cluster`".to_owned(), "a namespaced kind".to_owned());
        }
        kind.plural.clone_from(&names.plural);
        kind.shorts.clone_from(&names.short_names);
        kind.cluster = is_cluster;
        problems
    }
}
