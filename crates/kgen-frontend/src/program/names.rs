//! Resolves paths with Rust's rules for names of types and modules.
//!
//! Names of the module itself take precedence over names from globs, those over names of other crates, and the prelude
//! comes last. If globs import two different items of a name, that is an error, never a guess.

use std::sync::Arc;

use kgen_diagnostics::{Span, near_words};
use rustc_hash::{FxHashMap, FxHashSet};

use super::manifest::Dependency;
use super::{External, ModuleId, ModuleState, Program, TypeId};
use crate::declare::Import;

/// The target of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Type(TypeId),
    Module(ModuleId),
    /// Something of another crate whose source is not part of the program.
    External(External),
}

/// Why a path leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NameError {
    /// The name does not exist: the segment that failed, its module, and similar names.
    Unknown {
        segment: String,
        inside: ModuleId,
        candidates: Vec<String>,
    },
    /// Globs import several items of this name.
    Ambiguous(Vec<String>),
    /// An import cannot be resolved: its path, its place, and the reason.
    Import {
        path: String,
        import: Span,
        cause: Box<NameError>,
    },
    /// A module on the way does not have a file.
    MissingModule {
        name: String,
        looked_for: Vec<String>,
        declared_at: Option<Span>,
        /// The name and file of the module that was probably meant.
        near: Option<(String, String)>,
    },
    /// The source of another crate is not on this machine; without a version, the lock file does not name it.
    NoSource {
        package: String,
        version: Option<String>,
    },
    /// A module on the way is in a file outside the package and its workspace.
    OutsideModule { name: String, file: String },
    /// The imports on the way are too many to follow.
    Limit,
    /// A module on the way cannot be read, which is already reported.
    Broken,
}

/// How many imports may lead on to each other.
const MAX_DEPTH: usize = 128;

/// How many names one search may look at.
const MAX_STEPS: usize = 100_000;

/// How many names all searches together may look at: far more than the largest API needs.
const MAX_STEPS_OF_ALL: usize = 20_000_000;

/// One search for a name: the names on the way, so that imports in a circle end, and its costs.
#[derive(Debug, Default)]
pub(super) struct Seen {
    open: FxHashSet<(ModuleId, String)>,
    steps: usize,
    /// How often the search met a name that is still open. An answer that depends on this is not kept.
    circles: usize,
    /// Answers that came through globs: the module, the module that asks, the name.
    known: FxHashMap<(ModuleId, ModuleId, String), Result<Target, NameError>>,
}

impl Program {
    /// Resolves a path that is written in `module`.
    pub(crate) fn resolve(
        &mut self,
        module: ModuleId,
        path: &[&str],
        absolute: bool,
    ) -> Result<Target, NameError> {
        // A path from the root means the same in all modules of a crate.
        let place = if path.first() == Some(&"crate") {
            self.crate_root(module).unwrap_or(module)
        } else {
            module
        };
        let written;
        let key = match path {
            [name] if !absolute => *name,
            _ => {
                written = format!("{}{}", if absolute { "::" } else { "" }, path.join("::"));
                written.as_str()
            }
        };
        if let Some(known) = self.names.get(place.0).and_then(|names| names.get(key)) {
            return known.clone();
        }
        let result = self
            .resolve_anew(place, path, absolute)
            .map_err(|error| self.with_candidates(error));
        if self.names.len() <= place.0 {
            self.names.resize_with(place.0 + 1, FxHashMap::default);
        }
        if let Some(names) = self.names.get_mut(place.0) {
            names.insert(key.to_owned(), result.clone());
        }
        result
    }

    /// Works like [`resolve`](Self::resolve), but an item of another crate remains the path that leads there.
    pub(crate) fn resolve_written(
        &mut self,
        module: ModuleId,
        path: &[&str],
        absolute: bool,
    ) -> Result<Target, NameError> {
        self.resolve_path(module, path, absolute, &mut Seen::default())
    }

    fn resolve_anew(&mut self, module: ModuleId, path: &[&str], absolute: bool) -> Result<Target, NameError> {
        if let Some(outside) = self.outside_path(module, path)
            && crate::well_known::is_well_known(&outside)
        {
            return Ok(Target::External(External::known(outside)));
        }
        let mut seen = Seen::default();
        let target = self.resolve_path(module, path, absolute, &mut seen)?;
        self.settle(target, &mut seen)
    }

