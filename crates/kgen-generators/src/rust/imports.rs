//! The `use` declarations of a generated file. They keep the names in its code short and unique.
//!
//! An import never takes a name that the file defines itself or that readers expect to be the one of the standard
//! library: the imported type gets another name instead.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;

use super::identifiers;

/// Names that keep their usual meaning in generated code.
const USUAL: &[&str] = &[
    // Type parameters of generated functions.
    "A",
    "AsRef",
    "Box",
    "Clone",
    "D",
    "Default",
    "Err",
    "From",
    "FromIterator",
    "Into",
    "IntoIterator",
    "None",
    "Ok",
    "Option",
    "P",
    "Result",
    "S",
    "Self",
    "Send",
    "Some",
    "String",
    "Sync",
    "ToString",
    "Vec",
];

/// The longest line that rustfmt does not break.
const WIDTH: usize = 100;

/// Longer names make lines that no formatter can break well.
const LONG: usize = 34;

/// The imports of one file.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// Names that imports or the file itself use.
    taken: BTreeSet<String>,
    /// The imported paths, each with its name in this file.
    imported: BTreeMap<Vec<String>, String>,
}

impl Imports {
    /// Starts the imports of a file that defines `own`.
    pub(super) fn new(own: impl IntoIterator<Item = String>) -> Self {
        Self {
            taken: own.into_iter().collect(),
            imported: BTreeMap::new(),
        }
    }

    /// Imports an item, such as `kube::api::ListParams`, and returns its name in this file.
    pub(super) fn name(&mut self, path: &str) -> Ident {
        let parts: Vec<String> = path
            .strip_prefix("::")
            .unwrap_or(path)
            .split("::")
            .map(str::to_owned)
            .collect();
        let absolute = path.starts_with("::");
        self.import(parts, absolute, false)
    }

    /// Imports the type of the objects. A name that is too long for the lines that use it becomes `Object`.
    pub(super) fn object(&mut self, path: &str) -> Ident {
        let parts: Vec<String> = path.split("::").map(str::to_owned).collect();
        let is_long = parts.last().is_some_and(|last| last.len() > LONG);
        if is_long && !self.imported.contains_key(&parts) && self.taken.insert("Object".to_owned()) {
            self.imported.insert(parts, "Object".to_owned());
            return identifiers::existing("Object");
        }
        self.name(path)
    }

    /// Imports the `Result` of the runtime, which replaces the one of the prelude.
    pub(super) fn runtime_result(&mut self, runtime: &str) -> Ident {
        self.import(
            format!("{runtime}::Result")
                .split("::")
                .map(str::to_owned)
                .collect(),
            false,
            true,
        )
    }

    fn import(&mut self, mut parts: Vec<String>, absolute: bool, usual: bool) -> Ident {
        if absolute && let Some(first) = parts.first_mut() {
            first.insert_str(0, "::");
        }
        if let Some(known) = self.imported.get(&parts) {
            return identifiers::existing(known);
        }
        let last = parts.last().cloned().unwrap_or_default();
        let mut name = last.clone();
        if !usual && USUAL.contains(&last.as_str()) || self.taken.contains(&last) {
            name = format!("{last}Object");
            let mut number = 2;
            while self.taken.contains(&name) {
                name = format!("{last}Object{number}");
                number += 1;
            }
        }
        self.taken.insert(name.clone());
        self.imported.insert(parts, name.clone());
        identifiers::existing(&name)
    }

