//! Deserializes JSON from a server. An error contains the path at which the JSON does not match the Rust type. It never
//! quotes a value, because values can be secrets and errors are logged.

use serde::de::DeserializeOwned;

/// Returns why `json` cannot be deserialized as a `T`: the path and the mismatch.
///
/// Deserializes the JSON a second time and records the path, so that the first time stays fast.
pub(crate) fn mismatch<T: DeserializeOwned>(json: &str) -> String {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
        Ok(_) => "the JSON goes on after its end".to_owned(),
        Err(error) => {
            let path = error.path().to_string();
            let text = unquoted(error.inner());
            if path == "." {
                text
            } else {
                format!("{path}: {text}")
            }
        }
    }
}

/// Returns the message of `error` without any value of the JSON.
///
/// Messages of serde have a few known forms. Types can add their own, which may quote anything, so others are not repeated.
pub(crate) fn unquoted(error: &serde_json::Error) -> String {
    if error.is_io() || error.is_syntax() || error.is_eof() {
        return error.to_string();
    }
    let message = error.to_string();
    // Only a message with a place ends with one; otherwise these words are part of a value.
    let message = match message.rsplit_once(" at line ") {
        Some((message, _place)) if error.line() > 0 => message,
        _ => &message,
    };
    let is_of_the_type = ["missing field `", "duplicate field `", "invalid length "]
        .iter()
        .any(|form| message.starts_with(form));
    if is_of_the_type {
        return message.to_owned();
    }
    for form in ["invalid type: ", "invalid value: "] {
        if let Some(rest) = message.strip_prefix(form)
            && let Some((found, expected)) = rest.rsplit_once(", expected ")
        {
            // `string "…"`, ``integer `…` ``, `map`: the word before the value.
            let word = found.split(['"', '`']).next().unwrap_or_default().trim_end();
            return format!("{form}{word}, expected {expected}");
        }
    }
    for (form, nothing) in [
        ("unknown variant", "there are no variants"),
        ("unknown field", "there are no fields"),
    ] {
        if message.starts_with(form) {
            // The value is quoted first and can contain anything, so only the end of the message can be trusted.
            if message.ends_with(nothing) {
                return format!("{form}, {nothing}");
            }
            return match message.rsplit_once("`, expected ") {
                Some((_quoted, expected)) => format!("{form}, expected {expected}"),
                None => form.to_owned(),
            };
        }
    }
    "the value is not valid".to_owned()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde::de::Error;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only read")]
    struct Spec {
        size: u8,
        mode: Option<Mode>,
        strict: Option<Strict>,
        picky: Option<Picky>,
        never: Option<Never>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Mode {
        Fast,
        Slow,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Strict {
        only: Option<bool>,
    }

    #[derive(Debug)]
    struct Picky;

    #[derive(Debug, Deserialize)]
    enum Never {}

    impl<'de> Deserialize<'de> for Picky {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            Err(D::Error::custom(format!("{text} is not picky")))
        }
    }

    #[test]
    fn no_value_is_quoted() {
        for (json, expected) in [
            (r#"{}"#, "missing field `size`"),
            (
                r#"{"size":"hunter2, expected nothing"}"#,
                "size: invalid type: string, expected u8",
            ),
            (r#"{"size":1234}"#, "size: invalid value: integer, expected u8"),
            (
                r#"{"size":1,"mode":"hunter2"}"#,
                "mode: unknown variant, expected `fast` or `slow`",
            ),
            (
                r#"{"size":1,"mode":"a`, hunter2"}"#,
                "mode: unknown variant, expected `fast` or `slow`",
            ),
            (
                r#"{"size":1,"mode":"a`, expected hunter2"}"#,
                "mode: unknown variant, expected `fast` or `slow`",
            ),
            (
                r#"{"size":1,"never":"a`, expected hunter2"}"#,
                "never: unknown variant, there are no variants",
            ),
            (
                r#"{"size":1,"strict":{"hunter2":1}}"#,
                "strict.hunter2: unknown field, expected `only`",
            ),
            (r#"{"size":1,"picky":"hunter2"}"#, "picky: the value is not valid"),
            (r#"{"size":{}}"#, "size: invalid type: map, expected u8"),
        ] {
            assert_eq!(mismatch::<Spec>(json), expected, "{json}");
        }
    }

    #[test]
    fn no_value_is_quoted_if_the_message_has_no_place() {
        let value = serde_json::json!({ "size": "a, expected hunter2 at line 1" });
        let error = serde_json::from_value::<Spec>(value).unwrap_err();
        assert_eq!(unquoted(&error), "invalid type: string, expected u8");
    }

    #[test]
    fn a_place_is_named_where_nothing_else_can_be() {
        assert_eq!(
            mismatch::<Spec>("{\"size\":"),
            "size: EOF while parsing a value at line 1 column 8"
        );
    }
}
