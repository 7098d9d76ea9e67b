//! Completion in marker lines: names, arguments, values, JSON paths, and the fields and functions of rules.
//!
//! The node of a half-typed marker is found by reading the text with a complete marker in its place, so that completion and
//! runs agree about nodes. Types come from the last run.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use kgen_build::{Outline, rule_functions};
use kgen_diagnostics::Code;
use kgen_markers::value::ValueType;
use kgen_markers::{Argument, Definition, Position, Status, definitions, find_marker, names};
use kgen_markers::{render_markdown, select};
use kgen_model::{Schema, Verb};
use serde_json::{Value, json};

use crate::analysis::Snapshot;
use crate::capabilities::Client;
use crate::cursor::{Cursor, nodes_of, outline_of_text};
use crate::documents::Documents;
use crate::expression;
use crate::index::{Index, walk};
use crate::placeholder::{self, Placeholder};
use crate::rbac;
use crate::server::Answer;
use crate::text::{Encoding, SameLines};
use crate::toml_file;

/// The markers that people use most, first.
const MOST_USED: &[&str] = &[
    "optional",
    "kubebuilder:validation:Minimum",
    "kubebuilder:validation:Maximum",
    "kubebuilder:validation:MaxLength",
    "kubebuilder:validation:MinLength",
    "kubebuilder:validation:Pattern",
    "kubebuilder:validation:Enum",
    "kubebuilder:validation:XValidation",
    "kubebuilder:default",
    "kubebuilder:validation:MaxItems",
    "listType",
    "listMapKey",
    "kubebuilder:printcolumn",
    "kubebuilder:resource",
    "kubebuilder:subresource:status",
    "kubebuilder:rbac",
];

/// The kinds of items of the protocol.
const FIELD: u8 = 5;
const FUNCTION: u8 = 3;
const KEYWORD: u8 = 14;
const PROPERTY: u8 = 10;
const ENUM_MEMBER: u8 = 20;

/// The parts of a marker line around the cursor.
struct Line<'a> {
    /// The text behind the `+`, up to the cursor.
    before: &'a str,
    /// The text behind the cursor.
    behind: &'a str,
    /// The first byte behind the `+`.
    start: usize,
}

pub(crate) fn answer(documents: &Documents, snapshot: &Snapshot, client: &Client, params: &Value) -> Answer {
    let Some(cursor) = Cursor::of(documents, client.encoding, params) else {
        return Ok(Value::Null);
    };
    if cursor.is_toml() {
        let items = if client.settings.without_toml {
            Vec::new()
        } else {
            toml_file::completion(&cursor.document.text, cursor.offset, client.encoding)
        };
        return Ok(json!({"isIncomplete": false, "items": items}));
    }
    let Some(line) = marker_line(&cursor) else {
        return Ok(Value::Null);
    };
    let context = Context::of(&cursor, snapshot, client, &line);
    Ok(json!({"isIncomplete": false, "items": context.items(&line)}))
}

/// Adds the documentation of a marker.
pub(crate) fn resolve(item: &Value) -> Answer {
    let mut item = item.clone();
    let name = item.pointer("/data/marker").and_then(Value::as_str);
    let page = name
        .and_then(|name| select(Some(name)).ok())
        .map(|found| render_markdown(&found));
    if let (Some(page), Some(members)) = (page, item.as_object_mut()) {
        let page = page.replace("rust,ignore", "rust");
        members.insert(
            "documentation".to_owned(),
            json!({"kind": "markdown", "value": page}),
        );
    }
    Ok(item)
}

/// Returns the marker line at the cursor; `None` if the cursor is elsewhere.
fn marker_line<'a>(cursor: &Cursor<'a>) -> Option<Line<'a>> {
    let text = &cursor.document.text;
    let (start, line) = text.line_text(text.line_of(cursor.offset));
    let comment = line.trim_start().strip_prefix("//")?;
    let behind_slashes = comment.trim_start_matches(['/', '!']).trim_start();
    let marker = behind_slashes.strip_prefix('+')?;
    // There may be blanks behind the sign.
    let name = marker.trim_start();
    let is_behind = start + line.len() - name.len() <= cursor.offset;
    let marker = if is_behind { name } else { marker };
    let start = start + line.len() - marker.len();
    let length = cursor.offset.checked_sub(start)?;
    Some(Line {
        before: marker.get(..length)?,
        behind: marker.get(length..)?,
        start,
    })
}

