//! Names of formats. One that the API server does not know is written and never checked, so a near miss is a warning.

use kgen_diagnostics::{Code, Problem};
use kgen_model::{JsonType, Keyword};
use kgen_schema::formats::{FORMATS, is_for_strings};

use super::Report;
use super::text;
use super::walk::Node;

/// Warns of a format that looks like a misspelling.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let stated = node.schema.places.stated(Keyword::Format);
    let format = node.schema.constraints.format.as_deref();
    let (Some(span), Some(format), Some(JsonType::String)) = (stated, format, node.schema.json_type) else {
        return;
    };
    if is_for_strings(format) {
        return;
    }
    if let Some(fix) = text::meant_within(span, format, FORMATS.iter().copied()) {
        let message = format!("the API server does not know the format `{format}`, so it does not check it");
        report
            .problems
            .push(Problem::warning(Code::MarkerValue, span, message).with_fix(fix));
    }
}
