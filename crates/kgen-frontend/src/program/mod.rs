//! The program: crates, their module trees, and their files.
//!
//! The files that the user names are read at once and in parallel. Other files of the same workspace, and of other
//! crates, are read when a path leads there; they provide types but no kinds.

mod cargo_home;
mod features;
mod foreign;
mod foundation;
mod load;
mod lock;
mod lowerings;
mod manifest;
mod modules;
mod names;
mod paths;
mod reachable;
mod toml_keys;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use kgen_diagnostics::{Allowance, Files, Problem, Problems, Span};
use kgen_markers::Marker;
use rustc_hash::FxHashMap;

use crate::ForeignMarkers;
use crate::declare::{DocumentationStyle, FileDeclarations, ModuleBody, Reach, TypeDeclaration};
use crate::source::Disk;

pub use cargo_home::cargo_home;
pub(crate) use foreign::{External, kubernetes_minor};
pub(crate) use foundation::{Foundation, Schemars};
pub(crate) use load::load;
pub use lowerings::Lowerings;
pub use manifest::{FeatureChoice, workspace_folder};
pub(crate) use names::{NameError, Target};
pub use paths::without_dots;
pub(crate) use reachable::User;

/// A module of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ModuleId(usize);

/// A crate of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CrateId(usize);

/// A type that the program declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId {
    pub(crate) module: ModuleId,
    pub(crate) index: usize,
}

/// One module.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) crate_id: CrateId,
    pub(crate) parent: Option<ModuleId>,
    pub(crate) name: String,
    pub(crate) reach: Reach,
    pub(crate) children: BTreeMap<String, ModuleId>,
    /// The name in its declaration.
    declared_at: Option<Span>,
    state: ModuleState,
    /// Whether the user named it, so that its kinds count.
    pub(crate) wanted: bool,
    /// Whether it is the block of a function, which paths cannot name.
    is_block: bool,
    /// The folder with the files of its child modules.
    folder: PathBuf,
    types_by_name: FxHashMap<String, usize>,
}

/// How much of a module is known.
#[derive(Clone, Debug)]
enum ModuleState {
    Loaded(Arc<ModuleBody>),
    /// Its file was not looked for yet. Other crates have hundreds of modules, of which few are needed.
    Declared,
    /// The file that it is in, not read yet.
    Unread(PathBuf),
    /// The files that were tried; none exists.
    Missing(Vec<PathBuf>),
    /// A file outside the package and its workspace, which is not read.
    Outside(PathBuf),
    /// A file that could not be read or parsed; the problem is reported.
    Broken,
}

/// One crate.
#[derive(Clone, Debug)]
pub(crate) struct Crate {
    pub(crate) root: Option<ModuleId>,
    /// Other crates by the name they have in this one's source; `None` if there is no manifest to tell.
    dependencies: Option<BTreeMap<String, manifest::Dependency>>,
    features: crate::declare::Features,
    /// The folder of the package that it is part of, or of all its source if there is no manifest.
    folder: PathBuf,
    /// The folder and name of the package that it is part of.
    package: Option<(PathBuf, String)>,
    /// The properties of a crate that is not the user's.
    foreign: Option<Foreign>,
}

/// A crate that is not the user's.
#[derive(Clone, Debug)]
struct Foreign {
    /// Its name as paths start with it.
    library: String,
    /// Whether it is k8s-openapi, which has its own reader.
    is_kubernetes: bool,
    locked: foreign::Locked,
}