/// The facts about the node of the marker.
struct Context<'a> {
    index: Arc<Index>,
    cursor: &'a Cursor<'a>,
    encoding: Encoding,
    snippets: bool,
    /// `None` if the file is not valid Rust, so that every marker is offered.
    position: Option<Position>,
    schema: Option<Arc<Schema>>,
    is_option: bool,
    /// The kinds that the node is part of, by number.
    kinds: BTreeSet<usize>,
}

impl<'a> Context<'a> {
    fn of(cursor: &'a Cursor<'a>, snapshot: &'a Snapshot, client: &Client, line: &Line<'_>) -> Self {
        let (outline, at) = probe(cursor, line);
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        let marker = outline.marker_at(at);
        let item = marker.and_then(|marker| outline.items.get(marker.item?));
        let index = snapshot.index_of(&cursor.path);
        let nodes = item.map_or(Vec::new(), |item| {
            nodes_of(snapshot, &index, &cursor.path, &outline, item)
        });
        let schema = nodes.first().map(|node| Arc::clone(&node.schema));
        let kinds: BTreeSet<usize> = nodes.iter().map(|node| node.kind).collect();
        Self {
            cursor,
            encoding: client.encoding,
            snippets: client.snippets,
            position: marker.map(|marker| marker.position).filter(|_| outline.is_valid),
            schema,
            is_option: item.is_some_and(|item| item.is_option),
            kinds,
            index,
        }
    }

    fn items(&self, line: &Line<'_>) -> Vec<Value> {
        let Some((definition, length, _)) = find_marker(line.before) else {
            return self.names(line);
        };
        let rest = line.before.get(length..).unwrap_or_default();
        match rest.chars().next() {
            Some('=') => self.value(
                definition,
                definition.value(),
                rest.get(1..).unwrap_or_default(),
                rest,
            ),
            Some(':') if definition.arguments.iter().any(is_named) => {
                self.argument(definition, rest.get(1..).unwrap_or_default(), line)
            }
            _ => self.names(line),
        }
    }