    /// Returns the lines: the standard library, other crates and this crate, separated by empty lines.
    pub(super) fn lines(&self) -> String {
        let mut modules: BTreeMap<&[String], Vec<(&str, &str)>> = BTreeMap::new();
        for (path, name) in &self.imported {
            if let Some((last, module)) = path.split_last() {
                modules.entry(module).or_default().push((last, name));
            }
        }
        let mut groups: [Vec<Line>; 3] = Default::default();
        for (module, items) in modules {
            let group = match module.first().map(String::as_str) {
                Some("std" | "core" | "alloc") => 0,
                Some("crate" | "super" | "self") => 2,
                _ => 1,
            };
            if let Some(group) = groups.get_mut(group) {
                group.extend(Line::all_of("use", module, items));
            }
        }
        let texts = groups.into_iter().filter(|lines| !lines.is_empty()).map(in_order);
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// Returns the lines that re-export names of modules.
pub(super) fn exports<'a>(modules: impl IntoIterator<Item = (&'a str, Vec<&'a str>)>) -> String {
    let mut lines = Vec::new();
    for (module, names) in modules {
        let items = names.into_iter().map(|name| (name, name)).collect();
        lines.extend(Line::all_of("pub use", &[module.to_owned()], items));
    }
    in_order(lines)
}

/// Returns the declarations of modules, each given with its visibility.
pub(super) fn declarations(modules: &[(&str, &str)]) -> String {
    let lines = modules.iter().map(|(module, public)| Line {
        edition_2024: vec![(0, (*module).to_owned())],
        edition_2021: vec![(0, (*module).to_owned())],
        text: format!("{public}mod {module};\n"),
    });
    in_order(lines.collect())
}

/// A `use` declaration, with its sort keys in the two style editions of rustfmt.
struct Line {
    edition_2024: Vec<Key>,
    edition_2021: Vec<Key>,
    text: String,
}

/// A name, sorted by its class and its characters.
type Key = (u8, String);

impl Line {
    /// Returns the lines that import or re-export `items` of a module: one line for all items whose order is the same
    /// in both style editions, and one line for each of the others.
    fn all_of(keyword: &str, module: &[String], mut items: Vec<(&str, &str)>) -> Vec<Self> {
        items.sort();
        // The style editions disagree about capitals.
        let (mut alone, mut together): (Vec<_>, Vec<_>) = items
            .into_iter()
            .partition(|(last, _)| !last.chars().any(char::is_lowercase));
        // They also disagree about numbers.
        if !together.is_sorted_by(|left, right| by_version(left.0, right.0).is_lt()) {
            alone.append(&mut together);
        }
        // Functions come before types in one style and after them in the other.
        let is_function = |(last, _): &(&str, &str)| last.starts_with(char::is_lowercase);
        if together.iter().any(is_function) && !together.iter().all(is_function) {
            alone.append(&mut together);
        }
        let alone = alone.into_iter().map(|item| vec![item]);
        alone
            .chain([together])
            .filter(|items| !items.is_empty())
            .map(|items| Self::of(keyword, module, &items))
            .collect()
    }

