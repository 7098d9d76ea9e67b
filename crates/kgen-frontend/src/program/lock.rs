//! Reads `Cargo.lock`: which version of which package a crate gets, without calling cargo.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::manifest::Edge;
use super::toml_keys;
use crate::source::Disk;

/// The name of the file.
const FILE_NAME: &str = "Cargo.lock";

/// A lock file.
#[derive(Debug)]
pub(super) struct Lock {
    /// The folder of the file, which is the root of the workspace.
    pub(super) folder: PathBuf,
    pub(super) packages: Vec<LockedPackage>,
}

/// One package of a lock file.
#[derive(Debug)]
pub(super) struct LockedPackage {
    pub(super) name: String,
    pub(super) version: String,
    /// The source; `None` for packages of the workspace.
    pub(super) source: Option<String>,
    /// The checksum of the package; `None` if it does not come from a registry.
    pub(super) checksum: Option<String>,
    /// `name`, `name version` or `name version (source)`, as far as it takes to be unique.
    dependencies: Vec<String>,
}

/// Returns the folder of the nearest lock file above a package.
pub(super) fn folder_above(disk: &Disk, package: &Path) -> Option<PathBuf> {
    package
        .ancestors()
        .find(|folder| disk.is_file(&folder.join(FILE_NAME)))
        .map(Path::to_path_buf)
}

/// Reads the lock file in `folder`. Returns `None` if it cannot be read.
pub(super) fn read(disk: &Disk, folder: &Path) -> Option<Lock> {
    Lock::parse(&disk.read(&folder.join(FILE_NAME)).ok()?, folder)
}

impl LockedPackage {
    fn of(table: &DeTable<'_>) -> Option<Self> {
        Some(Self {
            name: toml_keys::text(table, "name")?,
            version: toml_keys::text(table, "version")?,
            source: toml_keys::text(table, "source"),
            checksum: toml_keys::text(table, "checksum"),
            dependencies: toml_keys::texts(table, "dependencies"),
        })
    }
}

impl Lock {
    /// Returns `None` if the text is not TOML.
    fn parse(text: &str, folder: &Path) -> Option<Self> {
        let table = DeTable::parse(text).ok()?;
        Some(Self {
            folder: folder.to_owned(),
            packages: toml_keys::tables(table.get_ref(), "package", LockedPackage::of),
        })
    }

    /// Returns the entry of a package of the workspace.
    pub(super) fn member(&self, name: &str) -> Option<usize> {
        let position = |local: bool| {
            self.packages
                .iter()
                .position(|package| package.name == name && (!local || package.source.is_none()))
        };
        position(true).or_else(|| position(false))
    }

    /// Returns the entry of a dependency. If the dependent has no entry, any package of that name is taken.
    pub(super) fn dependency(&self, dependent: Option<usize>, edge: &Edge) -> Option<usize> {
        let listed = dependent
            .and_then(|index| self.packages.get(index))
            .map(|package| package.dependencies.as_slice());
        let fits = |package: &LockedPackage| {
            package.name == edge.package
                && listed.is_none_or(|listed| listed.iter().any(|text| names(text, package)))
        };
        let mut candidates: Vec<usize> = self
            .packages
            .iter()
            .enumerate()
            .filter(|(_, package)| fits(package))
            .map(|(index, _)| index)
            .collect();
        if candidates.len() > 1
            && let Some(requirement) = &edge.requirement
        {
            // One package can depend on several versions of another under different names.
            let version = |index: &usize| {
                self.packages
                    .get(*index)
                    .map_or("", |package| package.version.as_str())
            };
            if candidates
                .iter()
                .any(|index| satisfies(version(index), requirement))
            {
                candidates.retain(|index| satisfies(version(index), requirement));
            }
        }
        candidates.pop()
    }

    /// Returns the entry with one of `wanted` names that the fewest dependencies lead to. If the dependent has no entry,
    /// any package with such a name is taken.
    pub(super) fn nearest(&self, dependent: Option<usize>, wanted: &[&str]) -> Option<usize> {
        let is_wanted = |package: &LockedPackage| wanted.contains(&package.name.as_str());
        let Some(dependent) = dependent else {
            // The packages of a lock file are sorted by name and version.
            return wanted
                .iter()
                .find_map(|name| self.packages.iter().rposition(|package| package.name == *name));
        };
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, package) in self.packages.iter().enumerate() {
            by_name.entry(&package.name).or_default().push(index);
        }
        let mut seen = BTreeSet::from([dependent]);
        let mut waiting = VecDeque::from([dependent]);
        while let Some(package) = waiting.pop_front().and_then(|index| self.packages.get(index)) {
            for text in &package.dependencies {
                let name = text.split(' ').next().unwrap_or_default();
                for index in by_name.get(name).into_iter().flatten() {
                    let Some(found) = self.packages.get(*index).filter(|found| names(text, found)) else {
                        continue;
                    };
                    if is_wanted(found) {
                        return Some(*index);
                    }
                    if seen.insert(*index) {
                        waiting.push_back(*index);
                    }
                }
            }
        }
        None
    }
}

