//! The modules of a crate: each file is read when a path leads to it, and its declarations are put in their place in the tree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, SourceFile, Span};
use kgen_model::GeneratedLine;
use rustc_hash::{FxHashMap, FxHashSet};

use super::lowerings::{Manner, lowered};
use super::{CrateId, Module, ModuleId, ModuleState, Parsed, Program};
use super::{manifest, paths};
use crate::allowances;
use crate::declare::{ModuleBody, ModuleDeclaration, Reach, Source, kubernetes};
use crate::source::DiskError;

/// How many modules may be inside each other. Files can nest by `#[path = "…"]` without end.
const MAX_DEPTH: usize = 128;

/// How many modules one file may become. A file that is its own module would become one after the other.
const MAX_MODULES_OF_FILE: usize = 64;

impl Program {
    pub(super) fn add_module(
        &mut self,
        crate_id: CrateId,
        parent: Option<ModuleId>,
        name: String,
        reach: Reach,
        state: ModuleState,
        folder: PathBuf,
    ) -> ModuleId {
        let id = ModuleId(self.modules.len());
        if let Some(parent) = parent.and_then(|parent| self.modules.get_mut(parent.0)) {
            parent.children.insert(name.clone(), id);
        }
        self.modules.push(Module {
            crate_id,
            parent,
            name,
            reach,
            children: BTreeMap::new(),
            declared_at: None,
            state,
            wanted: false,
            is_block: false,
            folder,
            types_by_name: FxHashMap::default(),
        });
        id
    }

    /// Loads a module and everything below it that leads to a wanted file.
    pub(super) fn descend(&mut self, id: ModuleId, wanted_folders: &FxHashSet<PathBuf>) {
        self.load_module(id);
        let children: Vec<_> = self
            .module(id)
            .map(|module| module.children.values().copied().collect())
            .unwrap_or_default();
        for child in children {
            let Some(module) = self.module(child) else {
                continue;
            };
            let leads = match &module.state {
                ModuleState::Unread(path) => {
                    self.parsed.contains_key(path) || wanted_folders.contains(&module.folder)
                }
                ModuleState::Loaded(_) => true,
                ModuleState::Declared
                | ModuleState::Missing(_)
                | ModuleState::Outside(_)
                | ModuleState::Broken => false,
            };
            if leads {
                self.descend(child, wanted_folders);
            }
        }
    }

    /// Reads a module that has not been read yet.
    pub(crate) fn load_module(&mut self, id: ModuleId) {
        let Some(module) = self.modules.get_mut(id.0) else {
            return;
        };
        if matches!(module.state, ModuleState::Declared) {
            module.state = look_for(module_files(&module.folder), |file| self.disk.is_file(file));
        }
        let ModuleState::Unread(path) = &module.state else {
            return;
        };
        let path = path.clone();
        module.state = ModuleState::Broken;
        let (crate_id, declared_at) = (module.crate_id, module.declared_at);
        if let Err(problem) = self.check_limits(id, &path, declared_at) {
            self.problems.push(problem);
            return;
        }
        let parsed = match self.parsed.remove(&path) {
            Some(parsed) => parsed,
            None if self.is_outside(crate_id, &path) => {
                if let Some(module) = self.modules.get_mut(id.0) {
                    module.state = ModuleState::Outside(path);
                }
                return;
            }
            None => self.read_one(&path, crate_id),
        };
        self.place(id, parsed, &path);
    }

    /// Counts one more module for a file, and reports files that contain each other without end.
    fn check_limits(&mut self, id: ModuleId, path: &Path, declared_at: Option<Span>) -> Result<(), Problem> {
        let count = self.placed.entry(path.to_owned()).or_default();
        *count += 1;
        let message = if *count > MAX_MODULES_OF_FILE {
            format!("this file is the source of more than {MAX_MODULES_OF_FILE} modules")
        } else if self.ancestors(id).len() > MAX_DEPTH {
            format!("modules are nested more than {MAX_DEPTH} levels deep")
        } else {
            return Ok(());
        };
        let problem = match declared_at {
            Some(span) => Problem::error(Code::Limit, span, message),
            None => Problem::general(Code::Limit, message),
        };
        Err(problem.help("declare each module once, in one place"))
    }

    /// Returns whether a file is neither in the package of a crate nor in its workspace, links included.
    fn is_outside(&mut self, crate_id: CrateId, path: &Path) -> bool {
        let Some(folder) = self.crates.get(crate_id.0).map(|found| found.folder.clone()) else {
            return false;
        };
        let disk = &self.disk;
        let inside = self
            .boundaries
            .entry(folder)
            .or_insert_with_key(|folder| manifest::boundaries(disk, folder));
        // A folder above may look like the workspace of a package that a link leads to elsewhere.
        let true_name = disk.canonical(path);
        !inside.iter().any(|folder| true_name.starts_with(folder))
    }