    fn names(&self, line: &Line<'_>) -> Vec<Value> {
        if !line
            .before
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b":_-.".contains(&byte))
        {
            return Vec::new();
        }
        let end = line
            .behind
            .find(|c: char| !(c.is_alphanumeric() || ":_-.".contains(c)));
        let end = self.cursor.offset + end.unwrap_or(line.behind.len());
        let has_more = end < self.cursor.offset + line.behind.len();
        let range = self.range(line.start..end);
        let mut items = Vec::new();
        for definition in definitions() {
            for name in names(definition) {
                if !self.is_useful(definition, name != definition.name) {
                    continue;
                }
                let Some(snippet) = self.snippet(definition, &name) else {
                    continue;
                };
                let text = if has_more { name.clone() } else { snippet };
                items.push(self.name_item(definition, &name, &text, &range));
            }
        }
        items
    }

    /// Returns whether a marker, or its form for the items of a list, fits the node.
    fn is_useful(&self, definition: &Definition, for_items: bool) -> bool {
        let Some(position) = self.position else {
            return !matches!(
                definition.status,
                Status::Refused { .. } | Status::NoEffect { .. }
            );
        };
        let schema = self.schema.as_deref();
        match schema {
            Some(list) if for_items => {
                let items = list.items.as_deref();
                items.is_some_and(|items| definition.fits(position, Some(items), false))
            }
            _ => definition.fits(position, schema, self.is_option),
        }
    }

    fn name_item(&self, definition: &Definition, name: &str, text: &str, range: &Value) -> Value {
        let rank = MOST_USED.iter().position(|used| *used == name);
        let is_deprecated = matches!(definition.status, Status::Deprecated { .. });
        let rank = rank.unwrap_or(if is_deprecated { 999 } else { 99 });
        json!({
            "label": name,
            "kind": KEYWORD,
            "detail": definition.summary(),
            "filterText": name,
            "sortText": format!("{rank:03}{name}"),
            "insertTextFormat": if self.snippets { 2 } else { 1 },
            "textEdit": {"range": range, "newText": text},
            "tags": if is_deprecated { json!([1]) } else { json!([]) },
            "data": {"marker": definition.name},
        })
    }

    /// Returns a marker with placeholders, filled in from its example or from the node; `None` if no value fits the node.
    fn snippet(&self, definition: &Definition, name: &str) -> Option<String> {
        let example = definition.example_marker(self.position);
        let arguments = example.get(definition.name.len()..).unwrap_or_default();
        let items = self.schema.as_ref().and_then(|schema| schema.items.as_ref());
        let schema = if name == definition.name {
            self.schema.as_ref()
        } else {
            items
        };
        let mut kinds = self.kinds.iter().filter_map(|kind| self.index.kinds.get(*kind));
        let node = schema.map(|schema| placeholder::Node {
            schema,
            kind: kinds.next().map(|kind| &kind.schema),
        });
        let value_of =
            |key: &str, value: &str| match node.map(|node| placeholder::of(definition.name, key, node)) {
                None | Some(Placeholder::Example) => Some(value.to_owned()),
                Some(Placeholder::Text(text)) => Some(text),
                Some(Placeholder::Nothing) => None,
            };
        let mut number = 0;
        let mut placeholder = |value: &str| {
            number += 1;
            if self.snippets {
                let value = value
                    .replace('\\', "\\\\")
                    .replace('$', "\\$")
                    .replace('}', "\\}");
                format!("${{{number}:{value}}}")
            } else {
                value.to_owned()
            }
        };
        let arguments = arguments.lines().next().unwrap_or_default();
        let written = if let Some(value) = arguments.strip_prefix('=') {
            format!("={}", placeholder(&value_of("=", value)?))
        } else if let Some(list) = arguments.strip_prefix(':') {
            let mut parts = Vec::new();
            for part in split_arguments(list) {
                parts.push(match part.split_once('=') {
                    Some((key, value)) => format!("{key}={}", placeholder(&value_of(key, value)?)),
                    None => part.to_owned(),
                });
            }
            format!(":{}", parts.join(","))
        } else if arguments.starts_with('(') {
            placeholder(arguments)
        } else {
            String::new()
        };
        Some(format!("{name}{written}"))
    }

    /// Completes the last of named arguments: its name, or its value.
    fn argument(&self, definition: &Definition, list: &str, line: &Line<'_>) -> Vec<Value> {
        let parts = split_arguments(list);
        let last = parts.last().copied().unwrap_or_default();
        if let Some((key, value)) = last.split_once('=') {
            let argument = definition.arguments.iter().find(|argument| argument.key == key);
            return self.value(definition, argument, value, list);
        }
        let given: Vec<_> = parts
            .iter()
            .filter_map(|part| Some(part.split_once('=')?.0))
            .collect();
        let mut items: Vec<_> = definition
            .arguments
            .iter()
            .filter(|argument| is_named(argument) && !given.contains(&argument.key))
            .map(|argument| {
                let text = format!("{}=", argument.key);
                let mut item = self.item(&text, PROPERTY, last.len());
                put(&mut item, "detail", argument.value.to_string());
                put(&mut item, "documentation", argument.help());
                item
            })
            .collect();
        if parts.len() == 1 {
            // The text may also be the start of a longer name.
            items.extend(self.names(line));
        }
        items
    }

    /// Offers the values of an argument. `given` is the text of all arguments.
    fn value(
        &self,
        definition: &Definition,
        argument: Option<&Argument>,
        typed: &str,
        given: &str,
    ) -> Vec<Value> {
        let Some(argument) = argument else {
            return Vec::new();
        };
        let key = (definition.name, argument.key);
        match key {
            (_, "JSONPath") | (_, "specpath" | "statuspath" | "selectorpath") => self.paths(typed),
            ("kubebuilder:validation:XValidation" | "k8s:validation:cel", "rule" | "messageExpression") => {
                self.expression(typed)
            }
            ("listMapKey" | "k8s:listMapKey", _) => self.item_fields(typed),
            ("kgen:allow", _) => self.words(Code::allowed().map(Code::name), typed),
            ("kubebuilder:rbac", "verbs") => {
                let verbs = [
                    "get",
                    "list",
                    "watch",
                    "create",
                    "update",
                    "patch",
                    "delete",
                    "deletecollection",
                ];
                self.words(verbs.into_iter(), typed)
            }
            ("kubebuilder:rbac" | "kubebuilder:webhook", "resources") => {
                let own = self.index.kinds.iter();
                let own = own.map(|kind| (kind.group.as_str(), kind.plural.as_str()));
                let has_subresources = definition.name == "kubebuilder:rbac";
                let resources = rbac::resources(own, given, has_subresources);
                self.words(resources.iter().map(String::as_str), typed)
            }
            ("kubebuilder:rbac" | "kubebuilder:webhook", "groups") => {
                let own = self.index.kinds.iter().map(|kind| kind.group.as_str());
                self.words(own.chain(rbac::groups()), typed)
            }
            ("kubebuilder:default" | "default" | "kubebuilder:validation:Enum", _) => self.enumeration(typed),
            _ => self.typed_words(argument.value, typed),
        }
    }

    fn typed_words(&self, value: ValueType, typed: &str) -> Vec<Value> {
        match value {
            ValueType::Choice(words) => self.words(words.iter().copied(), typed),
            ValueType::Boolean => self.words(["true", "false"].into_iter(), typed),
            ValueType::Verbs => self.words(Verb::ALL.iter().map(|verb| verb.word()), typed),
            ValueType::List(element) => self.typed_words(*element, typed),
            _ => Vec::new(),
        }
    }

    fn enumeration(&self, typed: &str) -> Vec<Value> {
        let values = self
            .schema
            .as_ref()
            .and_then(|schema| schema.constraints.enumeration.clone());
        let values: Vec<String> = values
            .into_iter()
            .flatten()
            .map(|value| value.to_string())
            .collect();
        let quoted = values.iter().map(|value| {
            if typed.contains('"') {
                value.trim_matches('"')
            } else {
                value.as_str()
            }
        });
        self.words(quoted, typed)
    }

    /// Offers words for the last element of a list.
    fn words<'w>(&self, words: impl Iterator<Item = &'w str>, typed: &str) -> Vec<Value> {
        let last = typed.rsplit([';', '{', '"', ',']).next().unwrap_or_default();
        let mut words: Vec<_> = words.collect();
        words.sort_unstable();
        words.dedup();
        words
            .into_iter()
            .map(|word| self.item(word, ENUM_MEMBER, last.len()))
            .collect()
    }

    fn item_fields(&self, typed: &str) -> Vec<Value> {
        let items = self.schema.as_ref().and_then(|schema| schema.items.clone());
        let fields = items.iter().flat_map(|items| items.properties.keys());
        let typed = typed.trim_start_matches('"');
        fields.map(|name| self.item(name, FIELD, typed.len())).collect()
    }

    /// Offers the paths of the kind.
    fn paths(&self, typed: &str) -> Vec<Value> {
        let typed = typed.trim_start_matches(['"', '`']);
        let mut paths = Vec::new();
        for kind in self.kinds.iter().filter_map(|kind| self.index.kinds.get(*kind)) {
            walk(&kind.schema, &mut String::new(), &mut |path, _| {
                if !path.is_empty() && !path.contains('*') {
                    paths.push(path.to_owned());
                }
            });
        }
        paths.extend([".metadata.name", ".metadata.creationTimestamp"].map(str::to_owned));
        paths.sort();
        paths.dedup();
        paths
            .iter()
            .map(|path| self.item(path, FIELD, typed.len()))
            .collect()
    }

    /// Offers the fields and functions of the value before the last dot of a rule.
    fn expression(&self, typed: &str) -> Vec<Value> {
        let rule = typed.trim_start_matches(['"', '`']);
        let root = self.schema.as_ref();
        let (prefix, receiver) = match expression::before_cursor(rule) {
            expression::Typed::Text => return Vec::new(),
            expression::Typed::Name(prefix) => (prefix, None),
            expression::Typed::Member(prefix) => {
                let found = root.and_then(|root| expression::receiver(rule, root));
                let Some(found) = found else { return Vec::new() };
                (prefix, Some(found))
            }
        };
        let mut items = Vec::new();
        match &receiver {
            None => {
                let variables = expression::variables(rule);
                let names = ["self", "oldSelf"].into_iter().chain(variables);
                items.extend(names.map(|name| self.item(name, KEYWORD, prefix.len())));
            }
            Some(schema) => {
                let names = schema.properties.keys().map(|name| kgen_markers::cel_field(name));
                items.extend(names.map(|name| self.item(&name, FIELD, prefix.len())));
            }
        }
        let functions = rule_functions(receiver.as_deref());
        items.extend(
            functions
                .iter()
                .map(|name| self.item(name, FUNCTION, prefix.len())),
        );
        items
    }

    /// Returns an item that replaces the last `typed` bytes before the cursor.
    fn item(&self, text: &str, kind: u8, typed: usize) -> Value {
        let range = self.range(self.cursor.offset - typed.min(self.cursor.offset)..self.cursor.offset);
        json!({"label": text, "kind": kind, "textEdit": {"range": range, "newText": text}})
    }

    fn range(&self, bytes: Range<usize>) -> Value {
        self.cursor.document.text.to_range(bytes, self.encoding)
    }
}

