//! The `use` lines of a file.

use std::collections::{BTreeMap, BTreeSet};

/// Collects the types that a file mentions.
pub(super) struct Imports<'v> {
    /// The names of all types of the version; another type of the same name is written with its path.
    names: &'v [String],
    own: &'v [&'v str],
    shared: Option<&'v str>,
    has_serde: bool,
    /// Names by module.
    foreign: BTreeMap<String, BTreeSet<String>>,
    from_shared: BTreeSet<String>,
}

impl<'v> Imports<'v> {
    pub(super) fn new(names: &'v [String], own: &'v [&'v str], shared: Option<&'v str>) -> Self {
        Self {
            names,
            own,
            shared,
            has_serde: false,
            foreign: BTreeMap::new(),
            from_shared: BTreeSet::new(),
        }
    }

    pub(super) fn serde(&mut self) {
        self.has_serde = true;
    }

    /// Returns how a type of the prelude is written: with its path if a type of the file, such as a kind, has its name.
    pub(super) fn prelude<'n>(&self, name: &'n str) -> &'n str {
        if !self.own.contains(&name) {
            return name;
        }
        match name {
            "Box" => "std::boxed::Box",
            "Option" => "std::option::Option",
            "Result" => "std::result::Result",
            "String" => "std::string::String",
            "Vec" => "std::vec::Vec",
            other => other,
        }
    }

    /// Returns how a trait of serde is written.
    pub(super) fn of_serde<'n>(&self, name: &'n str) -> &'n str {
        match name {
            "Deserialize" if self.own.contains(&name) => "serde::Deserialize",
            "Serialize" if self.own.contains(&name) => "serde::Serialize",
            other => other,
        }
    }

    /// Returns how a type of another crate is written.
    pub(super) fn foreign(&mut self, path: &str) -> String {
        let Some((module, name)) = path.rsplit_once("::") else {
            return path.to_owned();
        };
        let is_other = |(known, names): (&String, &BTreeSet<String>)| known != module && names.contains(name);
        if self.names.iter().any(|known| known == name) || self.foreign.iter().any(is_other) {
            return path.to_owned();
        }
        self.foreign
            .entry(module.to_owned())
            .or_default()
            .insert(name.to_owned());
        name.to_owned()
    }

    /// Returns how a type of the version is written.
    pub(super) fn own(&mut self, name: &str) -> String {
        if self.shared.is_some() && !self.own.contains(&name) {
            self.from_shared.insert(name.to_owned());
        }
        name.to_owned()
    }

    /// Returns the `use` lines: the standard library, other crates, and the shared types.
    pub(super) fn text(&self) -> String {
        let mut groups = [String::new(), String::new(), String::new()];
        let mut modules = self.foreign.clone();
        if self.has_serde {
            let traits = ["Deserialize", "Serialize"].into_iter();
            let free: Vec<String> = traits
                .filter(|name| self.of_serde(name) == *name)
                .map(str::to_owned)
                .collect();
            if !free.is_empty() {
                modules.entry("serde".to_owned()).or_default().extend(free);
            }
        }
        for (module, names) in &modules {
            let group = usize::from(!module.starts_with("std::"));
            if let Some(group) = groups.get_mut(group) {
                *group += &line(module, names);
            }
        }
        if let (Some(shared), false) = (self.shared, self.from_shared.is_empty())
            && let Some(group) = groups.get_mut(2)
        {
            *group += &line(&format!("super::{shared}"), &self.from_shared);
        }
        let filled = groups.iter().filter(|group| !group.is_empty());
        filled.map(|group| format!("\n{group}")).collect()
    }
}

fn line(module: &str, names: &BTreeSet<String>) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let one_line = match names.as_slice() {
        [only] => format!("use {module}::{only};\n"),
        several => format!("use {module}::{{{}}};\n", several.join(", ")),
    };
    if one_line.chars().count() <= 101 || names.len() == 1 {
        return one_line;
    }
    // rustfmt fills the lines of a list.
    let mut text = format!("use {module}::{{\n");
    let mut current = "   ".to_owned();
    for name in names {
        if current.chars().count() + name.len() + 2 > 100 {
            text += &current;
            text.push('\n');
            current = "   ".to_owned();
        }
        current += &format!(" {name},");
    }
    text + &current + "\n};\n"
}
