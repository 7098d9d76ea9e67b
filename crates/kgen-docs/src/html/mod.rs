//! One HTML page without any request: styles, script and the whole API are in the file.
//!
//! The tree of fields is made of `<details>`, so it works without the script. The script adds search, links that open
//! their field, and the buttons. Raw HTML in descriptions is text.

mod tree;

use kgen_generators::Artifact;
use kgen_model::{GeneratedLine, Language};
use pulldown_cmark::{Event, Options, Parser, html};

use crate::links::{Index, Target, rewrite};
use crate::model::{Comparison, Kind, Reference, Version};
use crate::{GENERATOR, json};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The policy of the page: it loads only its own style and script, which the browser knows by their hashes. A test computes them.
const STYLE_HASH: &str = "sha256-QnWxO8/ReIY4/lpZ5i8WOEDwp66wPpS/E2H89Rs7/pM=";
const SCRIPT_HASH: &str = "sha256-VTZAH6CdbdKyEoNzxxSJW1Tn1Jt/SgbSs+mng0dnQmw=";

/// The page while it is written.
struct Page<'r> {
    reference: &'r Reference,
    index: Index,
}

/// Returns the page.
pub(crate) fn page(reference: &Reference) -> Artifact {
    let page = Page {
        reference,
        index: Index::of(reference),
    };
    let line = GeneratedLine {
        language: Language::Html,
        generator: GENERATOR,
        source: "",
    };
    Artifact {
        name: "index.html".to_owned(),
        generator: GENERATOR,
        text: format!("{line}\n{}", page.text()),
    }
}

