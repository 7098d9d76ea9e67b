//! The paths by which generated code can name a type.
//!
//! Generated code is in a module of its own, so it can use only names that the whole crate sees, or everybody. A type is
//! named in its own module if that is possible, then in a module around it that hands it on, and then by any other way
//! that imports open.

use std::collections::VecDeque;

use kgen_diagnostics::Span;
use rustc_hash::FxHashSet;

use super::names::{NameError, Target};
use super::{ModuleId, Program, TypeId};
use crate::declare::{Import, Reach, TypeKind};

/// How many modules one search may look at.
const MAX_MODULES: usize = 4096;

/// The code that must be able to use a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum User {
    /// Other crates too.
    Everybody,
    /// Every module of the crate.
    Crate,
}

/// A path from the root of the crate: modules, and the name of the type.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) names: Vec<String>,
    pub(crate) user: User,
}

impl Program {
    /// Returns the best way to the type called `name`, which is declared with `reach` in the module of `id`, or derived
    /// there.
    pub(crate) fn way_to(&mut self, id: TypeId, name: &str, reach: Reach) -> Option<Way> {
        for user in [User::Everybody, User::Crate] {
            let names = self
                .way_around(id, name, reach, user)
                .or_else(|| self.way_through_imports(id, name, reach, user));
            if let Some(names) = names {
                return Some(Way { names, user });
            }
        }
        None
    }

    /// Returns whether the crate of a type has an implementation of a trait for it. Other crates are not searched; they
    /// are assumed to have one.
    pub(crate) fn implements(&mut self, id: TypeId, trait_name: &str) -> bool {
        let Some(name) = self.declaration(id).map(|declared| declared.name.clone()) else {
            return false;
        };
        let Some(crate_id) = self.module(id.module).map(|module| module.crate_id) else {
            return false;
        };
        if self.is_foreign(id.module) {
            return true;
        }
        // Such an implementation can be anywhere.
        self.load_crate(id.module);
        self.modules.iter().any(|module| {
            let super::ModuleState::Loaded(body) = &module.state else {
                return false;
            };
            module.crate_id == crate_id
                && body
                    .implementations
                    .iter()
                    .any(|found| found.trait_name == trait_name && found.type_name == name)
        })
    }

    /// Returns the reason why the type is hidden from the rest of its crate: the declaration of a private module, or
    /// `None` if the type itself is private.
    pub(crate) fn hiding_module(&self, module: ModuleId) -> Option<Span> {
        let hides = |id: &ModuleId| {
            let module = self.module(*id)?;
            let is_hidden = !module.reach.is_whole_crate(self.depth_of(module.parent?));
            is_hidden.then_some(module.declared_at).flatten()
        };
        self.ancestors(module).iter().find_map(hides)
    }

    /// Finds a way through the modules around the type.
    fn way_around(&mut self, id: TypeId, name: &str, reach: Reach, user: User) -> Option<Vec<String>> {
        for place in self.ancestors(id.module) {
            if !self.is_reachable(place, user) {
                continue;
            }
            let is_named = if place == id.module {
                self.is_seen(reach, place, user)
            } else {
                self.leads_to(place, name, id) && self.hands_on(place, name, user)
            };
            if is_named {
                let modules = self.module_path(place).into_iter();
                return Some(modules.chain([name]).map(str::to_owned).collect());
            }
        }
        None
    }

