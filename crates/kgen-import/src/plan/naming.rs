//! Names of types: what authors call them, and how collisions are resolved.

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::{Code, Problem, Problems, nearest};
use kgen_model::Schema;
use kgen_model::rust_names::is_in_prelude;

use super::classes::{Classes, KindSource, Sort};
use super::{ClassId, KnownPath, below_version, words};
use crate::options::Options;

/// Names that the result imports, and `Self`.
const TAKEN: &[&str] = &[
    "BTreeMap",
    "ByteString",
    "CustomResource",
    "Debug",
    "Deserialize",
    "Hash",
    "IntOrString",
    "JsonSchema",
    "Map",
    "ObjectMeta",
    "Quantity",
    "RawExtension",
    "Self",
    "Serialize",
    "Time",
    "TypeMeta",
    "Value",
];

/// Returns whether a type of the result cannot have a name.
fn is_taken(name: &str) -> bool {
    TAKEN.contains(&name) || is_in_prelude(name)
}

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
    refuse_equal_names(&overrides, &kind_names, classes, problems);
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
    !taken.contains(name) && !is_taken(name)
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

/// Returns the names that the user gave, by class. Two names for one class are a problem.
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
        let path = below_version(path, version);
        let mut uses = classes.paths.iter().filter(|(known, _)| known == path);
        let Some(id) = uses.find_map(|(_, class)| *class) else {
            continue;
        };
        match found.insert(id, name.clone()) {
            Some(other) if other != *name => {
                let first = classes
                    .get(id)
                    .map(|class| class.path.as_str())
                    .unwrap_or_default();
                let message = format!("one type cannot be called `{other}` and `{name}`");
                problems.push(
                    Problem::general(Code::ImportName, message)
                        .help(format!("`{path}` shares the type of `{first}`; give it one name")),
                );
            }
            _ => {}
        }
    }
    found
}

/// Reports given names that two types of a version would have.
fn refuse_equal_names(
    overrides: &BTreeMap<ClassId, String>,
    kinds: &BTreeSet<String>,
    classes: &Classes<'_>,
    problems: &mut Problems,
) {
    let mut owners: BTreeMap<&str, ClassId> = BTreeMap::new();
    let path = |id: ClassId| {
        classes
            .get(id)
            .map(|class| class.path.clone())
            .unwrap_or_default()
    };
    for (id, name) in overrides {
        let other = match owners.insert(name, *id) {
            _ if kinds.contains(name) => "the kind has the name".to_owned(),
            Some(other) => format!("`{}` has the name", path(other)),
            None => continue,
        };
        let message = format!("`{}` cannot be called `{name}`: {other}", path(*id));
        // Another version has the same paths.
        if !problems.iter().any(|known| known.message == message) {
            problems.push(Problem::general(Code::ImportName, message));
        }
    }
}

/// Reports given names that no type can have.
pub(crate) fn check_names(names: &[(String, String)], problems: &mut Problems) {
    for (_, name) in names.iter().filter(|(_, name)| !is_type_name(name)) {
        let message = format!("`{name}` cannot be the name of a type");
        problems.push(Problem::general(Code::ImportName, message));
    }
}

/// Returns whether a name can be the name of a type without a warning.
fn is_type_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
        && !is_taken(name)
}

/// Returns the problem of a path that matches nothing.
pub(crate) fn unknown_path(path: &str, known: &[KnownPath]) -> Problem {
    let problem = Problem::general(
        Code::ImportName,
        format!("`{path}` does not name an imported type"),
    );
    match nearest(path, known.iter().map(|known| known.path.as_str())) {
        Some(near) => problem.meant(near),
        None => problem.help("write the path of a property, such as `Kind.spec.template[]`"),
    }
}

/// Returns the problem of a path whose values have no type of their own.
pub(crate) fn path_without_type(path: &str) -> Problem {
    Problem::general(
        Code::ImportName,
        format!("`{path}` has no type of its own that a name could be given to"),
    )
    .help("name a struct or an enum; the items of a list have a path that ends with `[]`, the values of a map `{}`")
}
