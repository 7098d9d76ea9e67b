//! Columns, subresources and selectable fields of a version.

use kgen_diagnostics::{Problems, Spanned};
use kgen_model::{Column, KindVersion, Scale};

use super::keywords::Keywords;

/// Reads everything that a version says besides its schema.
pub(super) fn read(read: &Keywords<'_, '_>, version: &mut KindVersion, problems: &mut Problems) {
    for (index, node) in read.list("additionalPrinterColumns", problems).iter().enumerate() {
        let path = format!("{}.additionalPrinterColumns[{index}]", read.path);
        let column = column(&Keywords { node, path: &path }, problems);
        version
            .columns
            .extend(column.map(|column| Spanned::new(column, node.span)));
    }
    for (index, node) in read.list("selectableFields", problems).iter().enumerate() {
        let path = format!("{}.selectableFields[{index}]", read.path);
        let found = Keywords { node, path: &path }.needed("jsonPath", problems);
        version
            .selectable_fields
            .extend(found.map(|(path, span)| Spanned::new(path.to_owned(), span)));
    }
    let Some(subresources) = read.map("subresources", problems) else {
        return;
    };
    let subresources = Keywords {
        node: subresources,
        path: "subresources",
    };
    // An empty `status` enables it as well, so a null does not: the API server drops it.
    version.status_subresource = subresources.map("status", problems).map(|node| node.span);
    if let Some(node) = subresources.map("scale", problems) {
        let scale = scale(&Keywords { node, path: "scale" }, problems);
        version.scale = scale.map(|scale| Spanned::new(scale, node.span));
    }
}

fn column(read: &Keywords<'_, '_>, problems: &mut Problems) -> Option<Column> {
    let name = read.needed("name", problems);
    let column_type = read.needed("type", problems);
    let json_path = read.needed("jsonPath", problems);
    let text = |key: &str, problems: &mut Problems| read.text(key, problems).map(str::to_owned);
    Some(Column {
        description: text("description", problems),
        format: text("format", problems),
        priority: read
            .integer("priority", problems)
            .filter(|priority| *priority != 0),
        name: name?.0.to_owned(),
        column_type: column_type?.0.to_owned(),
        json_path: json_path.map(|(path, span)| Spanned::new(path.to_owned(), span))?,
    })
}

fn scale(read: &Keywords<'_, '_>, problems: &mut Problems) -> Option<Scale> {
    let spanned = |(text, span): (&str, _)| Spanned::new(text.to_owned(), span);
    let spec_path = read.needed("specReplicasPath", problems).map(spanned);
    let status_path = read.needed("statusReplicasPath", problems).map(spanned);
    let selector = read.node.get("labelSelectorPath").map(|node| node.span);
    let selector_path = read
        .text("labelSelectorPath", problems)
        .zip(selector)
        .map(spanned);
    Some(Scale {
        spec_path: spec_path?,
        status_path: status_path?,
        selector_path,
    })
}
