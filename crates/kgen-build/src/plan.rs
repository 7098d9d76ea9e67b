//! Compares the disk with the expected files: create, update, same, stale.
//!
//! Writing, verifying and dry runs share this plan, so they cannot disagree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use kgen_diagnostics::{Allowance, Code, Problem, Problems};
use kgen_generators::Artifact;
use kgen_generators::rust::modules::{self, TreeFile};
use kgen_model::GeneratedLine;

use crate::configuration::{Action, Configuration, Job, Output};
use crate::generator::Product;
use crate::report::Findings;
use crate::view::View;
use crate::{abandoned, disk, header, owner, place};

/// The changes that are needed on the disk.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// One entry for each file, by path.
    pub changes: Vec<Change>,
    /// The output folders of the generators.
    pub(crate) roots: BTreeSet<PathBuf>,
    /// These folders and all folders in them, in which an earlier run may have left a staging folder.
    pub(crate) folders: BTreeSet<PathBuf>,
}

/// The change of one file.
#[derive(Clone, Debug)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// The file as messages name it.
    pub name: String,
    /// The generator of the file.
    pub generator: &'static str,
    /// The action.
    pub action: ChangeAction,
    /// Whether the existing file was not generated, so that it will not be replaced.
    pub foreign: bool,
}

/// The action for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeAction {
    /// It does not exist.
    Create {
        /// Its text.
        new: String,
    },
    /// It differs.
    Update {
        /// The current content.
        old: Vec<u8>,
        /// The expected content.
        new: String,
    },
    /// It is as it should be.
    Same,
    /// A generator wrote it earlier and no longer produces it.
    Stale {
        /// The current content.
        old: Vec<u8>,
    },
}

impl Plan {
    /// Creates a plan for files of no generator. Messages name them relative to `working_folder`.
    #[must_use]
    pub fn of_files(files: impl IntoIterator<Item = (PathBuf, ChangeAction)>, working_folder: &Path) -> Self {
        let mut changes: Vec<Change> = files
            .into_iter()
            .map(|(path, action)| Change {
                name: place::shown(working_folder, &path),
                path,
                generator: "scaffold",
                action,
                foreign: false,
            })
            .collect();
        changes.sort_by(|left, right| left.path.cmp(&right.path));
        Self {
            folders: changes.iter().filter_map(parent).collect(),
            roots: BTreeSet::new(),
            changes,
        }
    }

    /// Adds the changes of another plan.
    pub(crate) fn add(&mut self, other: Self) {
        self.changes.extend(other.changes);
        self.changes.sort_by(|left, right| left.path.cmp(&right.path));
        self.roots.extend(other.roots);
        self.folders.extend(other.folders);
    }

    /// Carries out the plan.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written. Before the first move, the disk is unchanged; after it, every file
    /// is complete.
    pub fn carry_out(&self) -> Result<(), Findings> {
        disk::carry_out(self).map_err(Findings::of)
    }

    /// Returns the files that differ.
    pub fn differences(&self) -> impl Iterator<Item = &Change> {
        self.changes
            .iter()
            .filter(|change| change.action != ChangeAction::Same)
    }
}

/// The files that the generators produced, by path.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    files: BTreeMap<PathBuf, Vec<Artifact>>,
    folders: BTreeMap<PathBuf, OutputFolder>,
    /// Files that are generated but not written.
    unwritten: Vec<Artifact>,
    /// Names that are not a file in their output folder.
    problems: Problems,
    /// Whether kinds are missing because they have errors, so that a file that is not here may still be wanted.
    pub(crate) is_partial: bool,
}

/// An output folder of generators.
#[derive(Debug, Default)]
struct OutputFolder {
    /// Their names, as in the first lines of their files.
    generators: BTreeSet<&'static str>,
    /// Whether files are in folders below it.
    has_folders: bool,
    /// Whether it is a tree of Rust modules.
    is_tree: bool,
    /// Whether the tree is included with `include!`.
    included: bool,
    /// The header of the `mod.rs` files of the tree.
    header: Option<String>,
}

impl Expected {
    /// Expects nothing yet; of all kinds, or without those that have errors.
    pub(crate) fn new(is_partial: bool) -> Self {
        Self {
            is_partial,
            ..Self::default()
        }
    }

    /// Keeps files that are not written.
    pub(crate) fn keep(&mut self, artifacts: Vec<Artifact>) {
        self.unwritten.extend(artifacts);
    }