/// Everything that was read.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) files: Files,
    pub(crate) disk: Disk,
    pub(crate) modules: Vec<Module>,
    pub(crate) crates: Vec<Crate>,
    /// RBAC rules and webhooks, file by file.
    pub(crate) anywhere: Vec<Vec<Marker>>,
    pub(crate) problems: Problems,
    /// The places at which floating-point numbers are allowed.
    pub(crate) allows_floats: Vec<Allowance>,
    /// Names of kinds, of their types, or of macros with `!`, that are left out.
    pub(crate) excluded: Vec<String>,
    /// Whether types or code may be nested too deeply for a normal stack.
    pub(crate) nests_deeply: bool,
    /// The number of files that were read because the user named them.
    pub(crate) wanted_files: usize,
    /// The minor version of Kubernetes whose types k8s-openapi has, once its manifest was read.
    pub(crate) kubernetes_minor: Option<u32>,
    working_folder: PathBuf,
    /// How many modules each file has become.
    placed: FxHashMap<PathBuf, usize>,
    /// The true names of the folders that modules of a package may be in, by the folder of the package.
    boundaries: FxHashMap<PathBuf, Vec<PathBuf>>,
    /// The requested files that their own `cfg` disables, each with its condition.
    switched_off_files: Vec<(String, String)>,
    /// The requested files that are read although they are not part of any module of their package.
    dead_files: Vec<PathBuf>,
    /// The steps of all searches for names so far.
    name_steps: usize,
    /// Files that are read but not placed in a module tree yet.
    parsed: FxHashMap<PathBuf, Parsed>,
    packages: BTreeMap<PathBuf, CrateId>,
    features: FeatureChoice,
    /// The features of packages in folders, where one depends on another.
    folder_features: features::Resolution,
    foreign_markers: ForeignMarkers,
    /// Declarations that earlier runs have read.
    lowerings: Option<Lowerings>,
    /// The conversion of documentation.
    style: DocumentationStyle,
    /// The dependencies of the user's crates, once they were requested.
    foundation: Option<Foundation>,
    /// Every hand-written `JsonSchema`, by the last name of its type: its module, and its place there.
    json_schemas: BTreeMap<String, Vec<(ModuleId, usize)>>,
    /// Paths that were looked up already, module by module.
    names: Vec<FxHashMap<String, Result<Target, NameError>>>,
    /// Lock files by their folders; `None` for one that cannot be read.
    locks: BTreeMap<PathBuf, Option<Arc<lock::Lock>>>,
    /// Crates that are not the user's; `None` for one whose source is not on disk.
    foreign: BTreeMap<foreign::LockKey, Option<CrateId>>,
    cargo_home: Option<PathBuf>,
}

/// Derives that make no types, or none that source can name other than the root of a kind.
const COMMON_DERIVES: &[&str] = &[
    "Clone",
    "Copy",
    "CustomResource",
    "Debug",
    "Default",
    "Deserialize",
    "Display",
    "Eq",
    "Hash",
    "JsonSchema",
    "KubeSchema",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
    "Validate",
];

/// A file that was read and lowered.
#[derive(Debug)]
struct Parsed {
    declarations: Option<Arc<FileDeclarations>>,
    problems: Problems,
    wanted: bool,
}

impl Program {
    /// Returns a module.
    pub(crate) fn module(&self, id: ModuleId) -> Option<&Module> {
        self.modules.get(id.0)
    }

    /// Returns the module that `self` means in a module: a block of a function is part of the module around it.
    fn named_module(&self, id: ModuleId) -> ModuleId {
        let mut present = id;
        while let Some(module) = self.module(present)
            && module.is_block
            && let Some(parent) = module.parent
        {
            present = parent;
        }
        present
    }

    /// Returns the module of a function's block: the child of `module` that is called `name`.
    pub(crate) fn block(&self, module: ModuleId, name: &str) -> Option<ModuleId> {
        self.module(module)?.children.get(name).copied()
    }

    /// Returns whether a module is the block of a function.
    pub(crate) fn is_block(&self, module: ModuleId) -> bool {
        self.module(module).is_some_and(|module| module.is_block)
    }

    /// Returns the declarations of a module, which can be kept while more of the program is read.
    pub(crate) fn shared_body(&self, id: ModuleId) -> Option<Arc<ModuleBody>> {
        match &self.module(id)?.state {
            ModuleState::Loaded(body) => Some(Arc::clone(body)),
            _ => None,
        }
    }

    /// Returns the declarations of a module; `None` if it is not loaded.
    pub(crate) fn body(&self, id: ModuleId) -> Option<&ModuleBody> {
        match &self.module(id)?.state {
            ModuleState::Loaded(body) => Some(body),
            _ => None,
        }
    }

    /// Returns a type declaration.
    pub(crate) fn declaration(&self, id: TypeId) -> Option<&TypeDeclaration> {
        self.body(id.module)?.types.get(id.index)
    }

