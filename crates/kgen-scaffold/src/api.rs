//! `kgen create api`: types of a kind, its controller, and what the cluster needs for it.

use std::path::{Path, PathBuf};

use kgen_build::Findings;
use kgen_diagnostics::{Code, Problem, Problems};
use minijinja::{Value, context};

use crate::draft::{Draft, Present, Scaffold};
use crate::edit::{kustomization, rust};
use crate::external::{self, External};
use crate::project::{self, Found, Style};
use crate::render::{self, Words};
use crate::stated::{self, Stated};
use crate::{names, names_in_code};

/// What `kgen create api` is given.
#[derive(Clone, Debug)]
pub struct ApiOptions {
    /// Which kind.
    pub subject: Subject,
    /// Whether there is to be no controller.
    pub no_controller: bool,
    /// Files that may be replaced.
    pub force: Vec<PathBuf>,
}

/// Which kind.
#[derive(Clone, Debug)]
pub enum Subject {
    /// One of this project.
    Own {
        /// Its group, without the domain.
        group: String,
        /// Its version.
        version: String,
        /// Its kind.
        kind: String,
        /// Its plural; what follows from the kind if not given.
        plural: Option<String>,
        /// Its short names.
        shorts: Vec<String>,
        /// Whether it is in no namespace.
        cluster: bool,
        /// Whether its types are there already.
        no_types: bool,
    },
    /// One of Kubernetes itself: the path of its type.
    External(String),
}

/// A kind with all its names.
pub(crate) struct Kind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
    pub(crate) shorts: Vec<String>,
    pub(crate) cluster: bool,
}

impl Kind {
    /// A kind of the project, with every name looked at.
    pub(crate) fn of(
        project: &Found,
        group: &str,
        version: &str,
        kind: &str,
        problems: &mut Problems,
    ) -> Self {
        let whole = format!("{group}.{}", project.domain);
        let checks = [
            names::group(group, &whole),
            names::version(version),
            names::kind(kind),
        ];
        for problem in checks.into_iter().filter_map(Result::err) {
            problems.push(problem);
        }
        Self {
            group: whole,
            version: version.to_owned(),
            kind: kind.to_owned(),
            plural: kgen_model::plural(kind),
            shorts: Vec::new(),
            cluster: false,
        }
    }

    /// Names and scope hold for all versions of a kind, so a new version has those of the others.
    fn take_over(&mut self, stated: &Stated, keep_plural: bool) {
        if let Some(plural) = stated.plural.as_ref().filter(|_| !keep_plural) {
            self.plural.clone_from(plural);
        }
        if self.shorts.is_empty() {
            self.shorts.clone_from(&stated.shorts);
        }
        self.cluster |= stated.cluster;
    }

    fn external(external: &External) -> Self {
        Self {
            group: external.group.clone(),
            version: external.version.clone(),
            kind: external.kind.clone(),
            plural: kgen_model::plural(&external.kind),
            shorts: Vec::new(),
            cluster: false,
        }
    }

    pub(crate) fn group_stem(&self) -> String {
        names_in_code::group(&self.group)
    }

    pub(crate) fn stem(&self) -> String {
        names_in_code::kind(&self.kind)
    }

    /// The file of its types.
    pub(crate) fn types_file(&self) -> String {
        format!(
            "src/api/{}/{}/{}.rs",
            self.group_stem(),
            self.version,
            self.stem()
        )
    }

    /// What templates can name of it.
    pub(crate) fn words(&self, project: &Found, more: Value) -> Words {
        let resource_marker = self.resource_marker();
        let own = context! {
            accessor => names_in_code::accessor(&self.group, &self.version),
            cluster => self.cluster,
            external => "",
            group => self.group.clone(),
            group_module => names_in_code::module(&self.group_stem()),
            kind => self.kind.clone(),
            kind_lower => self.kind.to_lowercase(),
            kind_snake => self.stem(),
            module => names_in_code::module(&self.stem()),
            name => project.name.clone(),
            plural => self.plural.clone(),
            plural_method => names_in_code::plural_method(&self.kind, &self.plural),
            resource_marker,
            role_stem => format!("{}-{}", self.group_stem().replace('_', "-"), self.kind.to_lowercase()),
            shorts => self.shorts.clone(),
            storage => true,
            version => self.version.clone(),
        };
        Words {
            context: context! { ..more, ..own },
            path: vec![
                (
                    "sample",
                    format!("{}_{}_{}", self.group_stem(), self.version, self.stem()),
                ),
                ("resource", format!("{}_{}", self.group_stem(), self.stem())),
                ("group", self.group_stem()),
                ("version", self.version.clone()),
                ("kind", self.stem()),
            ],
        }
    }