    fn resolve_path(
        &mut self,
        module: ModuleId,
        path: &[&str],
        absolute: bool,
        seen: &mut Seen,
    ) -> Result<Target, NameError> {
        let Some((first, rest)) = path.split_first() else {
            return Ok(Target::Module(module));
        };
        let target = match *first {
            _ if absolute => self
                .other_crate(module, first, true)
                .ok_or_else(|| unknown(module, first))?,
            "crate" => self
                .crate_root(module)
                .map(Target::Module)
                .ok_or(NameError::Broken)?,
            "self" => Target::Module(self.named_module(module)),
            "super" => self.parent(self.named_module(module), first)?,
            name => self.first_segment(module, name, rest.is_empty(), seen)?,
        };
        self.walk(target, module, rest, seen)
    }

    /// Goes on from `target` by the names of `rest`, on behalf of `module`.
    pub(super) fn walk(
        &mut self,
        mut target: Target,
        module: ModuleId,
        mut rest: &[&str],
        seen: &mut Seen,
    ) -> Result<Target, NameError> {
        while let Some((name, behind)) = rest.split_first() {
            rest = behind;
            target = match target {
                Target::Module(inside) if *name == "super" => self.parent(inside, name)?,
                Target::Module(inside) if *name == "self" => Target::Module(inside),
                Target::Module(inside) => self.member(inside, module, name, seen)?,
                Target::External(mut external) => {
                    Arc::make_mut(&mut external.path).push((*name).to_owned());
                    Target::External(external)
                }
                Target::Type(_) => return Err(unknown(module, name)),
            };
        }
        Ok(target)
    }

    fn crate_root(&self, module: ModuleId) -> Option<ModuleId> {
        self.crates.get(self.module(module)?.crate_id.0)?.root
    }

    fn parent(&self, module: ModuleId, name: &str) -> Result<Target, NameError> {
        let parent = self.module(module).and_then(|module| module.parent);
        parent.map(Target::Module).ok_or_else(|| unknown(module, name))
    }

    /// Returns the first name of a path: from the module, from globs, from other crates.
    fn first_segment(
        &mut self,
        module: ModuleId,
        name: &str,
        is_last: bool,
        seen: &mut Seen,
    ) -> Result<Target, NameError> {
        let unread = match self.in_module(module, module, name, seen) {
            Err(NameError::Unknown { .. }) => None,
            // A glob of a crate that is not on disk: only what is found nowhere else may come from there.
            Err(error @ NameError::NoSource { .. }) => Some(error),
            other => return other,
        };
        if let Some(target) = self.other_crate(module, name, !is_last) {
            return Ok(target);
        }
        if is_last && let Some(path) = prelude(name) {
            return Ok(Target::External(External::known(
                path.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>(),
            )));
        }
        Err(unread.unwrap_or_else(|| unknown(module, name)))
    }

    /// Resolves a name behind a module of the program.
    fn member(
        &mut self,
        inside: ModuleId,
        from: ModuleId,
        name: &str,
        seen: &mut Seen,
    ) -> Result<Target, NameError> {
        self.load_module(inside);
        match self.module(inside).map(|module| &module.state) {
            Some(ModuleState::Loaded(_)) => self.in_module(inside, from, name, seen),
            Some(ModuleState::Outside(file)) => Err(NameError::OutsideModule {
                name: self
                    .module(inside)
                    .map(|module| module.name.clone())
                    .unwrap_or_default(),
                file: kgen_diagnostics::shown(&self.working_folder, file),
            }),
            Some(ModuleState::Missing(files)) => Err(NameError::MissingModule {
                near: self.undeclared_file(inside, files),
                declared_at: self.module(inside).and_then(|module| module.declared_at),
                name: self
                    .module(inside)
                    .map(|module| module.name.clone())
                    .unwrap_or_default(),
                looked_for: files
                    .iter()
                    .map(|file| kgen_diagnostics::shown(&self.working_folder, file))
                    .collect(),
            }),
            _ => Err(NameError::Broken),
        }
    }

    /// Resolves a name that a module declares or imports.
    fn in_module(
        &mut self,
        inside: ModuleId,
        from: ModuleId,
        name: &str,
        seen: &mut Seen,
    ) -> Result<Target, NameError> {
        self.load_module(inside);
        let key = (inside, name.to_owned());
        if !seen.open.insert(key.clone()) {
            seen.circles += 1;
            return Err(unknown(inside, name));
        }
        seen.steps += 1;
        self.name_steps += 1;
        let result =
            if seen.open.len() > MAX_DEPTH || seen.steps > MAX_STEPS || self.name_steps > MAX_STEPS_OF_ALL {
                Err(NameError::Limit)
            } else {
                self.in_module_unguarded(inside, from, name, seen)
            };
        seen.open.remove(&key);
        result
    }

