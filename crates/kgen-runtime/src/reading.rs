//! Reading JSON that a server sent. An error says where the JSON differs from the Rust type, and never quotes a value: what
//! is read may be a secret, and errors end up in logs.

use serde::de::DeserializeOwned;

/// Returns why `json` cannot be read as a `T`: the path to the place, and the mismatch.
///
/// Reads the JSON a second time, with a record of the path, so that the first time stays fast.
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
    let message = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(message, _place)| message);
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
    for form in ["unknown variant", "unknown field"] {
        if message.starts_with(form) {
            return match message.split_once("`, ") {
                Some((_quoted, expected)) => format!("{form}, {expected}"),
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
    fn a_place_is_named_where_nothing_else_can_be() {
        assert_eq!(
            mismatch::<Spec>("{\"size\":"),
            "size: EOF while parsing a value at line 1 column 8"
        );
    }
}
