//! One version of a kind as a part of a page.

use std::collections::BTreeSet;

use super::{Context, text};
use crate::links::{Target, rewrite};
use crate::model::{Change, Comparison, Field, Kind, Rule, Variants, Version, each_field};
use crate::words::quoted;

/// The state of one part while it is written.
struct Part<'c, 'r> {
    context: &'c Context<'r>,
    from: Target,
    page: &'c str,
    text: String,
    /// The first fields of shared types, whose sections follow.
    shared: Vec<&'c Field>,
    /// The paths that links lead to, which need an anchor.
    linked: BTreeSet<String>,
}

impl Context<'_> {
    pub(super) fn kind(&self, kind: &Kind, version: &Version, has_versions: bool, page: &str) -> String {
        let from = self.target(kind, version, "");
        let title = if has_versions && kind.versions.len() > 1 {
            format!("{} {}", kind.kind, version.name)
        } else {
            kind.kind.clone()
        };
        let mut part = Part {
            context: self,
            text: self.heading(2, &title, &from),
            linked: self.linked_paths(&from),
            from,
            page,
            shared: Vec::new(),
        };
        part.introduction(kind, version);
        part.rules("Rules about the whole object", &version.rules);
        let (objects, others): (Vec<_>, Vec<_>) = version.fields.iter().partition(|field| field.is_object());
        for field in objects {
            part.section(&field.name, field);
        }
        if !others.is_empty() {
            part.text.push_str("### Other fields\n\n");
            part.table(&others, "");
        }
        let mut written = BTreeSet::new();
        let mut next = 0;
        while let Some(field) = part.shared.get(next).copied() {
            next += 1;
            let name = field.shared.clone().unwrap_or_default();
            if written.insert(name.clone()) {
                part.section(&name, field);
            }
        }
        part.ending(kind, version);
        part.text
    }

    /// Returns the paths of a version that links of any description lead to.
    fn linked_paths(&self, of: &Target) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for kind in &self.reference.kinds {
            for version in &kind.versions {
                let from = self.target(kind, version, "");
                let mut note = |description: Option<&String>| {
                    rewrite(description.map_or("", String::as_str), &mut |path| {
                        let target = self.index.find(path, &from)?;
                        if (&target.group, &target.version, &target.kind)
                            == (&of.group, &of.version, &of.kind)
                        {
                            found.insert(target.path.clone());
                        }
                        None
                    });
                };
                note(version.description.as_ref());
                each_field(&version.fields, &mut |field| note(field.description.as_ref()));
            }
        }
        found
    }
}

