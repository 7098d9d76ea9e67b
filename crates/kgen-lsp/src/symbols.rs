//! Symbols: kinds with their versions, types, and fields with their JSON names.

use kgen_build::{Item, ItemKind, Outline};
use serde_json::{Value, json};

use crate::analysis::Snapshot;
use crate::cursor::{document, is_rust, nodes_of, outline};
use crate::documents::Documents;
use crate::text::Text;
use crate::uri;

/// The most symbols of a workspace that are returned.
const MOST_SYMBOLS: usize = 500;

pub(crate) fn of_document(documents: &Documents, snapshot: &Snapshot, params: &Value) -> Value {
    let Some((path, document)) = document(documents, params).filter(|(path, _)| is_rust(path)) else {
        return json!([]);
    };
    let outline = outline(&path, document);
    let tops = outline
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.parent.is_none());
    let tops = tops.filter(|(_, item)| item.kind != ItemKind::Module);
    let index = snapshot.index_of(&path);
    let symbol = |(number, item): (usize, &Item)| {
        let detail = index
            .kinds
            .iter()
            .find(|kind| kind.place.is_some() && kind.kind == item.name)
            .map(|kind| format!("{}/{}", kind.group, kind.version));
        symbol(&outline, number, item, detail, snapshot, &path, &document.text)
    };
    tops.map(symbol).collect()
}

fn symbol(
    outline: &Outline,
    number: usize,
    item: &Item,
    detail: Option<String>,
    snapshot: &Snapshot,
    path: &std::path::Path,
    text: &Text,
) -> Value {
    let name = text.to_range(item.span.range(), snapshot.encoding);
    let whole = text.to_range(item.whole.range(), snapshot.encoding);
    let children: Vec<Value> = outline
        .items
        .iter()
        .enumerate()
        .filter(|(_, child)| child.parent == Some(number))
        .map(|(number, child)| {
            let index = snapshot.index_of(path);
            let nodes = nodes_of(snapshot, &index, path, outline, child);
            let detail = nodes.first().map(|node| node.path.clone());
            symbol(outline, number, child, detail, snapshot, path, text)
        })
        .collect();
    json!({
        "name": item.name,
        "detail": detail.unwrap_or_default(),
        "kind": kind(item.kind),
        "range": whole,
        "selectionRange": name,
        "children": children,
    })
}

/// Returns the number of the protocol.
fn kind(kind: ItemKind) -> u8 {
    match kind {
        ItemKind::Kind => 5,
        ItemKind::Struct | ItemKind::Alias => 23,
        ItemKind::Enum => 10,
        ItemKind::Field => 8,
        ItemKind::Variant => 22,
        ItemKind::Module => 2,
    }
}

pub(crate) fn of_workspace(snapshot: &Snapshot, params: &Value) -> Value {
    let query = params
        .get("query")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_lowercase();
    let index = snapshot.index();
    let matches = |name: &str| name.to_lowercase().contains(&query);
    let kinds = index.kinds.iter().filter(|kind| matches(&kind.kind)).map(|kind| {
        json!({
            "name": kind.kind,
            "kind": 5,
            "containerName": format!("{}/{}", kind.group, kind.version),
            "location": kind.place.as_ref().map(
                |place| json!({"uri": uri::of_path(&place.path), "range": place.range})
            ),
        })
    });
    let fields = index.nodes.iter().filter_map(|node| {
        let (place, kind) = (node.place.as_ref()?, index.kind(node)?);
        let is_field = !node.path.is_empty() && !node.path.ends_with('*') && !node.path.ends_with(']');
        (is_field && !query.is_empty() && matches(&node.path)).then(|| {
            json!({
                "name": node.path,
                "kind": 8,
                "containerName": format!("{} {}", kind.kind, kind.version),
                "location": {"uri": uri::of_path(&place.path), "range": place.range},
            })
        })
    });
    kinds.chain(fields).take(MOST_SYMBOLS).collect()
}