impl Page<'_> {
    fn text(&self) -> String {
        let title = escape(&self.reference.title);
        let mut text = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{STYLE_HASH}'; \
             script-src '{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the fields</a>\n\
             <header><h1><a href=\"#\">{title}</a></h1>\n<div class=\"search\" role=\"search\">\
             <input id=\"query\" type=\"search\" role=\"combobox\" autocomplete=\"off\" placeholder=\"Search (/)\" \
             aria-label=\"Search fields\" aria-expanded=\"false\" aria-controls=\"results\" aria-autocomplete=\"list\">\n\
             <ul id=\"results\" role=\"listbox\" aria-label=\"Results\" hidden></ul></div>\n\
             <span id=\"status\" class=\"facts\" role=\"status\"></span></header>\n<div class=\"layout\">\n"
        );
        self.navigation(&mut text);
        text.push_str("<main id=\"main\" tabindex=\"-1\">\n");
        self.overview(&mut text);
        for kind in &self.reference.kinds {
            for version in &kind.versions {
                self.kind(kind, version, &mut text);
            }
            for comparison in &kind.comparisons {
                comparison_table(kind, comparison, &mut text);
            }
        }
        text.push_str(&format!(
            "</main>\n</div>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
        ));
        text
    }

    fn navigation(&self, text: &mut String) {
        text.push_str("<nav aria-label=\"Kinds\"><details open><summary>Kinds</summary>\n");
        let mut group = None;
        for kind in &self.reference.kinds {
            if group != Some(&kind.group) {
                if group.is_some() {
                    text.push_str("</ul>\n");
                }
                text.push_str(&format!("<h2>{}</h2>\n<ul>\n", escape(&kind.group)));
                group = Some(&kind.group);
            }
            let newest = kind
                .versions
                .first()
                .map(|version| address(&target(kind, version)));
            text.push_str(&format!(
                "<li><a class=\"name\" href=\"#{}\">{}</a>",
                newest.unwrap_or_default(),
                escape(&kind.kind)
            ));
            for version in &kind.versions {
                text.push_str(&format!(
                    " <a class=\"version\" href=\"#{}\" aria-label=\"{} {name}\">{name}</a>",
                    address(&target(kind, version)),
                    escape(&kind.kind),
                    name = escape(&version.name),
                ));
            }
            text.push_str("</li>\n");
        }
        if group.is_some() {
            text.push_str("</ul>\n");
        }
        text.push_str("</details></nav>\n");
    }

    /// Writes the first section: the introduction, and a table of the kinds if there are several.
    fn overview(&self, text: &mut String) {
        let kinds = &self.reference.kinds;
        if self.reference.intro.is_none() && kinds.len() < 2 {
            return;
        }
        text.push_str("<section id=\"overview\" aria-label=\"Overview\">\n");
        match &self.reference.intro {
            Some(intro) => text.push_str(&format!("<div class=\"intro\">{}</div>\n", markdown(intro))),
            None => text.push_str("<h2>Overview</h2>\n"),
        }
        text.push_str(
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table of the kinds\"><table>\n<thead><tr>\
             <th scope=\"col\">Kind</th><th scope=\"col\">Versions</th><th scope=\"col\">Meaning</th></tr></thead>\n<tbody>\n",
        );
        for kind in kinds {
            let Some(newest) = kind.versions.first() else {
                continue;
            };
            let links: Vec<_> = kind
                .versions
                .iter()
                .map(|version| {
                    let id = address(&target(kind, version));
                    format!("<a href=\"#{id}\">{}</a>", escape(&version.name))
                })
                .collect();
            let first = newest
                .description
                .as_deref()
                .and_then(|text| text.split("\n\n").next());
            let meaning = first.map(|first| self.description(first, &target(kind, newest)));
            text.push_str(&format!(
                "<tr><td><a href=\"#{}\"><strong>{}</strong></a><br><span class=\"facts\">{}</span></td><td>{}</td><td>{}</td></tr>\n",
                address(&target(kind, newest)),
                escape(&kind.kind),
                escape(&kind.group),
                links.join(", "),
                unwrapped(&meaning.unwrap_or_default())
            ));
        }
        text.push_str("</tbody></table></div>\n</section>\n");
    }

    fn kind(&self, kind: &Kind, version: &Version, text: &mut String) {
        let from = target(kind, version);
        let id = address(&from);
        text.push_str(&format!(
            "<section class=\"kind\" id=\"{id}\" data-path=\"{0}\" data-name=\"{0}\" aria-label=\"{0} {1}\">\n\
             <h2>{0}</h2>\n",
            escape(&kind.kind),
            escape(&version.name)
        ));
        versions(kind, Some(version), None, text);
        let scope = if kind.is_namespaced {
            "namespaced"
        } else {
            "cluster-scoped"
        };
        let names: Vec<_> = kind.short_names.iter().map(|name| code(name)).collect();
        let short = if names.is_empty() {
            String::new()
        } else {
            format!(" ({})", names.join(", "))
        };
        let mut facts = vec![
            code(&format!("{}/{}", kind.group, version.name)),
            scope.to_owned(),
            format!("{}{short}", code(&format!("kubectl get {}", kind.plural))),
        ];
        facts.extend((kind.versions.len() > 1 && version.is_stored).then(|| "stored".to_owned()));
        facts.extend((!version.is_served).then(|| "not served".to_owned()));
        text.push_str(&format!("<p class=\"facts\">{}</p>\n", facts.join(" · ")));
        if let Some(warning) = &version.deprecated {
            text.push_str(&format!(
                "<p class=\"note\"><strong>Deprecated.</strong> {}</p>\n",
                escape(warning)
            ));
        }
        if let Some(description) = &version.description {
            let description = self.description(description, &from);
            text.push_str(&format!("<div class=\"description\">{description}</div>\n"));
        }
        let copy = version.sample.as_ref().map(|sample| {
            format!(
                "<div class=\"sample\"><div class=\"bar\"><h3>Sample</h3>\
                 <button type=\"button\" data-do=\"copy\">Copy YAML</button></div>\
                 <pre tabindex=\"0\" aria-label=\"Sample\">{}</pre></div>\n",
                escape(sample.trim_end())
            )
        });
        text.push_str(&copy.unwrap_or_default());
        text.push_str(
            "<div class=\"bar controls\"><h3>Fields</h3>\
             <button type=\"button\" data-do=\"expand\">Expand all</button> \
             <button type=\"button\" data-do=\"required\" aria-pressed=\"false\">Required only</button></div>\n",
        );
        for field in &version.fields {
            self.field(field, &from, 0, text);
        }
        tree::rules("Rules about the whole object:", &version.rules, text);
        ending(kind, version, text);
        text.push_str("</section>\n");
    }

    /// Returns a description as HTML.
    fn description(&self, description: &str, from: &Target) -> String {
        let linked = rewrite(description, &mut |path| {
            Some(format!("#{}", address(self.index.find(path, from)?)))
        });
        markdown(&linked)
    }
}

