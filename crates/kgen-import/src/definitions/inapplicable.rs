//! Keywords that cannot apply to the type of their value. They have no effect in the API server, so they are left out.

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{JsonType, Keyword, Schema};

/// Removes such keywords from a schema, and notes each.
pub(super) fn remove(schema: &mut Schema, path: &str, problems: &mut Problems) {
    let Some(json_type) = schema.json_type else { return };
    if schema.int_or_string {
        return;
    }
    if json_type != JsonType::Object && !schema.required.is_empty() {
        schema.required.clear();
        note("required", schema.places.node, json_type, path, problems);
    }
    if schema.constraints.is_unset() {
        return;
    }
    let is_text = json_type == JsonType::String;
    let is_number = matches!(json_type, JsonType::Integer | JsonType::Number);
    let is_list = json_type == JsonType::Array;
    let is_object = json_type == JsonType::Object;
    let own = &mut schema.constraints;
    let mut removed = Vec::new();
    let mut drop = |fits: bool, is_there: bool, word: &'static str, keyword: Keyword| {
        if !fits && is_there {
            removed.push((word, keyword));
        }
        !fits
    };
    if drop(
        is_text || is_number,
        own.format.is_some(),
        "format",
        Keyword::Format,
    ) {
        own.format = None;
    }
    if drop(is_text, own.pattern.is_some(), "pattern", Keyword::Pattern) {
        own.pattern = None;
    }
    if drop(is_text, own.min_length.is_some(), "minLength", Keyword::MinLength) {
        own.min_length = None;
    }
    if drop(is_text, own.max_length.is_some(), "maxLength", Keyword::MaxLength) {
        own.max_length = None;
    }
    if drop(is_number, own.minimum.is_some(), "minimum", Keyword::Minimum) {
        own.minimum = None;
        own.exclusive_minimum = false;
    }
    if drop(is_number, own.maximum.is_some(), "maximum", Keyword::Maximum) {
        own.maximum = None;
        own.exclusive_maximum = false;
    }
    if drop(
        is_number,
        own.multiple_of.is_some(),
        "multipleOf",
        Keyword::MultipleOf,
    ) {
        own.multiple_of = None;
    }
    if drop(is_list, own.min_items.is_some(), "minItems", Keyword::MinItems) {
        own.min_items = None;
    }
    if drop(is_list, own.max_items.is_some(), "maxItems", Keyword::MaxItems) {
        own.max_items = None;
    }
    if drop(
        is_object,
        own.min_properties.is_some(),
        "minProperties",
        Keyword::MinProperties,
    ) {
        own.min_properties = None;
    }
    if drop(
        is_object,
        own.max_properties.is_some(),
        "maxProperties",
        Keyword::MaxProperties,
    ) {
        own.max_properties = None;
    }
    for (word, keyword) in removed {
        note(word, schema.places.of(keyword), json_type, path, problems);
    }
}

fn note(word: &str, span: Option<Span>, json_type: JsonType, path: &str, problems: &mut Problems) {
    let message = format!(
        "`{word}` of `{path}` is left out: it has no effect on type `{}`",
        json_type.word()
    );
    let mut problem = Problem::note(Code::ImportLoss, message);
    problem.span = span;
    problems.push(problem);
}
