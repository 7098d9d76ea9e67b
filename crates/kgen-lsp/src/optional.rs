//! The two ways of writing an optional field, and the refactoring from one to the other.

use std::path::Path;

use kgen_build::{ItemKind, Outline};

use crate::documents::Document;
use crate::problems::FileEdit;
use crate::text::{Encoding, Text};

const MARKER: &str = "optional";

/// Returns the title and the edits that write the field at a byte in the other way; `None` if there is no optional field, or if its
/// type is not on the line of its name.
pub(crate) fn rewrite(
    path: &Path,
    document: &Document,
    outline: &Outline,
    offset: usize,
    encoding: Encoding,
) -> Option<(&'static str, Vec<FileEdit>)> {
    let text = &document.text;
    let line = text.line_of(offset);
    let on_line = |start: u32| text.line_of(start as usize) == line;
    let (number, item) = outline
        .items
        .iter()
        .enumerate()
        .find(|(_, item)| item.kind == ItemKind::Field && on_line(item.span.start))?;
    let (start, shown) = text.line_text(line);
    let name_end = item.span.range().end;
    let behind = shown.get(name_end.checked_sub(start)?..)?;
    let declared = behind.trim_start().strip_prefix(':')?.trim_start();
    let declared = declared.trim_end().strip_suffix(',')?.trim_end();
    let from = name_end + behind.find(declared)?;
    let edit = |from: usize, to: usize, new: String| FileEdit {
        path: path.to_owned(),
        bytes: from..to,
        range: text.to_range(from..to, encoding),
        text: new,
    };
    if item.is_option {
        let inner = declared.split_once('<')?.1.strip_suffix('>')?;
        let place = first_line(text, line);
        let (above, code) = text.line_text(place);
        let indent = code.get(..code.len() - code.trim_start().len())?;
        let end = text.line_break();
        let new = format!("{indent}// +{MARKER}{end}{indent}#[serde(default)]{end}");
        let edits = vec![
            edit(above, above, new),
            edit(from, from + declared.len(), inner.trim().to_owned()),
        ];
        return Some(("Write `+optional` instead of `Option`", edits));
    }
    let marker = outline
        .markers
        .iter()
        .find(|marker| marker.item == Some(number) && marker.text.text() == MARKER)?;
    let marker_line = text.line_of(marker.text.whole().range().start);
    let (marker_start, comment) = text.line_text(marker_line);
    let is_alone = comment.trim_start().starts_with("//");
    let (marker_end, _) = text.line_text(marker_line + 1);
    let edits = vec![
        edit(marker_start, marker_end, String::new()),
        edit(from, from + declared.len(), format!("Option<{declared}>")),
    ];
    is_alone.then_some(("Write `Option` instead of `+optional`", edits))
}

/// Returns the line of the first attribute directly above a field, or the line of the field.
fn first_line(text: &Text, line: usize) -> usize {
    let is_attribute = |line: &usize| text.line_text(*line).1.trim_start().starts_with("#[");
    let above = (0..line).rev().take_while(is_attribute);
    above.last().unwrap_or(line)
}
