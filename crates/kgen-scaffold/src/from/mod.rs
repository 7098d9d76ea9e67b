//! `kgen init --from`: starts a project from one in Go that kubebuilder or operator-sdk created.
//!
//! `source` reads the `PROJECT` file and the manifests; Go code is not read. The CRDs become types, the role and the webhook
//! manifests become markers, and the rest of `config` is reused. Controllers and webhooks are stubs.

mod compare;
mod config;
mod kinds;
mod project_file;
mod rules;
mod source;

pub use compare::Originals;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kgen_build::{FILE_NAME, Findings, Project, absolute};
use kgen_diagnostics::{Code, Problem};
use kgen_import::Options;
use kgen_markers::write::{webhook_configuration_line, webhook_line};
use kgen_model::{Resource, Scope};
use minijinja::{Value, context};

use crate::api::add_modules;
use crate::draft::{Draft, Present, Refusal, Scaffold};
use crate::edit::{Edit, rust};
use crate::project::Style;
use crate::render::{self, Words};
use crate::source::KgenSource;
use crate::{init, names, names_in_code, record};
use kinds::{Groups, Known, Watches};
use project_file::GoKind;
use rules::Admission;
use source::GoProject;

/// The name of roles unless `kgen.toml` has another one.
const ROLE_NAME: &str = "manager-role";

/// The options of `kgen init --from`.
#[derive(Clone, Debug)]
pub struct FromOptions {
    /// The folder of the new project.
    pub folder: PathBuf,
    /// The folder of the project in Go.
    pub from: PathBuf,
    /// The name of the project; by default the name in `PROJECT`.
    pub name: Option<String>,
    /// The style of the code.
    pub style: Style,
    /// The source of kgen's own crates.
    pub source: KgenSource,
    /// Existing files to replace.
    pub force: Vec<PathBuf>,
}

/// Drafts a project with the kinds and the manifests of a project in Go.
///
/// # Errors
/// Returns all problems of the options, of the folder, and of the project in Go.
pub fn init_from(options: &FromOptions, working_folder: &Path) -> Result<Scaffold, Refusal> {
    let root = absolute(working_folder, &options.folder);
    let folder = absolute(working_folder, &options.from);
    let mut findings = Findings::default();
    let import = Options {
        style: match options.style {
            Style::Kgen => kgen_build::Style::Kgen,
            Style::Kube => kgen_build::Style::Kube,
        },
        ..Options::default()
    };
    let go = source::read(&folder, &import, working_folder, &mut findings);
    if let Err(problem) = options.source.check(working_folder) {
        findings.problems.push(problem);
    }
    let settings = go.as_ref().map(|go| Project {
        name: options.name.clone().unwrap_or_else(|| go.file.name.clone()),
        domain: go.file.domain.clone(),
        style: options.style.word().to_owned(),
    });
    if let Some(settings) = &settings {
        for check in [names::project(&settings.name), names::domain(&settings.domain)] {
            findings.problems.extend(check.err());
        }
    }
    let present = match init::presence(&root, settings.as_ref(), working_folder) {
        Ok(present) => present,
        Err(refused) => {
            findings.problems.extend(refused.problems);
            Present::Keep
        }
    };
    let (Some(go), Some(settings), false) = (go, settings, findings.problems.has_errors()) else {
        return Err(findings.into());
    };
    let words = init::words(&root, &settings, &options.source, None, working_folder);
    let mut draft = Draft::new(&root, &options.force);
    let mut new = New {
        draft: &mut draft,
        go: &go,
        groups: Groups::of(&go),
        settings: &settings,
        style: options.style,
        present,
        findings: &mut findings,
    };
    new.project(&words)?;
    new.types();
    new.code(&words)?;
    let mut scaffold = draft.finish(root.join(FILE_NAME), working_folder)?;
    scaffold.findings = findings;
    scaffold.originals = Originals {
        manifests: go.generated,
    };
    Ok(scaffold)
}

