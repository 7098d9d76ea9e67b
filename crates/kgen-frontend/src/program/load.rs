//! Builds the program: reads the requested files, adds them to module trees, and reads more on demand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kgen_diagnostics::{Code, Files, Problem, Problems, SourceFile, Span, nearest};
use kgen_threads::map_all;
use rustc_hash::{FxHashMap, FxHashSet};

use super::features::{self, Resolution};
use super::lowerings::{Lowered, Manner, lowered};
use super::manifest::{self, Dependency, Edge, Package};
use super::modules::is_generated;
use super::paths::{self, Request};
use super::{Crate, CrateId, Foreign, ModuleId, ModuleState, Parsed, Program};
use crate::Input;
use crate::declare::{DocumentationStyle, Features, ModuleBody, Reach, Source};
use crate::source::Disk;

/// The crate whose macro makes modules of all files in a folder: `automod::dir!("src/kinds")`.
const COLLECTOR: &str = "automod";

/// Reads everything that `input` names, except for the dead files in `left_out`.
pub(crate) fn load(input: &Input, left_out: &[PathBuf]) -> Program {
    let disk = Disk::below(input.unsaved.clone(), input.tree.clone());
    if let Some(lowerings) = &input.lowerings {
        lowerings.begin();
    }
    let mut problems = Problems::new();
    let working_folder = kgen_diagnostics::absolute(&input.working_folder, Path::new("."));
    let here = [PathBuf::from(".")];
    let wanted_paths = if input.paths.is_empty() {
        &here[..]
    } else {
        &input.paths
    };
    let requests: Vec<_> = wanted_paths
        .iter()
        .filter_map(|path| paths::request(&disk, &working_folder, path, &mut problems))
        .collect();
    let mut packages = Packages::find(&disk, &requests, input);
    let folder_features = packages.resolve_features(&disk, &working_folder, input);
    packages.check_features(&input.features.features, &mut problems);
    let mut program = Program {
        files: Files::default(),
        disk,
        modules: Vec::new(),
        crates: Vec::new(),
        anywhere: Vec::new(),
        allows_floats: Vec::new(),
        excluded: input.exclude.clone(),
        problems,
        nests_deeply: false,
        wanted_files: 0,
        kubernetes_minor: None,
        working_folder,
        placed: FxHashMap::default(),
        boundaries: FxHashMap::default(),
        switched_off_files: Vec::new(),
        dead_files: Vec::new(),
        name_steps: 0,
        parsed: FxHashMap::default(),
        packages: BTreeMap::new(),
        json_schemas: BTreeMap::new(),
        names: Vec::new(),
        features: input.features.clone(),
        folder_features,
        foreign_markers: input.foreign_markers.clone(),
        lowerings: input.lowerings.clone(),
        style: if input.options.compat.is_kube_derive() {
            DocumentationStyle::AsWritten
        } else {
            DocumentationStyle::ControllerGen
        },
        foundation: None,
        locks: BTreeMap::new(),
        foreign: BTreeMap::new(),
        cargo_home: input.cargo_home.clone(),
    };
    program.read_wanted(&requests, &packages);
    for package in std::mem::take(&mut packages.list) {
        program.place_package(package);
    }
    program.find_dead_files(&requests, left_out);
    for request in &requests {
        program.place_folder(request);
    }
    let mut anywhere = std::mem::take(&mut program.anywhere);
    anywhere.sort_by_cached_key(|block| {
        block.first().map(|marker| {
            (
                program.files.name(marker.span().file).to_owned(),
                marker.span().start,
            )
        })
    });
    program.anywhere = anywhere;
    program
}

/// The packages of the requested files.
struct Packages {
    list: Vec<Package>,
    by_folder: FxHashMap<PathBuf, Option<usize>>,
    default_features: Features,
}

impl Packages {
    fn find(disk: &Disk, requests: &[Request], input: &Input) -> Self {
        let choice = &input.features;
        let mut found = Self {
            list: Vec::new(),
            by_folder: FxHashMap::default(),
            default_features: Features {
                enabled: choice.features.iter().cloned().collect(),
                all: choice.all,
                ..Features::default()
            },
        };
        for folder in requests
            .iter()
            .flat_map(|request| &request.files)
            .filter_map(|file| file.parent())
        {
            if found.by_folder.contains_key(folder) {
                continue;
            }
            let mut package = None;
            let mut between = Vec::new();
            for above in folder.ancestors() {
                if let Some(known) = found.by_folder.get(above) {
                    package = *known;
                    break;
                }
                between.push(above.to_owned());
                if let Some(read) = manifest::read_if_there(disk, above, choice) {
                    found.list.push(read);
                    package = Some(found.list.len() - 1);
                    break;
                }
            }
            found
                .by_folder
                .extend(between.into_iter().map(|folder| (folder, package)));
        }
        found
    }