impl<'c> Part<'c, '_> {
    fn introduction(&mut self, kind: &Kind, version: &Version) {
        let scope = if kind.is_namespaced {
            "namespaced"
        } else {
            "cluster-scoped"
        };
        let api_version = format!("{}/{}", kind.group, version.name);
        let mut line = format!("`{api_version}` · {scope} · `kubectl get {}`", kind.plural);
        if !kind.short_names.is_empty() {
            let names: Vec<_> = kind.short_names.iter().map(|name| quoted(name)).collect();
            line.push_str(&format!(" ({})", names.join(", ")));
        }
        if kind.versions.len() > 1 && version.is_stored {
            line.push_str(" · stored");
        }
        if !version.is_served {
            line.push_str(" · not served");
        }
        self.paragraph(&line);
        if let Some(warning) = &version.deprecated {
            let text = if warning.is_empty() {
                "This version is deprecated."
            } else {
                warning
            };
            let text = self.context.escaped(text);
            self.paragraph(&format!("> **Deprecated.** {text}"));
        }
        if let Some(description) = &version.description {
            self.description(description, 2);
        }
        if let Some(sample) = &version.sample {
            self.paragraph(&format!("```yaml\n{}\n```", sample.trim_end()));
        }
    }

    /// Writes the section of an object: its description, its fields, and its rules.
    fn section(&mut self, title: &str, field: &'c Field) {
        let target = Target {
            path: field.path.clone(),
            ..self.from.clone()
        };
        self.text.push_str(&self.context.heading(3, title, &target));
        // The description of a field is not that of the type that it shares with others.
        if let Some(description) = field.description.as_ref().filter(|_| field.shared.is_none()) {
            self.description(description, 3);
        }
        let inside = inside(field);
        let fields: Vec<&Field> = field.fields.iter().collect();
        self.table(&fields, &inside);
        if let Some(variants) = &field.variants {
            self.variants("", variants);
        }
        self.rules("Rules", &field.rules);
    }

    /// Writes a table of fields, and below it what does not fit into the table.
    fn table(&mut self, fields: &[&'c Field], prefix: &str) {
        self.text.push_str("| field | type | |\n|---|---|---|\n");
        let mut rows: Vec<&'c Field> = Vec::new();
        for field in fields {
            self.rows(field, prefix, &mut rows);
        }
        self.text.push('\n');
        for field in rows {
            let name = quoted(&short(&field.path, prefix));
            if let Some(description) = &field.description {
                let linked = self.context.linked(description, &self.from, self.page);
                let below = text::divide(&linked).below;
                if !below.is_empty() {
                    self.paragraph(&format!("{name}:"));
                }
                for block in below {
                    let block = self.context.escaped(&block);
                    self.paragraph(&block);
                }
            }
            if let Some(variants) = &field.variants {
                self.variants(&name, variants);
            }
            if !field.rules.is_empty() {
                self.rules(&format!("Rules of {name}"), &field.rules);
            }
        }
    }

    fn rows(&mut self, field: &'c Field, prefix: &str, rows: &mut Vec<&'c Field>) {
        let mut first = String::new();
        let is_known = self.shared.iter().any(|other| other.shared == field.shared);
        // The first field of a shared type is the place of its section.
        if self.linked.contains(&field.path) && (field.shared.is_none() || is_known) {
            let target = Target {
                path: field.path.clone(),
                ..self.from.clone()
            };
            first.push_str(&format!("<a id=\"{}\"></a>", self.context.anchor(&target)));
        }
        first.push_str(&quoted(&short(&field.path, prefix)));
        if field.is_required {
            first.push_str(" **required**");
        }
        if field.deprecated.is_some() {
            first.push_str(" *deprecated*");
        }
        if let Some(since) = &field.since {
            first.push_str(&format!(" *since {since}*"));
        }
        let (second, third) = (self.type_cell(field), self.meaning(field));
        self.text.push_str(&format!("| {first} | {second} | {third} |\n"));
        rows.push(field);
        if field.shared.is_some() {
            self.shared.push(field);
            return;
        }
        for inner in &field.fields {
            self.rows(inner, prefix, rows);
        }
    }

    fn type_cell(&self, field: &'c Field) -> String {
        let type_name = &field.type_name;
        let name = match (&field.shared, &type_name.url) {
            (Some(shared), _) => {
                // The section of the type is at its first field.
                let known = self.shared.iter().find(|other| other.shared == field.shared);
                let target = Target {
                    path: known.unwrap_or(&field).path.clone(),
                    ..self.from.clone()
                };
                format!("[{shared}](#{})", self.context.anchor(&target))
            }
            (None, Some(url)) => format!("[{}]({url})", type_name.name),
            (None, None) => type_name.name.clone(),
        };
        let default = field.default.as_ref().map(|default| {
            format!(
                " = {}",
                text::escape(&quoted(unquoted(default)), self.context.flavor, true)
            )
        });
        format!("{}{name}{}", type_name.before, default.unwrap_or_default())
    }

    /// Returns everything that is said about a field, for a cell.
    fn meaning(&self, field: &Field) -> String {
        let mut parts = Vec::new();
        if let Some(description) = &field.description {
            parts.push(self.context.cell(description, &self.from, self.page));
        }
        let note = field.deprecated.as_ref().filter(|note| !note.is_empty());
        let is_said = |note: &&String| {
            field
                .description
                .as_ref()
                .is_some_and(|text| text.contains(*note))
        };
        if let Some(note) = note.filter(|note| !is_said(note)) {
            parts.push(format!("Deprecated: {}", self.cell(note)));
        }
        let sentences = facts(field).into_iter().map(|fact| self.cell(&fact));
        parts.extend(sentences);
        if let Some((url, description)) = &field.external {
            let shown = description.as_deref().unwrap_or("More");
            parts.push(format!("[{}]({url}).", self.cell(shown)));
        }
        let mut text = parts.join(" ");
        for (value, description) in &field.values {
            let line_break = self.cell("<br>");
            let meaning = self.context.cell(description, &self.from, self.page);
            text.push_str(&format!("{line_break}{}: {meaning}", self.cell(&quoted(value))));
        }
        text
    }

    fn cell(&self, text: &str) -> String {
        text::escape(&text.replace('\n', " "), self.context.flavor, true)
    }

    fn variants(&mut self, name: &str, variants: &Variants) {
        let words = if variants.is_exactly_one {
            "Exactly one of:"
        } else {
            "One of these forms:"
        };
        let title = if name.is_empty() {
            words.to_owned()
        } else {
            format!("{name}: {}", words.to_lowercase())
        };
        self.paragraph(&title);
        self.text.push_str("| variant | YAML | |\n|---|---|---|\n");
        for variant in &variants.list {
            let yaml = variant.flow.as_ref().map(|flow| self.cell(&quoted(flow)));
            let meaning = variant
                .description
                .as_ref()
                .map(|description| self.context.cell(description, &self.from, self.page));
            self.text.push_str(&format!(
                "| {} | {} | {} |\n",
                quoted(&variant.name),
                yaml.unwrap_or_default(),
                meaning.unwrap_or_default()
            ));
        }
        self.text.push('\n');
    }

    fn rules(&mut self, title: &str, rules: &[Rule]) {
        if rules.is_empty() {
            return;
        }
        self.paragraph(&format!("{title}:"));
        for rule in rules {
            let expression = quoted(&rule.rule);
            let line = match &rule.message {
                Some(message) => format!(
                    "- {}: {expression}\n",
                    self.context.escaped(&message.replace('\n', " "))
                ),
                None => format!("- {expression}\n"),
            };
            self.text.push_str(&line);
        }
        self.text.push('\n');
    }

    /// Writes what is said about the kind after its fields, with headings of its own.
    fn ending(&mut self, kind: &Kind, version: &Version) {
        let has_lists = !version.columns.is_empty()
            || !version.subresources.is_empty()
            || !version.selectable_fields.is_empty()
            || !kind.categories.is_empty()
            || !version.webhooks.is_empty();
        if has_lists {
            self.text.push_str(&format!("### More about {}\n\n", kind.kind));
        }
        if !version.columns.is_empty() {
            self.paragraph("Columns of `kubectl get`:");
            self.text.push_str("| column | value | |\n|---|---|---|\n");
            for column in &version.columns {
                let wide = if column.is_wide { " with `-o wide`" } else { "" };
                let description = column.description.as_deref().unwrap_or_default();
                let row = format!(
                    "| {}{wide} | {} | {} |\n",
                    self.cell(&column.name),
                    self.cell(&quoted(&column.path)),
                    self.cell(description)
                );
                self.text.push_str(&row);
            }
            self.text.push('\n');
        }
        let list = |names: &[String]| {
            names
                .iter()
                .map(|name| quoted(name))
                .collect::<Vec<_>>()
                .join(", ")
        };
        if !version.subresources.is_empty() {
            let names: Vec<_> = version
                .subresources
                .iter()
                .map(|name| (*name).to_owned())
                .collect();
            self.paragraph(&format!("Subresources: {}.", list(&names)));
        }
        if !version.selectable_fields.is_empty() {
            self.paragraph(&format!("Field selectors: {}.", list(&version.selectable_fields)));
        }
        if !kind.categories.is_empty() {
            self.paragraph(&format!("Categories: {}.", list(&kind.categories)));
        }
        for webhook in &version.webhooks {
            let verb = if webhook.is_mutating {
                "may change"
            } else {
                "may refuse"
            };
            self.paragraph(&format!(
                "The webhook {} {verb} objects on {}.",
                quoted(&webhook.name),
                webhook.operations.join(", ")
            ));
        }
        let own = kind
            .comparisons
            .iter()
            .find(|comparison| comparison.new == version.name);
        if let Some(comparison) = own {
            self.changes(kind, comparison);
        }
    }

    fn changes(&mut self, kind: &Kind, comparison: &Comparison) {
        self.text.push_str(&format!(
            "### Changes of {} since {}\n\n",
            kind.kind, comparison.old
        ));
        if comparison.changes.is_empty() {
            self.paragraph(&format!("The fields are those of {}.", comparison.old));
            return;
        }
        for change in &comparison.changes {
            let line = format!("- {}\n", self.context.escaped(&sentence(change)));
            self.text.push_str(&line);
        }
        self.text.push('\n');
    }

    fn description(&mut self, description: &str, level: usize) {
        let linked = self.context.linked(description, &self.from, self.page);
        let text = self.context.escaped(&text::demote(&linked, level));
        self.paragraph(&text);
    }

    fn paragraph(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push_str("\n\n");
    }
}

