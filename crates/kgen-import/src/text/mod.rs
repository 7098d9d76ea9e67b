//! The text of the result: files of a module tree, formatted like rustfmt.

mod imports;

use crate::options::Options;
use crate::plan::{Body, Field, Group, Item, KindFile, PRESENT, RustType, Version};
use imports::Imports;
use kgen_markers::write::{ModuleGap, module_lines};

/// A file of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path below the output folder, with forward slashes.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// The lints that descriptions written by others trigger, with the reason.
const LINTS: &[&str] = &[
    "rustdoc::all",
    "clippy::doc_lazy_continuation",
    "clippy::doc_overindented_list_items",
];

/// Returns the lines that allow the lints of descriptions. Those of newer versions of clippy are named only where they are
/// needed, because an older version does not know them.
fn lints(body: &str) -> String {
    let mut lints = LINTS.to_vec();
    let descriptions = || {
        body.lines()
            .filter_map(|line| line.trim_start().strip_prefix("/// "))
    };
    let is_definition = |line: &str| {
        let inside = line.trim_start_matches(|letter: char| {
            letter.is_ascii_digit() || letter == ' ' || matches!(letter, '-' | '*' | '+' | '.' | ')' | '>')
        });
        inside.len() < line.len() && inside.starts_with('[') && inside.contains("]:")
    };
    if descriptions().any(is_definition) {
        lints.push("clippy::doc_nested_refdefs");
    }
    if descriptions().any(|line| line.contains("[^")) {
        lints.push("clippy::doc_suspicious_footnotes");
    }
    let lints = lints.join(",\n    ");
    format!("// Descriptions are copied as their authors wrote them.\n#![allow(\n    {lints}\n)]\n")
}

/// The width of the arguments of an attribute from which rustfmt breaks them.
const ATTRIBUTE_WIDTH: usize = 70;

/// Returns the function that reads `Option<Option<T>>`.
fn present_function(imports: &Imports<'_>) -> String {
    let [result, option] = ["Result", "Option"].map(|name| imports.prelude(name));
    let deserialize = imports.of_serde("Deserialize");
    format!(
        "
/// Reads a value that is there, so that `null` differs from an absent field.
fn present<'de, D, T>(deserializer: D) -> {result}<{option}<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: {deserialize}<'de>,
{{
    T::deserialize(deserializer).map(Some)
}}
"
    )
}

/// The first line of every file of an import.
pub const FIRST_LINE: &str = "// Imported by kgen from ";

