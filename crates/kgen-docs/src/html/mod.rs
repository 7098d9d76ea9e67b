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
const STYLE_HASH: &str = "sha256-v43fetHWEdT0JoDzcJXWZ+h3h1IpZCSgTjSbwn3hP3A=";
const SCRIPT_HASH: &str = "sha256-pFJ19X3pwgNONfSZCnn0oR9aETNsi5gRqZhcqWMFII0=";

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
             <header><span class=\"title\">{title}</span>\n<div class=\"search\" role=\"search\">\
             <input id=\"query\" type=\"search\" role=\"combobox\" autocomplete=\"off\" placeholder=\"Search ( / )\" \
             aria-label=\"Search fields\" aria-expanded=\"false\" aria-controls=\"results\" aria-autocomplete=\"list\">\n\
             <ul id=\"results\" role=\"listbox\" aria-label=\"Results\" hidden></ul></div>\n\
             <span id=\"status\" class=\"facts\" role=\"status\"></span></header>\n<div class=\"layout\">\n"
        );
        self.navigation(&mut text);
        text.push_str(&format!("<main id=\"main\" tabindex=\"-1\">\n<h1>{title}</h1>\n"));
        if let Some(intro) = &self.reference.intro {
            text.push_str(&format!("<div class=\"intro\">{}</div>\n", markdown(intro)));
        }
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
        text.push_str("<nav aria-label=\"Kinds\">\n");
        let mut group = None;
        for kind in &self.reference.kinds {
            if group != Some(&kind.group) {
                if group.is_some() {
                    text.push_str("</ul>\n");
                }
                text.push_str(&format!("<h2>{}</h2>\n<ul>\n", escape(&kind.group)));
                group = Some(&kind.group);
            }
            for (index, version) in kind.versions.iter().enumerate() {
                let name = if index == 0 { kind.kind.as_str() } else { "" };
                let id = address(&target(kind, version));
                let label = format!("{} {}", kind.kind, version.name);
                text.push_str(&format!(
                    "<li>{}<a href=\"#{id}\">{}</a></li>\n",
                    if name.is_empty() { "&ensp;" } else { "" },
                    escape(&label)
                ));
            }
            for comparison in &kind.comparisons {
                text.push_str(&format!(
                    "<li>&ensp;<a href=\"#{}\">{} and {}</a></li>\n",
                    escape(&comparison_id(kind, comparison)),
                    escape(&comparison.old),
                    escape(&comparison.new)
                ));
            }
        }
        if group.is_some() {
            text.push_str("</ul>\n");
        }
        text.push_str("</nav>\n");
    }

    fn kind(&self, kind: &Kind, version: &Version, text: &mut String) {
        let from = target(kind, version);
        let id = address(&from);
        text.push_str(&format!(
            "<section class=\"kind\" id=\"{id}\" data-path=\"{0}\" data-name=\"{0}\" aria-label=\"{0} {1}\">\n\
             <h2>{0} <small>{1}</small></h2>\n",
            escape(&kind.kind),
            escape(&version.name)
        ));
        self.versions(kind, version, text);
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
                "<div class=\"sample\"><button type=\"button\" data-do=\"copy\">Copy YAML</button>\
                 <pre tabindex=\"0\" aria-label=\"Sample\">{}</pre></div>\n",
                escape(sample.trim_end())
            )
        });
        text.push_str(&copy.unwrap_or_default());
        text.push_str(
            "<p class=\"controls\"><button type=\"button\" data-do=\"expand\">Expand all</button> \
             <button type=\"button\" data-do=\"required\" aria-pressed=\"false\">Required only</button></p>\n",
        );
        for field in &version.fields {
            self.field(field, &from, 0, text);
        }
        tree::rules(&version.rules, text);
        ending(kind, version, text);
        text.push_str("</section>\n");
    }

    /// Writes links to the other versions of a kind.
    fn versions(&self, kind: &Kind, version: &Version, text: &mut String) {
        if kind.versions.len() < 2 {
            return;
        }
        let links: Vec<_> = kind
            .versions
            .iter()
            .map(|other| {
                let current = if other.name == version.name {
                    " aria-current=\"true\""
                } else {
                    ""
                };
                format!(
                    "<a href=\"#{}\"{current}>{}</a>",
                    address(&target(kind, other)),
                    escape(&other.name)
                )
            })
            .collect();
        text.push_str(&format!(
            "<p class=\"facts\">Versions: {}</p>\n",
            links.join(", ")
        ));
    }

    /// Returns a description as HTML.
    fn description(&self, description: &str, from: &Target) -> String {
        let linked = rewrite(description, &mut |path| {
            Some(format!("#{}", address(self.index.find(path, from)?)))
        });
        markdown(&linked)
    }
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
        "<section class=\"compare\" id=\"{}\" aria-label=\"{1}\">\n<h2>{1}</h2>\n",
        escape(&comparison_id(kind, comparison)),
        escape(&title)
    ));
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
        text.push_str(&format!(
            "<tr class=\"{sort}\"><td>{}<br><span class=\"word-{sort}\">{sort}</span></td><td>{}</td><td>{}</td>\
             <td>{}</td></tr>\n",
            code(&change.path),
            side(&change.old),
            side(&change.new),
            inline(&change.messages.join(" "))
        ));
    }
    text.push_str("</tbody></table></div>\n</section>\n");
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
    let html = markdown(text);
    let trimmed = html.trim();
    let inside = trimmed
        .strip_prefix("<p>")
        .and_then(|rest| rest.strip_suffix("</p>"));
    inside.unwrap_or(trimmed).to_owned()
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
