//! Numbers as Go prints them: integers in decimal, floats in the shortest form that parses to the same value, with an
//! exponent below 0.0001 and from a million on.

use std::fmt::Write;

use serde_json::Number;

/// Appends `number` to `out`.
pub(super) fn write(number: &Number, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = if let Some(integer) = number.as_i64() {
        write!(out, "{integer}")
    } else if let Some(integer) = number.as_u64() {
        write!(out, "{integer}")
    } else if let Some(float) = number.as_f64() {
        return write_float(float, out);
    } else {
        // Only with the feature `arbitrary_precision` of serde_json, which kgen does not use.
        write!(out, "{number}")
    };
}

fn write_float(float: f64, out: &mut String) {
    // Rust's exponent form, such as `-1.25e-7`, has the fewest digits that parse to the same value. If two such texts
    // are equally close, Rust takes the larger one and Go the even one. Rust takes the even one too if the number of
    // digits is given.
    let shortest = format!("{float:e}");
    let (digits, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // Writing to a string cannot fail.
    let _ = if (-4..6).contains(&exponent) {
        let fraction = i32::try_from(fraction).unwrap_or(0) - exponent;
        write!(out, "{float:.*}", usize::try_from(fraction).unwrap_or(0))
    } else {
        let exact = format!("{float:.fraction$e}");
        let digits = exact.split_once('e').map_or(exact.as_str(), |(digits, _)| digits);
        let sign = if exponent < 0 { '-' } else { '+' };
        write!(out, "{digits}e{sign}{:02}", exponent.unsigned_abs())
    };
}
