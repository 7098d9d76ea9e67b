//! `conversion`: tables of the differences between the versions of a kind, and the trait of the author's translations.
//!
//! The checks have compared the versions ([`kgen_check::conversion`]). This module prints their tables with the vocabulary of
//! `kgen_runtime::conversion`, one function per pair of types and one call per change.

use std::collections::{BTreeMap, BTreeSet};

use kgen_check::Checked;
use kgen_check::conversion::{
    Contents, Conversion, FieldPath, Function, Line, Method, MethodIndex, Shown, Step, Table, Value,
    VariantLine,
};
use kgen_diagnostics::Problems;
use kgen_model::{RustRole, RustRoot, RustType, Tagging, rust_names};
use serde_json::{Map, Value as Json};

use super::calls::{Call, Expression};
use super::identifiers;
use super::imports::Imports;
use super::options::RustOptions;
use super::printer::head;
use crate::{Artifact, crd};

/// The name of the generator in the first lines of its files.
pub const GENERATOR: &str = "conversion";

/// The folder of the files.
pub const FOLDER: &str = "conversion";

/// Generates the conversion of each kind whose versions differ.
#[must_use]
pub fn generate(checked: &Checked<'_>, options: &RustOptions) -> (Vec<Artifact>, Problems) {
    let wanted: Vec<_> = checked
        .conversions()
        .iter()
        .filter(|conversion| conversion.differs())
        .collect();
    let mut artifacts = Vec::new();
    for (conversion, stem) in wanted.iter().zip(stems(&wanted)) {
        let artifact = |extension: &str, text: String| Artifact {
            name: format!("{FOLDER}/{stem}.{extension}"),
            generator: GENERATOR,
            text,
        };
        artifacts.push(artifact("json", schemas(conversion)));
        artifacts.push(artifact("rs", File::new(conversion, &stem, options).print()));
    }
    (artifacts, Problems::new())
}

/// Returns whether the generated `code` includes the file `json` with the schemas.
#[must_use]
pub fn includes(code: &str, json: &str) -> bool {
    code.contains(&inclusion(json))
}

fn inclusion(file: &str) -> String {
    format!("include_str!(\"{file}\")")
}

/// Returns the names of the files: the short name of the group and the kind, or the whole group if that is not unique.
fn stems(conversions: &[&Conversion<'_>]) -> Vec<String> {
    let name = |group: &str, kind: &str| {
        rust_names::free(&rust_names::snake(&format!(
            "{group}_{}",
            rust_names::snake(kind)
        )))
    };
    let short = |conversion: &Conversion<'_>| {
        let marked = conversion
            .chain
            .iter()
            .find_map(|version| version.client.group_name.as_ref());
        let group = marked.map_or_else(
            || rust_names::group(&conversion.resource.group),
            |name| name.value.clone(),
        );
        name(&group, &conversion.resource.kind)
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for conversion in conversions {
        *counts.entry(short(conversion)).or_default() += 1;
    }
    conversions
        .iter()
        .map(|conversion| match short(conversion) {
            short if counts.get(&short) == Some(&1) => short,
            _ => name(&conversion.resource.group, &conversion.resource.kind),
        })
        .collect()
}

/// Returns the schemas of all versions without descriptions, as JSON.
fn schemas(conversion: &Conversion<'_>) -> String {
    let schemas: Map<String, Json> = conversion
        .chain
        .iter()
        .map(|version| (version.version.clone(), crd::schema_without_descriptions(version)))
        .collect();
    format!("{:#}\n", Json::Object(schemas))
}

/// Returns the innermost folder that contains two folders.
fn common_folder<'a>(one: &'a str, other: &'a str) -> &'a str {
    let parts = one.split('/').zip(other.split('/'));
    let equal = parts.take_while(|(one, other)| one == other);
    // One slash follows each part.
    let length: usize = equal.map(|(part, _)| part.len() + 1).sum();
    one.get(..length.saturating_sub(1)).unwrap_or_default()
}

/// A generated file.
struct File<'a> {
    conversion: &'a Conversion<'a>,
    stem: &'a str,
    options: &'a RustOptions,
    imports: Imports,
    /// The trait of the author's translations.
    trait_name: String,
}