    /// The arguments of `+kubebuilder:resource`; empty if all is as it would be without it.
    fn resource_marker(&self) -> String {
        let mut arguments = Vec::new();
        if self.plural != kgen_model::plural(&self.kind) {
            arguments.push(format!("path={}", self.plural));
        }
        if !self.shorts.is_empty() {
            arguments.push(format!("shortName={}", self.shorts.join(";")));
        }
        if self.cluster {
            arguments.push("scope=Cluster".to_owned());
        }
        arguments.join(",")
    }
}

/// Drafts what a new kind needs.
///
/// # Errors
/// Everything that is wrong with what was asked for.
pub fn create_api(options: &ApiOptions, working_folder: &Path) -> Result<Scaffold, Findings> {
    let project = project::find(working_folder)?;
    let mut draft = Draft::new(&project.root, &options.force);
    match &options.subject {
        Subject::External(path) => {
            let external = external::parse(path).map_err(Findings::of)?;
            let kind = Kind::external(&external);
            let words = kind.words(&project, context! { external => external.path });
            add_controller(&mut draft, &project, &kind, &words, "external")?;
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
            kind.cluster = *cluster;
            if let Some(plural) = plural {
                kind.plural.clone_from(plural);
            }
            kind.shorts.clone_from(shorts);
            let checks = plural.iter().map(|plural| names::resource("plural", plural));
            let checks = checks.chain(shorts.iter().map(|short| names::resource("short name", short)));
            for problem in checks.filter_map(Result::err) {
                problems.push(problem);
            }
            if problems.has_errors() {
                return Err(Findings {
                    problems,
                    ..Findings::default()
                });
            }
            if let Some(text) = other_version(&mut draft, &project, &kind) {
                kind.take_over(&stated::read(&text), plural.is_some());
            }
            add_kind(&mut draft, &project, &kind, *no_types, options.no_controller)?;
        }
    }
    draft.finish(project.file.clone(), working_folder)
}

fn add_kind(
    draft: &mut Draft<'_>,
    project: &Found,
    kind: &Kind,
    no_types: bool,
    no_controller: bool,
) -> Result<(), Findings> {
    let types = kind.types_file();
    let is_there = draft
        .text(&types)
        .is_some_and(|text| declares(&text, &kind.kind, project.style));
    if no_types && !is_there {
        draft.problem(
            Problem::general(Code::Usage, format!("`{types}` has no kind `{}`", kind.kind))
                .help("leave `--no-types` out, and the types are written as well"),
        );
        return Ok(());
    }
    let elsewhere = other_version(draft, project, kind);
    let words = kind.words(project, context! { storage => elsewhere.is_none() });
    if !no_types {
        let present = if is_there { Present::Keep } else { Present::Refuse };
        let set = format!("types-{}", project.style.word());
        create(draft, &set, &words, present)?;
        create(draft, "kind", &words, present)?;
        let module = format!(
            "//! +groupName={}\n//! The kinds of `{}`.\n",
            kind.group, kind.group
        );
        let version = format!("//! Version `{}` of the group `{}`.\n", kind.version, kind.group);
        let group_stem = kind.group_stem();
        add_modules(
            draft,
            &["api", &group_stem, &kind.version, &kind.stem()],
            &[None, Some(&module), Some(&version)],
        );
        add_manifests(draft, kind);
        if project.style == Style::Kgen {
            draft.edit("src/lib.rs", "pub mod generated;", |text| {
                rust::declare_module(text, "generated")
            });
        }
    }
    // A second version of a kind has the controller of the first.
    if !no_controller && elsewhere.is_none() {
        let set = "controller";
        add_controller(draft, project, kind, &words, set)?;
    }
    Ok(())
}

/// Whether a file declares the kind in the way of the style.
fn declares(text: &str, kind: &str, style: Style) -> bool {
    match style {
        Style::Kgen => rust::declares_type(text, kind),
        Style::Kube => rust::declares_type(text, &format!("{kind}Spec")) || rust::declares_type(text, kind),
    }
}