    /// Activates the features that the packages request from each other. Returns those of all local packages.
    fn resolve_features(&mut self, disk: &Disk, working_folder: &Path, input: &Input) -> Resolution {
        let resolution = features::resolve(disk, working_folder, &self.list, &input.features);
        for package in &mut self.list {
            if let Some(features) = resolution.get(&package.folder) {
                package.features.clone_from(features);
            }
        }
        resolution
    }

    /// Reports features that are typos of known ones: their effect would be missing silently. Any other may belong to a
    /// package that is read later.
    fn check_features(&self, wanted: &[String], problems: &mut Problems) {
        let known = || {
            self.list
                .iter()
                .flat_map(|package| package.known_features.keys().chain(package.dependencies.keys()))
        };
        for feature in wanted
            .iter()
            .filter(|feature| !known().any(|known| known == *feature))
        {
            if let Some(near) = nearest(feature, known().map(String::as_str)) {
                problems.push(
                    Problem::general(Code::Usage, format!("no package has the feature `{feature}`"))
                        .help(format!("did you mean `{}`?", near.word)),
                );
            }
        }
    }

    fn features_of(&self, file: &Path) -> &Features {
        file.parent()
            .and_then(|folder| self.by_folder.get(folder).copied().flatten())
            .and_then(|index| self.list.get(index))
            .map_or(&self.default_features, |package| &package.features)
    }
}

impl Program {
    /// Reads and lowers all requested files.
    fn read_wanted(&mut self, requests: &[Request], packages: &Packages) {
        let mut paths: Vec<_> = requests.iter().flat_map(|request| &request.files).collect();
        paths.sort();
        paths.dedup();
        self.wanted_files = paths.len();
        let disk = &self.disk;
        let texts = map_all(&paths, |path| disk.read(path));
        let mut readable = Vec::with_capacity(paths.len());
        for (path, text) in paths.into_iter().zip(texts) {
            match text {
                Ok(text) if is_generated(&text) => {}
                Ok(text) => {
                    let name = kgen_diagnostics::shown(&self.working_folder, path);
                    let file = SourceFile::new(name, text).editable_at(path);
                    readable.push((path, self.files.add(file)));
                }
                Err(error) => {
                    let problem = self.unreadable(error);
                    self.problems.push(problem);
                }
            }
        }
        let (files, foreign_markers, style) = (&self.files, &self.foreign_markers, self.style);
        let known = self.lowerings.as_ref();
        let parsed = map_all(&readable, |(path, id)| {
            let source = Source::new(*id, files.get(*id).map_or("", SourceFile::text));
            let manner = Manner {
                features: packages.features_of(path),
                foreign_markers,
                style,
            };
            let Lowered {
                declarations,
                problems,
            } = lowered(known, path, source, manner);
            let parsed = Parsed {
                declarations,
                problems,
                wanted: true,
            };
            ((*path).clone(), parsed)
        });
        self.parsed = parsed.into_iter().collect();
    }

    /// Places the library and the programs of a package, as far as they lead to requested files.
    fn place_package(&mut self, package: Package) {
        let wanted_folders: FxHashSet<PathBuf> = self
            .parsed
            .keys()
            .filter(|path| path.starts_with(&package.folder))
            .flat_map(|path| path.ancestors().skip(1).map(Path::to_path_buf))
            .collect();
        for id in self.add_package(&package) {
            if let Some(root) = self.crates.get(id.0).and_then(|found| found.root) {
                self.descend(root, &wanted_folders);
            }
        }
    }

    /// Registers the crates of a package without reading them.
    fn add_package(&mut self, package: &Package) -> Vec<CrateId> {
        let mut added = Vec::new();
        for (index, root) in package.roots.iter().enumerate() {
            let is_library = package.has_library && index == 0;
            let mut dependencies = package.dependencies.clone();
            if !is_library {
                dependencies.insert(
                    package.library_name.clone(),
                    Dependency::Folder(package.folder.clone(), Edge::to(&package.name)),
                );
            }
            let id = self.add_crate(Crate {
                root: None,
                dependencies: Some(dependencies),
                features: package.features.clone(),
                folder: package.folder.clone(),
                package: Some((package.folder.clone(), package.name.clone())),
                foreign: None,
            });
            self.add_root(id, root);
            if is_library {
                self.packages.insert(package.folder.clone(), id);
            }
            added.push(id);
        }
        added
    }

