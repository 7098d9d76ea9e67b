//! Files of generators that a project no longer configures.
//!
//! `kgen.toml` covers the whole project. If a generator is removed from it, its files are no longer updated or removed,
//! so they are reported. They are not deleted: the author may still need them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use kgen_diagnostics::{Code, Problem};

use crate::configuration::{Configuration, Destination, Set};
use crate::generator::{GENERATORS, Generator, Product};
use crate::view::View;
use crate::{owner, place};

/// The maximum number of files in a message.
const SHOWN: usize = 5;

/// Reports each generator that no set configures for a folder that still has its files.
pub(crate) fn problems(configuration: &Configuration) -> Vec<Problem> {
    let view = View(&configuration.unsaved);
    let configured = configured(configuration);
    let mut left: BTreeMap<&str, BTreeSet<PathBuf>> = BTreeMap::new();
    for set in &configuration.sets {
        for (folder, product) in folders(set) {
            let files = if product.has_folders() {
                view.files_below(&folder)
            } else {
                view.files_in(&folder)
            };
            // A folder that cannot be read is reported where it is needed.
            for file in files.unwrap_or_default() {
                let generator = owner::generator(view, &file).and_then(|name| Generator::find(&name));
                let is_left = |generator: &&Generator| {
                    let mut folders = configured.iter().filter(|(name, _)| *name == generator.name);
                    !folders.any(|(_, folder)| file.starts_with(folder))
                };
                if let Some(generator) = generator.filter(is_left) {
                    left.entry(generator.name).or_default().insert(file);
                }
            }
        }
    }
    left.into_iter()
        .map(|(name, files)| problem(name, &files, configuration))
        .collect()
}

/// Returns the generators of all sets, with the folders that they write to.
fn configured(configuration: &Configuration) -> BTreeSet<(&'static str, PathBuf)> {
    let mut found = BTreeSet::new();
    for set in &configuration.sets {
        for job in &set.jobs {
            if let Destination::Folder(folder) = job.destination(set) {
                found.insert((job.generator.name, folder));
            }
        }
    }
    found
}

/// Returns the folders where files of any generator may be: the default ones, and those that the set writes to.
fn folders(set: &Set) -> BTreeMap<PathBuf, Product> {
    // Packages and pages are also written by single commands, which leave nothing in the configuration.
    let is_single = |generator: &&Generator| matches!(generator.product, Product::Package | Product::Pages);
    let defaults = GENERATORS
        .iter()
        .filter(|generator| !is_single(generator))
        .map(|generator| {
            let folder = place::absolute(&set.folder, generator.default_folder.as_ref());
            (folder, generator.product)
        });
    let written = set.jobs.iter().filter_map(|job| match job.destination(set) {
        Destination::Folder(folder) => Some((folder, job.generator.product)),
        Destination::StandardOutput | Destination::Nowhere => None,
    });
    defaults.chain(written).collect()
}

fn problem(generator: &str, files: &BTreeSet<PathBuf>, configuration: &Configuration) -> Problem {
    let shown: Vec<_> = files
        .iter()
        .take(SHOWN)
        .map(|file| format!("`{}`", place::shown(&configuration.working_folder, file)))
        .collect();
    let more = match files.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "the configuration no longer generates these files of `{generator}`: {}{more}",
        shown.join(", ")
    );
    Problem::general_warning(Code::Drift, message).help(format!(
        "delete the files, or configure `{generator}` to write to their folder again"
    ))
}
