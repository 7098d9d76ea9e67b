//! `kgen create api`: adds the types of a kind, its controller and its manifests.

use std::path::{Path, PathBuf};

use kgen_build::Findings;
use kgen_diagnostics::{Code, Problem, Problems};
use minijinja::context;

use crate::draft::{Draft, Next, Present, Refusal, Scaffold};
use crate::edit::{kustomization, rust};
use crate::external::{self, External, Foreign};
use crate::kind::Kind;
use crate::kinds::{Declared, Given, Kinds};
use crate::project::{self, Found, Style};
use crate::render::{self, Words};
use crate::{license, names, names_in_code, record, version};

/// The options of `kgen create api`.
#[derive(Clone, Debug)]
pub struct ApiOptions {
    /// The kind.
    pub subject: Subject,
    /// Whether to leave out the controller.
    pub no_controller: bool,
    /// Existing files to replace.
    pub force: Vec<PathBuf>,
}

/// The kind that a new controller or its types are for.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A kind of this project.
    Own {
        /// The group, without the domain.
        group: String,
        /// The version.
        version: String,
        /// The kind.
        kind: String,
        /// The plural; by default derived from the kind.
        plural: Option<String>,
        /// The short names.
        shorts: Vec<String>,
        /// Whether the kind is cluster-scoped.
        cluster: bool,
        /// Whether its types already exist.
        no_types: bool,
    },
    /// A built-in kind of Kubernetes, by the path of its type.
    External(String),
    /// A kind of another project or of Kubernetes.
    Foreign {
        /// The group, without the domain in `foreign`.
        group: String,
        /// The version.
        version: String,
        /// The kind.
        kind: String,
        /// The plural; by default derived from the kind.
        plural: Option<String>,
        /// The type of the kind.
        foreign: Foreign,
    },
}

/// Drafts the files of a new kind.
///
/// # Errors
/// Returns all problems of the options and of the project.
pub fn create_api(options: &ApiOptions, working_folder: &Path) -> Result<Scaffold, Refusal> {
    let project = project::find(working_folder)?;
    let mut draft = Draft::new(&project.root, &options.force);
    match &options.subject {
        Subject::External(path) => {
            let external = external::parse(path).map_err(Findings::of)?;
            add_external(&mut draft, &project, &external)?;
        }
        Subject::Foreign {
            group,
            version,
            kind,
            plural,
            foreign,
        } => {
            if let Some(plural) = plural {
                names::resource("plural", plural).map_err(Findings::of)?;
            }
            let external = foreign.find(group, version, kind, plural.as_deref());
            add_external(&mut draft, &project, &external.map_err(Findings::of)?)?;
        }
        Subject::Own {
            group,
            version,
            kind,
            plural,
            shorts,
            cluster,
            no_types,
        } => {
            let mut problems = Problems::new();
            let mut kind = Kind::of(&project, group, version, kind, &mut problems);
            let checks = plural.iter().map(|plural| names::resource("plural", plural));
            let checks = checks.chain(shorts.iter().map(|short| names::resource("short name", short)));
            for problem in checks.filter_map(Result::err) {
                problems.push(problem);
            }
            if problems.has_errors() {
                return Err(Refusal::from(Findings {
                    problems,
                    ..Findings::default()
                }));
            }
            let (name, kinds) = (
                kind.kind.clone(),
                Kinds::read(&project, &mut kind, &options.force)?,
            );
            if kinds.resource(&kind).is_none()
                && let Some(built_in) = external::in_group(group, version, &name)
            {
                if *no_types && !options.no_controller {
                    add_external(&mut draft, &project, &built_in)?;
                    return Ok(draft.finish(project.file.clone(), working_folder)?);
                }
                draft.problem(not_built_in(&kind, &built_in));
            }
            let given = Given {
                plural: plural.as_deref(),
                shorts,
                cluster: *cluster,
            };
            for problem in given.complete(&mut kind, &kinds) {
                draft.problem(problem);
            }
            let with_controller = !options.no_controller;
            add_kind(&mut draft, &project, &kinds, &kind, *no_types, with_controller)?;
        }
    }
    Ok(draft.finish(project.file.clone(), working_folder)?)
}

/// Returns a note about a kind of the project that has the name of a kind of Kubernetes.
fn not_built_in(kind: &Kind, built_in: &External) -> Problem {
    let message = format!(
        "this is a new kind of the group `{}`, and not the `{}` of Kubernetes",
        kind.group, kind.kind
    );
    Problem::note(Code::Usage, message).help(format!(
        "a controller for the kind of Kubernetes: `kgen create api --external {}`",
        built_in.path
    ))
}