/// A project that is being drafted.
struct New<'d, 'r, 'a> {
    draft: &'d mut Draft<'r>,
    go: &'a GoProject,
    groups: Groups,
    settings: &'a Project,
    style: Style,
    present: Present,
    findings: &'a mut Findings,
}

impl New<'_, '_, '_> {
    /// Writes the files of every project. Manifests are those of the project in Go.
    fn project(&mut self, words: &Words) -> Result<(), Findings> {
        for (path, text) in render::set(init::SET, words).map_err(Findings::of)? {
            if !path.starts_with("config/") {
                init::scaffold(self.draft, &path, text, self.present);
            } else if !self.go.config.contains_key(&path) {
                // `kgen update` then treats the file as one that the user has deleted.
                self.draft.replace(&record::path(init::SET, &path), text);
            }
        }
        let mut config = BTreeMap::new();
        for (path, text) in &self.go.config {
            let text = config::adapted(path, text, &self.settings.name, self.findings);
            config.insert(path.clone(), text);
        }
        let is_converted = self.go.file.resources.iter().any(|kind| kind.conversion);
        if is_converted || !self.go.webhooks.webhooks.is_empty() {
            config::serve_webhooks(&mut config, self.findings);
        }
        for (path, text) in config {
            self.draft.create(&path, text, self.present);
        }
        let role = self.role_name();
        if role != ROLE_NAME {
            self.draft
                .edit(FILE_NAME, &format!("role-name = {role:?}"), |text| {
                    Edit::Changed(text.replace(&format!("{ROLE_NAME:?}"), &format!("{role:?}")))
                });
        }
        Ok(())
    }

    /// Returns the name of the first role.
    fn role_name(&self) -> String {
        let mut names = self.go.rules.iter().filter_map(|rule| rule.role_name.as_ref());
        names.next().map_or(ROLE_NAME, |name| &name.value).to_owned()
    }

    /// Writes the types of the CRDs, with the modules of a scaffolded project.
    fn types(&mut self) {
        for definition in self.go.definitions.values() {
            let resource = &definition.resource;
            let checks = [names::kind(&resource.kind)];
            for problem in checks.into_iter().filter_map(Result::err) {
                self.draft.problem(problem);
            }
            let imported_group = kgen_import::module(&resource.group);
            let group = self.groups.stem(&resource.group);
            let (imported_kind, kind) = (
                kgen_import::kind_module(&resource.kind),
                names_in_code::kind(&resource.kind),
            );
            for version in &resource.versions {
                let imported = format!("{imported_group}/{}", kgen_import::module(&version.version));
                let folder = format!("src/api/{group}/{}", version.version);
                let text = self.imported(&format!("{imported}/{imported_kind}.rs"));
                self.draft
                    .create(&format!("{folder}/{kind}.rs"), text, self.present);
                for shared in ["shared", "shared_types"] {
                    let path = format!("{imported}/{shared}.rs");
                    let is_shared =
                        imported_kind != shared && self.go.types.iter().any(|file| file.path == path);
                    if is_shared && self.draft.text(&format!("{folder}/{shared}.rs")).is_none() {
                        let text = self.imported(&path);
                        self.draft
                            .create(&format!("{folder}/{shared}.rs"), text, self.present);
                        self.modules(&["api", &group, &version.version, shared], &resource.group);
                    }
                }
                self.modules(&["api", &group, &version.version, &kind], &resource.group);
                self.mark(&format!("{folder}/{kind}.rs"), resource, &version.version);
            }
        }
        if self.style == Style::Kgen && !self.go.definitions.is_empty() {
            self.draft.edit("src/lib.rs", "pub mod generated;", |text| {
                rust::declare_module(text, "generated")
            });
        }
    }

    fn imported(&self, path: &str) -> String {
        let mut files = self.go.types.iter();
        let file = files.find(|file| file.path == path);
        file.map(|file| file.text.clone()).unwrap_or_default()
    }

    /// Declares the modules of a kind.
    fn modules(&mut self, chain: &[&str], group: &str) {
        let stem = self.groups.stem(group);
        let name = match self.groups.is_renamed(group) {
            true => format!("//! +groupGoName={stem}\n"),
            false => String::new(),
        };
        let about = format!("//! +groupName={group}\n{name}//! The kinds of `{group}`.\n");
        let version = chain.get(2).copied().unwrap_or_default();
        let version = format!("//! Version `{version}` of the group `{group}`.\n");
        add_modules(self.draft, chain, &[None, Some(&about), Some(&version)]);
    }

    /// Adds the markers that a CRD does not have.
    fn mark(&mut self, file: &str, definition: &Resource, version: &str) {
        if self.present == Present::Keep {
            // An earlier run wrote the file and its markers.
            return;
        }
        let mut markers = Vec::new();
        let kind = definition.kind.as_str();
        let listed = self.go.file.resources.iter().find(|listed| {
            (&listed.group, &listed.kind) == (&definition.group, &definition.kind)
                && listed.version == version
        });
        if let Some(resource) = listed.filter(|resource| resource.conversion) {
            markers.push("// +kgen:conversion:external".to_owned());
            let message = format!("nothing converts `{kind}` objects between their versions yet");
            let arguments = format!(
                "--group {} --version {version} --kind {kind}",
                resource.short_group
            );
            self.findings.problems.push(
                Problem::general_warning(Code::ImportLoss, message)
                    .help("remove the patch with its `spec.conversion` from `config/crd/kustomization.yaml`")
                    .help(format!(
                        "if the versions differ, remove `+kgen:conversion:external` from `{file}`, and run \
                         `kgen create webhook {arguments} --conversion`"
                    )),
            );
        }
        if self.style == Style::Kgen {
            markers.push("// +genclient".to_owned());
            if definition.scope == Scope::Cluster {
                markers.push("// +genclient:nonNamespaced".to_owned());
            }
        }
        let is_derived = self.style == Style::Kube;
        for marker in markers {
            self.draft.edit(file, &marker, |text| match is_derived {
                true => rust::add_marker_to_derived(text, kind, &marker),
                false => rust::add_marker(text, kind, &marker),
            });
        }
    }

    /// Writes controllers, webhooks and their markers.
    fn code(&mut self, words: &Words) -> Result<(), Findings> {
        let mut controllers: Vec<Known> = Vec::new();
        let mut all = Vec::new();
        for resource in &self.go.file.resources {
            let Some(known) = kinds::known(self.go, &self.groups, resource) else {
                if resource.has_controller || resource.defaulting || resource.validation {
                    self.findings
                        .problems
                        .push(unknown(&resource.group, &resource.kind, resource.span));
                }
                continue;
            };
            let is_same = |other: &Known| (&other.group, &other.kind) == (&known.group, &known.kind);
            if resource.has_controller && !controllers.iter().any(is_same) {
                controllers.push(known.clone());
            }
            all.push(known);
        }
        let watches = kinds::watches(self.go, &self.groups, &controllers);
        if !controllers.is_empty() {
            self.report_others(&watches);
        }
        let markers = rules::divide(&self.go.rules, &self.role_name(), &controllers);
        for (kind, lines) in controllers.iter().zip(&markers.controllers) {
            let namesakes = controllers.iter().filter(|other| other.kind == kind.kind);
            let name = match namesakes.count() {
                1 => kind.stem(),
                _ => format!("{}_{}", kind.group_stem, kind.stem()),
            };
            self.controller(kind, &name, lines, &watches)?;
        }
        let (admissions, others) = rules::admissions(&self.go.webhooks.webhooks, &all);
        for admission in &admissions {
            self.webhook(admission)?;
        }
        for webhook in &others {
            let message = format!("nothing serves the webhook `{}` yet", webhook.name.value);
            self.findings.problems.push(
                Problem::warning(Code::ImportLoss, webhook.name.span, message)
                    .help("register a handler for its path in `src/lib.rs`, which has its marker"),
            );
        }
        self.report_unlisted(&admissions);
        let configurations = self.go.webhooks.configurations.iter();
        let lines: Vec<String> = markers
            .others
            .into_iter()
            .chain(others.into_iter().map(webhook_line))
            .chain(configurations.map(webhook_configuration_line))
            .collect();
        if self.present == Present::Refuse {
            self.draft.edit("src/lib.rs", &lines.join("\n"), |text| {
                Edit::Changed(with_markers(text, &lines))
            });
        }
        if !controllers.is_empty() && !self.go.rules.is_empty() {
            let context =
                context! { has_definitions => !self.go.definitions.is_empty(), ..words.context.clone() };
            self.create(
                "stub-test",
                &Words {
                    context,
                    path: Vec::new(),
                    header: String::new(),
                },
            )?;
        }
        Ok(())
    }

    fn create(&mut self, set: &str, words: &Words) -> Result<(), Findings> {
        for (path, text) in render::set(set, words).map_err(Findings::of)? {
            self.draft.create(&path, text, self.present);
        }
        Ok(())
    }

    /// Writes the controller of a kind. `name` is its name in metrics and logs.
    fn controller(
        &mut self,
        kind: &Known,
        name: &str,
        lines: &[String],
        watches: &Watches,
    ) -> Result<(), Findings> {
        let mut uses = Uses::of(kind);
        let watched: Vec<Value> = watches
            .kinds
            .iter()
            .map(|watch| {
                let name = uses.add(watch);
                let variable = kgen_model::plural(&names_in_code::kind(&name));
                context! { name, variable }
            })
            .collect();
        let more = context! { controller_name => name, watched, markers => lines.to_vec() };
        let set = format!("stub-controller-{}", self.style.word());
        self.create(&set, &words_of(kind, &uses, more))?;
        let about = match kind.group.as_str() {
            "" => "//! The controllers of the kinds of the core group.\n".to_owned(),
            group => format!("//! The controllers of the kinds of `{group}`.\n"),
        };
        let (group, stem) = (kind.group_stem.clone(), kind.stem());
        add_modules(self.draft, &["controller", &group, &stem], &[None, Some(&about)]);
        self.register("controller", &[&group, &stem]);
        Ok(())
    }

    fn webhook(&mut self, admission: &Admission<'_>) -> Result<(), Findings> {
        let kind = admission.kind;
        let uses = Uses::of(kind);
        let path_of = |webhook: Option<&kgen_model::Webhook>, usual: String| {
            let path = webhook.and_then(|webhook| webhook.path.as_ref());
            path.map(|path| path.value.clone()).filter(|path| *path != usual)
        };
        let (group, version) = (&kind.group, &kind.version);
        let more = context! {
            defaulting => admission.mutating.is_some(),
            validation => admission.validating.is_some(),
            mutating_path => path_of(admission.mutating, kgen_webhook_path::mutating(group, version, &kind.kind)),
            validating_path => path_of(admission.validating, kgen_webhook_path::validating(group, version, &kind.kind)),
            markers => admission.lines(),
        };
        self.create("stub-webhook", &words_of(kind, &uses, more))?;
        let group_about = match group.as_str() {
            "" => "//! The webhooks of the core group.\n".to_owned(),
            group => format!("//! The webhooks of `{group}`.\n"),
        };
        let about = "//! The admission webhooks of this operator, one module per group.\n";
        let version_about = format!("//! The webhooks of version `{version}`.\n");
        let stem = kind.stem();
        add_modules(
            self.draft,
            &["webhook", &kind.group_stem, version, &stem],
            &[Some(about), Some(&group_about), Some(&version_about)],
        );
        self.register("webhook", &[&kind.group_stem, version, &stem]);
        Ok(())
    }

    /// Adds a statement to `register` in `src/lib.rs`.
    fn register(&mut self, parent: &str, modules: &[&str]) {
        let modules: Vec<String> = modules.iter().map(|stem| names_in_code::module(stem)).collect();
        let statement = format!("{parent}::{}::register(manager);", modules.join("::"));
        self.draft.edit("src/lib.rs", &statement, |text| {
            rust::add_statement(text, "register", &statement)
        });
    }

    /// Reports resources that the role allows to watch and that have no type.
    fn report_others(&mut self, watches: &Watches) {
        for (group, resource) in &watches.others {
            let is_reported = |kind: &GoKind| {
                kind.has_controller && kind.group == *group && kgen_model::plural(&kind.kind) == *resource
            };
            if self.go.file.resources.iter().any(is_reported) {
                continue;
            }
            let group = match group.as_str() {
                "" => "the core group".to_owned(),
                group => format!("`{group}`"),
            };
            let message =
                format!("no controller watches `{resource}` of {group}, because there is no type for it");
            self.findings.problems.push(
                Problem::general_warning(Code::ImportLoss, message)
                    .help("import its CRD with `kgen import`, and watch it in a controller"),
            );
        }
    }

    /// Reports webhooks in `PROJECT` that the manifests do not have.
    fn report_unlisted(&mut self, admissions: &[Admission<'_>]) {
        for resource in &self.go.file.resources {
            let Some(known) = kinds::known(self.go, &self.groups, resource) else {
                continue;
            };
            let found = admissions.iter().find(|admission| *admission.kind == known);
            let has_mutating = found.is_some_and(|found| found.mutating.is_some());
            let has_validating = found.is_some_and(|found| found.validating.is_some());
            for (is_listed, has, word) in [
                (resource.defaulting, has_mutating, "defaulting"),
                (resource.validation, has_validating, "validation"),
            ] {
                if is_listed && !has {
                    let message = format!(
                        "`PROJECT` has a webhook for {word} of `{}`, but `{}` does not",
                        resource.kind,
                        source::WEBHOOKS
                    );
                    self.findings.problems.push(
                        Problem::warning(Code::ImportLoss, resource.span, message)
                            .help("run `make manifests` in the project in Go, and start again"),
                    );
                }
            }
        }
    }
}