/// The types of the same kind in another version of the group.
fn other_version(draft: &mut Draft<'_>, project: &Found, kind: &Kind) -> Option<String> {
    let folder = format!("src/api/{}", kind.group_stem());
    let versions = kgen_build::entries(&project.root.join(&folder)).unwrap_or_default();
    let mut others = versions
        .iter()
        .filter(|version| names::version(version).is_ok() && **version != kind.version);
    others.find_map(|version| {
        draft
            .text(&format!("{folder}/{version}/{}.rs", kind.stem()))
            .filter(|text| declares(text, &kind.kind, project.style))
    })
}

/// The parts that make the kind known to kustomize.
fn add_manifests(draft: &mut Draft<'_>, kind: &Kind) {
    let head = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
    let definition = format!("- bases/{}_{}.yaml", kind.group, kind.plural);
    let sample = format!("- {}_{}_{}.yaml", kind.group_stem(), kind.version, kind.stem());
    for (file, about, entry) in [
        (
            "config/crd/kustomization.yaml",
            "# The definitions of the kinds, written by kgen.\n",
            &definition,
        ),
        (
            "config/samples/kustomization.yaml",
            "# An object of each kind: `kubectl apply -k config/samples`.\n",
            &sample,
        ),
    ] {
        if draft.text(file).is_none() {
            draft.create(file, format!("{about}{head}resources:\n{entry}\n"), Present::Keep);
        } else {
            draft.edit(file, entry, |text| kustomization::add(text, "resources", entry));
        }
    }
    draft.edit("config/default/kustomization.yaml", "- ../crd", |text| {
        kustomization::add(text, "resources", "- ../crd")
    });
    for role in ["admin", "editor", "viewer"] {
        let entry = format!("- {}_{}_{role}_role.yaml", kind.group_stem(), kind.stem());
        draft.edit("config/rbac/kustomization.yaml", &entry, |text| {
            kustomization::add(text, "resources", &entry)
        });
    }
}

fn add_controller(
    draft: &mut Draft<'_>,
    project: &Found,
    kind: &Kind,
    words: &Words,
    set: &str,
) -> Result<(), Findings> {
    let (group, stem) = (kind.group_stem(), kind.stem());
    let file = format!("src/controller/{group}/{stem}.rs");
    let is_there = draft
        .text(&file)
        .is_some_and(|text| rust::has_function(&text, "register") && text.contains(&kind.kind));
    let present = if is_there { Present::Keep } else { Present::Refuse };
    create(draft, &format!("{set}-{}", project.style.word()), words, present)?;
    let group_name = if kind.group.is_empty() {
        "the core of Kubernetes"
    } else {
        &kind.group
    };
    let about = format!("//! What is done about the kinds of `{group_name}`.\n");
    add_modules(draft, &["controller", &group, &stem], &[None, Some(&about)]);
    let path = [&group, &stem].map(|stem| names_in_code::module(stem)).join("::");
    let statement = format!("controller::{path}::register(manager);");
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
        draft.create(&path, text, present);
    }
    Ok(())
}

/// Declares a chain of modules below `src`, each in the one before; `documentation` is what the files of those hold which are
/// not there yet.
pub(crate) fn add_modules(draft: &mut Draft<'_>, chain: &[&str], documentation: &[Option<&str>]) {
    for (depth, name) in chain.iter().enumerate() {
        let module = names_in_code::module(name);
        let parents = chain.get(..depth).unwrap_or_default();
        let file = match parents {
            [] => "src/lib.rs".to_owned(),
            parents => {
                let folder = format!("src/{}", parents.join("/"));
                // Both forms of a module file are in use.
                let flat = format!("{folder}.rs");
                if draft.text(&flat).is_some() {
                    flat
                } else {
                    format!("{folder}/mod.rs")
                }
            }
        };
        if let Some(Some(text)) = depth.checked_sub(1).and_then(|parent| documentation.get(parent))
            && draft.text(&file).is_none()
        {
            draft.create(&file, (*text).to_owned(), Present::Keep);
        }
        let line = format!("pub mod {module};");
        draft.edit(&file, &line, |text| rust::declare_module(text, &module));
    }
}
