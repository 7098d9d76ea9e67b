//! The scale subresource: where its numbers and its selector are.
//!
//! The API server checks only how the paths begin, and then finds nothing there. It splits them at their dots, so
//! neither brackets nor escapes mean anything in them.

use kgen_diagnostics::{Code, Problem, Problems, Spanned};
use kgen_model::{JsonType, KindVersion, Scale, Schema};
use kgen_schema::field_path::Notation;

use super::field_path;
use super::refusal::Refusal;

/// The beginnings that the path of the label selector may have.
const SELECTOR_PREFIXES: &[&str] = &[".spec.", ".status."];

/// Checks the paths of a version's scale subresource.
pub(super) fn check(version: &KindVersion, problems: &mut Problems) {
    let Some(scale) = &version.scale else { return };
    let Scale {
        spec_path,
        status_path,
        selector_path,
    } = &scale.value;
    let mut report = |what: &str, path: &Spanned<String>, prefixes: &[&str], refusal: Refusal| {
        let message = format!(
            "the {what} path `{}` of the scale subresource is not valid: {}",
            path.value, refusal.message
        );
        let problem = Problem::error(Code::JsonPath, path.span, message);
        // The API server looks at the beginning of the path, and at nothing else.
        let problem = if begins_with_one_of(&path.value, prefixes) {
            problem.tolerated()
        } else {
            problem
        };
        problems.push(refusal.add_to(problem, &path.value, Some(path.span)));
    };
    for (what, path, prefix) in [("spec", spec_path, ".spec."), ("status", status_path, ".status.")] {
        if let Err(refusal) = leaf(version, &path.value, &[prefix]).and_then(expect_integer) {
            report(what, path, &[prefix], refusal);
        }
    }
    // An empty path is not written.
    if let Some(path) = selector_path.as_ref().filter(|path| !path.value.is_empty())
        && let Err(refusal) = leaf(version, &path.value, SELECTOR_PREFIXES).and_then(expect_text)
    {
        report("selector", path, SELECTOR_PREFIXES, refusal);
    }
}

fn begins_with_one_of(path: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| path.starts_with(prefix))
}

/// Returns the schema at the end of a path; `None` if the schema leaves it open.
fn leaf<'a>(version: &'a KindVersion, path: &str, prefixes: &[&str]) -> Result<Option<&'a Schema>, Refusal> {
    if !begins_with_one_of(path, prefixes) {
        let words: Vec<_> = prefixes.iter().map(|prefix| format!("`{prefix}`")).collect();
        return Err(format!("it must begin with {}", words.join(" or ")).into());
    }
    match field_path::follow(&version.schema, true, path, Notation::Dots) {
        Ok(schema) => Ok(Some(schema)),
        Err(_) if leads_into_the_open(&version.schema, path) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

/// Returns whether a path leaves the schema where unknown fields are kept.
fn leads_into_the_open(schema: &Schema, path: &str) -> bool {
    let mut schema = schema;
    for name in path.split('.').skip(1) {
        if let Some(next) = schema
            .properties
            .get(name)
            .or(schema.additional_properties.as_ref())
        {
            schema = next;
        } else {
            return schema.preserve_unknown_fields;
        }
    }
    false
}

fn expect_integer(schema: Option<&Schema>) -> Result<(), Refusal> {
    expect(schema, JsonType::Integer, "an integer")
}

fn expect_text(schema: Option<&Schema>) -> Result<(), Refusal> {
    expect(schema, JsonType::String, "a string with a label selector")
}

fn expect(schema: Option<&Schema>, expected: JsonType, words: &str) -> Result<(), Refusal> {
    match schema.map(|schema| schema.json_type) {
        Some(Some(found)) if found != expected => {
            Err(format!("it must be {words}, not of type `{}`", found.word()).into())
        }
        Some(None) if schema.is_some_and(|schema| schema.int_or_string) => {
            Err(format!("it must be {words}").into())
        }
        _ => Ok(()),
    }
}