    /// Returns the hand-written `JsonSchema` of a type that is called `name`, as far as its file is read.
    pub(crate) fn json_schemas(&mut self, name: &str, id: TypeId) -> Option<(ModuleId, usize)> {
        // By its own name: an impl of a type under another name, as `use Kiln as Oven` makes one, is not found.
        let candidates = self.json_schemas.get(name)?.clone();
        candidates.into_iter().find(|(module, index)| {
            let Some(body) = self.shared_body(*module) else {
                return false;
            };
            let Some(implementation) = body.implementations.get(*index) else {
                return false;
            };
            let path: Vec<_> = implementation.type_path.iter().map(String::as_str).collect();
            self.resolve(*module, &path, false) == Ok(Target::Type(id))
        })
    }

    /// Returns a hand-written `JsonSchema` for what a derive calls `name`: in the same module, or else in the crate.
    pub(crate) fn json_schema_in_crate(&self, name: &str, module: ModuleId) -> Option<(ModuleId, usize)> {
        let candidates = self.json_schemas.get(name)?;
        let crate_of = |id: ModuleId| self.module(id).map(|module| module.crate_id);
        let near = candidates.iter().find(|(found, _)| *found == module);
        let anywhere = || {
            candidates
                .iter()
                .find(|(found, _)| crate_of(*found) == crate_of(module))
        };
        near.or_else(anywhere).copied()
    }

    /// Returns the modules of the crate of a module, as far as they are read: itself first.
    fn modules_beside(&self, module: ModuleId) -> impl Iterator<Item = &ModuleBody> {
        let crate_of = |id: ModuleId| self.module(id).map(|module| module.crate_id);
        let others = (0..self.modules.len())
            .map(ModuleId)
            .filter(move |id| *id != module && crate_of(*id) == crate_of(module));
        std::iter::once(module)
            .chain(others)
            .filter_map(|id| self.body(id))
    }

    /// Returns the call of a macro whose text names a type, in the crate of a module.
    pub(crate) fn macro_that_names(&self, name: &str, module: ModuleId) -> Option<Span> {
        let calls = self.modules_beside(module).flat_map(|body| &body.macro_calls);
        let names_it = |span: &Span| {
            let mut words = self
                .text(*span)
                .split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            words.any(|word| word == name)
        };
        calls.map(|call| call.span).find(names_it)
    }

    /// Returns the derive that may make a type: one that is not common, on a type whose name is part of the name.
    pub(crate) fn derive_that_makes(&self, name: &str, module: ModuleId) -> Option<Span> {
        let types = self.modules_beside(module).flat_map(|body| &body.types);
        types
            .filter(|declared| name != declared.name)
            .filter(|declared| name.starts_with(&declared.name) || name.ends_with(&declared.name))
            .find_map(|declared| {
                let mut derives = declared.attributes.derives.iter();
                derives.find(|derive| !COMMON_DERIVES.contains(&derive.value.as_str()))
            })
            .map(|derive| derive.span)
    }

    /// Returns the types that a module declares.
    pub(crate) fn types(&self, module: ModuleId) -> Vec<TypeId> {
        let count = self.body(module).map_or(0, |body| body.types.len());
        (0..count).map(|index| TypeId { module, index }).collect()
    }

    /// Returns the places of types of this name in the crate of `module`, as far as it is read: paths to import them
    /// by, and whether `module` may do so.
    pub(crate) fn types_called(&self, name: &str, module: ModuleId) -> Vec<(String, bool)> {
        let crate_of = |id: ModuleId| self.module(id).map(|module| module.crate_id);
        (0..self.modules.len())
            .map(ModuleId)
            .filter(|id| *id != module && crate_of(*id) == crate_of(module))
            .filter(|id| {
                self.body(*id)
                    .is_some_and(|body| body.types.iter().any(|declared| declared.name == name))
            })
            .map(|id| {
                let path = self.module_path(id);
                let path = std::iter::once("crate")
                    .chain(path)
                    .chain([name])
                    .collect::<Vec<_>>()
                    .join("::");
                (path, self.is_visible(name, id, module))
            })
            .collect()
    }