/// Writes links to the versions of a kind and to their comparisons. The current place is marked.
fn versions(kind: &Kind, version: Option<&Version>, comparison: Option<&Comparison>, text: &mut String) {
    let current = |is_current: bool| if is_current { " aria-current=\"true\"" } else { "" };
    let mut links: Vec<_> = kind
        .versions
        .iter()
        .map(|other| {
            let id = address(&target(kind, other));
            let is_current = version.is_some_and(|version| version.name == other.name);
            format!(
                "<a href=\"#{id}\" data-version=\"{id}\"{}>{}</a>",
                current(is_current),
                escape(&other.name)
            )
        })
        .collect();
    links.extend(kind.comparisons.iter().map(|other| {
        let is_current = comparison
            .is_some_and(|comparison| (&comparison.old, &comparison.new) == (&other.old, &other.new));
        format!(
            "<a href=\"#{}\"{}>{} and {} side by side</a>",
            escape(&comparison_id(kind, other)),
            current(is_current),
            escape(&other.old),
            escape(&other.new)
        )
    }));
    text.push_str(&format!(
        "<p class=\"versions\" role=\"group\" aria-label=\"Versions\">{}</p>\n",
        links.join(" ")
    ));
}

/// Writes what is said about a kind after its fields.
fn ending(kind: &Kind, version: &Version, text: &mut String) {
    if !version.columns.is_empty() {
        text.push_str(
            "<h3>Columns</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Columns\"><table>\
             <thead><tr><th scope=\"col\">Column</th><th scope=\"col\">Value</th>\
             <th scope=\"col\">Meaning</th></tr></thead>\n<tbody>\n",
        );
        for column in &version.columns {
            let wide = if column.is_wide { " (wide)" } else { "" };
            text.push_str(&format!(
                "<tr><td>{}{wide}</td><td>{}</td><td>{}</td></tr>\n",
                escape(&column.name),
                code(&column.path),
                escape(column.description.as_deref().unwrap_or_default())
            ));
        }
        text.push_str("</tbody></table></div>\n");
    }
    let mut line = |title: &str, names: Vec<&str>| {
        if !names.is_empty() {
            let names: Vec<_> = names.into_iter().map(code).collect();
            text.push_str(&format!("<p>{title}: {}</p>\n", names.join(", ")));
        }
    };
    line("Subresources", version.subresources.clone());
    let fields = version.selectable_fields.iter();
    line("Field selectors", fields.map(String::as_str).collect());
    line("Categories", kind.categories.iter().map(String::as_str).collect());
    for webhook in &version.webhooks {
        let verb = if webhook.is_mutating {
            "may change"
        } else {
            "may refuse"
        };
        text.push_str(&format!(
            "<p>The webhook {} {verb} objects on {}.</p>\n",
            code(&webhook.name),
            escape(&webhook.operations.join(", "))
        ));
    }
}

/// Writes two versions side by side.
fn comparison_table(kind: &Kind, comparison: &Comparison, text: &mut String) {
    let title = format!("{}: {} and {}", kind.kind, comparison.old, comparison.new);
    text.push_str(&format!(
        "<section class=\"compare\" id=\"{}\" aria-label=\"{}\">\n<h2>{}</h2>\n",
        escape(&comparison_id(kind, comparison)),
        escape(&title),
        escape(&kind.kind)
    ));
    versions(kind, None, Some(comparison), text);
    if comparison.changes.is_empty() {
        text.push_str("<p>Both versions have the same fields.</p>\n</section>\n");
        return;
    }
    text.push_str(&format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Differences\"><table>\n<thead><tr>\
         <th scope=\"col\">Field</th><th scope=\"col\">{}</th><th scope=\"col\">{}</th>\
         <th scope=\"col\">Difference</th></tr></thead>\n<tbody>\n",
        escape(&comparison.old),
        escape(&comparison.new)
    ));
    for change in &comparison.changes {
        let sort = json::sort(change.sort);
        let side = |side: &Option<String>| side.as_deref().map_or_else(|| "—".to_owned(), inline);
        // The field is on the page of the version that has it, the newer one if both do.
        let version = if change.new.is_some() {
            &comparison.new
        } else {
            &comparison.old
        };
        let id = address(&Target {
            group: kind.group.clone(),
            version: version.clone(),
            kind: kind.kind.clone(),
            path: change.path.clone(),
        });
        let name = match change.path.as_str() {
            "" => "the whole object".to_owned(),
            path => code(path),
        };
        let messages: Vec<_> = change
            .messages
            .iter()
            .map(|message| without_path(message, &change.path))
            .collect();
        text.push_str(&format!(
            "<tr class=\"{sort}\"><td><a href=\"#{id}\">{name}</a><br><span class=\"word-{sort}\">{sort}</span></td>\
             <td>{}</td><td>{}</td><td>{}</td></tr>\n",
            side(&change.old),
            side(&change.new),
            inline(&messages.join(" "))
        ));
    }
    text.push_str("</tbody></table></div>\n</section>\n");
}

