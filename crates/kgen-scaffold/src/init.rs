//! `kgen init`: a project that compiles, and has nothing to do yet.

use std::path::{Path, PathBuf};

use kgen_build::{FILE_NAME, Findings, Project, entries, read_project_file, shown};
use kgen_diagnostics::{Code, Problem, Problems};
use minijinja::context;

use crate::draft::{Draft, Present, Scaffold};
use crate::names;
use crate::project::Style;
use crate::render::{self, Words};
use crate::source::KgenSource;

/// The versions that a new project depends on: those that kgen-runtime is built with.
const KUBE_VERSION: &str = "5";
const K8S_OPENAPI_VERSION: &str = "0.29";
/// The oldest compiler that works, and the one of the image.
const RUST_VERSION: &str = "1.89";
const TOOLCHAIN: &str = "1.95";

/// What may lie in the folder of a new project: what those have who begin with a repository.
const HARMLESS: &[&str] = &[
    ".git",
    ".gitattributes",
    ".idea",
    ".vscode",
    "LICENSE",
    "LICENSE.txt",
    "LICENSE.md",
];

/// What `kgen init` is given.
#[derive(Clone, Debug)]
pub struct InitOptions {
    /// The folder of the project.
    pub folder: PathBuf,
    /// What groups end in.
    pub domain: String,
    /// The name of the project; that of the folder if not given.
    pub name: Option<String>,
    /// How it is written.
    pub style: Style,
    /// Where kgen's own crates come from.
    pub source: KgenSource,
    /// Files that may be replaced.
    pub force: Vec<PathBuf>,
}

/// Drafts a new project.
///
/// # Errors
/// Everything that is wrong with what was asked for.
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
    let present = match presence(&root, &project, working_folder) {
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
    let inside_workspace = root
        .ancestors()
        .skip(1)
        .any(|folder| kgen_build::is_file(&folder.join("Cargo.toml")));
    let words = Words {
        context: context! {
            // The folder of the checkout, or nothing.
            checkout => options.source.checkout(working_folder),
            crate_name => project.name.replace('-', "_"),
            domain => project.domain,
            inside_workspace,
            k8s_openapi_version => K8S_OPENAPI_VERSION,
            install => options.source.install(),
            kube_version => KUBE_VERSION,
            name => project.name.clone(),
            namespace => format!("{}-system", project.name),
            runtime => options.source.dependency(working_folder),
            rust_version => RUST_VERSION,
            style => project.style,
            toolchain => TOOLCHAIN,
        },
        path: Vec::new(),
    };
    let mut draft = Draft::new(&root, &options.force);
    for (path, text) in render::set("project", &words).map_err(Findings::of)? {
        draft.create(&path, text, present);
    }
    draft.finish(root.join(FILE_NAME), working_folder)
}

/// The name of the folder, as a name for the project.
fn folder_name(root: &Path) -> String {
    let canonical = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let name = canonical
        .components()
        .next_back()
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    name.unwrap_or_default().to_lowercase().replace(['_', ' '], "-")
}

/// What files in the folder mean: nothing may be there, or the same project was begun before.
fn presence(root: &Path, project: &Project, working_folder: &Path) -> Result<Present, Findings> {
    let found = entries(root).map_err(|reason| {
        Findings::of(Problem::general(
            Code::Io,
            format!("`{}` cannot be read: {reason}", shown(working_folder, root)),
        ))
    })?;
    let others: Vec<&String> = found
        .iter()
        .filter(|name| !HARMLESS.contains(&name.as_str()))
        .collect();
    let Some(first) = others.first() else {
        return Ok(Present::Refuse);
    };
    if found.iter().any(|name| name == FILE_NAME) {
        let configuration = read_project_file(&root.join(FILE_NAME), working_folder)?;
        match configuration.project {
            Some(there) if there == *project => return Ok(Present::Keep),
            Some(there) => {
                let problem = Problem::general(
                    Code::Usage,
                    format!(
                        "the folder holds the project `{}` already, with the domain `{}` and the style `{}`",
                        there.name, there.domain, there.style
                    ),
                )
                .help("begin the new one in another folder");
                return Err(Findings::of(problem));
            }
            None => {}
        }
    }
    let problem = Problem::general(
        Code::Usage,
        format!(
            "the folder `{}` is not empty: there is `{first}`",
            shown(working_folder, root)
        ),
    )
    .help("begin in a new folder, `kgen init NAME --domain …`, and bring your files over");
    Err(Findings::of(problem))
}
