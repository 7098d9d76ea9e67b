//! The `use` lines of a generated file: short names in the code, and one place that keeps them apart.
//!
//! A name that the file defines itself, or that everybody expects to be the standard one, is never taken by an import:
//! the imported type gets another name instead.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;

use super::identifiers;

/// Names that keep their usual meaning in generated code.
const USUAL: &[&str] = &[
    "AsRef",
    "Box",
    "Clone",
    "Default",
    "Err",
    "From",
    "FromIterator",
    "Into",
    "IntoIterator",
    "None",
    "Ok",
    "Option",
    "Result",
    "Self",
    "Send",
    "Some",
    "String",
    "Sync",
    "ToString",
    "Vec",
];

/// Longest line that rustfmt leaves.
const WIDTH: usize = 100;

/// Names longer than this make lines that no formatter can break well.
const LONG: usize = 34;

/// The imports of one file.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// Names that are taken, by imports or by the file itself.
    taken: BTreeSet<String>,
    /// What is imported: the path, and the name that it has here.
    imported: BTreeMap<Vec<String>, String>,
}

impl Imports {
    /// Nothing imported yet, in a file that defines `own`.
    pub(super) fn new(own: impl IntoIterator<Item = String>) -> Self {
        Self {
            taken: own.into_iter().collect(),
            imported: BTreeMap::new(),
        }
    }

    /// The name for something of another module, such as `kube::api::ListParams`. Importing it is noted.
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

    /// The name for the type of objects. One that is too long for the lines it will stand in is called `Object`.
    pub(super) fn object(&mut self, path: &str) -> Ident {
        let parts: Vec<String> = path.split("::").map(str::to_owned).collect();
        let is_long = parts.last().is_some_and(|last| last.len() > LONG);
        if is_long && !self.imported.contains_key(&parts) && self.taken.insert("Object".to_owned()) {
            self.imported.insert(parts, "Object".to_owned());
            return identifiers::existing("Object");
        }
        self.name(path)
    }

    /// As [`name`](Self::name), for the `Result` of the runtime, which takes the place of the usual one.
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

    /// The lines: the standard library, other crates, this crate, with an empty line between them.
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
            // The two styles disagree about capitals in a list, so those stand alone.
            let (capitals, others): (Vec<_>, Vec<_>) = items
                .into_iter()
                .partition(|(last, _)| !last.chars().any(char::is_lowercase));
            let alone = capitals.into_iter().map(|item| vec![item]);
            for items in alone.chain([others]).filter(|items| !items.is_empty()) {
                if let Some(group) = groups.get_mut(group) {
                    group.push(Line::of(module, items));
                }
            }
        }
        let texts = groups.into_iter().filter(|lines| !lines.is_empty()).map(in_order);
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// One `use`, with its place among others in the two styles that rustfmt has.
struct Line {
    edition_2024: Vec<Key>,
    edition_2021: Vec<Key>,
    text: String,
}

/// A name by its class and its letters.
type Key = (u8, String);

impl Line {
    fn of(module: &[String], mut items: Vec<(&str, &str)>) -> Self {
        items.sort();
        let keys = |old: bool| {
            let last = match items.as_slice() {
                [(only, _)] => key(only, old),
                _ => (9, String::new()),
            };
            module.iter().map(|name| key(name, old)).chain([last]).collect()
        };
        Self {
            edition_2024: keys(false),
            edition_2021: keys(true),
            text: line(module, &items),
        }
    }
}

/// The place of a name. The style of 2021 puts modules before types and types before constants.
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

/// The lines in an order that both styles leave: an empty line parts those that they would order differently.
fn in_order(mut lines: Vec<Line>) -> String {
    lines.sort_by(|left, right| left.edition_2024.cmp(&right.edition_2024));
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

/// One `use` as rustfmt writes it.
fn line(module: &[String], items: &[(&str, &str)]) -> String {
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
        [only] => format!("use {prefix}::{only};\n"),
        _ => list(&format!("use {prefix}"), &items),
    }
}

/// A `use` of several names as rustfmt writes it.
pub(super) fn list(start: &str, items: &[String]) -> String {
    let short = format!("{start}::{{{}}};", items.join(", "));
    // Measured: rustfmt keeps two letters free, and in rows one, unless all names fit in one row.
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
