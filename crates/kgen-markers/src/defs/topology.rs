//! Markers that say how lists and maps merge under server-side apply.

use kgen_diagnostics::Code;
use kgen_model::{Keyword, ListType, MapType};

use crate::definition::markers;
use crate::marker::{Outcome, Place};
use crate::schema::{Node, Shape};
use crate::value::choice;

choice! {
    /// How lists merge.
    ListTypeWord(ListType) {
        "atomic" => ListType::Atomic,
        "map" => ListType::Map,
        "set" => ListType::Set,
    }
}

choice! {
    /// How maps and structs merge.
    MapTypeWord(MapType) {
        "atomic" => MapType::Atomic,
        "granular" => MapType::Granular,
    }
}

markers! {
    family "topology" "Server-side apply";

    /// How server-side apply merges a list: as a whole, by the keys of its items, or by its scalar items.
    ///
    /// ```
    /// // +listType=set
    /// pub names: Vec<String>,
    /// ```
    "listType" on [Type, Field] with [nestable, priority(9), states("listType")] => ListTypeMarker {
        /// `atomic`, `map` or `set`.
        "=" value: ListTypeWord,
    }
    apply schema |marker, node| list_type(node, &marker.place, marker.value.0)?;
    write schema |gap| gap.part(|schema| schema.list_type).map(|word| (ListTypeWord(word),));

    /// How server-side apply merges a list: as a whole, by the keys of its items, or by its scalar items.
    ///
    /// ```
    /// // +k8s:listType=set
    /// pub names: Vec<String>,
    /// ```
    "k8s:listType" on [Type, Field] with [nestable, priority(9), states("listType")] => DeclarativeListType {
        /// `atomic`, `map` or `set`.
        "=" value: ListTypeWord,
    }
    apply schema |marker, node| list_type(node, &marker.place, marker.value.0)?;

    /// Key field of the items of a list map; repeat the marker for several keys.
    ///
    /// ```
    /// // +listType=map
    /// // +listMapKey=name
    /// pub ports: Vec<Port>,
    /// ```
    "listMapKey" on [Type, Field] with [nestable, distinct] => ListMapKey {
        /// JSON name of the field.
        "=" value: String,
    }
    apply schema |marker, node| list_map_key(node, &marker.place, &marker.value)?;
    write schema |gap| gap.list_map_keys().iter().map(|key| (key.clone(),));

    /// Key field of the items of a list map; repeat the marker for several keys.
    ///
    /// ```
    /// // +k8s:listType=map
    /// // +k8s:listMapKey=name
    /// pub ports: Vec<Port>,
    /// ```
    "k8s:listMapKey" on [Type, Field] with [nestable, distinct] => DeclarativeListMapKey {
        /// JSON name of the field.
        "=" value: String,
    }
    apply schema |marker, node| list_map_key(node, &marker.place, &marker.value)?;

    /// How server-side apply merges a map: as a whole, or key by key.
    ///
    /// ```
    /// // +mapType=atomic
    /// pub labels: BTreeMap<String, String>,
    /// ```
    "mapType" on [Type, Field] with [nestable, states("mapType")] => MapTypeMarker {
        /// `atomic` or `granular`.
        "=" value: MapTypeWord,
    }
    apply schema |marker, node| {
        node.require(&marker.place, Shape::Object)?;
        node.schema.map_type = Some(marker.value.0);
        node.note(Keyword::MapType, &marker.place);
    };
    write schema |gap| gap.part(|schema| schema.map_type).map(|word| (MapTypeWord(word),));

    /// How server-side apply merges a struct: as a whole, or field by field.
    ///
    /// ```
    /// // +structType=atomic
    /// pub reference: Reference,
    /// ```
    "structType" on [Type, Field] with [states("mapType")] => StructType {
        /// `atomic` or `granular`.
        "=" value: MapTypeWord,
    }
    apply schema |marker, node| {
        if node.schema.json_type.is_some() || node.schema.int_or_string {
            node.require(&marker.place, Shape::Object)?;
        }
        node.schema.map_type = Some(marker.value.0);
        node.note(Keyword::MapType, &marker.place);
    };
}

fn list_type(node: &mut Node<'_>, place: &Place, list_type: ListType) -> Outcome {
    node.require(place, Shape::Array)?;
    if list_type != ListType::Map {
        node.schema.list_map_keys.clear();
    }
    node.schema.list_type = Some(list_type);
    node.replaces_keys = true;
    node.note(Keyword::ListType, place);
    Ok(())
}

fn list_map_key(node: &mut Node<'_>, place: &Place, key: &str) -> Outcome {
    node.require(place, Shape::Array)?;
    if node.schema.list_type != Some(ListType::Map) {
        return Err(place
            .problem(
                Code::InapplicableMarker,
                format!("`{}` must be on a list of type `map`", place.name()),
            )
            .help("add `+listType=map` above it"));
    }
    if std::mem::take(&mut node.replaces_keys) {
        node.schema.list_map_keys.clear();
    }
    if !node.schema.list_map_keys.iter().any(|known| known == key) {
        node.schema.list_map_keys.push(key.to_owned());
    }
    node.note(Keyword::ListMapKeys, place);
    Ok(())
}
