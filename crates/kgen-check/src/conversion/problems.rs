//! The problems of the comparison that need more than a sentence.

use kgen_diagnostics::{Code, Fix, Problem, Span, words};
use kgen_model::{KindVersion, RustEnum, RustVariant};

use super::view::{FieldView, StructView};

/// Returns the problem of a marker that changes nothing.
pub(super) fn needless(span: Span, why: &str) -> Problem {
    Problem::warning(
        Code::ConversionNeedless,
        span,
        format!("this marker has no effect: {why}"),
    )
    .help("remove the marker")
}

/// Returns the problem of a field of the older version without a counterpart.
pub(super) fn unmatched(
    field: &FieldView<'_>,
    older: &KindVersion,
    newer: &KindVersion,
    older_view: &StructView<'_>,
    newer_view: &StructView<'_>,
) -> Problem {
    let name = field.name();
    let message = format!(
        "`{name}` of `{}` has no counterpart in `{}`",
        older.version, newer.version
    );
    let mut problem = Problem::error(Code::ConversionUnmatched, newer_view.span, message)
        .related(field.field.span, format!("`{name}` is declared here"));
    let is_free = |candidate: &&FieldView<'_>| {
        candidate.field.conversion.from.is_empty() && older_view.find(candidate.name()).is_none()
    };
    let has_same_type = |candidate: &&FieldView<'_>| {
        let (left, right) = (candidate.side().bare(), field.side().bare());
        left.zip(right)
            .is_some_and(|(left, right)| left.path == right.path)
            || super::shape::is_same(candidate.schema, field.schema)
    };
    let candidates: Vec<_> = newer_view
        .fields
        .iter()
        .filter(is_free)
        .filter(has_same_type)
        .collect();
    let from = format!("+kgen:conversion:from={name}");
    for candidate in &candidates {
        problem = problem.with_fix(Fix::line_above(candidate.field.span, format!("// {from}")));
    }
    problem = problem.with_fix(drop_field(name, newer_view));
    let names = candidates.iter().map(|candidate| candidate.name());
    problem = problem.help(if candidates.is_empty() {
        format!("write `{from}` above the field that replaces it")
    } else {
        format!(
            "write `{from}` above the field that replaces it, such as {}",
            words::all_of(names)
        )
    });
    problem.help(format!(
        "or write `+kgen:conversion:dropped={name}` above `{}` if the field is gone",
        newer_view.name
    ))
}

/// Returns the fix that adds a field to the dropped ones of the newer struct.
fn drop_field(name: &str, newer: &StructView<'_>) -> Fix {
    let mut dropped = newer
        .conversions
        .iter()
        .flat_map(|conversion| &conversion.dropped);
    match dropped.next_back() {
        Some(last) => {
            let end = Span::new(last.span.file, last.span.end, last.span.end);
            Fix::replace(end, format!(";{name}")).uncertain()
        }
        None => Fix::line_above(newer.span, format!("// +kgen:conversion:dropped={name}")),
    }
}

/// Returns the problem of a field without a counterpart in a struct of which other fields have one elsewhere.
pub(super) fn left_behind(
    field: &FieldView<'_>,
    path: &[String],
    outer: &str,
    (older, newer): (&KindVersion, &KindVersion),
    newer_view: &StructView<'_>,
) -> Problem {
    let path = path.join(".");
    let message = format!(
        "`{path}` of `{}` has no counterpart in `{}`",
        older.version, newer.version
    );
    Problem::error(Code::ConversionUnmatched, newer_view.span, message)
        .related(field.field.span, format!("`{}` is declared here", field.name()))
        .help(format!(
            "write `+kgen:conversion:from=.{path}` above the field that replaces it"
        ))
        .help(format!(
            "or write `+kgen:conversion:dropped={outer}` above `{}` if the rest of `{outer}` is gone",
            newer_view.name
        ))
}

/// Returns the problem of a new variant that the older version cannot show.
pub(super) fn new_variant(
    variant: &RustVariant,
    older: &KindVersion,
    known: &RustEnum,
    free: &[&str],
) -> Problem {
    let message = format!(
        "`{}` has no variant `{}` to show",
        older.version, variant.json_name
    );
    let names = known.variants.iter().map(|variant| variant.json_name.as_str());
    let example = names.clone().next().unwrap_or_default();
    let mut problem = Problem::error(Code::ConversionVariant, variant.span, message).help(format!(
        "write `+kgen:conversion:as={example}` above it; `{}` has {}",
        older.version,
        words::all_of(names)
    ));
    for name in free {
        let line = format!("// +kgen:conversion:from={name}");
        problem = problem.with_fix(Fix::line_above(variant.span, line));
    }
    if !free.is_empty() {
        problem = problem.help(format!(
            "or write `+kgen:conversion:from=…` if it is a new name of {}",
            words::all_of(free.iter().copied())
        ));
    }
    problem
}

/// Returns the problem of a variant of the older version that the newer one cannot show.
pub(super) fn lost_variant(variant: &RustVariant, newer: &KindVersion, known: &RustEnum) -> Problem {
    let name = &variant.json_name;
    let message = format!("`{}` has no variant `{name}` to show", newer.version);
    let names = known.variants.iter().map(|variant| variant.json_name.as_str());
    let example = names.clone().next().unwrap_or_default();
    Problem::error(Code::ConversionVariant, known.span, message)
        .related(variant.span, format!("`{name}` is declared here"))
        .help(format!(
            "write `+kgen:conversion:droppedVariant:name={name},as={example}` above it; `{}` has {}",
            newer.version,
            words::all_of(names)
        ))
        .help(format!(
            "or write `+kgen:conversion:from={name}` above the variant that replaces it"
        ))
}
