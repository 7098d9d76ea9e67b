//! Finds the source of a locked package: in cargo's home, in vendored folders, and in git checkouts.
//!
//! Packages are not downloaded. If a package is missing, the message names the command for that.

use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::lock::{Lock, LockedPackage};
use super::{manifest, toml_keys};
use crate::source::Disk;

/// Returns the folder of cargo's downloads, found like in cargo.
#[must_use]
pub fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME")
        .filter(|home| !home.is_empty())
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
}

/// Returns the folder with the source of a package. Returns `None` if it is not on this machine.
pub(super) fn source_folder(
    disk: &Disk,
    home: Option<&Path>,
    lock: &Lock,
    package: &LockedPackage,
) -> Option<PathBuf> {
    let Some(source) = &package.source else {
        return manifest::patched(disk, &lock.folder, &package.name);
    };
    vendored(disk, home, &lock.folder, package).or_else(|| match source.strip_prefix("git+") {
        Some(url) => checkout(disk, home?, url, &package.name),
        None => registry(disk, home?, package),
    })
}

/// Returns the folder `registry/src/<registry>/name-version`.
fn registry(disk: &Disk, home: &Path, package: &LockedPackage) -> Option<PathBuf> {
    let (_, registries) = disk.list(&home.join("registry/src")).ok()?;
    let name = format!("{}-{}", package.name, package.version);
    registries
        .into_iter()
        .map(|folder| folder.join(&name))
        .find(|folder| has_manifest(disk, folder))
}

/// Returns a folder in which cargo could have the source of a package that is not on this machine.
pub(super) fn expected_folder(home: Option<&Path>, package: &LockedPackage) -> PathBuf {
    let name = format!("{}-{}", package.name, package.version);
    home.unwrap_or(Path::new("/")).join("registry/src").join(name)
}

/// Returns the folder of the package in `git/checkouts/<repository>-<hash>/<revision>`.
fn checkout(disk: &Disk, home: &Path, url: &str, name: &str) -> Option<PathBuf> {
    let (address, revision) = url.rsplit_once('#')?;
    let address = address
        .split('?')
        .next()
        .unwrap_or_default()
        .trim_end_matches('/');
    let repository = address
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .trim_end_matches(".git");
    let (_, repositories) = disk.list(&home.join("git/checkouts")).ok()?;
    let of_repository = repositories.into_iter().filter(|folder| {
        file_name(folder)
            .rsplit_once('-')
            .is_some_and(|(known, _)| known.eq_ignore_ascii_case(repository))
    });
    let revisions = of_repository
        .filter_map(|folder| disk.list(&folder).ok())
        .flat_map(|(_, folders)| folders);
    revisions
        .filter(|folder| !file_name(folder).is_empty() && revision.starts_with(file_name(folder)))
        .find_map(|folder| package_below(disk, &folder, name))
}

/// The maximum depth of a package in a checkout.
const CHECKOUT_DEPTH: usize = 4;

/// Returns the folder of a package in a tree of packages, the nearest to its root.
fn package_below(disk: &Disk, root: &Path, name: &str) -> Option<PathBuf> {
    let mut level = vec![root.to_owned()];
    for _ in 0..=CHECKOUT_DEPTH {
        if let Some(found) = level
            .iter()
            .find(|folder| manifest::package_name(disk, folder).as_deref() == Some(name))
        {
            return Some(found.clone());
        }
        level = level
            .iter()
            .filter_map(|folder| disk.list(folder).ok())
            .flat_map(|(_, folders)| folders)
            .filter(|folder| !file_name(folder).starts_with('.') && file_name(folder) != "target")
            .collect();
    }
    None
}

/// Returns the folders that the sources in cargo's configuration name.
fn source_directories(text: &str) -> Vec<PathBuf> {
    let Ok(table) = DeTable::parse(text) else {
        return Vec::new();
    };
    let sources = toml_keys::entries(table.get_ref(), "source", |source| {
        toml_keys::path(source.as_table()?, "directory")
    });
    sources.into_values().collect()
}

/// Returns a folder that a `[source]` of cargo's configuration uses instead of a registry.
fn vendored(disk: &Disk, home: Option<&Path>, workspace: &Path, package: &LockedPackage) -> Option<PathBuf> {
    let above = workspace
        .ancestors()
        .map(|folder| (folder.to_owned(), folder.join(".cargo")));
    let places = above.chain(home.map(|home| (home.to_owned(), home.to_owned())));
    for (folder, configuration) in places {
        for name in ["config.toml", "config"] {
            let file = configuration.join(name);
            if !disk.is_file(&file) {
                continue;
            }
            let text = disk.read(&file).unwrap_or_default();
            let found = source_directories(&text)
                .into_iter()
                .map(|directory| folder.join(directory))
                .find_map(|directory| {
                    let with_version = directory.join(format!("{}-{}", package.name, package.version));
                    let candidates = [with_version, directory.join(&package.name)];
                    candidates
                        .into_iter()
                        .find(|folder| manifest::is_version(disk, folder, &package.version))
                });
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

fn has_manifest(disk: &Disk, folder: &Path) -> bool {
    disk.is_file(&folder.join(manifest::FILE_NAME))
}

fn file_name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
}
