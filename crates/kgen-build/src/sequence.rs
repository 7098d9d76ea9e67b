//! Combines plans that are created one after the other, before the first is carried out.
//!
//! The second plan reads the files as the first leaves them. Both are then carried out as one plan, or not at all.

use std::collections::BTreeMap;
use std::path::Path;

use kgen_frontend::Overlay;

use crate::plan::{Change, ChangeAction, Plan};

impl Plan {
    /// Returns the files as the plan leaves them, to read them before it is carried out.
    #[must_use]
    pub fn unsaved(&self) -> Overlay {
        let mut unsaved = Overlay::default();
        for change in &self.changes {
            match &change.action {
                ChangeAction::Create { new } | ChangeAction::Update { new, .. } => {
                    unsaved.write(&change.path, new);
                }
                ChangeAction::Stale { .. } => unsaved.remove(&change.path),
                ChangeAction::Same => {}
            }
        }
        unsaved
    }

    /// Returns one plan for this one and `later`, which was made for the disk as this plan leaves it.
    #[must_use]
    pub fn followed_by(&self, later: &Self) -> Self {
        let mut changes: BTreeMap<&Path, Change> = BTreeMap::new();
        for change in self.changes.iter().chain(&later.changes) {
            let merged = match changes.remove(change.path.as_path()) {
                Some(first) => first.followed_by(change),
                None => change.clone(),
            };
            changes.insert(&change.path, merged);
        }
        Self {
            changes: changes.into_values().collect(),
            roots: self.roots.union(&later.roots).cloned().collect(),
            folders: self.folders.union(&later.folders).cloned().collect(),
        }
    }
}

impl Change {
    /// Returns the change from before this one to after `later`, another change of the same file.
    fn followed_by(self, later: &Self) -> Self {
        let old = match self.action {
            ChangeAction::Same => return later.clone(),
            ChangeAction::Create { .. } => None,
            ChangeAction::Update { ref old, .. } | ChangeAction::Stale { ref old } => Some(old.clone()),
        };
        let action = match (old, &later.action) {
            (_, ChangeAction::Same) => return self,
            (None, ChangeAction::Create { new } | ChangeAction::Update { new, .. }) => {
                ChangeAction::Create { new: new.clone() }
            }
            (Some(old), ChangeAction::Create { new } | ChangeAction::Update { new, .. }) => {
                ChangeAction::Update {
                    old,
                    new: new.clone(),
                }
            }
            // The disk never has the file.
            (None, ChangeAction::Stale { .. }) => ChangeAction::Same,
            (Some(old), ChangeAction::Stale { .. }) => ChangeAction::Stale { old },
        };
        Self {
            action,
            ..later.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn create(new: &str) -> ChangeAction {
        ChangeAction::Create { new: new.to_owned() }
    }

    fn update(old: &str, new: &str) -> ChangeAction {
        ChangeAction::Update {
            old: old.into(),
            new: new.to_owned(),
        }
    }

    fn stale(old: &str) -> ChangeAction {
        ChangeAction::Stale { old: old.into() }
    }

    fn plan(files: &[(&str, ChangeAction)]) -> Plan {
        let files = files
            .iter()
            .map(|(name, action)| (PathBuf::from(name), action.clone()));
        Plan::of_files(files, Path::new("/"))
    }

    #[test]
    fn two_plans_are_one() {
        let files = [
            ("/create-same", create("a"), ChangeAction::Same, create("a")),
            ("/create-stale", create("a"), stale("a"), ChangeAction::Same),
            ("/create-update", create("a"), update("a", "b"), create("b")),
            (
                "/same-update",
                ChangeAction::Same,
                update("a", "b"),
                update("a", "b"),
            ),
            ("/stale-create", stale("a"), create("b"), update("a", "b")),
            ("/update-stale", update("a", "b"), stale("b"), stale("a")),
            (
                "/update-update",
                update("a", "b"),
                update("b", "c"),
                update("a", "c"),
            ),
        ];
        let column = |of: fn(&(&'static str, ChangeAction, ChangeAction, ChangeAction)) -> ChangeAction| {
            let list: Vec<_> = files.iter().map(|file| (file.0, of(file))).collect();
            plan(&list)
        };
        let (mut first, mut second) = (column(|file| file.1.clone()), column(|file| file.2.clone()));
        let mut expected = column(|file| file.3.clone());
        first
            .changes
            .extend(plan(&[("/only-first", create("x"))]).changes);
        second
            .changes
            .extend(plan(&[("/a/only-second", create("y"))]).changes);
        expected
            .changes
            .extend(plan(&[("/only-first", create("x")), ("/a/only-second", create("y"))]).changes);
        expected.changes.sort_by(|left, right| left.path.cmp(&right.path));
        let whole = first.followed_by(&second);
        let of = |plan: &Plan| -> Vec<_> {
            let changes = plan.changes.iter();
            changes
                .map(|change| (change.path.clone(), change.action.clone()))
                .collect()
        };
        assert_eq!(of(&whole), of(&expected));
    }
}
