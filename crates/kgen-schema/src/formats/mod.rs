//! Formats of strings that the API server checks.
//!
//! Mirrors `kube-openapi/pkg/validation/strfmt` and the list of formats in `apiextensions-apiserver`. `email` has a large
//! grammar there; here, only strings are refused that the API server surely refuses.

mod email;
mod network;
mod numbers;

use kgen_cel::JsonType;
use kgen_cel::go_time::{is_date, parse_loose_duration};
use kgen_cel::text_formats::{is_base64, is_date_time, is_uri, is_uuid};

use crate::names;
use crate::schema::Schema;

/// The formats of strings that the API server knows, as they are usually written. Dashes do not matter.
pub const FORMATS: &[&str] = &[
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

/// Returns whether the API server knows a format of strings.
pub fn is_for_strings(format: &str) -> bool {
    FORMATS.iter().any(|known| is_same(known, format))
}

/// Returns whether every string of one format also has another one, by their definitions.
pub fn includes(wider: &str, narrower: &str) -> bool {
    const NARROWER: &[(&str, &[&str])] = &[
        ("isbn", &["isbn10", "isbn13"]),
        ("k8s-long-name", &["k8s-short-name"]),
        ("uuid", &["uuid3", "uuid4", "uuid5"]),
    ];
    let is_part = |(known, parts): &(&str, &[&str])| {
        is_same(known, wider) && parts.iter().any(|part| is_same(part, narrower))
    };
    is_same(wider, narrower) || NARROWER.iter().any(is_part)
}

/// Compares the names of formats without their dashes.
fn is_same(left: &str, right: &str) -> bool {
    let right = right.bytes().filter(|byte| *byte != b'-');
    left.bytes().filter(|byte| *byte != b'-').eq(right)
}

/// Returns whether the API server checks the format of a schema in objects. It ignores formats that do not belong to the type.
pub(crate) fn is_checked(schema: &Schema, format: &str) -> bool {
    match schema.json_type {
        _ if schema.int_or_string => is_for_strings(format),
        None | Some(JsonType::String) => is_for_strings(format),
        Some(JsonType::Integer) => matches!(format, "int32" | "int64"),
        Some(JsonType::Number) => matches!(format, "float" | "double"),
        Some(JsonType::Array | JsonType::Boolean | JsonType::Object) => false,
    }
}

/// Returns whether a string can have a format. Every string has an unknown format.
pub fn accepts(format: &str, text: &str) -> bool {
    match format.replace('-', "").as_str() {
        "bsonobjectid" => text.len() == 24 && is_hexadecimal(text),
        "byte" => is_base64(text),
        "cidr" => network::is_cidr(text),
        "creditcard" => numbers::is_credit_card(text),
        "date" => is_date(text),
        "datetime" => is_date_time(text),
        "duration" => parse_loose_duration(text).is_some(),
        "email" => email::may_be_email(text),
        "hexcolor" => is_hexadecimal_color(text),
        "hostname" => network::is_hostname(text),
        "ipv4" => network::is_ipv4(text),
        "ipv6" => network::is_ipv6(text),
        "isbn" => numbers::is_isbn10(text) || numbers::is_isbn13(text),
        "isbn10" => numbers::is_isbn10(text),
        "isbn13" => numbers::is_isbn13(text),
        "k8slongname" => text.len() <= 253 && text.split('.').all(names::is_label),
        "k8sshortname" => text.len() <= 63 && names::is_label(text),
        "mac" => network::is_hardware_address(text),
        "rgbcolor" => is_rgb_color(text),
        "ssn" => is_social_security_number(text),
        "uri" => is_uri(text),
        "uuid" => is_uuid(text, None, ""),
        "uuid3" => is_uuid(text, Some('3'), ""),
        "uuid4" => is_uuid(text, Some('4'), "89ab"),
        "uuid5" => is_uuid(text, Some('5'), "89ab"),
        _ => true,
    }
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_hexadecimal_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or(text);
    matches!(digits.len(), 3 | 6) && is_hexadecimal(digits)
}

fn is_rgb_color(text: &str) -> bool {
    let Some(inside) = text.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    let is_part = |part: &str| {
        let digits = part.trim_matches([' ', '\t', '\n', '\r', '\u{C}']);
        let leading_zero = digits.len() > 1 && digits.starts_with('0');
        digits.bytes().all(|byte| byte.is_ascii_digit()) && !leading_zero && digits.parse::<u8>().is_ok()
    };
    inside.split(',').count() == 3 && inside.split(',').all(is_part)
}

fn is_social_security_number(text: &str) -> bool {
    let parts: Vec<_> = text.split(['-', ' ']).collect();
    let lengths: Vec<_> = parts.iter().map(|part| part.len()).collect();
    text.len() == 11
        && lengths == [3, 2, 4]
        && parts
            .iter()
            .all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