    /// Returns the files of one generator, by path.
    pub(crate) fn files_of<'a>(&'a self, generator: &'a str) -> impl Iterator<Item = (&'a Path, &'a str)> {
        let artifacts = self.files.iter().flat_map(|(path, artifacts)| {
            let of_path = artifacts.iter();
            of_path.map(move |artifact| (path.as_path(), artifact))
        });
        let unwritten = self.unwritten.iter();
        artifacts
            .chain(unwritten.map(|artifact| (Path::new(&artifact.name), artifact)))
            .filter(move |(_, artifact)| artifact.generator == generator)
            .map(|(path, artifact)| (path, artifact.text.as_str()))
    }

    /// Adds the files of a job in `folder`.
    pub(crate) fn add(&mut self, folder: PathBuf, artifacts: Vec<Artifact>, job: &Job, header: Option<&str>) {
        let output = self.folders.entry(folder.clone()).or_default();
        output.generators.insert(job.generator.name);
        output.has_folders |= job.generator.product.has_folders();
        if job.generator.product == Product::Code {
            output.generators.insert(modules::GENERATOR);
            output.is_tree = true;
            output.included |= matches!(job.output, Some(Output::Included(_)));
            if output.header.is_none() {
                output.header = header.map(str::to_owned);
            }
        }
        for artifact in artifacts {
            let name = &artifact.name;
            // The Dockerfile of a bundle is beside its folder, from where it is built.
            let inside = match job.generator.product {
                Product::Package => name.strip_prefix("../").unwrap_or(name),
                _ => name,
            };
            if !place::is_inside(inside, job.generator.product.has_folders()) {
                let message = format!(
                    "`{}` cannot write `{name}`, which is not a file name",
                    artifact.generator
                );
                self.problems.push(
                    Problem::general(Code::Configuration, message)
                        .help("use a name without folders; `output:dir=…` chooses the folder"),
                );
                continue;
            }
            self.files
                .entry(place::absolute(&folder, Path::new(&artifact.name)))
                .or_default()
                .push(artifact);
        }
    }
}

/// Compares the expected files with the disk.
pub(crate) fn against_disk(
    mut expected: Expected,
    configuration: &Configuration,
    findings: &mut Vec<Findings>,
) -> Plan {
    let mut planner = Planner {
        configuration,
        problems: std::mem::take(&mut expected.problems),
    };
    planner.add_modules(&mut expected);
    let mut changes = Vec::with_capacity(expected.files.len());
    changes.extend(planner.stale(&expected));
    for (path, artifacts) in expected.files {
        changes.extend(planner.change(path, artifacts));
    }
    changes.sort_by(|left, right| left.path.cmp(&right.path));
    if configuration.is_whole_project() {
        planner.problems.extend(abandoned::problems(configuration));
    }
    let allowed = configuration.sets.iter().flat_map(|set| &set.allow);
    findings.push(Findings {
        problems: planner.problems,
        allowances: allowed.copied().map(Allowance::everywhere).collect(),
        ..Findings::default()
    });
    let trees = expected.folders.iter().filter(|(_, output)| output.has_folders);
    let below: BTreeSet<PathBuf> = trees
        .flat_map(|(root, _)| disk::folders_below(root).unwrap_or_default())
        .collect();
    let roots: BTreeSet<PathBuf> = expected.folders.into_keys().collect();
    Plan {
        folders: roots
            .iter()
            .cloned()
            .chain(below)
            .chain(changes.iter().filter_map(parent))
            .collect(),
        roots,
        changes,
    }
}

fn parent(change: &Change) -> Option<PathBuf> {
    change.path.parent().map(Path::to_path_buf)
}

struct Planner<'a> {
    configuration: &'a Configuration,
    problems: Problems,
}

