//! Texts beside the source: a lens above each kind, and hints about JSON names and defaults.

use serde_json::{Value, json};

use crate::analysis::Snapshot;
use crate::capabilities::Client;
use crate::commands::PREVIEW;
use crate::cursor::{document, is_rust, nodes_of, outline};
use crate::documents::Documents;
use crate::index::Kind;
use crate::preview;

pub(crate) fn lenses(documents: &Documents, snapshot: &Snapshot, params: &Value) -> Value {
    let Some((path, shown)) = document(documents, params).filter(|(path, _)| is_rust(path)) else {
        return json!([]);
    };
    let index = snapshot.index_of(&path);
    let lens = |kind: &Kind| {
        let place = kind.place.as_ref()?;
        let uri = preview::uri(&kind.definition);
        let text = preview::text(snapshot, &uri)?;
        let size = text.len().div_ceil(1024);
        let noun = if kind.rules == 1 { "rule" } else { "rules" };
        Some(json!({
            "range": place.range,
            "command": {
                "title": format!("CRD · {size} KB · {} {noun}", kind.rules),
                "command": PREVIEW,
                "arguments": [uri, {
                    "textDocument": {"uri": shown.uri},
                    "position": place.range.get("start"),
                }],
            },
        }))
    };
    index.kinds.iter().filter_map(lens).collect()
}

pub(crate) fn hints(documents: &Documents, snapshot: &Snapshot, client: &Client, params: &Value) -> Value {
    let wanted = document(documents, params).filter(|(path, _)| client.settings.hints && is_rust(path));
    let Some((path, document)) = wanted else {
        return json!([]);
    };
    let range = document
        .text
        .range(params.get("range").unwrap_or(&Value::Null), snapshot.encoding);
    let outline = outline(&path, document);
    let index = snapshot.index_of(&path);
    let mut hints = Vec::new();
    for item in &outline.items {
        if item.parent.is_none() || !range.contains(&item.span.range().start) {
            continue;
        }
        let nodes = nodes_of(snapshot, &index, &path, &outline, item);
        let Some(node) = nodes.first() else { continue };
        let name = node.path.rsplit('.').next().unwrap_or_default();
        let mut label = String::new();
        if name != item.name {
            label.push_str(name);
        }
        if let Some(default) = &node.schema.default {
            label += &format!(" = {default}");
        }
        if !label.is_empty() {
            let position = document.text.position(item.span.range().end, snapshot.encoding);
            hints.push(json!({"position": position, "label": label.trim(), "paddingLeft": true}));
        }
    }
    Value::Array(hints)
}
