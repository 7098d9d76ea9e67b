//! `kgen init`: creates a project that compiles and does not have a kind yet.

use std::path::{Path, PathBuf};

use kgen_build::{FILE_NAME, Findings, Project, entries, read_project_file, shown};
use kgen_diagnostics::{Code, Problem, Problems};
use minijinja::context;

use crate::draft::{Draft, Present, Scaffold};
use crate::edit::lines;
use crate::license::{self, License};
use crate::names;
use crate::project::Style;
use crate::render::{self, Words};
use crate::source::KgenSource;

/// The versions that a new project depends on: those that kgen-runtime is built with.
const KUBE_VERSION: &str = "5";
const K8S_OPENAPI_VERSION: &str = "0.29";
/// The minimum supported compiler, and the compiler of the image.
const RUST_VERSION: &str = "1.89";
const TOOLCHAIN: &str = "1.95";

/// The files that git ignores: those of the repository and those of the project.
const IGNORED_FILES: &str = ".gitignore";

/// The templates of a new project.
pub(crate) const SET: &str = "project";

/// The options of `kgen init`.
#[derive(Clone, Debug)]
pub struct InitOptions {
    /// The folder of the project.
    pub folder: PathBuf,
    /// The domain of the API groups.
    pub domain: String,
    /// The name of the project; by default the name of the folder.
    pub name: Option<String>,
    /// The style of the code.
    pub style: Style,
    /// The source of kgen's own crates.
    pub source: KgenSource,
    /// The license in the header of source files.
    pub license: Option<License>,
    /// Existing files to replace.
    pub force: Vec<PathBuf>,
}

/// Drafts a new project.
///
/// # Errors
/// Returns all problems of the options and of the folder.
pub fn init(options: &InitOptions, working_folder: &Path) -> Result<Scaffold, Findings> {
    let root = kgen_build::absolute(working_folder, &options.folder);
    let name = match &options.name {
        Some(name) => name.clone(),
        None => folder_name(&root),
    };
    let mut problems = Problems::new();
    let mistakes = [
        names::project(&name).err(),
        names::domain(&options.domain).err(),
        options.source.check(working_folder).err(),
    ];
    for problem in mistakes.into_iter().flatten() {
        problems.push(problem);
    }
    let project = Project {
        name,
        domain: options.domain.clone(),
        style: options.style.word().to_owned(),
    };
    let present = match presence(&root, Some(&project), working_folder) {
        Ok(present) => present,
        Err(findings) => {
            for problem in findings.problems.iter() {
                problems.push(problem.clone());
            }
            Present::Keep
        }
    };
    if problems.has_errors() {
        return Err(Findings {
            problems,
            ..Findings::default()
        });
    }
    let mut draft = Draft::new(&root, &options.force);
    let license = options.license.as_ref();
    for (path, text) in license.map_or(Ok(Vec::new()), |license| license.files(&project.name))? {
        draft.scaffold(license::SET, &path, text, Present::Keep);
    }
    let header = draft.text(license::HEADER).unwrap_or_default();
    let identifier = license.and_then(|license| license.identifier);
    let mut words = words(&root, &project, &options.source, identifier, working_folder);
    words.set_header(&header);
    for (path, text) in render::set(SET, &words).map_err(Findings::of)? {
        scaffold(&mut draft, &path, text, present);
    }
    draft.finish(root.join(FILE_NAME), working_folder)
}

/// Creates a file of the project. Files of a new repository are kept.
pub(crate) fn scaffold(draft: &mut Draft<'_>, path: &str, text: String, present: Present) {
    let is_from_repository = present == Present::Refuse && !path.contains('/') && is_harmless(path);
    if path == IGNORED_FILES && draft.text(path).is_some() {
        draft.edit(path, &text, |old| lines::add(old, &text));
    } else if is_from_repository {
        draft.scaffold(SET, path, text, Present::Keep);
    } else {
        draft.scaffold(SET, path, text, present);
    }
}

