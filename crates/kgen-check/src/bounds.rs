//! Bounds that exclude all values, and bounds with which the API server cannot compare.
//!
//! The API server accepts such CRDs, but then rejects every object. It stores bounds as floating-point numbers and
//! compares them with the format of the value first: `9223372036854775807` becomes 2⁶³, which is not an `int64`.

use kgen_diagnostics::{Code, Problem};
use kgen_model::{JsonType, Keyword, Number};

use super::Report;
use super::walk::Node;

/// 2⁶³, the first number beyond `int64`, is exact as a float.
const BEYOND_INT64: f64 = 9_223_372_036_854_775_808.0;

/// Checks one node.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    check_lengths(node, report);
    check_numbers(node, report);
}

/// A pair of lengths: the words, the markers and the values.
type Lengths = (
    &'static str,
    Keyword,
    Option<i64>,
    &'static str,
    Keyword,
    Option<i64>,
);

fn check_lengths(node: &Node<'_>, report: &mut Report<'_>) {
    let bounds = &node.schema.constraints;
    let pairs: [Lengths; 3] = [
        (
            "minLength",
            Keyword::MinLength,
            bounds.min_length,
            "maxLength",
            Keyword::MaxLength,
            bounds.max_length,
        ),
        (
            "minItems",
            Keyword::MinItems,
            bounds.min_items,
            "maxItems",
            Keyword::MaxItems,
            bounds.max_items,
        ),
        (
            "minProperties",
            Keyword::MinProperties,
            bounds.min_properties,
            "maxProperties",
            Keyword::MaxProperties,
            bounds.max_properties,
        ),
    ];
    for (lower_word, lower_key, lower, upper_word, upper_key, upper) in pairs {
        for (word, keyword, value) in [(lower_word, lower_key, lower), (upper_word, upper_key, upper)] {
            if let Some(value) = value.filter(|value| *value < 0) {
                let message = format!("`{word}` is {value}, but a length cannot be negative");
                report
                    .problems
                    .push(node.error(Code::ContradictingBounds, Some(keyword), message));
            }
        }
        if let (Some(least), Some(most)) = (lower, upper)
            && least > most
            && most >= 0
        {
            let message =
                format!("`{lower_word}` is {least} and `{upper_word}` is {most}, so no value is valid");
            report
                .problems
                .push(contradiction(node, lower_key, upper_key, message).tolerated());
        }
    }
}

fn check_numbers(node: &Node<'_>, report: &mut Report<'_>) {
    let bounds = &node.schema.constraints;
    let mut comparable = true;
    let numbers = [
        ("minimum", Keyword::Minimum, bounds.minimum),
        ("maximum", Keyword::Maximum, bounds.maximum),
        ("multipleOf", Keyword::MultipleOf, bounds.multiple_of),
    ];
    for (word, keyword, value) in numbers {
        if let Some(message) = value.and_then(|value| misfit(node, word, value)) {
            comparable = false;
            report.problems.push(
                node.error(Code::ContradictingBounds, Some(keyword), message)
                    .tolerated(),
            );
        }
    }
    if let Some(factor) = bounds.multiple_of.filter(|factor| factor.as_f64() <= 0.0) {
        let message = format!("`multipleOf` is {factor}, but it must be larger than 0");
        report
            .problems
            .push(node.error(Code::ContradictingBounds, Some(Keyword::MultipleOf), message));
    }
    if let (true, Some(least), Some(most)) = (comparable, bounds.minimum, bounds.maximum)
        && is_empty(node, least, most)
    {
        let below = if bounds.exclusive_minimum {
            "larger than"
        } else {
            "at least"
        };
        let above = if bounds.exclusive_maximum {
            "smaller than"
        } else {
            "at most"
        };
        let message = format!("no value is {below} {least} and {above} {most}");
        let problem = contradiction(node, Keyword::Minimum, Keyword::Maximum, message);
        report.problems.push(problem.tolerated());
    }
}

/// Returns the reason why the API server would refuse every value because of this bound.
fn misfit(node: &Node<'_>, word: &str, value: Number) -> Option<String> {
    let float = value.as_f64();
    // Parts of combinations do not have their own type, so only factors are converted to integers there.
    if node.nested && word != "multipleOf" {
        return None;
    }
    let format = node.counterpart.and_then(|outside| outside.format());
    match (node.json_type(), format) {
        (Some(JsonType::Integer), _) if float.fract() != 0.0 => {
            Some(format!("`{word}` is {value}, but the field is an integer"))
        }
        (Some(JsonType::Integer), Some("int32"))
            if !(f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&float) =>
        {
            Some(format!(
                "`{word}` is {value}, which does not fit the format `int32`"
            ))
        }
        (Some(JsonType::Integer), _) if !(-BEYOND_INT64..BEYOND_INT64).contains(&float) => Some(format!(
            "`{word}` is {value}, which the API server rounds to a number beyond `int64`"
        )),
        // Integers among the numbers are compared as such.
        (Some(JsonType::Number), _)
            if word != "multipleOf" && !(-BEYOND_INT64..BEYOND_INT64).contains(&float) =>
        {
            Some(format!(
                "`{word}` is {value}, which overflows `int64` in the API server, so that it refuses even 0"
            ))
        }
        (Some(JsonType::Number), Some("float")) if float.abs() > f64::from(f32::MAX) => Some(format!(
            "`{word}` is {value}, which does not fit the format `float`"
        )),
        _ => None,
    }
}

/// Returns whether there is no number between two bounds; no whole number, if the value is an integer.
fn is_empty(node: &Node<'_>, least: Number, most: Number) -> bool {
    let bounds = &node.schema.constraints;
    if let (Some(JsonType::Integer), Number::Integer(least), Number::Integer(most)) =
        (node.json_type(), least, most)
    {
        let first = i128::from(least) + i128::from(bounds.exclusive_minimum);
        let last = i128::from(most) - i128::from(bounds.exclusive_maximum);
        return first > last;
    }
    match least.compare(most) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => bounds.exclusive_minimum || bounds.exclusive_maximum,
        std::cmp::Ordering::Greater => true,
    }
}

/// Returns the problem of two bounds, at the one that a marker states; the other is shown too if a marker states it.
fn contradiction(node: &Node<'_>, lower: Keyword, upper: Keyword, message: String) -> Problem {
    let places = &node.schema.places;
    match (places.stated(lower), places.stated(upper)) {
        (Some(_), Some(other)) => node
            .error(Code::ContradictingBounds, Some(lower), message)
            .related(other, "the other bound"),
        (Some(_), None) => node.error(Code::ContradictingBounds, Some(lower), message),
        (None, _) => node.error(Code::ContradictingBounds, Some(upper), message),
    }
}