impl<'a> File<'a> {
    fn new(conversion: &'a Conversion<'a>, stem: &'a str, options: &'a RustOptions) -> Self {
        let trait_name = rust_names::free(&format!("{}Conversion", conversion.resource.kind));
        let own = ["C".to_owned(), trait_name.clone()];
        Self {
            conversion,
            stem,
            options,
            imports: Imports::new(own),
            trait_name,
        }
    }

    fn print(mut self) -> String {
        let resource = &self.conversion.resource;
        let mut items = Vec::new();
        if !self.conversion.methods.is_empty() {
            items.push(self.author_trait());
        }
        items.push(self.function());
        for step in &self.conversion.steps {
            let generic = generic_tables(step);
            for table in &step.tables {
                items.push(self.table(table, &generic));
            }
        }
        let versions: Vec<String> = self
            .conversion
            .chain
            .iter()
            .map(|version| format!("`{}`", version.version))
            .collect();
        let mut text = head(GENERATOR, &self.sources(), self.options.header.as_deref());
        text.push_str(&format!(
            "\n//! Conversions between the versions of `{}` in `{}`: {}.\n",
            resource.kind,
            resource.group,
            versions.join(", ")
        ));
        text.push('\n');
        text.push_str(&self.imports.lines());
        for item in items {
            text.push('\n');
            text.push_str(&item);
        }
        text
    }

    /// Returns the file of the versions, or the folder that contains all their files.
    fn sources(&self) -> String {
        let rust = self
            .conversion
            .chain
            .iter()
            .filter_map(|version| version.rust.as_ref());
        let files: BTreeSet<&str> = rust.map(|rust| rust.source.as_str()).collect();
        let folders = files
            .iter()
            .map(|file| file.rsplit_once('/').map_or("", |(folder, _)| folder));
        let common = folders.reduce(common_folder).unwrap_or_default();
        if files.len() > 1 && !common.is_empty() {
            return common.to_owned();
        }
        files.into_iter().collect::<Vec<_>>().join(", ")
    }

    /// Returns the name of an item of the runtime.
    fn runtime(&mut self, name: &str) -> String {
        let path = format!("{}::conversion::{name}", self.options.runtime);
        self.imports.name(&path).to_string()
    }

    fn author_trait(&mut self) -> String {
        let mut text = format!(
            "/// The translations that only the author of `{}` can provide.\n///\n\
             /// Methods cannot fail: an object that does not convert would make every list that contains it unreadable.\n\
             /// A value that a version cannot represent exactly is kept, and is restored unless somebody changed it.\n\
             pub trait {}: Send + Sync + 'static {{\n",
            self.conversion.resource.kind, self.trait_name
        );
        let methods: Vec<String> = self
            .conversion
            .methods
            .iter()
            .map(|method| self.method(method))
            .collect();
        text.push_str(&methods.join("\n"));
        text.push_str("}\n");
        text
    }

    fn method(&self, method: &Method) -> String {
        let arguments: Vec<String> = method
            .arguments
            .iter()
            .map(|argument| {
                format!(
                    "{}: {}",
                    identifiers::existing(&argument.name),
                    self.value(&argument.value)
                )
            })
            .collect();
        let results: Vec<String> = method.results.iter().map(|result| self.value(result)).collect();
        let result = match results.as_slice() {
            [only] => only.clone(),
            several => format!("({})", several.join(", ")),
        };
        let name = &method.name;
        let line = format!("    fn {name}({}) -> {result};", arguments.join(", "));
        let lines = kgen_layout::widen(&line);
        format!("    /// {}\n{lines}", method.documentation)
    }

    fn value(&self, value: &Value) -> String {
        let text = self.rust_type(&value.rust);
        if value.is_optional {
            format!("Option<{text}>")
        } else {
            text
        }
    }

