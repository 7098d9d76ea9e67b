//! Checks links without network access: between the pages of the built book, and between Markdown files of the repository.
//!
//! A link to this repository on GitHub must name an existing file. Other addresses are not checked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

/// The address of a file of this repository, up to its path.
const REPOSITORY: &str = "https://github.com/kgen-rs/kgen/";

/// Folders without our own files.
const SKIPPED: &[&str] = &["target", ".git", "node_modules", "testdata", "templates"];

/// The result of a check.
#[derive(Debug, Default)]
pub struct Links {
    /// The number of links that were checked.
    pub count: usize,
    /// One message per broken link.
    pub broken: Vec<String>,
}

/// Checks all links and anchors of the HTML pages in `book`.
pub fn check_book(book: &Path, repository: &Path) -> Result<Links> {
    let mut pages = BTreeMap::new();
    for path in files(book, "html")? {
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        pages.insert(path, text);
    }
    let anchors: BTreeMap<&Path, BTreeSet<String>> = pages
        .iter()
        .map(|(path, text)| (path.as_path(), attributes(text, "id").collect()))
        .collect();
    let mut links = Links::default();
    for (path, text) in &pages {
        // This page is served for any address, so its links start at the root of the site.
        if path.ends_with("404.html") {
            continue;
        }
        for link in attributes(text, "href").chain(attributes(text, "src")) {
            let (target, anchor) = match link.split_once('#') {
                Some((target, anchor)) => (target, Some(anchor)),
                None => (link.as_str(), None),
            };
            let shown = path.strip_prefix(book).unwrap_or(path).display().to_string();
            let Some(file) = local_file(target, path, repository) else {
                continue;
            };
            links.count += 1;
            if !file.exists() {
                links.broken.push(format!("{shown}: `{link}` leads to no file"));
            } else if let Some(anchor) = anchor
                && let Some(ids) = anchors.get(file.as_path())
                && !anchor.is_empty()
                && !ids.contains(anchor)
            {
                links
                    .broken
                    .push(format!("{shown}: `{link}` leads to no heading"));
            }
        }
    }
    Ok(links)
}

/// Checks that relative links of all Markdown files outside the book lead to files.
pub fn check_files(repository: &Path) -> Result<Links> {
    let mut links = Links::default();
    for path in files(repository, "md")? {
        if path.starts_with(repository.join("docs/book")) {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        for link in markdown_links(&text) {
            let target = link.split('#').next().unwrap_or_default();
            let Some(file) = local_file(target, &path, repository) else {
                continue;
            };
            links.count += 1;
            if !file.exists() {
                let shown = path.strip_prefix(repository).unwrap_or(&path).display();
                links.broken.push(format!("{shown}: `{link}` leads to no file"));
            }
        }
    }
    Ok(links)
}

/// Returns the file that `target` means on the page `page`, or `None` if it is on another site.
fn local_file(target: &str, page: &Path, repository: &Path) -> Option<PathBuf> {
    if let Some(path) = target.strip_prefix(REPOSITORY) {
        let path = path
            .strip_prefix("blob/main/")
            .or_else(|| path.strip_prefix("tree/main/"))
            .or_else(|| path.strip_prefix("edit/main/"))?;
        return Some(repository.join(path));
    }
    if target.contains(':') || target.starts_with("//") {
        return None;
    }
    if target.is_empty() {
        return Some(page.to_owned());
    }
    Some(without_dots(&page.parent()?.join(target)))
}

/// Removes `.` and `..` from a path, so that it can be compared with other paths.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// Returns the values of all attributes called `name` in HTML as mdBook writes it, with double quotes.
fn attributes<'a>(html: &'a str, name: &'a str) -> impl Iterator<Item = String> + 'a {
    let begin = format!(" {name}=\"");
    html.match_indices(&begin)
        .map(|(at, found)| at + found.len())
        .filter_map(|at| html.get(at..)?.split_once('"'))
        .map(|(value, _)| value.replace("&amp;", "&"))
        .collect::<Vec<_>>()
        .into_iter()
}

/// Returns the targets of `[text](target)` outside of code blocks and code spans.
fn markdown_links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
            continue;
        }
        if in_code {
            continue;
        }
        // Every second part is between backquotes.
        let prose: Vec<&str> = line.split('`').step_by(2).collect();
        let prose = prose.join("``");
        for (at, _) in prose.match_indices("](") {
            if let Some((target, _)) = prose.get(at + 2..).and_then(|rest| rest.split_once(')')) {
                found.push(target.to_owned());
            }
        }
    }
    found
}

/// Returns all files below `folder` with this extension, in order.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            let is_skipped = path
                .file_name()
                .is_some_and(|name| SKIPPED.iter().any(|skipped| name == *skipped));
            if path.is_dir() && !is_skipped && !path.is_symlink() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_pages_and_anchors_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("book");
        fs::create_dir(&book).unwrap();
        let page = "<h1 id=\"top\"></h1> <a href=\"two.html#end\"></a> <a href=\"#top\"></a> <a href=\"two.html#nowhere\"></a> \
                    <a href=\"three.html\"></a> <a href=\"https://example.com/x\"></a> \
                    <a href=\"https://github.com/kgen-rs/kgen/blob/main/README.md\"></a>";
        fs::write(book.join("one.html"), page).unwrap();
        fs::write(book.join("two.html"), "<h1 id=\"end\"></h1>").unwrap();
        let links = check_book(&book, folder.path()).unwrap();
        assert_eq!(links.count, 5);
        assert_eq!(
            links.broken,
            [
                "one.html: `two.html#nowhere` leads to no heading",
                "one.html: `three.html` leads to no file",
                "one.html: `https://github.com/kgen-rs/kgen/blob/main/README.md` leads to no file",
            ]
        );
    }

    #[test]
    fn markdown_links_in_code_do_not_count() {
        let text = "[a](b.md) `[c](d.md)` [`e`](f.md#g)\n```\n[h](i.md)\n```\n";
        assert_eq!(markdown_links(text), ["b.md", "f.md#g"]);
    }

    #[test]
    fn links_between_the_files_of_this_repository_lead_somewhere() {
        let workspace = crate::workspace::Workspace::find().unwrap();
        let links = check_files(workspace.root()).unwrap();
        assert!(links.count > 10, "{links:?}");
        assert_eq!(links.broken, Vec::<String>::new());
    }
}
