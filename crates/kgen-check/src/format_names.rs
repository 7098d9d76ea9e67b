//! Names of formats. One that the API server does not know is written and never checked, so a near miss is a warning.

use kgen_diagnostics::{Code, Problem};
use kgen_model::{JsonType, Keyword};

use super::Report;
use super::text;
use super::walk::Node;

/// Formats of texts, as they are usually written.
const OF_TEXTS: &[&str] = &[
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "date-time",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8s-long-name",
    "k8s-short-name",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// Warns of a format that looks like a misspelling.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let stated = node.schema.places.stated(Keyword::Format);
    let format = node.schema.constraints.format.as_deref();
    let (Some(span), Some(format), Some(JsonType::String)) = (stated, format, node.schema.json_type) else {
        return;
    };
    // Dashes in the names of formats do not count.
    let plain = |name: &str| name.replace('-', "");
    if OF_TEXTS.iter().any(|known| plain(known) == plain(format)) {
        return;
    }
    if let Some(near) = text::nearest(format, OF_TEXTS.iter().copied()) {
        let message = format!("no API server knows the format `{format}`, so nothing is checked");
        report.problems.push(
            Problem::warning(Code::MarkerValue, span, message).label(format!("did you mean `{near}`?")),
        );
    }
}