    fn in_module_unguarded(
        &mut self,
        inside: ModuleId,
        from: ModuleId,
        name: &str,
        seen: &mut Seen,
    ) -> Result<Target, NameError> {
        let Some(module) = self.module(inside) else {
            return Err(NameError::Broken);
        };
        if let Some(index) = module.types_by_name.get(name) {
            return Ok(Target::Type(TypeId {
                module: inside,
                index: *index,
            }));
        }
        if let Some(child) = module.children.get(name) {
            return Ok(Target::Module(*child));
        }
        let mut failed = None;
        for import in self.imports(inside, |import| import.name.as_deref() == Some(name)) {
            // A value or a macro can have the same name; only what leads to a type or module counts.
            match self.import_target(inside, &import.path, import.absolute, seen) {
                Err(cause @ NameError::Unknown { .. }) => {
                    let path = import.path.join("::");
                    failed = Some(NameError::Import {
                        path,
                        import: import.span,
                        cause: Box::new(cause),
                    });
                }
                other => return other,
            }
        }
        match failed {
            Some(failed) => Err(failed),
            None => {
                let key = (inside, from, name.to_owned());
                if let Some(known) = seen.known.get(&key) {
                    return known.clone();
                }
                let circles = seen.circles;
                let result = self.through_globs(inside, from, name, seen);
                if seen.circles == circles {
                    seen.known.insert(key, result.clone());
                }
                result
            }
        }
    }

    fn through_globs(
        &mut self,
        inside: ModuleId,
        from: ModuleId,
        name: &str,
        seen: &mut Seen,
    ) -> Result<Target, NameError> {
        let mut found: Vec<Target> = Vec::new();
        let mut unread = None;
        let globs = self.imports(inside, |import| import.name.is_none());
        for import in globs {
            if !import.reach.is_public() && !self.sees_into(from, inside) {
                continue;
            }
            let target = match self.import_target(inside, &import.path, import.absolute, seen) {
                Ok(Target::External(external)) => {
                    let mut whole = external.path.to_vec();
                    whole.push(name.to_owned());
                    if crate::well_known::is_well_known(&whole) {
                        Ok(Target::External(External::known(whole)))
                    } else {
                        self.settle(Target::External(external), seen)
                    }
                }
                other => other,
            };
            let target = match target {
                Ok(Target::Module(module)) => match self.visible_in(module, inside, name, seen) {
                    Ok(target) => target,
                    Err(NameError::Unknown { .. }) => continue,
                    // An import that leads back here is none; another glob may have the name.
                    Err(error @ NameError::Import { .. }) => {
                        unread = Some(error);
                        continue;
                    }
                    Err(other) => return Err(other),
                },
                // Another crate may hold anything; only what is known to be there counts.
                Ok(Target::External(external)) if external.path.last().is_some_and(|last| last == name) => {
                    Target::External(external)
                }
                Ok(Target::External(_) | Target::Type(_)) => continue,
                Err(error @ NameError::NoSource { .. }) => {
                    unread = Some(error);
                    continue;
                }
                Err(NameError::Limit) => return Err(NameError::Limit),
                Err(_) => continue,
            };
            let target = self.settle(target, seen)?;
            if !found.contains(&target) {
                found.push(target);
            }
        }
        match found.len() {
            0 => Err(unread.unwrap_or_else(|| unknown(inside, name))),
            1 => found.pop().ok_or(NameError::Broken),
            _ => Err(NameError::Ambiguous(
                found.iter().map(|target| self.describe(target)).collect(),
            )),
        }
    }

    /// Returns a name of `module` that a glob in `from` brings: private names only to modules below.
    fn visible_in(
        &mut self,
        module: ModuleId,
        from: ModuleId,
        name: &str,
        seen: &mut Seen,
    ) -> Result<Target, NameError> {
        let target = self.member(module, from, name, seen)?;
        let public = match &target {
            _ if self.sees_into(from, module) => true,
            Target::Type(id) if id.module == module => self
                .declaration(*id)
                .is_some_and(|declared| declared.reach.is_public()),
            Target::Module(id) if self.module(*id).is_some_and(|child| child.parent == Some(module)) => {
                self.module(*id).is_some_and(|child| child.reach.is_public())
            }
            _ => self.body(module).is_some_and(|body| {
                body.imports.iter().any(|import| {
                    import.reach.is_public() && import.name.as_deref().is_none_or(|known| known == name)
                })
            }),
        };
        if public {
            Ok(target)
        } else {
            Err(unknown(module, name))
        }
    }

    /// Returns whether `from` is `module` or is below it, and so sees its private names.
    fn sees_into(&self, from: ModuleId, module: ModuleId) -> bool {
        self.ancestors(from).contains(&module)
    }

    fn imports(&self, module: ModuleId, wanted: impl Fn(&Import) -> bool) -> Vec<Import> {
        self.body(module)
            .into_iter()
            .flat_map(|body| &body.imports)
            .filter(|import| wanted(import))
            .cloned()
            .collect()
    }

