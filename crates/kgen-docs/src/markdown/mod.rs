//! Markdown pages.

mod kind;
mod text;

use std::collections::BTreeMap;

use kgen_diagnostics::Problems;
use kgen_generators::Artifact;
use kgen_model::{GeneratedLine, Language};

pub(crate) use kind::{facts, unquoted};

use crate::links::{Index, Target, rewrite};
use crate::model::{Kind, Reference, Version};
use crate::options::{DocsOptions, Flavor, Split};
use crate::{GENERATOR, json, template};

/// A page: its file and what it is about.
struct Page<'r> {
    file: String,
    title: String,
    parts: Vec<(&'r Kind, &'r Version)>,
}

/// Everything that the text of a page depends on.
struct Context<'r> {
    reference: &'r Reference,
    flavor: Flavor,
    index: Index,
    /// The file of each version of each kind.
    files: BTreeMap<(&'r str, &'r str, &'r str), String>,
}

/// Returns the pages, the first one first.
pub(crate) fn pages(reference: &Reference, options: &DocsOptions, problems: &mut Problems) -> Vec<Artifact> {
    let divided = divide(reference, options);
    let files = divided
        .iter()
        .flat_map(|page| {
            let key = |(kind, version): &(&'_ Kind, &'_ Version)| -> (String, String, String) {
                (kind.group.clone(), version.name.clone(), kind.kind.clone())
            };
            page.parts.iter().map(move |part| (key(part), page.file.clone()))
        })
        .collect::<BTreeMap<_, _>>();
    let files = files
        .iter()
        .map(|((group, version, kind), file)| {
            ((group.as_str(), version.as_str(), kind.as_str()), file.clone())
        })
        .collect();
    let context = Context {
        reference,
        flavor: options.flavor,
        index: Index::of(reference),
        files,
    };
    let mut artifacts = Vec::new();
    if options.split != Split::None {
        artifacts.push(context.artifact(first_name(options.flavor), &context.first_page()));
    }
    for page in &divided {
        let text = match &options.template {
            Some((name, source)) => {
                let value = json::page(reference, &page.title, &page.parts);
                match template::render(name, source, &value) {
                    Ok(text) => text,
                    Err(problem) => {
                        problems.push(problem);
                        return Vec::new();
                    }
                }
            }
            None => context.page(page, options.split),
        };
        artifacts.push(context.artifact(&page.file, &text));
    }
    artifacts
}

/// The name of the first page.
fn first_name(flavor: Flavor) -> &'static str {
    match flavor {
        Flavor::Github => "README.md",
        Flavor::Mdbook | Flavor::Docusaurus => "index.md",
    }
}

/// Divides the versions of all kinds into pages.
fn divide<'r>(reference: &'r Reference, options: &DocsOptions) -> Vec<Page<'r>> {
    let mut pages: Vec<Page<'r>> = Vec::new();
    for kind in &reference.kinds {
        for version in &kind.versions {
            let group = if kind.group.is_empty() {
                "core"
            } else {
                &kind.group
            };
            let (file, title) = match options.split {
                Split::Group => (format!("{group}.md"), group.to_owned()),
                Split::Version => (
                    format!("{group}_{}.md", version.name),
                    format!("{group}/{}", version.name),
                ),
                Split::Kind => (
                    format!("{group}_{}_{}.md", version.name, kind.kind.to_lowercase()),
                    format!("{} {group}/{}", kind.kind, version.name),
                ),
                Split::None => (first_name(options.flavor).to_owned(), reference.title.clone()),
            };
            match pages
                .iter_mut()
                .find(|page| page.file == file && options.split != Split::Kind)
            {
                Some(page) => page.parts.push((kind, version)),
                None => pages.push(Page {
                    file,
                    title,
                    parts: vec![(kind, version)],
                }),
            }
        }
    }
    pages
}