    /// Returns whether the type called `name` in module `home` may be named in module `from` of the same crate: each
    /// part of its path is public, or declared in a module around `from`.
    fn is_visible(&self, name: &str, home: ModuleId, from: ModuleId) -> bool {
        let around = self.ancestors(from);
        let is_public_type = self.body(home).is_some_and(|body| {
            let mut declared = body.types.iter();
            declared.any(|declared| declared.name == name && declared.reach.is_public())
        });
        let can_enter = |id: &ModuleId| {
            self.module(*id).is_some_and(|module| {
                module.reach.is_public() || module.parent.is_none_or(|parent| around.contains(&parent))
            })
        };
        (is_public_type || around.contains(&home)) && self.ancestors(home).iter().all(can_enter)
    }

    /// Returns whether paths in `module` may start with the name of a crate: the standard library, or a known
    /// dependency.
    pub(crate) fn has_crate(&self, name: &str, module: ModuleId) -> bool {
        let dependencies = || {
            let crate_id = self.module(module)?.crate_id;
            self.crates.get(crate_id.0)?.dependencies.as_ref()
        };
        name == "std" || dependencies().is_some_and(|dependencies| dependencies.contains_key(name))
    }

    /// Returns whether the manifest of the crate is known and does not name `name`.
    pub(crate) fn lacks_crate(&self, name: &str, module: ModuleId) -> bool {
        let crate_id = self.module(module).map(|module| module.crate_id);
        let dependencies = crate_id
            .and_then(|id| self.crates.get(id.0))
            .and_then(|known| known.dependencies.as_ref());
        let is_named = |dependencies: &BTreeMap<_, _>| dependencies.contains_key(name);
        !matches!(name, "" | "std" | "core" | "alloc") && dependencies.is_some_and(|known| !is_named(known))
    }

    /// Returns the name and file of the module that was probably meant by a declaration without its file: a file beside
    /// it that no declaration leads to.
    pub(super) fn undeclared_file(&self, id: ModuleId, looked_for: &[PathBuf]) -> Option<(String, String)> {
        let module = self.module(id)?;
        let folder = looked_for.first()?.parent()?;
        let (files, folders) = self.disk.list(folder).ok()?;
        let siblings = module.parent.and_then(|parent| self.module(parent));
        // A file that the user points at is a module even without a declaration.
        let is_declared = |name: &str| {
            let child = siblings.and_then(|parent| self.module(*parent.children.get(name)?));
            child.is_some_and(|child| child.declared_at.is_some())
        };
        let files = files
            .into_iter()
            .filter(|file| file.extension().is_some_and(|end| end == "rs"));
        let folders = folders.into_iter().map(|folder| folder.join("mod.rs"));
        let candidates: Vec<(String, PathBuf)> = files
            .chain(folders.filter(|file| self.disk.is_file(file)))
            .filter_map(|file| {
                let named = if file.ends_with("mod.rs") {
                    file.parent()?
                } else {
                    &file
                };
                let name = named.file_stem()?.to_str()?.to_owned();
                let is_free = !matches!(name.as_str(), "mod" | "lib" | "main") && !is_declared(&name);
                is_free.then_some((name, file))
            })
            .collect();
        let near = kgen_diagnostics::nearest(&module.name, candidates.iter().map(|(name, _)| name.as_str()))?;
        let (name, file) = candidates.iter().find(|(name, _)| name == near.word)?;
        Some((name.clone(), kgen_diagnostics::shown(&self.working_folder, file)))
    }

    /// Returns all modules of the crate that a module belongs to, as far as they are known.
    pub(crate) fn modules_of_crate(&self, module: ModuleId) -> Vec<ModuleId> {
        let crate_of = |id: ModuleId| self.module(id).map(|module| module.crate_id);
        (0..self.modules.len())
            .map(ModuleId)
            .filter(|id| crate_of(*id) == crate_of(module))
            .collect()
    }

    /// Returns all modules that the user pointed at.
    pub(crate) fn wanted_modules(&self) -> Vec<ModuleId> {
        (0..self.modules.len())
            .map(ModuleId)
            .filter(|id| self.module(*id).is_some_and(|module| module.wanted) && self.body(*id).is_some())
            .collect()
    }