    fn of(keyword: &str, module: &[String], items: &[(&str, &str)]) -> Self {
        let keys = |old: bool| {
            let last = match items {
                [(only, _)] => key(only, old),
                _ => (9, String::new()),
            };
            module.iter().map(|name| key(name, old)).chain([last]).collect()
        };
        Self {
            edition_2024: keys(false),
            edition_2021: keys(true),
            text: line(keyword, module, items),
        }
    }
}

/// Returns the class of a name. The style edition 2021 puts modules before types and types before constants.
fn key(name: &str, old: bool) -> Key {
    let plain = name.trim_start_matches("::");
    let class = match name {
        "self" => 0,
        "super" => 1,
        "crate" => 2,
        _ if !old || plain.starts_with(|first: char| first.is_lowercase() || first == '_') => 3,
        _ if plain.chars().any(char::is_lowercase) => 4,
        _ => 5,
    };
    (class, plain.to_owned())
}

/// Returns the lines in an order that both style editions keep. Empty lines separate lines that they order differently.
fn in_order(mut lines: Vec<Line>) -> String {
    lines.sort_by(|left, right| compare_keys(&left.edition_2024, &right.edition_2024));
    let mut text = String::new();
    let mut before: Option<&Line> = None;
    for line in &lines {
        if before.is_some_and(|before| before.edition_2021 > line.edition_2021) {
            text.push('\n');
        }
        text.push_str(&line.text);
        before = Some(line);
    }
    text
}

/// Compares two paths as the style edition 2024 does.
fn compare_keys(left: &[Key], right: &[Key]) -> Ordering {
    let parts = left.iter().zip(right);
    let different = parts
        .map(|((class, name), (other_class, other))| {
            class.cmp(other_class).then_with(|| by_version(name, other))
        })
        .find(|order| order.is_ne());
    different.unwrap_or_else(|| left.len().cmp(&right.len()))
}

/// Compares two names as the style edition 2024 does: numbers by their value, and `_` before every other character.
fn by_version(left: &str, right: &str) -> Ordering {
    let (mut left_rest, mut right_rest) = (left, right);
    loop {
        let (left_digits, right_digits) = (digits(left_rest), digits(right_rest));
        if !left_digits.is_empty() && !right_digits.is_empty() {
            let value = |digits: &str| digits.trim_start_matches('0').to_owned();
            let (first, second) = (value(left_digits), value(right_digits));
            let order = first.len().cmp(&second.len()).then_with(|| first.cmp(&second));
            if order.is_ne() {
                return order;
            }
            left_rest = left_rest.get(left_digits.len()..).unwrap_or_default();
            right_rest = right_rest.get(right_digits.len()..).unwrap_or_default();
            continue;
        }
        let mut letters = (left_rest.chars(), right_rest.chars());
        match (letters.0.next(), letters.1.next()) {
            (Some(first), Some(second)) if first == second => {}
            (Some('_'), Some(_)) => return Ordering::Less,
            (Some(_), Some('_')) => return Ordering::Greater,
            // Leading zeros are the last criterion.
            (None, None) => return left.cmp(right),
            (first, second) => return first.cmp(&second),
        }
        (left_rest, right_rest) = (letters.0.as_str(), letters.1.as_str());
    }
}

/// Returns the digits at the start of a text.
fn digits(text: &str) -> &str {
    let end = text
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// Formats a `use` declaration like rustfmt.
fn line(keyword: &str, module: &[String], items: &[(&str, &str)]) -> String {
    let raw = |name: &String| {
        let plain = name.trim_start_matches("::");
        let colons = if plain.len() < name.len() { "::" } else { "" };
        match plain {
            "crate" | "super" | "self" => name.clone(),
            _ => format!("{colons}{}", identifiers::existing(plain)),
        }
    };
    let prefix = module.iter().map(raw).collect::<Vec<_>>().join("::");
    let item = |(last, name): &(&str, &str)| {
        let written = identifiers::existing(last);
        if last == name {
            written.to_string()
        } else {
            format!("{written} as {name}")
        }
    };
    let items: Vec<String> = items.iter().map(item).collect();
    match items.as_slice() {
        [only] => format!("{keyword} {prefix}::{only};\n"),
        _ => list(&format!("{keyword} {prefix}"), &items),
    }
}

/// Formats a `use` declaration of several names like rustfmt.
fn list(start: &str, items: &[String]) -> String {
    let short = format!("{start}::{{{}}};", items.join(", "));
    // Observed: rustfmt reserves two characters, or one if the names take several rows.
    if short.len() <= WIDTH - 2 {
        return format!("{short}\n");
    }
    let mut text = format!("{start}::{{\n");
    let mut row = String::from("   ");
    for (index, item) in items.iter().enumerate() {
        let is_last = index + 1 == items.len() && text.lines().count() == 1;
        let free = usize::from(!is_last);
        if row.len() + item.len() + 2 + free > WIDTH {
            text.push_str(&row);
            text.push('\n');
            row = String::from("   ");
        }
        row.push_str(&format!(" {item},"));
    }
    format!("{text}{row}\n}};\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_grouped_and_ordered_as_rustfmt_has_them() {
        let mut imports = Imports::new([]);
        for path in [
            "kube::Resource",
            "kube::api::ObjectList",
            "kube::api::ListParams",
            "kgen_runtime::Handle",
            "std::borrow::Cow",
            "crate::api::v1::Foo",
            "super::foo_lister::FooLister",
        ] {
            imports.name(path);
        }
        assert_eq!(
            imports.lines(),
            "use std::borrow::Cow;\n\n\
             use kgen_runtime::Handle;\nuse kube::Resource;\n\n\
             use kube::api::{ListParams, ObjectList};\n\n\
             use super::foo_lister::FooLister;\nuse crate::api::v1::Foo;\n"
        );
    }

    #[test]
    fn numbers_are_in_an_order_that_both_styles_leave() {
        assert_eq!(
            declarations(&[("g10", "pub "), ("g9", "pub "), ("ga", "")]),
            "pub mod g9;\n\npub mod g10;\nmod ga;\n"
        );
        let mut imports = Imports::new([]);
        for name in ["K10", "K9", "Ka1", "Ka10", "Ka2"] {
            imports.name(&format!("crate::api::{name}"));
        }
        assert_eq!(
            imports.lines(),
            "use crate::api::K9;\n\nuse crate::api::K10;\n\nuse crate::api::Ka1;\nuse crate::api::Ka2;\n\n\
             use crate::api::Ka10;\n"
        );
    }

    #[test]
    fn names_of_the_file_and_usual_names_are_not_taken() {
        let mut imports = Imports::new(["Series".to_owned()]);
        assert_eq!(imports.name("crate::api::Series").to_string(), "SeriesObject");
        assert_eq!(imports.name("crate::api::Option").to_string(), "OptionObject");
        assert_eq!(imports.runtime_result("kgen_runtime").to_string(), "Result");
        assert_eq!(imports.name("crate::api::Result").to_string(), "ResultObject");
        assert_eq!(imports.name("crate::api::Result").to_string(), "ResultObject");
        assert_eq!(imports.name("crate::r#type::Foo").to_string(), "Foo");
    }
}