/// Returns the variables that the templates of a project in `root` can use.
pub(crate) fn words(
    root: &Path,
    project: &Project,
    source: &KgenSource,
    license: Option<&str>,
    working_folder: &Path,
) -> Words {
    let inside_workspace = root
        .ancestors()
        .skip(1)
        .any(|folder| kgen_build::is_file(&folder.join("Cargo.toml")));
    Words {
        context: context! {
            // The folder of the checkout, or `None`.
            checkout => source.checkout(working_folder),
            crate_name => project.name.replace('-', "_"),
            domain => project.domain.clone(),
            inside_workspace,
            k8s_openapi_version => K8S_OPENAPI_VERSION,
            fake => source.dependency("kgen-fake", "both", working_folder),
            header => "",
            license => license.unwrap_or_default(),
            git => matches!(source, KgenSource::Git(_)),
            install => source.install("kgen-cli", working_folder),
            install_control_plane => source.install("kgen-testenv", working_folder),
            kgen_version => env!("CARGO_PKG_VERSION"),
            kube_version => KUBE_VERSION,
            name => project.name.clone(),
            namespace => format!("{}-system", project.name),
            runtime => source.dependency("kgen-runtime", "webhook", working_folder),
            rust_version => RUST_VERSION,
            style => project.style.clone(),
            toolchain => TOOLCHAIN,
        },
        path: Vec::new(),
        header: String::new(),
    }
}

impl Words {
    /// Begins source files with a header, also generated ones. Nothing changes if it is empty.
    pub(crate) fn set_header(&mut self, header: &str) {
        self.header = license::in_file(header);
        if !self.header.is_empty() {
            let header = format!("\nheader-file = {:?}", license::HEADER);
            self.context = context! { header, ..self.context.clone() };
        }
    }
}

/// Derives the name of the project from the name of the folder.
fn folder_name(root: &Path) -> String {
    let canonical = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let name = canonical
        .components()
        .next_back()
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    name.unwrap_or_default().to_lowercase().replace(['_', ' '], "-")
}

/// Returns whether a file can be in the folder of a new project, because new repositories often have such files: hidden files,
/// Markdown, names in capitals such as `LICENSE-MIT`, and a few others. kubebuilder has a similar rule.
fn is_harmless(name: &str) -> bool {
    // Another tool or an earlier kgen has begun a project here.
    if ["PROJECT", ".kgen"].contains(&name) {
        return false;
    }
    let stem = name.split('.').next().unwrap_or_default();
    let is_capital =
        |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || matches!(letter, '-' | '_');
    name.starts_with('.')
        || name.to_lowercase().ends_with(".md")
        || (!stem.starts_with(|first: char| first.is_ascii_digit())
            && !stem.is_empty()
            && stem.chars().all(is_capital))
        || ["docs", "license", "readme", "renovate"].contains(&stem.to_lowercase().as_str())
}

/// Decides how to treat existing files: the folder must be empty, unless it contains the same project.
pub(crate) fn presence(
    root: &Path,
    project: Option<&Project>,
    working_folder: &Path,
) -> Result<Present, Findings> {
    let found = entries(root).map_err(|reason| {
        Findings::of(Problem::general(
            Code::Io,
            format!("`{}` cannot be read: {reason}", shown(working_folder, root)),
        ))
    })?;
    let others: Vec<&String> = found.iter().filter(|name| !is_harmless(name)).collect();
    let Some(first) = others.first() else {
        return Ok(Present::Refuse);
    };
    if found.iter().any(|name| name == FILE_NAME) {
        let configuration = read_project_file(&root.join(FILE_NAME), working_folder)?;
        match configuration.project {
            Some(there) if Some(&there) == project => return Ok(Present::Keep),
            Some(there) => {
                let problem = Problem::general(
                    Code::Usage,
                    format!(
                        "the folder already contains the project `{}` with the domain `{}` and the style `{}`",
                        there.name, there.domain, there.style
                    ),
                )
                .help("create the new project in another folder");
                return Err(Findings::of(problem));
            }
            None => {}
        }
    }
    let problem = Problem::general(
        Code::Usage,
        format!(
            "the folder `{}` is not empty: it contains `{first}`",
            shown(working_folder, root)
        ),
    )
    .help("create the project in a new folder with `kgen init NAME …`, and copy your files to it");
    Err(Findings::of(problem))
}