    /// Returns the dead files that an error is in.
    pub(crate) fn broken_dead_files<'p>(&self, problems: impl Iterator<Item = &'p Problem>) -> Vec<PathBuf> {
        if self.dead_files.is_empty() {
            return Vec::new();
        }
        let errors: Vec<_> = problems.filter(|problem| problem.is_error()).collect();
        let has_error = |file: &&PathBuf| {
            let name = kgen_diagnostics::shown(&self.working_folder, file);
            errors.iter().any(|problem| {
                problem
                    .span
                    .is_some_and(|span| self.files.name(span.file) == name)
            })
        };
        self.dead_files.iter().filter(has_error).cloned().collect()
    }

    /// Returns the files, types and modules that a `cfg` switches off and that may be kinds or hold some: each with its
    /// condition.
    pub(crate) fn switched_off(&self) -> Vec<(String, String)> {
        let wanted = self.wanted_modules();
        // The user may point at the file of a module that its parent switches off.
        let crates: BTreeSet<_> = self
            .modules
            .iter()
            .filter(|module| module.wanted)
            .map(|module| module.crate_id)
            .collect();
        let bodies = (0..self.modules.len()).map(ModuleId).filter(|id| {
            let is_ours = self
                .module(*id)
                .is_some_and(|module| crates.contains(&module.crate_id));
            wanted.contains(id) || is_ours
        });
        let items = bodies
            .filter_map(|id| self.body(id))
            .flat_map(|body| &body.switched_off);
        let items = items
            .filter(|item| item.may_be_kind)
            .map(|item| (item.name.clone(), item.condition.clone()));
        let files = self.switched_off_files.iter().cloned();
        files
            .chain(items)
            .filter(|(_, condition)| condition.contains("feature"))
            .collect()
    }

    /// Returns the path of a module in its crate, without the crate.
    pub(crate) fn module_path(&self, id: ModuleId) -> Vec<&str> {
        let mut names = Vec::new();
        let mut present = self.module(id);
        while let Some(module) = present {
            if let Some(parent) = module.parent {
                names.push(module.name.as_str());
                present = self.module(parent);
            } else {
                break;
            }
        }
        names.reverse();
        names
    }

    /// Returns the module and everything above it, nearest first.
    pub(crate) fn ancestors(&self, id: ModuleId) -> Vec<ModuleId> {
        let mut chain = vec![id];
        while let Some(parent) = chain
            .last()
            .and_then(|last| self.module(*last))
            .and_then(|module| module.parent)
        {
            chain.push(parent);
        }
        chain
    }

    /// Returns a copy of the program for another thread, for lookups. Files that it reads are not shared, so its
    /// results may be used only if it did not read any: see [`Program::is_as_forked`].
    pub(crate) fn fork(&self) -> Self {
        Self {
            files: self.files.clone(),
            disk: self.disk.fork(),
            modules: self.modules.clone(),
            crates: self.crates.clone(),
            anywhere: Vec::new(),
            problems: Problems::new(),
            allows_floats: self.allows_floats.clone(),
            excluded: self.excluded.clone(),
            wanted_files: self.wanted_files,
            kubernetes_minor: None,
            nests_deeply: self.nests_deeply,
            working_folder: self.working_folder.clone(),
            placed: self.placed.clone(),
            boundaries: self.boundaries.clone(),
            switched_off_files: Vec::new(),
            dead_files: Vec::new(),
            name_steps: self.name_steps,
            parsed: FxHashMap::default(),
            packages: self.packages.clone(),
            features: self.features.clone(),
            folder_features: self.folder_features.clone(),
            foreign_markers: self.foreign_markers.clone(),
            lowerings: self.lowerings.clone(),
            style: self.style,
            foundation: self.foundation,
            json_schemas: self.json_schemas.clone(),
            names: Vec::new(),
            locks: self.locks.clone(),
            foreign: self.foreign.clone(),
            cargo_home: self.cargo_home.clone(),
        }
    }

    /// Returns whether a fork did not read further files or report problems.
    pub(crate) fn is_as_forked(&self) -> bool {
        self.problems.is_empty() && self.disk.has_read_nothing()
    }

    /// Returns the text that a span covers.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.files.slice(span)
    }
}