fn put(item: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(members) = item.as_object_mut() {
        members.insert(name.to_owned(), value.into());
    }
}

fn is_named(argument: &Argument) -> bool {
    argument
        .key
        .starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Reads the text with an unknown marker in place of the one that is being typed. Also returns the byte of that marker.
///
/// If the text is not valid Rust elsewhere, the marker is written into the last valid text.
fn probe(cursor: &Cursor<'_>, line: &Line<'_>) -> (Outline, usize) {
    let text = cursor.document.text.as_str();
    let end = line.start + line.before.len() + line.behind.len();
    let length = end - line.start;
    let (before, behind) = (text.get(..line.start), text.get(end..));
    // A line that only has its sign gets a letter, which moves the rest by one byte; nobody looks there.
    let probe = format!(
        "{}x{}{}",
        before.unwrap_or_default(),
        " ".repeat(length.saturating_sub(1)),
        behind.unwrap_or_default()
    );
    let outline = outline_of_text(&cursor.path, &probe);
    match &cursor.document.last_valid {
        Some(valid) if !outline.is_valid => {
            let text = &cursor.document.text;
            let (start, _) = text.line_text(text.line_of(line.start));
            let place = SameLines::of(valid, text.as_str()).place_in_old(valid, text.as_str(), start);
            let (before, behind) = (valid.get(..place), valid.get(place..));
            let sign = text.as_str().get(start..line.start).unwrap_or_default();
            let probe = format!(
                "{}{sign}x\n{}",
                before.unwrap_or_default(),
                behind.unwrap_or_default()
            );
            (outline_of_text(&cursor.path, &probe), place + sign.len())
        }
        _ => (outline, line.start),
    }
}

/// Splits named arguments at the commas outside quotes and braces.
pub(crate) fn split_arguments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quote, mut depth, mut escaped) = (0, None, 0_usize, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some('"'), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(open), c) if c == open && !escaped => quote = None,
            (None, '"' | '`') => quote = Some(c),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
        escaped = false;
    }
    parts.extend(text.get(start..));
    parts
}