/// Returns a change in words.
fn sentence(change: &Change) -> String {
    change.messages.join(" ")
}

/// Returns what must be said about a field besides its description, one sentence each.
pub(crate) fn facts(field: &Field) -> Vec<String> {
    let mut facts: Vec<String> = field
        .constraints
        .iter()
        .map(|words| {
            let mut letters = words.chars();
            let first = letters.next().map(|first| first.to_uppercase().to_string());
            format!("{}{}.", first.unwrap_or_default(), letters.as_str())
        })
        .collect();
    if field.is_immutable {
        facts.push("Cannot be changed.".to_owned());
    }
    if let Some(example) = &field.example {
        facts.push(format!("Example: {}.", quoted(unquoted(example))));
    }
    facts
}

/// Returns a JSON string without its quotes; other values as they are.
pub(crate) fn unquoted(json: &str) -> &str {
    let inside = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside
        .filter(|inside| !inside.is_empty() && !inside.contains('\\'))
        .unwrap_or(json)
}

/// Returns the path of the fields in an object, in the items of a list or in the values of a map.
fn inside(field: &Field) -> String {
    let levels = field.type_name.before.matches(" of ").count();
    format!("{}{}", field.path, "[]".repeat(levels))
}

/// Returns a path without the part that the section is about.
fn short(path: &str, prefix: &str) -> String {
    let rest = path.strip_prefix(prefix).unwrap_or(path);
    rest.trim_start_matches('.').to_owned()
}