    /// Reads all modules of the crate of a module. Problems in files that are not needed otherwise are not reported.
    pub(crate) fn load_crate(&mut self, module: ModuleId) {
        let Some(root) = self
            .module(module)
            .and_then(|module| self.crates.get(module.crate_id.0)?.root)
        else {
            return;
        };
        let problems = std::mem::take(&mut self.problems);
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            self.load_module(id);
            let children = self.module(id).map(|module| module.children.values());
            waiting.extend(children.into_iter().flatten());
        }
        self.problems = problems;
    }

    /// Returns the problem of a file that cannot be read; invalid UTF-8 is shown at its start.
    pub(super) fn unreadable(&mut self, mut error: DiskError) -> Problem {
        let Some((text, end)) = error.broken_text.take() else {
            return paths::unreadable(&error, &self.working_folder);
        };
        let name = kgen_diagnostics::shown(&self.working_folder, &error.path);
        // A file in the list begins behind its byte order mark.
        let mark = '\u{feff}';
        let end = if text.starts_with(mark) {
            end.saturating_sub(mark.len_utf8())
        } else {
            end
        };
        let id = self.files.add(SourceFile::new(name, text));
        // The replacement character for invalid UTF-8 has three bytes.
        let span = Span::of(id, end..end + char::REPLACEMENT_CHARACTER.len_utf8());
        Problem::error(Code::Syntax, span, "this file is not UTF-8 text")
            .label("these bytes are not a character")
            .help("save the file as UTF-8, the only encoding that Rust reads")
    }

    /// Reads one file on demand.
    fn read_one(&mut self, path: &Path, crate_id: CrateId) -> Parsed {
        let mut problems = Problems::new();
        let owner = self.crates.get(crate_id.0);
        let features = owner.map(|found| found.features.clone()).unwrap_or_default();
        let foreign = owner.and_then(|found| found.foreign.as_ref());
        let (is_foreign, is_kubernetes) = (
            foreign.is_some(),
            foreign.is_some_and(|foreign| foreign.is_kubernetes),
        );
        let declarations = match self.disk.read(path) {
            Ok(text) if !is_foreign && is_generated(&text) => Some(Arc::default()),
            Ok(text) => {
                let name = kgen_diagnostics::shown(&self.working_folder, path);
                // A file of k8s-openapi that declares a type says everything in its first lines and one list of names.
                let holds_modules = path
                    .file_stem()
                    .is_some_and(|stem| stem == "lib" || stem == "mod");
                let cut = if is_kubernetes && !holds_modules {
                    kubernetes::cut(&text)
                } else {
                    None
                };
                let kept = cut
                    .as_ref()
                    .and_then(|cut| text.get(..cut.end))
                    .map(str::to_owned);
                let mut file = SourceFile::new(name, kept.unwrap_or(text));
                if !is_foreign {
                    file = file.editable_at(path);
                }
                let id = self.files.add(file);
                let source = Source::new(id, self.files.get(id).map_or("", SourceFile::text));
                match cut {
                    Some(cut) => kubernetes::lower(source, &cut, &features, &mut problems).map(Arc::new),
                    None => {
                        let manner = Manner {
                            features: &features,
                            foreign_markers: &self.foreign_markers,
                            style: self.style,
                        };
                        let found = lowered(self.lowerings.as_ref(), path, source, manner);
                        problems.extend(found.problems);
                        found.declarations
                    }
                }
            }
            Err(error) => {
                problems.push(self.unreadable(error));
                None
            }
        };
        if is_foreign {
            // Problems in other people's comments are not reported; a file that cannot be read is.
            let theirs = std::mem::take(&mut problems);
            problems.extend(
                theirs
                    .into_iter()
                    .filter(|problem| matches!(problem.code, Code::Syntax | Code::Unreadable)),
            );
        }
        Parsed {
            declarations,
            problems,
            wanted: false,
        }
    }

    /// Puts what a file declares into its module.
    pub(super) fn place(&mut self, id: ModuleId, parsed: Parsed, path: &Path) {
        self.problems.extend(parsed.problems);
        let Some(declarations) = parsed.declarations else {
            return;
        };
        if let Some(condition) = &declarations.switched_off_by {
            if parsed.wanted {
                let name = kgen_diagnostics::shown(&self.working_folder, path);
                self.switched_off_files.push((name, condition.clone()));
            }
            return;
        }
        self.nests_deeply |= declarations.nests_deeply;
        if parsed.wanted {
            self.anywhere.extend(declarations.anywhere.iter().cloned());
        } else if !declarations.anywhere.is_empty() {
            self.allows_floats
                .extend(allowances::of_floats(&declarations.anywhere, &self.files));
        }
        let file_folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        self.fill(id, Arc::clone(&declarations.module), parsed.wanted, &file_folder);
    }

    /// Fills a module with its body, and makes its child modules.
    fn fill(&mut self, id: ModuleId, body: Arc<ModuleBody>, wanted: bool, file_folder: &Path) {
        let Some(module) = self.modules.get_mut(id.0) else {
            return;
        };
        module.types_by_name = body
            .types
            .iter()
            .enumerate()
            .map(|(index, declaration)| (declaration.name.clone(), index))
            .collect();
        for (index, found) in body.implementations.iter().enumerate() {
            if found.trait_name == "JsonSchema" {
                let places = self.json_schemas.entry(found.type_name.clone()).or_default();
                places.push((id, index));
            }
        }
        module.state = ModuleState::Loaded(Arc::clone(&body));
        module.wanted = wanted;
        let (folder, crate_id) = (module.folder.clone(), module.crate_id);
        for declaration in &body.disabled {
            self.drop_disabled(id, declaration, &folder, file_folder);
        }
        for ModuleDeclaration {
            name,
            span,
            reach,
            path,
            inline,
            is_block,
        } in &body.modules
        {
            let child_folder = folder.join(name);
            if let Some(inline) = inline {
                let child = self.existing_child(id, name).unwrap_or_else(|| {
                    let state = ModuleState::Loaded(Arc::default());
                    self.add_module(crate_id, Some(id), name.clone(), *reach, state, child_folder)
                });
                if let Some(module) = self.modules.get_mut(child.0) {
                    module.declared_at = Some(*span);
                    module.is_block = *is_block;
                }
                // A kind in a function is not part of the API.
                self.fill(child, Arc::clone(inline), wanted && !is_block, file_folder);
            } else if self.existing_child(id, name).is_none() {
                let (state, child_folder) = if self.is_foreign(id) && path.is_none() {
                    (ModuleState::Declared, child_folder)
                } else {
                    self.locate(&folder, file_folder, name, path.as_deref())
                };
                let child = self.add_module(crate_id, Some(id), name.clone(), *reach, state, child_folder);
                if let Some(module) = self.modules.get_mut(child.0) {
                    module.declared_at = Some(*span);
                }
            }
        }
    }

    pub(super) fn existing_child(&self, id: ModuleId, name: &str) -> Option<ModuleId> {
        self.module(id)?.children.get(name).copied()
    }

    /// Returns the file of `mod name;`, and the folder for its own children.
    fn locate(
        &self,
        folder: &Path,
        file_folder: &Path,
        name: &str,
        path: Option<&str>,
    ) -> (ModuleState, PathBuf) {
        if let Some(path) = path {
            let file = kgen_diagnostics::absolute(file_folder, Path::new(path));
            let child_folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
            let state = if self.disk.is_file(&file) {
                ModuleState::Unread(file)
            } else {
                ModuleState::Missing(vec![file])
            };
            return (state, child_folder);
        }
        let child_folder = folder.join(name);
        let is_there = |file: &Path| self.parsed.contains_key(file) || self.disk.is_file(file);
        (look_for(module_files(&child_folder), is_there), child_folder)
    }

    /// Forgets the files of a module that `cfg` switches off.
    fn drop_disabled(
        &mut self,
        id: ModuleId,
        declaration: &ModuleDeclaration,
        folder: &Path,
        file_folder: &Path,
    ) {
        let (state, child_folder) = self.locate(
            folder,
            file_folder,
            &declaration.name,
            declaration.path.as_deref(),
        );
        if let ModuleState::Unread(file) = state {
            self.parsed.remove(&file);
        }
        if declaration.path.is_none() {
            self.parsed.retain(|path, _| !path.starts_with(&child_folder));
        }
        if let Some(child) = self.existing_child(id, &declaration.name) {
            for member in self.subtree(child) {
                if let Some(module) = self.modules.get_mut(member.0) {
                    module.wanted = false;
                }
            }
        }
    }

    fn subtree(&self, id: ModuleId) -> Vec<ModuleId> {
        let mut list = vec![id];
        let mut index = 0;
        while let Some(module) = list.get(index).and_then(|id| self.module(*id)) {
            list.extend(module.children.values());
            index += 1;
        }
        list
    }
}

/// Returns the possible files of a module whose children are in `folder`.
fn module_files(folder: &Path) -> [PathBuf; 2] {
    let mut beside = folder.as_os_str().to_owned();
    beside.push(".rs");
    [beside.into(), folder.join("mod.rs")]
}

/// Returns the first of these files that exists.
fn look_for(files: [PathBuf; 2], is_there: impl Fn(&Path) -> bool) -> ModuleState {
    match files.iter().find(|file| is_there(file)) {
        Some(file) => ModuleState::Unread(file.clone()),
        None => ModuleState::Missing(files.into()),
    }
}

/// Returns whether kgen generated a file: its first line says so.
pub(super) fn is_generated(text: &str) -> bool {
    GeneratedLine::of_text(text).is_some()
}
