//! Fields as a tree of `<details>`.

use pulldown_cmark::{Event, Parser};

use super::{Page, address, code, escape, inline};
use crate::links::{Target, rewrite};
use crate::markdown::{facts, unquoted};
use crate::model::{Field, Rule};

impl Page<'_> {
    /// Writes a field and everything in it. The outermost level is open.
    pub(super) fn field(&self, field: &Field, from: &Target, depth: usize, text: &mut String) {
        let target = Target {
            path: field.path.clone(),
            ..from.clone()
        };
        let id = address(&target);
        let body = self.body(field, from);
        let is_leaf = field.fields.is_empty();
        let mut classes = "field".to_owned();
        for (holds, class) in [(is_leaf, " leaf"), (!field.is_required, " optional")] {
            if holds {
                classes.push_str(class);
            }
        }
        // Only objects can be closed to hide something.
        let open = if is_leaf || depth == 0 { " open" } else { "" };
        text.push_str(&format!(
            "<details class=\"{classes}\" id=\"{id}\" data-path=\"{path}\" data-name=\"{}\"{open}><summary>{}\
             </summary>\n<div class=\"body\">\
             <a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to {path}\">#</a>{body}</div>\n",
            escape(&field.name),
            summary(field),
            path = escape(&field.path),
        ));
        for inner in &field.fields {
            self.field(inner, from, depth + 1, text);
        }
        text.push_str("</details>\n");
    }

    /// Returns everything that is said about a field.
    fn body(&self, field: &Field, from: &Target) -> String {
        let mut body = String::new();
        if let Some(description) = &field.description {
            body.push_str(&self.description(description, from));
        }
        let note = field.deprecated.as_ref().filter(|note| !note.is_empty());
        let is_said = |note: &&String| {
            field
                .description
                .as_ref()
                .is_some_and(|text| text.contains(*note))
        };
        if let Some(note) = note.filter(|note| !is_said(note)) {
            body.push_str(&format!("<p>Deprecated: {}</p>", inline(note)));
        }
        let facts = facts(field);
        if !facts.is_empty() {
            body.push_str(&format!("<p class=\"facts\">{}</p>", inline(&facts.join(" "))));
        }
        if let Some((url, description)) = &field.external {
            let shown = description.as_deref().unwrap_or("More");
            body.push_str(&format!("<p>{}</p>", inline(&format!("[{shown}]({url})"))));
        }
        if let Some(url) = &field.type_name.url {
            body.push_str(&format!(
                "<p><a href=\"{}\">{} in the Kubernetes reference</a></p>",
                escape(url),
                escape(&field.type_name.name)
            ));
        }
        if !field.values.is_empty() {
            body.push_str("<ul>");
            for (value, description) in &field.values {
                body.push_str(&format!("<li>{}: {}</li>", code(value), inline(description)));
            }
            body.push_str("</ul>");
        }
        if let Some(variants) = &field.variants {
            let title = if variants.is_exactly_one {
                "Exactly one of:"
            } else {
                "One of these forms:"
            };
            body.push_str(&format!("<p>{title}</p><ul>"));
            for variant in &variants.list {
                let description = variant.description.as_deref().map(inline).unwrap_or_default();
                let yaml = variant.yaml.as_ref().map(|yaml| {
                    let label = format!("YAML of {}", variant.name);
                    format!(
                        "<pre tabindex=\"0\" aria-label=\"{}\">{}</pre>",
                        escape(&label),
                        escape(yaml.trim_end())
                    )
                });
                body.push_str(&format!(
                    "<li>{} {description}{}</li>",
                    code(&variant.name),
                    yaml.unwrap_or_default()
                ));
            }
            body.push_str("</ul>");
        }
        rules("Rules:", &field.rules, &mut body);
        body
    }
}

/// Returns the line of a field that is always visible.
fn summary(field: &Field) -> String {
    let type_name = &field.type_name;
    let old = if field.deprecated.is_some() { " old" } else { "" };
    let mut line = format!(
        "<span class=\"name{old}\">{}</span> <span class=\"type\">{}{}</span>",
        escape(&field.name),
        escape(&type_name.before),
        escape(&type_name.name)
    );
    if let Some(default) = &field.default {
        line.push_str(&format!(" = {}", code(unquoted(default))));
    }
    if field.is_required {
        line.push_str(" <span class=\"badge required\">required</span>");
    }
    if field.deprecated.is_some() {
        line.push_str(" <span class=\"badge deprecated\">deprecated</span>");
    }
    if let Some(since) = &field.since {
        line.push_str(&format!(
            " <span class=\"badge since\">since {}</span>",
            escape(since)
        ));
    }
    if let Some(brief) = brief(field) {
        line.push_str(&format!(" <span class=\"brief\">{}</span>", escape(&brief)));
    }
    line
}

/// The longest brief description, in characters.
const BRIEF: usize = 90;

/// Returns the first paragraph about an object, as plain text in one line. It is visible while the object is closed.
fn brief(field: &Field) -> Option<String> {
    let description = field.description.as_ref().filter(|_| field.is_object())?;
    let first = description.trim_start().split("\n\n").next()?;
    let mut plain = String::new();
    for event in Parser::new(&rewrite(first, &mut |_| None)) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                plain.push_str(&text);
            }
            Event::SoftBreak | Event::HardBreak => plain.push(' '),
            _ => {}
        }
    }
    if plain.chars().count() > BRIEF {
        let cut: String = plain.chars().take(BRIEF).collect();
        let words = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
        plain = format!("{words}…");
    }
    (!plain.is_empty()).then_some(plain)
}

/// Writes rules with their messages.
pub(super) fn rules(title: &str, rules: &[Rule], text: &mut String) {
    if rules.is_empty() {
        return;
    }
    text.push_str(&format!("<p>{title}</p><ul>"));
    for rule in rules {
        let message = rule
            .message
            .as_ref()
            .map(|message| format!("{}: ", escape(message)));
        text.push_str(&format!(
            "<li>{}{}</li>",
            message.unwrap_or_default(),
            code(&rule.rule)
        ));
    }
    text.push_str("</ul>");
}