    /// Finds a way through modules that are imported elsewhere, the shortest first.
    fn way_through_imports(
        &mut self,
        id: TypeId,
        name: &str,
        reach: Reach,
        user: User,
    ) -> Option<Vec<String>> {
        let root = *self.ancestors(id.module).last()?;
        let crate_id = self.module(root)?.crate_id;
        // Files that nothing else leads to are read here; their problems do not matter.
        let problems = std::mem::take(&mut self.problems);
        let mut seen = FxHashSet::from_iter([root]);
        let mut waiting = VecDeque::from([(root, Vec::new())]);
        let mut found = None;
        while let Some((module, path)) = waiting.pop_front() {
            self.load_module(module);
            if module == id.module && self.is_seen(reach, module, user) {
                found = Some((path, name.to_owned()));
                break;
            }
            let imports = self.seen_imports(module, user);
            let renamed = imports.iter().find_map(|import| {
                let known = import.name.clone()?;
                (import.path.last().is_some_and(|last| last == name) && self.leads_to(module, &known, id))
                    .then_some(known)
            });
            if let Some(known) = renamed {
                found = Some((path, known));
                break;
            }
            for (next, name) in self.next_modules(module, &imports, user) {
                let is_own = self.module(next).is_some_and(|next| next.crate_id == crate_id);
                if is_own && seen.len() < MAX_MODULES && seen.insert(next) {
                    let mut path = path.clone();
                    path.extend(name);
                    waiting.push_back((next, path));
                }
            }
        }
        self.problems = problems;
        found.map(|(mut path, name)| {
            path.push(name);
            path
        })
    }

    /// Returns the modules that a module leads to, each with its name there; a glob has none.
    fn next_modules(
        &mut self,
        module: ModuleId,
        imports: &[Import],
        user: User,
    ) -> Vec<(ModuleId, Option<String>)> {
        let children: Vec<_> = self
            .module(module)
            .map(|found| {
                found
                    .children
                    .iter()
                    .map(|(name, id)| (*id, name.clone()))
                    .collect()
            })
            .unwrap_or_default();
        let mut next: Vec<_> = children
            .into_iter()
            .filter(|(child, _)| {
                let reach = self.module(*child).map(|child| child.reach);
                reach.is_some_and(|reach| self.is_seen(reach, module, user))
            })
            .map(|(child, name)| (child, Some(name)))
            .collect();
        for import in imports {
            let path: Vec<&str> = import.path.iter().map(String::as_str).collect();
            if let Ok(Target::Module(target)) = self.resolve(module, &path, import.absolute) {
                next.push((target, import.name.clone()));
            }
        }
        next
    }

    /// Returns the imports of a module that `user` sees.
    fn seen_imports(&self, module: ModuleId, user: User) -> Vec<Import> {
        let imports = self.body(module).into_iter().flat_map(|body| &body.imports);
        imports
            .filter(|import| self.is_seen(import.reach, module, user))
            .cloned()
            .collect()
    }

    /// Returns whether `name` means the type in a module, or the root struct that kube-derive generates from it.
    fn leads_to(&mut self, place: ModuleId, name: &str, id: TypeId) -> bool {
        match self.resolve(place, &[name], false) {
            Ok(Target::Type(found)) => found == id || self.is_root_of(found, id),
            Ok(_) | Err(NameError::Ambiguous(_)) => false,
            Err(_) => self.declaration(id).is_some_and(|declared| declared.name != name),
        }
    }

    fn is_root_of(&self, root: TypeId, spec: TypeId) -> bool {
        let kind = self.declaration(root).map(|declared| &declared.kind);
        matches!(kind, Some(TypeKind::Root(index)) if *index == spec.index && root.module == spec.module)
    }

    /// Returns whether a module hands a name on that it does not declare itself.
    fn hands_on(&self, module: ModuleId, name: &str, user: User) -> bool {
        let imports = self.seen_imports(module, user);
        imports
            .iter()
            .any(|import| import.name.as_deref().is_none_or(|known| known == name))
    }

    /// Returns whether `user` sees every module on the way to `module`.
    fn is_reachable(&self, module: ModuleId, user: User) -> bool {
        self.ancestors(module).iter().all(|id| {
            let Some(module) = self.module(*id) else {
                return false;
            };
            module
                .parent
                .is_none_or(|parent| self.is_seen(module.reach, parent, user))
        })
    }

    /// Returns whether `user` sees a name that is declared in `module`.
    fn is_seen(&self, reach: Reach, module: ModuleId, user: User) -> bool {
        match user {
            User::Everybody => reach == Reach::Everywhere,
            User::Crate => reach.is_whole_crate(self.depth_of(module)),
        }
    }

    /// Returns how many modules are around a module.
    fn depth_of(&self, module: ModuleId) -> usize {
        self.ancestors(module).len().saturating_sub(1)
    }
}