/// Returns the problem of a kind that has no Rust type.
fn unknown(group: &str, kind: &str, span: kgen_diagnostics::Span) -> Problem {
    let message = format!("nothing is written for `{kind}` of `{group}`, because there is no type for it");
    Problem::warning(Code::ImportLoss, span, message)
        .help("import its CRD with `kgen import`")
        .help("then `kgen create api` and `kgen create webhook` write the code with `--external`")
}

/// Replaces the RBAC marker of `register` in `src/lib.rs`.
fn with_markers(text: &str, lines: &[String]) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with("pub fn register(") {
            for marker in lines {
                result += &format!("// {marker}\n");
            }
        }
        if !line.starts_with("// +kubebuilder:rbac:") {
            result += line;
        }
    }
    result
}

/// The `use` lines of a file.
struct Uses {
    foreign: Vec<String>,
    own: Vec<String>,
    names: Vec<String>,
}

impl Uses {
    fn of(kind: &Known) -> Self {
        let mut uses = Self {
            foreign: Vec::new(),
            own: Vec::new(),
            names: Vec::new(),
        };
        uses.add(kind);
        uses
    }

    /// Adds a kind. Returns its name in the file.
    fn add(&mut self, kind: &Known) -> String {
        let mut name = kind.kind.clone();
        let mut path = kind.path.clone();
        if self.names.contains(&name) {
            let mut letters = kind.group_stem.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            name = first
                .into_iter()
                .chain(letters)
                .filter(|letter| *letter != '_')
                .collect::<String>()
                + &name;
            path = format!("{path} as {name}");
        }
        self.names.push(name.clone());
        let list = match kind.is_own {
            true => &mut self.own,
            false => &mut self.foreign,
        };
        list.push(path);
        list.sort();
        name
    }
}

fn words_of(kind: &Known, uses: &Uses, more: Value) -> Words {
    Words {
        context: context! {
            foreign => uses.foreign.clone(),
            own => uses.own.clone(),
            kind => kind.kind.clone(),
            ..more
        },
        path: vec![
            ("group", kind.group_stem.clone()),
            ("version", kind.version.clone()),
            ("kind", kind.stem()),
        ],
        header: String::new(),
    }
}
