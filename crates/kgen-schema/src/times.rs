//! Times in RFC 3339, which the API server converts to UTC and cuts to seconds.

use kgen_cel::go_time::Timestamp;

/// Converts a time to UTC without fractions of seconds. Returns `None` if the text is not a time.
pub(crate) fn to_utc(text: &str) -> Option<String> {
    Some(Timestamp::parse(text)?.utc_seconds().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_converted_to_utc() {
        for (text, expected) in [
            ("2024-02-29T23:30:00Z", Some("2024-02-29T23:30:00Z")),
            ("2024-02-29T23:30:00.25-01:00", Some("2024-03-01T00:30:00Z")),
            ("2024-01-01T00:30:00+01:00", Some("2023-12-31T23:30:00Z")),
            ("2024-01-01", None),
            ("2024-01-01T00:30:00", None),
            ("2024-01-01T25:30:00Z", None),
        ] {
            assert_eq!(to_utc(text).as_deref(), expected, "{text}");
        }
    }
}