/// Adds the controller of a kind that the project does not define.
fn add_external(draft: &mut Draft<'_>, project: &Found, external: &External) -> Result<(), Refusal> {
    let kind = Kind::external(external);
    let kinds = Kinds::read_all(project)?;
    if external.is_foreign
        && let Some(problem) = kinds.declared_foreign(&kind)
    {
        draft.problem(problem);
    }
    let name = controller_name(draft, project, &kind, &kinds, "external");
    let words = external_words(project, &kind, external, &name);
    add_controller(
        draft,
        project,
        &kind,
        &words,
        "external",
        controller_test(external),
    )?;
    draft.next(Next::Reconcile);
    Ok(())
}

/// Returns the variables of the controller of a kind that the project does not define.
pub(crate) fn external_words(
    project: &Found,
    kind: &Kind,
    external: &External,
    controller_name: &str,
) -> Words {
    kind.words(
        project,
        context! {
            controller_name,
            external => external.path.clone(),
            foreign => external.is_foreign,
        },
    )
}

/// Returns the set with the test of a controller for a kind that the project does not define. The CRD of another project is
/// not there, so there is no cluster that serves such a kind.
pub(crate) fn controller_test(external: &External) -> Option<&'static str> {
    (!external.is_foreign).then_some("external-test")
}

fn add_kind(
    draft: &mut Draft<'_>,
    project: &Found,
    kinds: &Kinds,
    kind: &Kind,
    no_types: bool,
    with_controller: bool,
) -> Result<(), Findings> {
    let declared = kinds.declared(kind);
    let is_there = declared.is_some();
    match declared.map(|declared| declared.check_place(kind)) {
        Some(Err(problem)) => {
            draft.problem(problem);
            return Ok(());
        }
        None if no_types => {
            let message = format!(
                "`{}` does not declare the kind `{}`",
                kind.types_file(),
                kind.kind
            );
            draft.problem(
                external::suggest(
                    Problem::general(Code::Usage, message),
                    &kind.group_as_given(project),
                    &kind.kind,
                )
                .help("leave out `--no-types` or `--resource=false` to create the types as well")
                .help(
                    "for a kind of another project, add its whole group and the path of its type in Rust: \
                         `--external PATH`",
                ),
            );
            return Ok(());
        }
        Some(Ok(())) | None => {}
    }
    let model = kinds.model(kind);
    let has_other_version = model.is_some();
    let controller_name = controller_name(draft, project, kind, kinds, "controller");
    let words = kind.words(project, context! { controller_name });
    if !no_types {
        let present = if is_there { Present::Keep } else { Present::Refuse };
        match model {
            None => {
                let set = format!("types-{}", project.style.word());
                create(draft, &set, &words, present)?;
                create(draft, "kind", &words, present)?;
            }
            Some(model) => {
                if !is_there {
                    copy_types(draft, kinds, kind, &model);
                }
                add_version(draft, kind, &words, &model.version.version, present)?;
            }
        }
        add_type_modules(draft, kind);
        add_manifests(draft, kind);
        if project.style == Style::Kgen {
            draft.edit("src/lib.rs", "pub mod generated;", |text| {
                rust::declare_module(text, "generated")
            });
        }
    }
    // All versions of a kind share one controller.
    let with_controller = with_controller && (no_types || !has_other_version);
    if with_controller {
        add_controller(draft, project, kind, &words, "controller", Some(CONTROLLER_TEST))?;
    }
    draft.next(match (no_types, has_other_version, with_controller) {
        (true, _, true) => Next::Reconcile,
        (false, true, _) => Next::Version {
            arguments: kind.arguments(project),
            version: kind.version.clone(),
        },
        (false, false, false) => Next::Types,
        _ => Next::Usual,
    });
    Ok(())
}

/// Copies the types of another version.
fn copy_types(draft: &mut Draft<'_>, kinds: &Kinds, kind: &Kind, model: &Declared<'_>) {
    let old = kind.in_version(&model.version.version);
    if let Err(problem) = model.check_place(&old) {
        draft.problem(problem);
        return;
    }
    let file = old.types_file();
    let refuse = |reason: String| {
        let message = format!(
            "the types of `{}` cannot be copied from `{file}`: {reason}",
            kind.kind
        );
        Problem::general(Code::Usage, message).help(format!(
            "copy them to `{}` yourself, declare the module, and run the command again",
            kind.types_file()
        ))
    };
    if let Some(other) = kinds.neighbors(&old).first() {
        draft.problem(refuse(format!("it also declares the kind `{other}`")));
        return;
    }
    let Some(text) = draft.text(&file) else {
        draft.problem(refuse("the file does not exist".to_owned()));
        return;
    };
    match version::copy(&text, kind, &old.version) {
        Ok(copy) => draft.create(&kind.types_file(), copy, Present::Refuse),
        Err(reason) => draft.problem(refuse(reason)),
    }
}

