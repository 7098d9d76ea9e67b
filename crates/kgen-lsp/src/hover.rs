//! Hover: the page of a marker, the schema of a field or type, the cost of a rule.

use kgen_build::{Outline, RULE_COST_LIMIT};
use kgen_markers::{find_marker, render_markdown, select};
use serde_json::{Value, json};

use crate::analysis::Snapshot;
use crate::capabilities::Client;
use crate::cursor::{Cursor, nodes_of};
use crate::documents::Documents;
use crate::toml_file;

/// The longest schema that a hover shows, in lines.
const MOST_LINES: usize = 60;
/// The most values that a hover shows.
const MOST_VALUES: usize = 3;

pub(crate) fn answer(documents: &Documents, snapshot: &Snapshot, client: &Client, params: &Value) -> Value {
    let Some(cursor) = Cursor::of(documents, snapshot.encoding, params) else {
        return Value::Null;
    };
    if cursor.is_toml() {
        if client.settings.without_toml {
            return Value::Null;
        }
        return toml_file::hover(cursor.document.text.as_str(), cursor.offset);
    }
    let outline = cursor.outline();
    let at = u32::try_from(cursor.offset).unwrap_or(u32::MAX);
    let text = if let Some(marker) = outline.marker_at(at) {
        marker_page(&cursor, snapshot, marker.text.text())
    } else {
        item_page(&cursor, snapshot, &outline, at)
    };
    match text {
        Some(text) => json!({"contents": {"kind": "markdown", "value": text}}),
        None => Value::Null,
    }
}

fn marker_page(cursor: &Cursor<'_>, snapshot: &Snapshot, text: &str) -> Option<String> {
    let (definition, ..) = find_marker(text)?;
    let selection = select(Some(definition.name)).ok()?;
    let page = render_markdown(&selection).replace("rust,ignore", "rust");
    let rule = snapshot.index().rule_at(&cursor.path, cursor.offset);
    let rule = rule.map(|rule| {
        let share = rule.cost.saturating_mul(100) / RULE_COST_LIMIT;
        format!(
            "**Rule** of type `{}`, estimated cost {} of {RULE_COST_LIMIT} ({share} %)\n\n---\n\n",
            rule.result_type, rule.cost
        )
    });
    Some(rule.unwrap_or_default() + &page)
}

fn item_page(cursor: &Cursor<'_>, snapshot: &Snapshot, outline: &Outline, at: u32) -> Option<String> {
    let item = outline.item_at(at)?;
    let nodes = nodes_of(snapshot, snapshot.index(), &cursor.path, outline, item);
    let mut pages: Vec<String> = Vec::new();
    for node in nodes.iter().take(MOST_VALUES) {
        let kind = snapshot.index().kind(node)?;
        let path = if node.path.is_empty() { "." } else { &node.path };
        let schema = Value::Object(node.schema.to_json(&|text| Some(text.to_owned())));
        let yaml = kgen_yaml::to_string(&schema);
        let lines: Vec<_> = yaml.lines().collect();
        let shown = lines
            .get(..MOST_LINES.min(lines.len()))
            .unwrap_or_default()
            .join("\n");
        let more = if lines.len() > MOST_LINES { "\n…" } else { "" };
        let mut page = format!(
            "`{path}` of `{}` `{}`\n\n```yaml\n{shown}{more}\n```",
            kind.kind, kind.version
        );
        for (name, place) in &node.bounds {
            let line = place
                .range
                .pointer("/start/line")
                .and_then(Value::as_u64)
                .unwrap_or_default()
                + 1;
            let file = place
                .path
                .file_name()
                .map(|name| name.to_string_lossy())
                .unwrap_or_default();
            page += &format!("\n- `{name}` is stated at {file}:{line}");
        }
        pages.push(page);
    }
    if nodes.len() > MOST_VALUES {
        pages.push(format!("and {} more values", nodes.len() - MOST_VALUES));
    }
    (!pages.is_empty()).then(|| pages.join("\n\n---\n\n"))
}