/// Returns whether an entry in a list of dependencies refers to the package.
fn names(text: &str, package: &LockedPackage) -> bool {
    let mut words = text.split(' ');
    let name = words.next().unwrap_or_default();
    let version = words.next();
    let source = words
        .next()
        .map(|source| source.trim_start_matches('(').trim_end_matches(')'));
    name == package.name
        && version.is_none_or(|version| version == package.version)
        && source.is_none_or(|source| {
            package
                .source
                .as_deref()
                .is_none_or(|known| known.starts_with(source))
        })
}

/// Returns whether a requirement allows a version, as far as it takes to tell two locked versions apart: the
/// numbers up to the first that is not zero must be the same.
fn satisfies(version: &str, requirement: &str) -> bool {
    let first = requirement.split(',').next().unwrap_or_default().trim();
    let wanted = numbers(first.trim_start_matches(['^', '=', '~', '>', '<', ' ']));
    let found = numbers(version);
    let exact = first.starts_with(['=', '~']);
    let counted = wanted
        .iter()
        .position(|number| *number != 0)
        .map_or(wanted.len(), |index| index + 1);
    let counted = if exact { wanted.len() } else { counted };
    wanted
        .iter()
        .zip(&found)
        .take(counted)
        .all(|(wanted, found)| wanted == found)
}

fn numbers(version: &str) -> Vec<u64> {
    version
        .split(['.', '-', '+'])
        .map_while(|part| part.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock() -> Lock {
        let text = r#"
            [[package]]
            name = "tool"
            version = "0.1.0"
            dependencies = ["rope 0.3.1", "rope 1.4.0", "knot"]

            [[package]]
            name = "knot"
            version = "2.0.0"
            source = "registry+https://github.com/rust-lang/crates.io-index"
            dependencies = ["rope 0.3.1"]

            [[package]]
            name = "rope"
            version = "0.3.1"
            source = "registry+https://github.com/rust-lang/crates.io-index"

            [[package]]
            name = "rope"
            version = "1.4.0"
            source = "registry+https://github.com/rust-lang/crates.io-index"
        "#;
        Lock::parse(text, Path::new("")).unwrap()
    }

    fn version_of(dependent: &str, package: &str, requirement: &str) -> String {
        let lock = lock();
        let edge = Edge {
            requirement: Some(requirement.to_owned()),
            ..Edge::to(package)
        };
        let found = lock.dependency(lock.member(dependent), &edge).unwrap();
        lock.packages[found].version.clone()
    }

    #[test]
    fn the_version_that_the_dependent_lists() {
        assert_eq!(version_of("knot", "rope", "0.3"), "0.3.1");
        assert_eq!(version_of("tool", "knot", "2"), "2.0.0");
    }

    #[test]
    fn of_two_versions_the_one_that_is_required() {
        assert_eq!(version_of("tool", "rope", "0.3"), "0.3.1");
        assert_eq!(version_of("tool", "rope", "1.2"), "1.4.0");
        assert_eq!(version_of("tool", "rope", "^1"), "1.4.0");
        assert_eq!(version_of("tool", "rope", "=0.3.1"), "0.3.1");
    }

    #[test]
    fn the_nearest_of_those_that_dependencies_lead_to() {
        let lock = lock();
        let version = |entry: Option<usize>| entry.map(|entry| lock.packages[entry].version.as_str());
        assert_eq!(
            version(lock.nearest(lock.member("knot"), &["rope"])),
            Some("0.3.1")
        );
        assert_eq!(
            version(lock.nearest(lock.member("tool"), &["knot"])),
            Some("2.0.0")
        );
        assert_eq!(version(lock.nearest(lock.member("rope"), &["knot"])), None);
        assert_eq!(version(lock.nearest(None, &["rope"])), Some("1.4.0"));
    }

    #[test]
    fn what_is_not_listed_is_not_found() {
        let lock = lock();
        assert_eq!(lock.dependency(lock.member("knot"), &Edge::to("tool")), None);
    }
}
