//! Finds the project of a command and reads `[project]` in its `kgen.toml`.

use std::path::{Path, PathBuf};

use kgen_build::{Configuration, FILE_NAME, Findings, Project, find_project_file, read_project_file, shown};
use kgen_diagnostics::{Code, Problem};

use crate::license;

/// The style of an operator's code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Kinds are whole structs, and kgen generates the rest.
    #[default]
    Kgen,
    /// Kinds use `#[derive(CustomResource)]`, and controllers use kube's `Controller`.
    Kube,
}

impl Style {
    /// Returns the name of the style in `kgen.toml`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Kgen => "kgen",
            Self::Kube => "kube",
        }
    }

    /// Returns the style with the given name.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        [Self::Kgen, Self::Kube]
            .into_iter()
            .find(|style| style.word() == word)
    }
}

/// A project on the disk.
pub(crate) struct Found {
    pub(crate) root: PathBuf,
    pub(crate) file: PathBuf,
    pub(crate) name: String,
    pub(crate) domain: String,
    pub(crate) style: Style,
    /// The header of its source files.
    pub(crate) header: String,
    /// The generators of the project and their source.
    pub(crate) configuration: Configuration,
}

/// Finds the project that contains `folder`.
pub(crate) fn find(folder: &Path) -> Result<Found, Findings> {
    let Some(file) = find_project_file(folder) else {
        let problem = Problem::general(
            Code::Usage,
            format!("cannot find {FILE_NAME} in this folder or in a parent folder"),
        )
        .help("create a project: `kgen init NAME --domain example.com`");
        return Err(Findings::of(problem));
    };
    let configuration = read_project_file(&file, folder)?;
    let root = file.parent().unwrap_or(folder).to_owned();
    let Some(project) = configuration.project.clone() else {
        let problem = Problem::general(
            Code::Usage,
            format!(
                "`{}` has no table `[project]`, so `kgen init` did not create this project",
                shown(folder, &file)
            ),
        )
        .help(
            "add `[project]` with `name`, `domain` and `style` if the project has the layout of `kgen init`",
        )
        .help("or create a project elsewhere: `kgen init NAME --domain example.com`");
        return Err(Findings::of(problem));
    };
    known(project, configuration, root, file, folder)
}

fn known(
    project: Project,
    configuration: Configuration,
    root: PathBuf,
    file: PathBuf,
    folder: &Path,
) -> Result<Found, Findings> {
    let Some(style) = Style::of(&project.style) else {
        let problem = Problem::general(
            Code::Configuration,
            format!("`style` in `{}` is `{}`", shown(folder, &file), project.style),
        )
        .help("use `kgen` or `kube`");
        return Err(Findings::of(problem));
    };
    Ok(Found {
        header: license::header(&root),
        root,
        file,
        name: project.name,
        domain: project.domain,
        style,
        configuration,
    })
}
