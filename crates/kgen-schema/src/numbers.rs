//! Numbers as the API server reads them from JSON and writes them again.

use serde_json::{Number, Value};

/// Turns all numbers of a value into those that the API server has after it has read them.
///
/// An integer beyond `int64` is a floating-point number in Go, and a floating-point number without a fraction is written
/// without one.
///
/// ```
/// let mut value = serde_json::from_str("[5.0, 1.5, 18446744073709551615]")?;
/// kgen_schema::read_numbers(&mut value);
/// assert_eq!(value, serde_json::json!([5, 1.5, 18446744073709551616.0]));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn read_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(read) = read(number) {
                *number = read;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(read_numbers),
        Value::Object(entries) => entries.values_mut().for_each(read_numbers),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Returns the number as it is written again, or `None` if it does not change.
fn read(number: &Number) -> Option<Number> {
    if number.is_i64() {
        return None;
    }
    let float = number.as_f64()?;
    let whole = (float.fract() == 0.0).then(|| format!("{float}").parse::<i64>().ok());
    match whole.flatten() {
        Some(whole) => Some(whole.into()),
        None => Number::from_f64(float),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::read_numbers;

    #[test]
    fn numbers_are_those_of_go() {
        let mut value: Value = serde_json::from_str("[5.0, -0.0, 1.5, 1e300, {\"a\": 7}]").unwrap();
        read_numbers(&mut value);
        assert_eq!(value, json!([5, 0, 1.5, 1e300, {"a": 7}]));
    }
}
