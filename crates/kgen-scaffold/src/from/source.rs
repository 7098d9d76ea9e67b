//! Reads a project in Go: its `PROJECT` file and its manifests. The code itself is not read.

use std::collections::BTreeMap;
use std::path::Path;

use kgen_build::{Findings, files_below, read_file, shown};
use kgen_diagnostics::{Code, FileId, Problem, SourceFile};
use kgen_import::definitions::{self, Definition, Strictness};
use kgen_import::manifests::{self, Webhooks};
use kgen_import::{Options, Source};
use kgen_model::AccessRule;

use super::project_file::{self, GoKind, OTHER_FOLDER, ProjectFile};

/// The manifests that are generated from markers.
pub(super) const DEFINITIONS: &str = "config/crd/bases/";
pub(super) const ROLE: &str = "config/rbac/role.yaml";
pub(super) const WEBHOOKS: &str = "config/webhook/manifests.yaml";

/// A project in Go.
pub(super) struct GoProject {
    pub(super) file: ProjectFile,
    /// The CRDs, by the name of the object.
    pub(super) definitions: BTreeMap<String, Definition>,
    /// The Rust files of the CRDs.
    pub(super) types: Vec<kgen_import::SourceFile>,
    pub(super) rules: Vec<AccessRule>,
    pub(super) webhooks: Webhooks,
    /// The generated manifests, by path.
    pub(super) generated: BTreeMap<String, String>,
    /// All other files below `config`, by path.
    pub(super) config: BTreeMap<String, String>,
}

impl GoProject {
    /// Returns the definition of a kind of the project.
    pub(super) fn definition(&self, kind: &GoKind) -> Option<&Definition> {
        self.definitions.values().find(|definition| {
            let resource = &definition.resource;
            resource.group == kind.group && resource.kind == kind.kind
        })
    }
}

/// Reads the project in `folder`. The findings get warnings and notes.
///
/// # Errors
/// Returns all problems.
pub(super) fn read(
    folder: &Path,
    options: &Options,
    working_folder: &Path,
    findings: &mut Findings,
) -> Option<GoProject> {
    let file = project_file(folder, working_folder, findings)?;
    let (mut generated, mut config) = (BTreeMap::new(), BTreeMap::new());
    for (path, text) in files(folder, working_folder, findings) {
        if path.starts_with(DEFINITIONS) || path == ROLE || path == WEBHOOKS {
            generated.insert(path, text);
        } else {
            config.insert(path, text);
        }
    }
    let ids: BTreeMap<&String, FileId> = generated
        .iter()
        .map(|(path, text)| {
            let name = shown(working_folder, &folder.join(path));
            (path, findings.files.add(SourceFile::new(name, text.clone())))
        })
        .collect();
    let sources: Vec<Source<'_>> = ids
        .iter()
        .filter(|(path, _)| path.starts_with(DEFINITIONS))
        .filter_map(|(path, file)| {
            Some(Source {
                text: generated.get(*path)?,
                file: *file,
            })
        })
        .collect();
    let mut definitions = BTreeMap::new();
    for source in &sources {
        let outcome = definitions::read(source.text, source.file, Strictness::Structural);
        definitions.extend(
            outcome
                .definitions
                .into_iter()
                .map(|definition| (definition.name.clone(), definition)),
        );
    }
    let types = if sources.is_empty() {
        Vec::new()
    } else {
        let outcome = kgen_import::import(&sources, options);
        findings.problems.extend(outcome.problems);
        outcome.files
    };
    let text = |path: &str| {
        let (path, file) = ids.get_key_value(&path.to_owned())?;
        Some((generated.get(*path)?, *file))
    };
    let rules = text(ROLE).map(|(text, file)| manifests::roles(text, file, &mut findings.problems));
    let webhooks = text(WEBHOOKS).map(|(text, file)| manifests::webhooks(text, file, &mut findings.problems));
    let lacks_role = rules.is_none() && file.resources.iter().any(|kind| kind.has_controller);
    let project = GoProject {
        file,
        definitions,
        types,
        rules: rules.unwrap_or_default(),
        webhooks: webhooks.unwrap_or_default(),
        generated,
        config,
    };
    check(&project, findings);
    if lacks_role {
        let message = format!("the project has no file `{ROLE}`");
        findings
            .problems
            .push(Problem::general(Code::Usage, message).help(MAKE_MANIFESTS));
    }
    (!findings.problems.has_errors()).then_some(project)
}

fn project_file(folder: &Path, working_folder: &Path, findings: &mut Findings) -> Option<ProjectFile> {
    let path = folder.join("PROJECT");
    let name = shown(working_folder, &path);
    match read_file(&path) {
        Ok(Some(text)) => {
            let file = findings.files.add(SourceFile::new(name, text.clone()));
            project_file::read(&text, file, &mut findings.problems)
        }
        Ok(None) => {
            let message = format!("there is no file `{name}`");
            findings
                .problems
                .push(Problem::general(Code::Usage, message).help(OTHER_FOLDER));
            None
        }
        Err(reason) => {
            let message = format!("`{name}` cannot be read: {reason}");
            findings.problems.push(Problem::general(Code::Io, message));
            None
        }
    }
}

/// Returns the files below `config`, by their path in the project.
fn files(folder: &Path, working_folder: &Path, findings: &mut Findings) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut fail = |path: &Path, reason: &str| {
        let message = format!("`{}` cannot be read: {reason}", shown(working_folder, path));
        findings.problems.push(Problem::general(Code::Io, message));
    };
    let config = folder.join("config");
    let paths = files_below(&config).unwrap_or_else(|reason| {
        fail(&config, &reason);
        Vec::new()
    });
    for path in paths {
        let name = path.strip_prefix(folder).ok().and_then(Path::to_str);
        match (name, read_file(&path)) {
            (Some(name), Ok(Some(text))) => {
                files.insert(name.replace('\\', "/"), text);
            }
            (Some(_), Ok(None)) => {}
            (Some(_), Err(reason)) => fail(&path, &reason),
            (None, _) => fail(&path, "its name is not UTF-8 text"),
        }
    }
    files
}

/// Reports differences between `PROJECT` and the manifests.
fn check(project: &GoProject, findings: &mut Findings) {
    // A CRD with a mistake is missing as well, and its mistake is reported.
    let has_errors = findings.problems.has_errors();
    for kind in project.file.resources.iter().filter(|kind| kind.has_types) {
        let definition = project.definition(kind);
        let has_version = definition.is_some_and(|definition| {
            let mut versions = definition.resource.versions.iter();
            versions.any(|version| version.version == kind.version)
        });
        if !has_version && !has_errors {
            let message = format!(
                "`{DEFINITIONS}` has no CRD for `{}` of `{}/{}`",
                kind.kind, kind.group, kind.version
            );
            findings
                .problems
                .push(Problem::error(Code::Usage, kind.span, message).help(MAKE_MANIFESTS));
        }
    }
}

const MAKE_MANIFESTS: &str = "run `make manifests` in the project first";