    /// Returns a type by its whole path, because the versions have types of the same names.
    fn rust_type(&self, rust: &RustType) -> String {
        let arguments: Vec<String> = rust
            .arguments
            .iter()
            .map(|argument| self.rust_type(argument))
            .collect();
        if let (RustRole::Array(length), [inner]) = (rust.role, arguments.as_slice()) {
            return format!("[{inner}; {length}]");
        }
        let is_short = match &rust.path.root {
            RustRoot::Language => true,
            RustRoot::Library(library) => {
                library == "std" && matches!(rust.path.name(), "Option" | "Vec" | "String" | "Box")
            }
            RustRoot::Own => false,
        };
        let name = if is_short {
            identifiers::existing(rust.path.name()).to_string()
        } else {
            let path = self.options.path(&rust.path);
            let parts = path.split("::").map(|part| match part {
                "" | "crate" | "super" | "self" => part.to_owned(),
                _ => identifiers::existing(part).to_string(),
            });
            parts.collect::<Vec<_>>().join("::")
        };
        match arguments.as_slice() {
            [] => name,
            [inner] if rust.path.name() == "Cow" => format!("{name}<'static, {inner}>"),
            several => format!("{name}<{}>", several.join(", ")),
        }
    }

    /// Returns the function that returns the conversion.
    fn function(&mut self) -> String {
        let resource = self.conversion.resource;
        let conversion = self.runtime("Conversion");
        let new = Call::new(
            format!("{conversion}::new"),
            [
                literal(&resource.group),
                literal(&resource.kind),
                Expression::text(inclusion(&format!("{}.json", self.stem))),
            ],
        );
        let mut body = Expression::Call(new);
        for step in &self.conversion.steps {
            let table = match step.tables.first() {
                Some(table) => reference(&table.name, &generic_tables(step)),
                None => Expression::text(format!("{}::new()", self.runtime("Change"))),
            };
            let versions = [&step.older.version, &step.newer.version].map(|version| literal(version));
            body = body.then(Call::new("step", versions.into_iter().chain([table])));
        }
        let name = identifiers::ident(&rust_names::snake(&resource.kind));
        let (documentation, parameters) = if self.conversion.methods.is_empty() {
            (String::new(), String::new())
        } else {
            (
                ", with the translations of `C`".to_owned(),
                format!("<C: {}>", self.trait_name),
            )
        };
        format!(
            "/// Returns the conversion between all versions of `{}`{documentation}.\n\
             pub fn {name}{parameters}() -> {conversion} {{\n    {}\n}}\n",
            resource.kind,
            body.lines(4, 4, 0)
        )
    }

    /// Returns the function of a table.
    fn table(&mut self, table: &Table, generic: &BTreeSet<&str>) -> String {
        let change = self.runtime("Change");
        let mut body = Expression::text(format!("{change}::new()"));
        for line in &table.lines {
            body = body.then(self.line(line, generic));
        }
        let parameters = if generic.contains(table.name.as_str()) {
            format!("<C: {}>", self.trait_name)
        } else {
            String::new()
        };
        format!(
            "fn {}{parameters}() -> {change} {{\n    {}\n}}\n",
            table.name,
            body.lines(4, 4, 0)
        )
    }

    fn line(&mut self, line: &Line, generic: &BTreeSet<&str>) -> Call {
        match line {
            Line::Paired {
                older,
                newer,
                contents,
            } => self.paired(older, newer, contents.as_ref(), generic),
            Line::Added { name, fill } => self.filled("added", name, *fill),
            Line::Dropped { name, fill } => self.filled("dropped", name, *fill),
            Line::Filled { is_newer, name, fill } => {
                let word = if *is_newer { "filled" } else { "filled_before" };
                Call::new(word, [literal(name), self.author(*fill)])
            }
            Line::Widened {
                older,
                newer,
                backward,
            } => Call::new("widened", [field(older, newer), self.author(*backward)]),
            Line::Narrowed {
                older,
                newer,
                forward,
            } => Call::new("narrowed", [field(older, newer), self.author(*forward)]),
            Line::Translated {
                older,
                newer,
                forward,
                backward,
            } => Call::new(
                "translated",
                [
                    places(older),
                    places(newer),
                    self.closure(forward),
                    self.closure(backward),
                ],
            ),
        }
    }

    /// Returns the call for a field that only one version has.
    fn filled(&self, word: &str, name: &str, fill: Option<MethodIndex>) -> Call {
        match fill {
            Some(fill) => Call::new(format!("{word}_with"), [literal(name), self.author(fill)]),
            None => Call::new(word, [literal(name)]),
        }
    }

