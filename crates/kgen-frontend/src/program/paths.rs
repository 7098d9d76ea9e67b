//! Finds the files that the user's paths mean.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Code, Problem, Problems, absolute, shown};

use super::manifest;
use crate::source::{Disk, DiskError};

/// A path as the user gave it, and the files that it means.
#[derive(Debug)]
pub(super) struct Request {
    /// The folder that is the crate if there is no manifest.
    pub(super) folder: PathBuf,
    pub(super) files: Vec<PathBuf>,
    /// Whether the path is a file.
    pub(super) is_file: bool,
}

/// Returns a path without the `...` with which controller-gen asks for a whole tree: kgen always reads the whole tree.
#[must_use]
pub fn without_dots(path: &Path) -> Cow<'_, Path> {
    match path.to_string_lossy().strip_suffix("...") {
        None => Cow::Borrowed(path),
        Some("") => Cow::Borrowed(Path::new(".")),
        Some(rest) => Cow::Owned(PathBuf::from(rest)),
    }
}

/// Returns the files that a path means: itself, or the Rust files of its whole tree.
pub(super) fn request(
    disk: &Disk,
    working_folder: &Path,
    path: &Path,
    problems: &mut Problems,
) -> Option<Request> {
    let target = absolute(working_folder, &without_dots(path));
    if disk.is_file(&target) {
        let folder = target.parent().map_or_else(|| target.clone(), Path::to_path_buf);
        return Some(Request {
            folder,
            files: vec![target],
            is_file: true,
        });
    }
    if !disk.is_folder(&target) {
        let name = shown(working_folder, &target);
        problems.push(
            Problem::general(Code::Unreadable, format!("there is no file or folder `{name}`"))
                .help("list files and folders in `paths=`, separated by `;`"),
        );
        return None;
    }
    let mut walk = Walk {
        disk,
        working_folder,
        problems,
        files: Vec::new(),
        seen: BTreeSet::new(),
        target: &target,
        boundaries: None,
    };
    walk.folder(&target, disk.canonical(&target));
    let files = walk.files;
    Some(Request {
        folder: target,
        files,
        is_file: false,
    })
}

struct Walk<'a> {
    disk: &'a Disk,
    working_folder: &'a Path,
    problems: &'a mut Problems,
    files: Vec<PathBuf>,
    /// Folders by their true names, so that a link back up ends the walk.
    seen: BTreeSet<PathBuf>,
    /// The folder that the user points at.
    target: &'a Path,
    /// The true names of the folders that links may lead into, once a link was met.
    boundaries: Option<Vec<PathBuf>>,
}

impl Walk<'_> {
    /// Returns whether a true name is outside the package and the workspace that the user points at.
    fn is_outside(&mut self, true_name: &Path) -> bool {
        let (disk, target, working_folder) = (self.disk, self.target, self.working_folder);
        let boundaries = self.boundaries.get_or_insert_with(|| {
            let package = target
                .ancestors()
                .find(|above| manifest::workspace_of(disk, above).is_some());
            // Files that belong to no package may use each other anywhere below the folder that kgen runs in.
            let around = Some(working_folder).filter(|folder| target.starts_with(folder));
            let mut folders = manifest::boundaries(disk, package.or(around).unwrap_or(target));
            folders.push(disk.canonical(target));
            folders
        });
        !boundaries.iter().any(|folder| true_name.starts_with(folder))
    }

    fn folder(&mut self, folder: &Path, true_name: PathBuf) {
        if !self.seen.insert(true_name.clone()) {
            return;
        }
        let (files, folders) = match self.disk.list(folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.problems.push(unreadable(&error, self.working_folder));
                return;
            }
        };
        let is_package = files
            .iter()
            .any(|file| file.file_name().is_some_and(|name| name == manifest::FILE_NAME))
            && manifest::is_package(self.disk, &folder.join(manifest::FILE_NAME));
        for file in files {
            let is_rust = file.extension().is_some_and(|extension| extension == "rs");
            let is_build_script = is_package && file.file_name().is_some_and(|name| name == "build.rs");
            // Editors keep locks and copies under such names.
            let is_hidden = file
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if !is_rust || is_build_script || is_hidden {
                continue;
            }
            let file_name = self.disk.true_name(&file, &true_name);
            // Pipes and devices are reported when they are read.
            if !file_name.starts_with(&true_name) && self.disk.is_file(&file) && self.is_outside(&file_name) {
                self.refuse_file(&file);
                continue;
            }
            self.files.push(file);
        }
        for child in folders {
            let name = child
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            // Tests, benchmarks and examples of a package are programs of their own, not part of its API.
            let is_other_target = is_package && matches!(name.as_str(), "tests" | "benches" | "examples");
            if name.starts_with('.') || name == "target" || is_other_target {
                continue;
            }
            let child_name = self.disk.true_name(&child, &true_name);
            // Only a link leads out of the folder around it.
            if !child_name.starts_with(&true_name) && self.is_outside(&child_name) {
                let name = shown(self.working_folder, &child);
                let message =
                    format!("kgen does not read `{name}`, which links to a folder outside of the package");
                self.problems.push(
                    Problem::note(Code::Unreadable, message)
                        .help("if the folder declares types of the API, add it to `paths=`"),
                );
                continue;
            }
            self.folder(&child, child_name);
        }
    }

    /// Reports a link to a file that may be anything. Its text must not appear in a message.
    fn refuse_file(&mut self, file: &Path) {
        let name = shown(self.working_folder, file);
        let message = format!("kgen does not read `{name}`, which links to a file outside of the package");
        self.problems.push(
            Problem::general(Code::Unreadable, message).help(
                "move the file into the package, or name it in `paths=` if it declares types of the API",
            ),
        );
    }
}

/// Returns the problem of something that cannot be read.
pub(super) fn unreadable(error: &DiskError, working_folder: &Path) -> Problem {
    let name = shown(working_folder, &error.path);
    Problem::general(
        Code::Unreadable,
        format!("cannot read `{name}`: {}", error.reason),
    )
}