    /// Registers the library of another package. Returns `None` if it does not have a library.
    pub(super) fn add_library(&mut self, package: &Package, foreign: Foreign) -> Option<CrateId> {
        let root = package.roots.first().filter(|_| package.has_library)?;
        let id = self.add_crate(Crate {
            root: None,
            dependencies: Some(package.dependencies.clone()),
            features: package.features.clone(),
            folder: package.folder.clone(),
            package: None,
            foreign: Some(foreign),
        });
        self.add_root(id, root);
        Some(id)
    }

    fn add_root(&mut self, id: CrateId, file: &Path) {
        let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
        let module = self.add_module(
            id,
            None,
            String::new(),
            Reach::Everywhere,
            ModuleState::Unread(file.to_owned()),
            folder,
        );
        if let Some(found) = self.crates.get_mut(id.0) {
            found.root = Some(module);
        }
    }

    /// Returns the root module of the package in `folder`, for a path in `dependent` that leads there.
    pub(super) fn package_root(&mut self, dependent: CrateId, folder: &Path) -> Option<ModuleId> {
        let folder = kgen_diagnostics::absolute(&self.working_folder, folder);
        if !self.packages.contains_key(&folder) {
            if self
                .crates
                .get(dependent.0)
                .is_some_and(|found| found.foreign.is_some())
            {
                let id = self.add_beside(dependent, &folder)?;
                self.packages.insert(folder.clone(), id);
            } else {
                let mut package = manifest::read(&self.disk, &folder, &self.features)?;
                if !package.has_library {
                    return None;
                }
                if let Some(features) = self.folder_features.get(&folder) {
                    package.features.clone_from(features);
                }
                self.add_package(&package);
            }
        }
        let id = self.packages.get(&folder)?;
        self.crates.get(id.0)?.root
    }

    fn add_crate(&mut self, added: Crate) -> CrateId {
        self.crates.push(added);
        CrateId(self.crates.len() - 1)
    }

    /// Finds the files of a package that are not part of any of its modules. The compiler does not read them either.
    ///
    /// They are read as a tree of their own, because the user may have named them on purpose. Those with errors are left
    /// out: their own, or those in `left_out`, in which a first reading has found types that do not resolve. A file that
    /// the user names is not dead, and neither is one that a macro of the package may declare or include.
    fn find_dead_files(&mut self, requests: &[Request], left_out: &[PathBuf]) {
        let named: FxHashSet<&PathBuf> = requests
            .iter()
            .filter(|request| request.is_file)
            .flat_map(|request| &request.files)
            .collect();
        let mut dead: Vec<PathBuf> = self
            .parsed
            .keys()
            .filter(|file| !named.contains(file) && self.is_dead(file))
            .cloned()
            .collect();
        dead.sort();
        // If no file of a request belongs to a module, their mistakes are errors: a package may have its API in a folder that it
        // does not compile.
        let is_dead = |file: &PathBuf| dead.binary_search(file).is_ok();
        let meant: FxHashSet<&PathBuf> = requests
            .iter()
            .filter(|request| request.files.iter().all(is_dead))
            .flat_map(|request| &request.files)
            .collect();
        for file in dead {
            let has_errors = |parsed: &Parsed| parsed.problems.has_errors();
            let has_errors = self.parsed.get(&file).is_some_and(has_errors);
            if !has_errors && !left_out.contains(&file) {
                self.dead_files.push(file);
                continue;
            }
            if has_errors && meant.contains(&file) {
                continue;
            }
            let errors = self.parsed.remove(&file).map(|parsed| parsed.problems);
            let first =
                errors.and_then(|problems| problems.iter().find(|problem| problem.is_error()).cloned());
            let name = kgen_diagnostics::shown(&self.working_folder, &file);
            let message = format!("`{name}` has errors and does not belong to any module, so it is left out");
            let mut problem = Problem::general_warning(Code::MissingModule, message);
            if let Some(place) = first.as_ref().and_then(|first| first.span) {
                problem = problem.related(place, first.map(|first| first.message).unwrap_or_default());
            }
            let problem = match self.mistyped_module(&name) {
                Some((declared, near, place)) => problem
                    .related(place, format!("`{declared}` is declared here, but has no file"))
                    .help(format!("did you mean `mod {near};`?")),
                None => problem.help("declare it with `mod`, delete it, or name the file itself in `paths=`"),
            };
            self.problems.push(problem);
        }
    }

    /// Returns the declared module without a file whose author probably meant the file, the right name, and the declaration.
    fn mistyped_module(&self, file: &str) -> Option<(String, String, Span)> {
        (0..self.modules.len()).map(ModuleId).find_map(|id| {
            let module = self.module(id)?;
            let ModuleState::Missing(looked_for) = &module.state else {
                return None;
            };
            let (near, found) = self.undeclared_file(id, looked_for)?;
            (found == file).then_some((module.name.clone(), near, module.declared_at?))
        })
    }