/// Adds the manifests of a new version: a sample like that of the version `old`, and the roles that all versions share.
fn add_version(
    draft: &mut Draft<'_>,
    kind: &Kind,
    words: &Words,
    old: &str,
    present: Present,
) -> Result<(), Findings> {
    let sample = kind.sample_file();
    for (path, text) in render::set("kind", words).map_err(Findings::of)? {
        if path != sample {
            draft.scaffold("kind", &path, text, Present::Keep);
            continue;
        }
        let api_version = |version: &str| format!("apiVersion: {}/{version}\n", kind.group);
        let text = match draft.text(&kind.in_version(old).sample_file()) {
            Some(sample) => sample.replace(&api_version(old), &api_version(&kind.version)),
            None => text,
        };
        draft.create(&path, text, present);
    }
    Ok(())
}

/// Declares the modules of the types.
fn add_type_modules(draft: &mut Draft<'_>, kind: &Kind) {
    let name = kind.group_name_marker();
    let module = format!(
        "//! +groupName={}\n{name}//! The kinds of `{}`.\n",
        kind.group, kind.group
    );
    let version = format!("//! Version `{}` of the group `{}`.\n", kind.version, kind.group);
    let group_stem = &kind.group_stem;
    add_modules(
        draft,
        &["api", group_stem, &kind.version, &kind.stem()],
        &[None, Some(&module), Some(&version)],
    );
}

/// An entry of `resources` in a `kustomization.yaml`.
pub(crate) struct Entry {
    pub(crate) file: &'static str,
    pub(crate) entry: String,
    /// The first line of the file if the first kind creates it.
    pub(crate) about: Option<&'static str>,
}

/// Returns the entry of the sample of a version.
pub(crate) fn sample_entry(kind: &Kind) -> Entry {
    Entry {
        file: "config/samples/kustomization.yaml",
        entry: format!("- {}_{}_{}.yaml", kind.group_stem, kind.version, kind.stem()),
        about: Some("# One object of each kind: `kubectl apply -k config/samples`.\n"),
    }
}

/// Returns the entry of the CRD of a kind.
pub(crate) fn definition_entry(kind: &Kind) -> Entry {
    Entry {
        file: "config/crd/kustomization.yaml",
        entry: format!("- bases/{}_{}.yaml", kind.group, kind.plural),
        about: Some("# The CRDs, generated by kgen.\n"),
    }
}

/// Returns the entry of all CRDs.
pub(crate) fn definitions_entry() -> Entry {
    Entry {
        file: "config/default/kustomization.yaml",
        entry: "- ../crd".to_owned(),
        about: None,
    }
}

/// Returns the entries of the roles for users of a kind.
pub(crate) fn role_entries(kind: &Kind) -> impl Iterator<Item = Entry> {
    ["admin", "editor", "viewer"].into_iter().map(|role| Entry {
        file: "config/rbac/kustomization.yaml",
        entry: format!("- {}_{}_{role}_role.yaml", kind.group_stem, kind.stem()),
        about: None,
    })
}

/// Adds the kind to the kustomize configuration.
fn add_manifests(draft: &mut Draft<'_>, kind: &Kind) {
    let head = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
    let entries = [definition_entry(kind), sample_entry(kind), definitions_entry()];
    for Entry { file, entry, about } in entries.into_iter().chain(role_entries(kind)) {
        match about {
            Some(about) if draft.text(file).is_none() => {
                draft.create(file, format!("{about}{head}resources:\n{entry}\n"), Present::Keep);
            }
            _ => draft.edit(file, &entry, |text| kustomization::add(text, "resources", &entry)),
        }
    }
}

/// Returns the path of the controller of a kind.
pub(crate) fn controller_file(kind: &Kind) -> String {
    format!("src/controller/{}/{}.rs", kind.group_stem, kind.stem())
}

/// Returns the statement in `register` that adds the controller of a kind.
pub(crate) fn controller_statement(kind: &Kind) -> String {
    let path = [&kind.group_stem, &kind.stem()]
        .map(|stem| names_in_code::module(stem))
        .join("::");
    format!("controller::{path}::register(manager);")
}