    fn paired(
        &mut self,
        older: &FieldPath,
        newer: &FieldPath,
        contents: Option<&Contents>,
        generic: &BTreeSet<&str>,
    ) -> Call {
        let ([older_name], [newer_name]) = (older.as_slice(), newer.as_slice()) else {
            let paths = [array(older), array(newer)];
            return match contents {
                None => Call::new("moved", paths),
                Some(contents) => {
                    let contents = self.contents(contents, generic);
                    Call::new("moved_inside", paths.into_iter().chain([contents]))
                }
            };
        };
        let name = field(older_name, newer_name);
        match contents {
            None => Call::new("renamed", [literal(older_name), literal(newer_name)]),
            Some(Contents::Items(items)) => Call::new("each", [name, self.contents(items, generic)]),
            Some(contents @ Contents::Variants { .. }) => {
                Call::new("variants", [name, self.contents(contents, generic)])
            }
            Some(contents) => Call::new("inside", [name, self.contents(contents, generic)]),
        }
    }

    fn contents(&mut self, contents: &Contents, generic: &BTreeSet<&str>) -> Expression {
        match contents {
            Contents::Table(name) => reference(name, generic),
            Contents::Items(items) => {
                let items = self.contents(items, generic);
                Expression::Call(Call::new(format!("{}::items", self.runtime("Contents")), [items]))
            }
            Contents::Value { forward, backward } => {
                let functions = [self.plain(forward), self.plain(backward)];
                Expression::Call(Call::new(
                    format!("{}::value", self.runtime("Contents")),
                    functions,
                ))
            }
            Contents::Variants { tagging, lines } => {
                let variants = self.runtime("Variants");
                let mut chain = match tagging {
                    Tagging::External => Expression::text(format!("{variants}::new()")),
                    Tagging::Internal(tag) => {
                        Expression::Call(Call::new(format!("{variants}::internal"), [literal(tag)]))
                    }
                    Tagging::Adjacent(tag, content) => Expression::Call(Call::new(
                        format!("{variants}::adjacent"),
                        [literal(tag), literal(content)],
                    )),
                    Tagging::Untagged => Expression::text(format!("{variants}::untagged()")),
                };
                for line in lines {
                    chain = chain.then(self.variant(line, generic));
                }
                chain
            }
        }
    }

    fn variant(&mut self, line: &VariantLine, generic: &BTreeSet<&str>) -> Call {
        match line {
            VariantLine::Paired {
                older,
                newer,
                contents: None,
            } => Call::new("renamed", [literal(older), literal(newer)]),
            VariantLine::Paired {
                older,
                newer,
                contents: Some(contents),
            } => Call::new("inside", [field(older, newer), self.contents(contents, generic)]),
            VariantLine::Added { name, shown } => self.shown("added", name, shown),
            VariantLine::Dropped { name, shown } => self.shown("dropped", name, shown),
            VariantLine::Shaped {
                older,
                newer,
                contents,
            } => {
                let contents = self.contents(contents, generic);
                Call::new("shaped", [array(older), array(newer), contents])
            }
        }
    }

    fn shown(&self, word: &str, name: &str, shown: &Shown) -> Call {
        match shown {
            Shown::Variant(variant) => Call::new(word, [literal(name), literal(variant)]),
            Shown::Method(method) => Call::new(format!("{word}_with"), [literal(name), self.author(*method)]),
        }
    }

    /// Returns a method of the author as a function.
    fn author(&self, method: MethodIndex) -> Expression {
        let method = self.conversion.methods.get(method);
        Expression::text(format!(
            "C::{}",
            method.map(|method| method.name.as_str()).unwrap_or_default()
        ))
    }

    /// Returns a function of one value.
    fn plain(&self, function: &Function) -> Expression {
        match function {
            Function::Method(method) => self.author(*method),
            Function::Widen { from, to, .. } => Expression::text(format!(
                "<{} as From<{}>>::from",
                self.rust_type(to),
                self.rust_type(from)
            )),
            Function::Copy { value, .. } => {
                Expression::text(format!("std::convert::identity::<{}>", self.rust_type(value)))
            }
        }
    }

