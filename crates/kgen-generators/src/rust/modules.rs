//! The `mod.rs` files of a tree of generated files, built from the files in the tree.
//!
//! Every file is a private module whose items the `mod.rs` of its folder re-exports. So the result is the same whether
//! the generators run together or one after the other.

use std::collections::{BTreeMap, BTreeSet};

use super::{apply, conversion, imports, printer::head};
use crate::Artifact;

/// The name of the generator in the first line of these files.
pub const GENERATOR: &str = "modules";

/// The name of the file that makes a folder a module.
pub const FILE: &str = "mod.rs";

/// A file of a tree: its path from the root of the tree, with forward slashes, and its text.
#[derive(Clone, Copy, Debug)]
pub struct TreeFile<'a> {
    /// The path from the root of the tree.
    pub path: &'a str,
    /// The content.
    pub text: &'a str,
}

/// The content of a folder.
#[derive(Default)]
struct Folder<'a> {
    folders: BTreeSet<&'a str>,
    files: BTreeMap<&'a str, &'a str>,
}

/// Generates the `mod.rs` of the tree and of its folders. The outermost one of an `included` tree does not have module
/// documentation, because Rust does not allow it in a file that is read with `include!`.
#[must_use]
pub fn generate(files: &[TreeFile<'_>], included: bool, header: Option<&str>) -> Vec<Artifact> {
    let mut folders: BTreeMap<&str, Folder<'_>> = BTreeMap::new();
    for file in files.iter().filter(|file| !file.path.ends_with(FILE)) {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", file.path));
        let module = name.strip_suffix(".rs").unwrap_or(name);
        folders.entry(folder).or_default().files.insert(module, file.text);
        if !folder.is_empty() {
            folders.entry("").or_default().folders.insert(folder);
        }
    }
    folders
        .into_iter()
        .map(|(name, folder)| {
            let place = if name.is_empty() {
                FILE.to_owned()
            } else {
                format!("{name}/{FILE}")
            };
            let mut text = head(GENERATOR, "", header);
            if !(name.is_empty() && included) {
                text.push_str(&format!("\n//! {}\n", documentation(name, &folder)));
            }
            text.push_str(&if name == conversion::FOLDER {
                conversion_lines(&folder)
            } else {
                lines(&folder, name == apply::FOLDER)
            });
            Artifact {
                name: place,
                generator: GENERATOR,
                text,
            }
        })
        .collect()
}

fn documentation(name: &str, folder: &Folder<'_>) -> String {
    // The documentation of the files contains the group and version.
    let group = folder.files.values().find_map(|text| {
        let line = text.lines().find(|line| line.starts_with("//! "))?;
        group_of(line)
    });
    match (name, group) {
        ("", _) => "Typed access to the kinds of this API.".to_owned(),
        (apply::FOLDER, _) => {
            "Apply configurations, in one module per module of the types that they mirror.".to_owned()
        }
        (conversion::FOLDER, _) => "Conversions between the versions of kinds.".to_owned(),
        (_, Some(group)) => format!("The kinds of `{group}`."),
        (name, None) => format!("The kinds of `{name}`."),
    }
}

/// Returns the group and version that the documentation of a file ends with: alone, or after a plural.
fn group_of(line: &str) -> Option<String> {
    let title = line.split('`').rev().nth(1)?;
    if line.contains(" for the kinds of ") {
        return Some(title.to_owned());
    }
    match title.split_once('.') {
        Some((plural, group)) if !plural.contains('/') => Some(group.to_owned()),
        _ => title.split_once('/').map(|(_, version)| version.to_owned()),
    }
}

/// Returns the module declarations of a folder and its re-exports. Mirrors in different modules can have the same name,
/// so their modules are public instead.
fn lines(folder: &Folder<'_>, apart: bool) -> String {
    let mut modules: Vec<(&str, &str)> = folder.folders.iter().map(|name| (*name, "pub ")).collect();
    let mut exports = Vec::new();
    for (module, text) in &folder.files {
        if apart {
            modules.push((module, "pub "));
            continue;
        }
        modules.push((module, ""));
        let defined: BTreeSet<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("pub struct "))
            .map(|rest| rest.split(|letter: char| !is_name(letter)).next().unwrap_or(rest))
            .collect();
        if !defined.is_empty() {
            exports.push((*module, defined.into_iter().collect()));
        }
    }
    let mut text = format!("\n{}", imports::declarations(&modules));
    if !exports.is_empty() {
        text.push('\n');
        text.push_str(&imports::exports(exports));
    }
    text
}

/// Returns the modules of the conversions. Each exports its function and its trait, unless another group has the same
/// kind.
fn conversion_lines(folder: &Folder<'_>) -> String {
    let defined = |text: &str| -> Vec<String> {
        let names = text.lines().filter_map(|line| {
            let rest = line
                .strip_prefix("pub fn ")
                .or_else(|| line.strip_prefix("pub trait "))?;
            rest.split(|letter: char| !is_name(letter))
                .next()
                .map(str::to_owned)
        });
        names.collect()
    };
    let all: Vec<(&str, Vec<String>)> = folder
        .files
        .iter()
        .map(|(module, text)| (*module, defined(text)))
        .collect();
    let mut modules = Vec::new();
    let mut exports = Vec::new();
    for (module, names) in &all {
        let is_shared = all
            .iter()
            .any(|(other, others)| other != module && others.iter().any(|name| names.contains(name)));
        if is_shared {
            modules.push((*module, "pub "));
        } else {
            modules.push((*module, ""));
            exports.push((*module, names.iter().map(String::as_str).collect::<Vec<_>>()));
        }
    }
    let mut text = format!("\n{}", imports::declarations(&modules));
    if !exports.is_empty() {
        text.push('\n');
        text.push_str(&imports::exports(exports));
    }
    text
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