/// Returns the files of all groups, in the order of their paths.
pub(crate) fn files(groups: &[Group], options: &Options) -> Vec<SourceFile> {
    let mut files = Vec::new();
    let sources: Vec<&str> = groups.iter().flat_map(|group| sources(group)).collect();
    files.push(SourceFile {
        path: "mod.rs".to_owned(),
        text: module(
            &sources,
            &[],
            groups.iter().map(|group| format!("pub mod {};", group.module)),
        ),
    });
    for group in groups {
        let markers = module_lines(&ModuleGap {
            group: Some(&group.name),
            version: None,
        });
        files.push(SourceFile {
            path: format!("{}/mod.rs", group.module),
            text: module(
                &self::sources(group),
                &markers,
                group
                    .versions
                    .iter()
                    .map(|version| format!("pub mod {};", version.module)),
            ),
        });
        for version in &group.versions {
            version_files(group, version, options, &mut files);
        }
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    files
}

fn sources(group: &Group) -> Vec<&str> {
    let kinds = group.versions.iter().flat_map(|version| &version.kinds);
    let mut names: Vec<&str> = kinds.map(|kind| kind.definition.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the first line of a file that comes from some CRDs.
fn first_line(sources: &[&str]) -> String {
    match sources {
        [] => format!("{FIRST_LINE}nothing.\n"),
        [only] => format!("{FIRST_LINE}{only}.\n"),
        [first, rest @ ..] => format!("{FIRST_LINE}{first} and {} more.\n", rest.len()),
    }
}

fn module(sources: &[&str], markers: &[String], lines: impl Iterator<Item = String>) -> String {
    let mut text = first_line(sources);
    text.push('\n');
    for marker in markers {
        text += &format!("//! {marker}\n");
    }
    if !markers.is_empty() {
        text.push('\n');
    }
    for line in lines {
        text += &line;
        text.push('\n');
    }
    text
}

fn version_files(group: &Group, version: &Version, options: &Options, files: &mut Vec<SourceFile>) {
    let folder = format!("{}/{}", group.module, version.module);
    let markers = module_lines(&ModuleGap {
        group: None,
        version: Some(&version.name),
    });
    let mut modules: Vec<&str> = version.kinds.iter().map(|kind| kind.module.as_str()).collect();
    let shared = shared_module(&modules);
    if !version.shared.is_empty() {
        modules.push(shared);
    }
    modules.sort_unstable();
    let declarations = modules.iter().map(|module| format!("mod {module};"));
    let exports = modules.iter().map(|module| format!("pub use {module}::*;"));
    let lines: Vec<String> = declarations
        .chain(std::iter::once(String::new()))
        .chain(exports)
        .collect();
    let mut sources: Vec<&str> = version
        .kinds
        .iter()
        .map(|kind| kind.definition.as_str())
        .collect();
    sources.sort_unstable();
    sources.dedup();
    files.push(SourceFile {
        path: format!("{folder}/mod.rs"),
        text: module(&sources, &markers, lines.into_iter()),
    });
    for kind in &version.kinds {
        files.push(SourceFile {
            path: format!("{folder}/{}.rs", kind.module),
            text: kind_file(kind, version, shared, options),
        });
    }
    if !version.shared.is_empty() {
        let text = items_file(&first_line(&sources), &version.shared, version, None, options);
        files.push(SourceFile {
            path: format!("{folder}/{shared}.rs"),
            text,
        });
    }
}

/// Returns the name of the module for shared types. A kind may have the usual name.
fn shared_module(modules: &[&str]) -> &'static str {
    if modules.contains(&"shared") {
        "shared_types"
    } else {
        "shared"
    }
}

fn kind_file(kind: &KindFile, version: &Version, shared: &str, options: &Options) -> String {
    let shared = (!version.shared.is_empty()).then_some(shared);
    items_file(
        &first_line(&[&kind.definition]),
        &kind.items,
        version,
        shared,
        options,
    )
}

/// Returns a file with items.
fn items_file(
    first: &str,
    items: &[Item],
    version: &Version,
    shared: Option<&str>,
    options: &Options,
) -> String {
    let derived = items.iter().filter_map(|item| item.custom_resource.as_deref());
    let own: Vec<&str> = items
        .iter()
        .map(|item| item.name.as_str())
        .chain(derived)
        .collect();
    let mut imports = Imports::new(&version.names, &own, shared);
    let mut body = String::new();
    for item in items {
        body.push('\n');
        body += &item_text(item, version, options, &mut imports);
    }
    if body.contains(&format!("deserialize_with = \"{PRESENT}\"")) {
        body += &present_function(&imports);
    }
    let head = if body.contains("///") {
        format!("{first}\n{}", lints(&body))
    } else {
        first.to_owned()
    };
    format!("{head}{}{body}", imports.text())
}

fn item_text(item: &Item, version: &Version, options: &Options, imports: &mut Imports<'_>) -> String {
    let mut text = String::new();
    comment(&mut text, "", &item.docs, &item.markers);
    let mut derives = vec!["Clone", "Debug"];
    derives.extend(
        options
            .derives
            .iter()
            .map(String::as_str)
            .filter(|derive| *derive != "Default" || version.defaults.contains(&item.name)),
    );
    if item.custom_resource.is_some() {
        derives.push(if imports.foreign("kube::CustomResource") == "CustomResource" {
            "CustomResource"
        } else {
            "kube::CustomResource"
        });
    }
    if item.has_serde {
        imports.serde();
        derives.extend(["Serialize", "Deserialize"]);
    }
    derives.sort_by_key(|derive| matches!(*derive, "Serialize" | "Deserialize"));
    derives.dedup();
    let derives: Vec<&str> = derives
        .into_iter()
        .map(|derive| imports.of_serde(derive))
        .collect();
    text += &widened(&format!("#[derive({})]\n", derives.join(", ")));
    for attribute in &item.attributes {
        text += &attribute_text("", attribute);
    }
    match &item.body {
        Body::Struct(fields) if fields.is_empty() => text += &format!("pub struct {} {{}}\n", item.name),
        Body::Struct(fields) => {
            text += &format!("pub struct {} {{\n", item.name);
            for (index, field) in fields.iter().enumerate() {
                if index > 0
                    && (!field.docs.is_empty()
                        || fields
                            .get(index - 1)
                            .is_some_and(|before| !before.docs.is_empty()))
                {
                    text.push('\n');
                }
                field_text(&mut text, field, version, imports);
            }
            text += "}\n";
        }
        Body::Enum(variants) => {
            text += &format!("pub enum {} {{\n", item.name);
            for variant in variants {
                if let Some(value) = &variant.rename {
                    text += &format!("    #[serde(rename = {value:?})]\n");
                }
                if variant.is_open {
                    text += &format!(
                        "    /// Any other value.\n    #[serde(untagged)]\n    {}({}),\n",
                        variant.name,
                        imports.prelude("String")
                    );
                } else {
                    text += &format!("    {},\n", variant.name);
                }
            }
            text += "}\n";
        }
        Body::Choice(choices) => {
            text += &format!("pub enum {} {{\n", item.name);
            for choice in choices {
                comment(&mut text, "    ", &choice.docs, &choice.markers);
                if let Some(value) = &choice.rename {
                    text += &format!("    #[serde(rename = {value:?})]\n");
                }
                let data = type_text(&choice.rust_type, version, imports);
                let data = if choice.is_boxed {
                    format!("{}<{data}>", imports.prelude("Box"))
                } else {
                    data
                };
                text += &widened(&format!("    {}({data}),\n", choice.name));
            }
            text += "}\n";
        }
    }
    text
}

/// Returns an attribute, with one line per argument if they are long.
fn attribute_text(indent: &str, attribute: &str) -> String {
    let parts = attribute.strip_suffix(')').and_then(|text| text.split_once('('));
    match parts {
        Some((name, arguments)) if arguments.chars().count() > ATTRIBUTE_WIDTH => {
            let mut text = format!("{indent}#[{name}(\n");
            let arguments = separated(arguments);
            for (index, argument) in arguments.iter().enumerate() {
                let comma = if index + 1 < arguments.len() { "," } else { "" };
                text += &format!("{indent}    {argument}{comma}\n");
            }
            text + indent + ")]\n"
        }
        _ => format!("{indent}#[{attribute}]\n"),
    }
}

/// Splits arguments at their commas, but not inside of strings.
fn separated(arguments: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut is_text, mut is_escaped) = (false, false);
    for letter in arguments.chars() {
        if letter == ',' && !is_text {
            parts.push(String::new());
            continue;
        }
        is_text ^= letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

fn field_text(text: &mut String, field: &Field, version: &Version, imports: &mut Imports<'_>) {
    comment(text, "    ", &field.docs, &field.markers);
    if !field.serde.is_empty() {
        // Attributes name functions of the prelude by path, too.
        let option = format!("\"{}::", imports.prelude("Option"));
        let arguments = field.serde.join(", ").replace("\"Option::", &option);
        *text += &attribute_text("    ", &format!("serde({arguments})"));
    }
    let rust_type = type_text(&field.rust_type, version, imports);
    *text += &widened(&format!("    pub {}: {rust_type},\n", field.name));
}

fn comment(text: &mut String, indent: &str, docs: &[String], markers: &[String]) {
    for line in docs {
        *text += format!("{indent}/// {line}").trim_end();
        text.push('\n');
    }
    for marker in markers {
        *text += &format!("{indent}// {marker}\n");
    }
}

/// Breaks a line that is too long.
fn widened(line: &str) -> String {
    if line.chars().count() <= 101 {
        return line.to_owned();
    }
    kgen_layout::widen(line)
}

fn type_text(rust_type: &RustType, version: &Version, imports: &mut Imports<'_>) -> String {
    match rust_type {
        RustType::Primitive(name) => imports.prelude(name).to_owned(),
        RustType::Foreign(path) if path == crate::plan::JSON_MAP => {
            let map = imports.foreign(path);
            let value = imports.foreign(crate::plan::VALUE);
            format!("{map}<{}, {value}>", imports.prelude("String"))
        }
        RustType::Foreign(path) => imports.foreign(path),
        RustType::Class(id) => imports.own(version.names.get(id.index()).map_or("", String::as_str)),
        RustType::Optional(inner) => {
            let inner = type_text(inner, version, imports);
            format!("{}<{inner}>", imports.prelude("Option"))
        }
        RustType::List(inner) => {
            let inner = type_text(inner, version, imports);
            format!("{}<{inner}>", imports.prelude("Vec"))
        }
        RustType::Map(inner) => {
            let map = imports.foreign("std::collections::BTreeMap");
            let inner = type_text(inner, version, imports);
            format!("{map}<{}, {inner}>", imports.prelude("String"))
        }
    }
}

/// Returns all files as one, with modules in place of files.
#[must_use]
pub fn single_file(files: &[SourceFile]) -> String {
    inline(files, "mod.rs", 0)
}

/// Returns a module file with its submodules in it.
fn inline(files: &[SourceFile], path: &str, depth: usize) -> String {
    let Some(file) = files.iter().find(|file| file.path == path) else {
        return String::new();
    };
    let folder = path.strip_suffix("mod.rs").unwrap_or_default();
    let mut text = String::new();
    let lines = file.text.lines().skip(if depth == 0 { 0 } else { 2 });
    for line in lines {
        let (reach, rest) = match line.strip_prefix("pub mod ") {
            Some(rest) => ("pub ", Some(rest)),
            None => ("", line.strip_prefix("mod ")),
        };
        match rest.and_then(|rest| rest.strip_suffix(';')) {
            Some(name) => {
                let own = [format!("{folder}{name}/mod.rs"), format!("{folder}{name}.rs")];
                let path = own
                    .iter()
                    .find(|path| files.iter().any(|file| file.path == **path));
                let inner = path
                    .map(|path| inline(files, path, depth + 1))
                    .unwrap_or_default();
                text += &format!("{reach}mod {name} {{\n");
                for line in inner.trim_end().lines() {
                    text += format!("    {line}").trim_end();
                    text.push('\n');
                }
                text += "}\n";
            }
            None => {
                text += line;
                text.push('\n');
            }
        }
    }
    text
}