/// Returns the name of a controller in metrics and logs: the recorded one, or one that no other controller has. `set` is the set
/// of its code without the style.
pub(crate) fn controller_name(
    draft: &mut Draft<'_>,
    project: &Found,
    kind: &Kind,
    kinds: &Kinds,
    set: &str,
) -> String {
    let set = format!("{set}-{}", project.style.word());
    let code = draft.text(&record::path(&set, &controller_file(kind)));
    let recorded = code.and_then(|code| {
        let mut lines = code.lines();
        let name = lines.find_map(|line| line.strip_prefix("const CONTROLLER: &str = \""))?;
        Some(name.split('"').next()?.to_owned())
    });
    recorded.unwrap_or_else(|| {
        let is_taken = kinds.has_namesake(kind) || has_other_controller(draft, kind);
        match is_taken {
            true => format!("{}_{}", kind.group_stem, kind.stem()),
            false => kind.stem(),
        }
    })
}

/// Returns whether the project registers a controller for a kind of the same name in another group. The kind can be one that the
/// project does not define.
fn has_other_controller(draft: &mut Draft<'_>, kind: &Kind) -> bool {
    let code = draft.text("src/lib.rs").unwrap_or_default();
    let own = [&kind.group_stem, &kind.stem()].map(|stem| names_in_code::module(stem));
    code.lines().any(|line| {
        let path = line.trim().strip_prefix("controller::");
        let path = path.and_then(|rest| rest.split_once("::register("));
        let modules = path.and_then(|(path, _)| path.split_once("::"));
        modules.is_some_and(|(group, module)| module == own[1] && group != own[0])
    })
}

/// The set with the test of a controller.
pub(crate) const CONTROLLER_TEST: &str = "controller-test";

/// Returns whether the project depends on the in-memory cluster that the tests use. Older projects do not.
pub(crate) fn can_test(draft: &mut Draft<'_>) -> bool {
    draft
        .text("Cargo.toml")
        .is_some_and(|text| text.contains("kgen-fake"))
}

fn add_controller(
    draft: &mut Draft<'_>,
    project: &Found,
    kind: &Kind,
    words: &Words,
    set: &str,
    tests: Option<&str>,
) -> Result<(), Findings> {
    let (group, stem) = (&kind.group_stem, kind.stem());
    let is_there = draft
        .text(&controller_file(kind))
        .is_some_and(|text| rust::has_function(&text, "register") && text.contains(&kind.kind));
    let present = if is_there { Present::Keep } else { Present::Refuse };
    create(draft, &format!("{set}-{}", project.style.word()), words, present)?;
    if let Some(tests) = tests.filter(|_| can_test(draft)) {
        create(draft, tests, words, present)?;
    }
    let about = format!("//! The controllers of the kinds of {}.\n", kind.group_in_prose());
    add_modules(draft, &["controller", group, &stem], &[None, Some(&about)]);
    let statement = controller_statement(kind);
    draft.edit("src/lib.rs", &statement, |text| {
        rust::add_statement(text, "register", &statement)
    });
    Ok(())
}

/// Creates the files of a set of templates.
pub(crate) fn create(
    draft: &mut Draft<'_>,
    set: &str,
    words: &Words,
    present: Present,
) -> Result<(), Findings> {
    for (path, text) in render::set(set, words).map_err(Findings::of)? {
        draft.scaffold(set, &path, text, present);
    }
    Ok(())
}

/// Declares a chain of modules in `src`, each in the previous one. New module files start with `documentation`.
pub(crate) fn add_modules(draft: &mut Draft<'_>, chain: &[&str], documentation: &[Option<&str>]) {
    for (depth, name) in chain.iter().enumerate() {
        let module = names_in_code::module(name);
        let file = module_file(draft, chain.get(..depth).unwrap_or_default());
        if let Some(Some(text)) = depth.checked_sub(1).and_then(|parent| documentation.get(parent))
            && draft.text(&file).is_none()
        {
            let header = draft.text(license::HEADER).unwrap_or_default();
            let text = format!("{}{text}", license::in_file(&header));
            draft.create(&file, text, Present::Keep);
        }
        let line = format!("pub mod {module};");
        draft.edit(&file, &line, |text| rust::declare_module(text, &module));
    }
}

/// Returns the file of a module in `src`. Both forms of a module file are in use.
pub(crate) fn module_file(draft: &mut Draft<'_>, chain: &[&str]) -> String {
    if chain.is_empty() {
        return "src/lib.rs".to_owned();
    }
    let folder = format!("src/{}", chain.join("/"));
    let flat = format!("{folder}.rs");
    if draft.text(&flat).is_some() {
        flat
    } else {
        format!("{folder}/mod.rs")
    }
}