impl Context<'_> {
    fn artifact(&self, name: &str, text: &str) -> Artifact {
        let line = GeneratedLine {
            language: match self.flavor {
                Flavor::Docusaurus => Language::Mdx,
                Flavor::Github | Flavor::Mdbook => Language::Html,
            },
            generator: GENERATOR,
            source: "",
        };
        Artifact {
            name: name.to_owned(),
            generator: GENERATOR,
            text: format!("{line}\n\n{}\n", text.trim()),
        }
    }

    /// Returns the page with the title, the introduction and all kinds.
    fn first_page(&self) -> String {
        let mut text = format!("# {}\n\n", self.escaped(&self.reference.title));
        if let Some(intro) = &self.reference.intro {
            text.push_str(intro.trim());
            text.push_str("\n\n");
        }
        text.push_str("| kind | versions | |\n|---|---|---|\n");
        for kind in &self.reference.kinds {
            let links: Vec<_> = kind
                .versions
                .iter()
                .map(|version| {
                    let address = self.address(&self.target(kind, version, ""), "");
                    format!("[{}]({address})", version.name)
                })
                .collect();
            let description = kind
                .versions
                .first()
                .and_then(|version| version.description.as_deref());
            let first = description
                .and_then(|text| text.split("\n\n").next())
                .unwrap_or_default();
            text.push_str(&format!(
                "| {}<br{}>`{}` | {} | {} |\n",
                kind.kind,
                if self.flavor == Flavor::Docusaurus {
                    "/"
                } else {
                    ""
                },
                kind.group,
                links.join(", "),
                self.cell(first, &self.target_of_kind(kind), "")
            ));
        }
        text
    }

    fn page(&self, page: &Page<'_>, split: Split) -> String {
        let mut text = format!("# {}\n\n", self.escaped(&page.title));
        if let Some(intro) = self.reference.intro.as_ref().filter(|_| split == Split::None) {
            text.push_str(intro.trim());
            text.push_str("\n\n");
        }
        let has_versions = split == Split::Group || split == Split::None;
        if page.parts.len() > 1 {
            for (kind, version) in &page.parts {
                let address = self.address(&self.target(kind, version, ""), &page.file);
                let name = if has_versions {
                    format!("{} {}", kind.kind, version.name)
                } else {
                    kind.kind.clone()
                };
                text.push_str(&format!("- [{name}]({address})\n"));
            }
            text.push('\n');
        }
        for (kind, version) in &page.parts {
            text.push_str(&self.kind(kind, version, has_versions, &page.file));
            text.push('\n');
        }
        text
    }

    fn target(&self, kind: &Kind, version: &Version, path: &str) -> Target {
        Target {
            group: kind.group.clone(),
            version: version.name.clone(),
            kind: kind.kind.clone(),
            path: path.to_owned(),
        }
    }

    fn target_of_kind(&self, kind: &Kind) -> Target {
        let version = kind.versions.first().map(|version| version.name.clone());
        Target {
            group: kind.group.clone(),
            version: version.unwrap_or_default(),
            kind: kind.kind.clone(),
            path: String::new(),
        }
    }

    /// Returns the anchor of a place. It does not depend on the names of Rust types.
    fn anchor(&self, target: &Target) -> String {
        let kinds = &self.reference.kinds;
        let is_twin = |kind: &&Kind| {
            kind.kind.to_lowercase() == target.kind.to_lowercase() && kind.group != target.group
        };
        let mut parts = vec![target.kind.clone()];
        // Anchors have no capital letters, but kinds may differ in nothing else.
        let is_homonym = |kind: &&Kind| {
            kind.kind.to_lowercase() == target.kind.to_lowercase()
                && kind.group == target.group
                && kind.kind != target.kind
        };
        if kinds.iter().any(|kind| is_homonym(&kind)) {
            let mut own = kinds.iter();
            let own = own.find(|kind| kind.kind == target.kind && kind.group == target.group);
            parts.extend(own.map(|kind| kind.plural.clone()));
        }
        if kinds.iter().any(|kind| is_twin(&kind)) {
            parts.push(target.group.clone());
        }
        parts.push(target.version.clone());
        parts.push(target.path.clone());
        let mut anchor = String::new();
        for letter in parts.join("-").to_lowercase().chars() {
            if letter.is_alphanumeric() || letter == '_' {
                anchor.push(letter);
            } else if !anchor.ends_with('-') && !anchor.is_empty() {
                anchor.push('-');
            }
        }
        anchor.trim_end_matches('-').to_owned()
    }

    /// Returns the address of a place, from a page.
    fn address(&self, target: &Target, page: &str) -> String {
        let key = (
            target.group.as_str(),
            target.version.as_str(),
            target.kind.as_str(),
        );
        let file = self.files.get(&key).filter(|file| *file != page);
        format!("{}#{}", file.map_or("", String::as_str), self.anchor(target))
    }

    /// Returns a heading with its anchor.
    fn heading(&self, level: usize, title: &str, target: &Target) -> String {
        let signs = "#".repeat(level);
        let anchor = self.anchor(target);
        match self.flavor {
            Flavor::Github => format!("<a id=\"{anchor}\"></a>\n\n{signs} {title}\n\n"),
            Flavor::Mdbook | Flavor::Docusaurus => format!("{signs} {title} {{#{anchor}}}\n\n"),
        }
    }

    fn escaped(&self, text: &str) -> String {
        text::escape(text, self.flavor, false)
    }

    /// Returns a description with links for the pages.
    fn linked(&self, description: &str, from: &Target, page: &str) -> String {
        rewrite(description, &mut |path| {
            Some(self.address(self.index.find(path, from)?, page))
        })
    }

    /// Returns a description as a cell, without the parts that do not fit.
    fn cell(&self, description: &str, from: &Target, page: &str) -> String {
        let divided = text::divide(&self.linked(description, from, page));
        text::escape(&divided.cell, self.flavor, true)
    }
}
