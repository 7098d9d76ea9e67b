//! The pages of the cases have no broken link or anchor, in the eyes of a CommonMark parser.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The links and the anchors of a page, and the number of cells of each row of its tables.
#[derive(Default)]
struct Page {
    links: Vec<String>,
    anchors: BTreeSet<String>,
    rows: Vec<(usize, usize)>,
}

fn read(text: &str) -> Page {
    // MDX has other comments.
    let text = text.replacen("{/*", "<!--", 1).replacen("*/}", "-->", 1);
    let mut page = Page::default();
    let (mut columns, mut cells) = (0, 0);
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => page.links.push(dest_url.to_string()),
            Event::Start(Tag::Heading { id: Some(id), .. }) => {
                assert!(page.anchors.insert(id.to_string()), "{id} is there twice");
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let id = html.split("id=\"").nth(1).and_then(|rest| rest.split('"').next());
                if let Some(id) = id {
                    assert!(page.anchors.insert(id.to_owned()), "{id} is there twice");
                }
                let is_ours = html.trim().is_empty()
                    || ["<!--", "<a id=", "</a>", "<br"]
                        .iter()
                        .any(|ours| html.starts_with(ours));
                assert!(is_ours, "{html}");
            }
            Event::Start(Tag::Table(alignments)) => columns = alignments.len(),
            Event::Start(Tag::TableRow | Tag::TableHead) => cells = 0,
            Event::End(TagEnd::TableCell) => cells += 1,
            Event::End(TagEnd::TableRow | TagEnd::TableHead) => page.rows.push((columns, cells)),
            _ => {}
        }
    }
    page
}

#[test]
fn links_of_the_cases_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for case in ["docs", "docs-mdbook", "docs-docusaurus"] {
        let folder = root.join("testdata/cases").join(case).join("expected");
        let mut pages = BTreeMap::new();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                pages.insert(name, read(&fs::read_to_string(path).unwrap()));
            }
        }
        for (name, page) in &pages {
            assert!(
                page.rows.iter().all(|(columns, cells)| columns == cells),
                "{case}/{name}"
            );
            for link in page.links.iter().filter(|link| !link.starts_with("https://")) {
                let (file, anchor) = link.split_once('#').unwrap();
                let target = if file.is_empty() { name } else { file };
                let found = pages
                    .get(target)
                    .is_some_and(|page| page.anchors.contains(anchor));
                assert!(found, "{case}/{name}: {link}");
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}