    fn import_target(
        &mut self,
        module: ModuleId,
        path: &[String],
        absolute: bool,
        seen: &mut Seen,
    ) -> Result<Target, NameError> {
        let names: Vec<_> = path.iter().map(String::as_str).collect();
        match (names.as_slice(), absolute) {
            // `use name;` brings another crate, and `use name::*` a module if there is one of that name.
            ([name], false) if !matches!(*name, "crate" | "self" | "super") => {
                match self.resolve_path(module, &names, false, seen) {
                    Err(NameError::Unknown { .. }) => self
                        .other_crate(module, name, true)
                        .ok_or_else(|| unknown(module, name)),
                    other => other,
                }
            }
            _ => self.resolve_path(module, &names, absolute, seen),
        }
    }

    /// Finds another crate by its name in the source. Without a manifest, any name before another one may be a crate.
    fn other_crate(&mut self, module: ModuleId, name: &str, path_goes_on: bool) -> Option<Target> {
        if matches!(name, "std" | "core" | "alloc") {
            return Some(Target::External(External::known(vec!["std".to_owned()])));
        }
        let crate_id = self.module(module)?.crate_id;
        let external = |name: &str| Some(Target::External(External::known(vec![name.to_owned()])));
        match &self.crates.get(crate_id.0)?.dependencies {
            None if path_goes_on => external(name),
            None => None,
            Some(dependencies) => match dependencies.get(name)?.clone() {
                Dependency::Elsewhere(edge) => Some(Target::External(External {
                    path: vec![edge.library_name()].into(),
                    origin: Some((crate_id, name.to_owned())),
                })),
                Dependency::Folder(folder, _) => self
                    .package_root(crate_id, &folder)
                    .map(Target::Module)
                    .or_else(|| external(name)),
            },
        }
    }

    /// Adds the names that are close to the one that does not exist.
    fn with_candidates(&self, error: NameError) -> NameError {
        if let NameError::Import { path, import, cause } = error {
            let cause = Box::new(self.with_candidates(*cause));
            return NameError::Import { path, import, cause };
        }
        let NameError::Unknown { segment, inside, .. } = error else {
            return error;
        };
        let mut names: Vec<String> = Vec::new();
        if let Some(found) = self.module(inside) {
            names.extend(found.types_by_name.keys().cloned());
            names.extend(found.children.keys().cloned());
        }
        if let Some(body) = self.body(inside) {
            names.extend(body.imports.iter().filter_map(|import| import.name.clone()));
        }
        names.extend(PRELUDE.iter().map(|(known, _)| (*known).to_owned()));
        names.retain(|candidate| *candidate != segment);
        names.sort();
        names.dedup();
        let near = near_words(&segment, names.iter().map(String::as_str));
        let candidates = near.iter().take(3).map(|near| near.word.to_owned()).collect();
        NameError::Unknown {
            segment,
            inside,
            candidates,
        }
    }

    fn describe(&self, target: &Target) -> String {
        match target {
            Target::Type(id) => {
                let mut path = self.module_path(id.module);
                path.extend(self.declaration(*id).map(|declared| declared.name.as_str()));
                format!("crate::{}", path.join("::"))
            }
            Target::Module(id) => format!("crate::{}", self.module_path(*id).join("::")),
            Target::External(external) => external.path.join("::"),
        }
    }
}

/// Returns the error for a name that does not exist. Names that are close to it are looked for only when it is
/// reported, because every search also looks for names that do not exist.
fn unknown(inside: ModuleId, segment: &str) -> NameError {
    NameError::Unknown {
        segment: segment.to_owned(),
        inside,
        candidates: Vec::new(),
    }
}

/// Names that need no import, with the paths behind them.
const PRELUDE: &[(&str, &[&str])] = &[
    ("Box", &["std", "boxed", "Box"]),
    ("Option", &["std", "option", "Option"]),
    ("Result", &["std", "result", "Result"]),
    ("String", &["std", "string", "String"]),
    ("Vec", &["std", "vec", "Vec"]),
    ("bool", &["bool"]),
    ("char", &["char"]),
    ("f32", &["f32"]),
    ("f64", &["f64"]),
    ("i128", &["i128"]),
    ("i16", &["i16"]),
    ("i32", &["i32"]),
    ("i64", &["i64"]),
    ("i8", &["i8"]),
    ("isize", &["isize"]),
    ("str", &["str"]),
    ("u128", &["u128"]),
    ("u16", &["u16"]),
    ("u32", &["u32"]),
    ("u64", &["u64"]),
    ("u8", &["u8"]),
    ("usize", &["usize"]),
];

fn prelude(name: &str) -> Option<&'static [&'static str]> {
    PRELUDE
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, path)| *path)
}
