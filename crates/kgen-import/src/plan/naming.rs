//! Names of types: what authors call them, and how collisions are resolved.

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::{Code, Problem, Problems, nearest};
use kgen_model::Schema;

use super::classes::{Classes, KindSource, Sort};
use super::{ClassId, words};
use crate::options::Options;

/// Names that a type of the result cannot have: those of the prelude, and those that the result imports.
const TAKEN: &[&str] = &[
    "AsMut",
    "AsRef",
    "BTreeMap",
    "Box",
    "ByteString",
    "Clone",
    "Copy",
    "CustomResource",
    "Debug",
    "Default",
    "Deserialize",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Hash",
    "IntOrString",
    "Into",
    "IntoIterator",
    "Iterator",
    "JsonSchema",
    "Map",
    "None",
    "ObjectMeta",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Quantity",
    "RawExtension",
    "Result",
    "Self",
    "Send",
    "Serialize",
    "Sized",
    "Some",
    "String",
    "Sync",
    "Time",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "TypeMeta",
    "Unpin",
    "Value",
    "Vec",
];

/// Returns the name that a schema would like: the word with which its description begins, or the one of its property.
pub(crate) fn wanted(schema: &Schema, sort: Sort, hint: &str, path: &str) -> String {
    // `spec` and `status` of a kind are named after the kind.
    if path.matches('.').count() == 1 && (path.ends_with(".spec") || path.ends_with(".status")) {
        return hint.to_owned();
    }
    let own = words::type_name(hint);
    let stated = schema
        .description
        .as_deref()
        .filter(|_| sort == Sort::Struct)
        .and_then(first_word);
    match stated {
        Some(word) if !word.eq_ignore_ascii_case(&own) && !explains(hint, word) => word.to_owned(),
        _ => own,
    }
}

/// Returns the first word of a description, if it can only be the name of a type.
fn first_word(description: &str) -> Option<&str> {
    let word = description.split_whitespace().next()?;
    let has_humps = word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.chars().all(|letter| letter.is_ascii_alphanumeric())
        && word.chars().any(|letter| letter.is_ascii_lowercase())
        && words::words(word).len() > 1;
    // A title in capitals, or the name of a product at the start of a sentence, is not followed by a verb.
    let next = description.split_whitespace().nth(1)?;
    (has_humps && next.starts_with(|first: char| first.is_ascii_lowercase())).then_some(word)
}

/// Returns whether the name of a property explains a word: the word is its plural or another spelling of it.
fn explains(hint: &str, word: &str) -> bool {
    let plain = |text: &str| words::words(text).concat();
    let (hint, word) = (plain(hint), plain(word));
    hint == word
        || words::singular(&word) == hint
        || word == words::singular(&hint)
        || format!("{hint}s") == word
}

/// Names all classes. The ones that are nearest to the root get the name that they would like; others are prefixed with the
/// names around them.
pub(crate) fn name_all(
    classes: &mut Classes<'_>,
    kinds: &[KindSource<'_>],
    options: &Options,
    problems: &mut Problems,
) {
    let kind_names: BTreeSet<String> = kinds
        .iter()
        .map(|kind| words::type_name(&kind.version.kind))
        .collect();
    let overrides = overrides(classes, kinds, options, problems);
    let mut taken: BTreeSet<String> = kind_names;
    taken.extend(classes.kubernetes_names().map(str::to_owned));
    taken.extend(overrides.values().cloned());
    for index in 0..classes.list.len() {
        let id = ClassId(index);
        let name = match overrides.get(&id) {
            Some(name) => name.clone(),
            None => free_name(classes, id, &taken),
        };
        taken.insert(name.clone());
        if let Some(class) = classes.list.get_mut(index) {
            class.name = name;
        }
    }
}

fn is_free(name: &str, taken: &BTreeSet<String>) -> bool {
    !taken.contains(name) && !TAKEN.contains(&name)
}

fn free_name(classes: &Classes<'_>, id: ClassId, taken: &BTreeSet<String>) -> String {
    let Some(class) = classes.get(id) else {
        return String::new();
    };
    let mut name = class.wanted.clone();
    let mut parent = class.parent;
    loop {
        if is_free(&name, taken) {
            return name;
        }
        match parent.and_then(|parent| classes.get(parent)) {
            Some(around) => {
                name = format!("{}{name}", around.wanted);
                parent = around.parent;
            }
            None => break,
        }
    }
    // Only a different spelling of the same names gets here.
    let kind = class.path.split('.').next().unwrap_or_default();
    let with_kind = format!("{}{name}", words::type_name(kind));
    if is_free(&with_kind, taken) {
        return with_kind;
    }
    let sort = if class.sort == Sort::Enum { "Value" } else { "Alt" };
    let mut name = format!("{name}{sort}");
    while !is_free(&name, taken) {
        name.push_str("Alt");
    }
    name
}

/// Returns the names that the user gave, by class. A path that matches nothing is a problem.
fn overrides(
    classes: &Classes<'_>,
    kinds: &[KindSource<'_>],
    options: &Options,
    problems: &mut Problems,
) -> BTreeMap<ClassId, String> {
    let mut found = BTreeMap::new();
    let version = kinds
        .first()
        .map(|kind| kind.version.version.as_str())
        .unwrap_or_default();
    for (path, name) in &options.names {
        let matches = |class_path: &str| class_path == path || format!("{version}.{class_path}") == *path;
        let class = classes.list.iter().position(|class| matches(&class.path));
        if let Some(index) = class {
            if !is_type_name(name) {
                let message = format!("`{name}` cannot be the name of a type");
                problems.push(Problem::general(Code::ImportName, message));
            }
            found.insert(ClassId(index), name.clone());
        }
    }
    found
}

/// Returns whether a name can be the name of a type without a warning.
fn is_type_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
        && !TAKEN.contains(&name)
}

/// Returns the problem of a path that matches nothing.
pub(crate) fn unknown_path(path: &str, known: &[String]) -> Problem {
    let problem = Problem::general(
        Code::ImportName,
        format!("`{path}` does not name an imported type"),
    );
    match nearest(path, known.iter().map(String::as_str)) {
        Some(near) => problem.meant(near),
        None => problem.help("write the path of a property, such as `Kind.spec.template[]`"),
    }
}