impl Planner<'_> {
    fn view(&self) -> View<'_> {
        View(&self.configuration.unsaved)
    }

    fn shown(&self, path: &Path) -> String {
        place::shown(&self.configuration.working_folder, path)
    }

    fn change(&mut self, path: PathBuf, mut artifacts: Vec<Artifact>) -> Option<Change> {
        let name = self.shown(&path);
        let artifact = artifacts.pop()?;
        if let Some(other) = artifacts.pop() {
            let who = if other.generator == artifact.generator {
                format!("`{}` writes `{name}` twice", other.generator)
            } else {
                format!(
                    "`{}` and `{}` both write `{name}`",
                    other.generator, artifact.generator
                )
            };
            self.problems.push(
                Problem::general(Code::Configuration, who).help("give them different folders or file names"),
            );
            return None;
        }
        let generator = artifact.generator;
        let old = self.old(&path, &name)?;
        let foreign = old.as_ref().is_some_and(|old| {
            !header::may_replace(old, &artifact.text) && owner::generator(self.view(), &path).is_none()
        });
        // A dry run shows the difference; a run that writes must not overwrite a file of the user.
        if foreign && self.configuration.action != Action::Verify {
            let message = format!("`{name}` was not written by kgen, and `{generator}` would replace it");
            self.problems.push(
                Problem::general(Code::Io, message)
                    .help("move it away or delete it first; its first line does not mark it as generated")
                    .help(format!(
                        "or write to another folder with `output:{generator}:dir=…`"
                    )),
            );
        }
        let action = match old {
            None => ChangeAction::Create { new: artifact.text },
            Some(old) if old == artifact.text.as_bytes() => ChangeAction::Same,
            Some(old) => ChangeAction::Update {
                old,
                new: artifact.text,
            },
        };
        Some(Change {
            path,
            name,
            generator,
            action,
            foreign,
        })
    }

    /// Returns the files of an output folder, and of the folders in it if it is a tree.
    fn files(&mut self, folder: &Path, output: &OutputFolder) -> Vec<PathBuf> {
        let listed = if output.has_folders {
            self.view().files_below(folder)
        } else {
            self.view().files_in(folder)
        };
        listed.unwrap_or_else(|reason| {
            let name = self.shown(folder);
            self.problems.push(Problem::general(
                Code::Io,
                format!("cannot list `{name}`: {reason}"),
            ));
            Vec::new()
        })
    }

    /// Adds the `mod.rs` files of each tree, from the files of this run and from the files that other generators wrote
    /// earlier.
    fn add_modules(&mut self, expected: &mut Expected) {
        let trees: Vec<_> = expected
            .folders
            .iter()
            .filter(|(_, output)| output.is_tree)
            .collect();
        let mut added = Vec::new();
        for (root, output) in trees {
            let mut files = BTreeMap::new();
            for path in self.files(root, output) {
                let first_line = self.view().first_line(&path);
                // A file that a generator of this run no longer produces is not a module, removed or not.
                if GeneratedLine::of_text(&first_line)
                    .is_some_and(|line| !output.generators.contains(line.generator))
                    && let Ok(text) = self.view().read_text(&path)
                {
                    files.insert(path, text);
                }
            }
            for (path, artifacts) in expected.files.range(root.clone()..) {
                if let Some(artifact) = artifacts.first().filter(|_| path.starts_with(root)) {
                    files.insert(path.clone(), artifact.text.clone());
                }
            }
            let named: Vec<_> = files
                .iter()
                .filter_map(|(path, text)| Some((place::inside(root, path)?, text)))
                .filter(|(name, _)| name.ends_with(".rs"))
                .collect();
            let tree: Vec<_> = named.iter().map(|(path, text)| TreeFile { path, text }).collect();
            for artifact in modules::generate(&tree, output.included, output.header.as_deref()) {
                added.push((place::absolute(root, Path::new(&artifact.name)), artifact));
            }
        }
        for (path, artifact) in added {
            expected.files.entry(path).or_default().push(artifact);
        }
    }

    /// Returns the content of a file; `None` if it cannot be read.
    fn old(&mut self, path: &Path, name: &str) -> Option<Option<Vec<u8>>> {
        match self.view().read_if_there(path) {
            Ok(old) => Some(old),
            Err(reason) => {
                let problem = Problem::general(Code::Io, format!("cannot compare `{name}`: {reason}"));
                self.problems.push(match disk::file_above(path) {
                    Some(file) => problem.help(format!(
                        "`{}` is a file, but the output needs a folder",
                        self.shown(file)
                    )),
                    None => problem,
                });
                None
            }
        }
    }

    /// Returns files in the output folders that one of the generators for that folder wrote and no longer produces.
    fn stale(&mut self, expected: &Expected) -> Vec<Change> {
        let mut stale = Vec::new();
        // A folder whose tree is included contains only files of kgen, so all other files in it are stale.
        let pruned =
            |output: &OutputFolder| !expected.is_partial && (self.configuration.prune || output.included);
        for (folder, output) in expected.folders.iter().filter(|(_, output)| pruned(output)) {
            for path in self.files(folder, output) {
                if expected.files.contains_key(&path) {
                    continue;
                }
                let Some(generator) = owner::generator(self.view(), &path)
                    .and_then(|generator| output.generators.get(generator.as_str()))
                else {
                    continue;
                };
                let name = self.shown(&path);
                if let Some(Some(old)) = self.old(&path, &name) {
                    stale.push(Change {
                        path,
                        name,
                        generator,
                        action: ChangeAction::Stale { old },
                        foreign: false,
                    });
                }
            }
        }
        stale
    }
}