/// Returns a message about a path without the path, which is in another column.
fn without_path(message: &str, path: &str) -> String {
    let rest = message
        .strip_prefix(&format!("`.{}` ", path.replace("[]", "[*]")))
        .unwrap_or(message);
    let mut letters = rest.chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}", first.to_uppercase(), letters.as_str())
    })
}

fn comparison_id(kind: &Kind, comparison: &Comparison) -> String {
    format!(
        "{}/{}...{}/{}",
        kind.group, comparison.old, comparison.new, kind.kind
    )
}

fn target(kind: &Kind, version: &Version) -> Target {
    Target {
        group: kind.group.clone(),
        version: version.name.clone(),
        kind: kind.kind.clone(),
        path: String::new(),
    }
}

/// Returns the id of a place, such as `tea.example.org/v1/Kettle/spec.size`.
fn address(target: &Target) -> String {
    let mut address = format!("{}/{}/{}", target.group, target.version, target.kind);
    if !target.path.is_empty() {
        address.push('/');
        address.push_str(&target.path);
    }
    escape(&address)
}

/// Returns Markdown as HTML. Raw HTML becomes text, and links to scripts lose their target.
pub(super) fn markdown(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let events = Parser::new_ext(text, options).map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        Event::Start(pulldown_cmark::Tag::Heading { .. }) => Event::Start(pulldown_cmark::Tag::Strong),
        Event::End(pulldown_cmark::TagEnd::Heading(_)) => Event::End(pulldown_cmark::TagEnd::Strong),
        // The page makes no requests, so an image is a link.
        Event::Start(pulldown_cmark::Tag::Image {
            dest_url, title, id, ..
        }) => Event::Start(link(dest_url, title, id)),
        Event::End(pulldown_cmark::TagEnd::Image) => Event::End(pulldown_cmark::TagEnd::Link),
        Event::Start(pulldown_cmark::Tag::Link {
            dest_url, title, id, ..
        }) => Event::Start(link(dest_url, title, id)),
        other => other,
    });
    let mut result = String::new();
    html::push_html(&mut result, events);
    result
}

fn link<'a>(
    address: pulldown_cmark::CowStr<'a>,
    title: pulldown_cmark::CowStr<'a>,
    id: pulldown_cmark::CowStr<'a>,
) -> pulldown_cmark::Tag<'a> {
    let scheme = address
        .split_once(':')
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    let is_safe = match scheme.as_deref() {
        None => true,
        Some(scheme) => matches!(scheme, "http" | "https" | "mailto") || address.starts_with('#'),
    };
    pulldown_cmark::Tag::Link {
        link_type: pulldown_cmark::LinkType::Inline,
        dest_url: if is_safe { address } else { "#".into() },
        title,
        id,
    }
}

/// Returns one line of Markdown as HTML without a paragraph.
fn inline(text: &str) -> String {
    unwrapped(&markdown(text)).to_owned()
}

/// Returns HTML without the paragraph around it, if it is a single one.
fn unwrapped(html: &str) -> &str {
    let trimmed = html.trim();
    let inside = trimmed
        .strip_prefix("<p>")
        .and_then(|rest| rest.strip_suffix("</p>"))
        .filter(|inside| !inside.contains("<p>"));
    inside.unwrap_or(trimmed)
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

/// Escapes text for HTML and its attributes.
fn escape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\'' => result.push_str("&#39;"),
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests;