    /// Returns a function from a tuple of sources to a tuple of targets.
    fn closure(&self, function: &Function) -> Expression {
        Expression::text(match function {
            Function::Method(index) => {
                let Some(method) = self.conversion.methods.get(*index) else {
                    return self.author(*index);
                };
                let names: Vec<String> = method
                    .arguments
                    .iter()
                    .map(|argument| identifiers::existing(&argument.name).to_string())
                    .collect();
                let list = names.join(", ");
                let pattern = if names.len() == 1 {
                    format!("({list},)")
                } else {
                    format!("({list})")
                };
                let call = format!("C::{}({list})", method.name);
                if method.results.len() == 1 {
                    format!("|{pattern}| ({call},)")
                } else {
                    format!("|{pattern}| {call}")
                }
            }
            Function::Widen { name, from, to } => {
                let name = identifiers::existing(name);
                let (from, to) = (self.rust_type(from), self.rust_type(to));
                format!("|({name},): ({from},)| ({to}::from({name}),)")
            }
            Function::Copy { name, value } => {
                let name = identifiers::existing(name);
                format!("|({name},): ({},)| ({name},)", self.rust_type(value))
            }
        })
    }
}

/// Returns the tables of a step that call methods, themselves or in tables that they use.
fn generic_tables<'t>(step: &'t Step<'_>) -> BTreeSet<&'t str> {
    let mut generic: BTreeSet<&str> = BTreeSet::new();
    // A table comes before those that it uses.
    for table in step.tables.iter().rev() {
        if table.lines.iter().any(|line| calls_methods(line, &generic)) {
            generic.insert(&table.name);
        }
    }
    generic
}

fn calls_methods(line: &Line, generic: &BTreeSet<&str>) -> bool {
    match line {
        Line::Paired { contents, .. } => contents
            .as_ref()
            .is_some_and(|contents| contents_call_methods(contents, generic)),
        Line::Added { fill, .. } | Line::Dropped { fill, .. } => fill.is_some(),
        Line::Filled { .. } | Line::Widened { .. } | Line::Narrowed { .. } => true,
        Line::Translated {
            forward, backward, ..
        } => is_method(forward) || is_method(backward),
    }
}

fn contents_call_methods(contents: &Contents, generic: &BTreeSet<&str>) -> bool {
    match contents {
        Contents::Table(name) => generic.contains(name.as_str()),
        Contents::Items(items) => contents_call_methods(items, generic),
        Contents::Value { forward, backward } => is_method(forward) || is_method(backward),
        Contents::Variants { lines, .. } => lines.iter().any(|line| match line {
            VariantLine::Paired { contents, .. } => contents
                .as_ref()
                .is_some_and(|contents| contents_call_methods(contents, generic)),
            VariantLine::Added { shown, .. } | VariantLine::Dropped { shown, .. } => {
                matches!(shown, Shown::Method(_))
            }
            VariantLine::Shaped { contents, .. } => contents_call_methods(contents, generic),
        }),
    }
}

fn is_method(function: &Function) -> bool {
    matches!(function, Function::Method(_))
}

/// Returns the call of the function of a table.
fn reference(name: &str, generic: &BTreeSet<&str>) -> Expression {
    let parameters = if generic.contains(name) { "::<C>" } else { "" };
    Expression::text(format!("{name}{parameters}()"))
}

fn literal(text: &str) -> Expression {
    Expression::text(quoted(text))
}

fn quoted(text: &str) -> String {
    proc_macro2::Literal::string(text).to_string()
}

/// Returns the name of a field or variant in both versions.
fn field(older: &str, newer: &str) -> Expression {
    if older == newer {
        return literal(newer);
    }
    Expression::text(format!("({}, {})", quoted(older), quoted(newer)))
}

fn array(names: &[String]) -> Expression {
    Expression::text(array_text(names))
}

fn array_text(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    format!("[{}]", names.join(", "))
}

/// Returns the paths of several fields; all elements of an array have one type.
fn places(paths: &[FieldPath]) -> Expression {
    let lengths: BTreeSet<usize> = paths.iter().map(Vec::len).collect();
    let texts: Vec<String> = paths
        .iter()
        .map(|path| match (path.as_slice(), lengths.len()) {
            ([only], 1) => quoted(only),
            (path, 1) => array_text(path),
            (path, _) => format!("&{}[..]", array_text(path)),
        })
        .collect();
    Expression::text(format!("[{}]", texts.join(", ")))
}