    /// Returns whether a file is below a package that is read completely and does not lead to the file.
    fn is_dead(&self, file: &Path) -> bool {
        let of_package = |found: &&Crate| {
            let package = found.package.as_ref();
            package.is_some_and(|(folder, _)| file.starts_with(folder))
        };
        let mut crates = self.crates.iter().filter(of_package).peekable();
        crates.peek().is_some()
            && crates.all(|found| {
                let Some(root) = found.root else { return false };
                let modules = self.modules_of_crate(root);
                let leads = |id: &ModuleId| self.body(*id).is_some_and(|body| self.may_lead_to(body, file));
                let is_broken = |id: &ModuleId| {
                    self.module(*id)
                        .is_some_and(|module| matches!(module.state, ModuleState::Broken))
                };
                self.body(root).is_some() && !modules.iter().any(|id| leads(id) || is_broken(id))
            })
    }

    /// Returns whether a macro of a module may declare or include a file: its text names the file, its folder, or every
    /// file of a folder.
    fn may_lead_to(&self, body: &ModuleBody, file: &Path) -> bool {
        let in_folder = file.file_stem().filter(|stem| *stem != "mod");
        let folder = file.parent().and_then(Path::file_name);
        let names: Vec<_> = [in_folder, folder]
            .into_iter()
            .flatten()
            .filter(|name| *name != "src")
            .map(std::ffi::OsStr::to_string_lossy)
            .collect();
        let calls = body.macro_calls.iter().map(|call| call.span);
        let mut macros = calls.chain(body.macro_definitions.iter().copied());
        macros.any(|span| {
            let text = self.text(span);
            let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            words.any(|word| names.iter().any(|name| name == word) || word == COLLECTOR)
        })
    }

    /// Places requested files outside of any package: the folder is the crate, and the folder tree is the module tree.
    fn place_folder(&mut self, request: &Request) {
        let mut files: Vec<_> = request
            .files
            .iter()
            .filter(|file| self.parsed.contains_key(*file))
            .map(|file| (module_path_of(file, &request.folder), file.clone()))
            .collect();
        if files.is_empty() {
            return;
        }
        // Parents come before children, and `lib.rs` before `main.rs`.
        files.sort_by(|left, right| (left.0.len(), left).cmp(&(right.0.len(), right)));
        // Files that belong to no package may use each other anywhere below the folder that kgen runs in.
        let folder = if request.folder.starts_with(&self.working_folder) {
            &self.working_folder
        } else {
            &request.folder
        };
        let id = self.add_crate(Crate {
            root: None,
            dependencies: None,
            features: Features::default(),
            folder: folder.clone(),
            package: None,
            foreign: None,
        });
        let state = ModuleState::Loaded(Arc::default());
        let root = self.add_module(
            id,
            None,
            String::new(),
            Reach::Everywhere,
            state,
            request.folder.clone(),
        );
        if let Some(found) = self.crates.get_mut(id.0) {
            found.root = Some(root);
        }
        let mut placed = FxHashSet::default();
        for (mut path, file) in files {
            let Some(parsed) = self.parsed.remove(&file) else {
                continue;
            };
            if !placed.insert(path.clone()) {
                // `main.rs` beside `lib.rs`, or `a.rs` beside `a/mod.rs`: the later one keeps its file name.
                path.extend(file.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            }
            let mut module = root;
            for name in &path {
                module = self.existing_child(module, name).unwrap_or_else(|| {
                    let folder = self
                        .module(module)
                        .map(|parent| parent.folder.join(name))
                        .unwrap_or_default();
                    let state = ModuleState::Loaded(Arc::default());
                    self.add_module(id, Some(module), name.clone(), Reach::Everywhere, state, folder)
                });
            }
            if let Some(target) = self.modules.get_mut(module.0)
                && matches!(target.state, ModuleState::Unread(_))
            {
                target.state = ModuleState::Broken;
            }
            self.place(module, parsed, &file);
        }
    }
}

/// Returns the names of the module that a file is, below the folder that is the crate.
fn module_path_of(file: &Path, folder: &Path) -> Vec<String> {
    let relative = file.strip_prefix(folder).unwrap_or(file);
    let mut names: Vec<String> = relative
        .with_extension("")
        .components()
        .map(|component| component.as_os_str().to_string_lossy().into_owned())
        .collect();
    let is_root = |name: &str| matches!(name, "lib" | "main" | "mod");
    let drop_last = match names.as_slice() {
        [only] => is_root(only),
        [.., last] => last == "mod",
        [] => false,
    };
    if drop_last {
        names.pop();
    }
    names
}
