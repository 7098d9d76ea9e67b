//! The timeout of a request. The API server sends its own timeout in the query of the URL.

use std::time::Duration;

/// The timeout of the API server for a webhook whose configuration does not set one.
const USUAL: Duration = Duration::from_secs(10);
/// The maximum that a webhook configuration can set.
const LONGEST: Duration = Duration::from_secs(30);

/// Returns the timeout of a request with this query: a little less than that of the API server, so that it gets the
/// reason, and at most `limit`.
pub(super) fn patience(query: Option<&str>, limit: Option<Duration>) -> Duration {
    let asked = query
        .unwrap_or_default()
        .split('&')
        .find_map(|word| word.strip_prefix("timeout="))
        .and_then(go_duration)
        .filter(|asked| !asked.is_zero());
    let asked = match asked {
        Some(asked) => asked.min(LONGEST),
        None => USUAL,
    };
    let margin = (asked / 20).clamp(Duration::from_millis(100), Duration::from_millis(500));
    let patience = asked.saturating_sub(margin).max(asked / 2);
    limit.map_or(patience, |limit| patience.min(limit))
}

/// Parses a duration in Go's format: `10s`, `1m0s`, `1.5s`, `500ms`.
fn go_duration(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let number = rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
                .len();
        let (amount, after) = rest.split_at(number);
        let unit = after.len() - after.trim_start_matches(|c: char| c.is_alphabetic()).len();
        let (unit, after) = after.split_at(unit);
        let seconds = match unit {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "us" | "µs" => 1e-6,
            "ns" => 1e-9,
            _ => return None,
        };
        let amount: f64 = amount.parse().ok()?;
        total = total.checked_add(Duration::try_from_secs_f64(amount * seconds).ok()?)?;
        rest = after;
    }
    (!text.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_writes_them() {
        for (text, expected) in [
            ("10s", Some(10_000)),
            ("1m0s", Some(60_000)),
            ("1h0m1.5s", Some(3_601_500)),
            ("250ms", Some(250)),
            ("0s", Some(0)),
            ("0", Some(0)),
            ("", None),
            ("10", None),
            ("s", None),
            ("10x", None),
            ("-1s", None),
            ("1.2.3s", None),
            ("99999999999999999999h", None),
        ] {
            assert_eq!(go_duration(text), expected.map(Duration::from_millis), "{text}");
        }
    }

    #[test]
    fn the_answer_comes_before_the_api_server_gives_up() {
        let second = Duration::from_secs(1);
        assert_eq!(patience(Some("timeout=10s"), None), Duration::from_millis(9500));
        assert_eq!(patience(Some("a=b&timeout=1s"), None), Duration::from_millis(900));
        assert_eq!(patience(Some("timeout=30s"), None), Duration::from_millis(29_500));
        assert_eq!(patience(Some("timeout=30s"), Some(second)), second);
        assert_eq!(patience(Some("timeout=100ms"), None), Duration::from_millis(50));
        // Empty, invalid, and overflowing durations.
        assert_eq!(patience(None, None), Duration::from_millis(9500));
        assert_eq!(patience(Some("timeout=soon"), None), Duration::from_millis(9500));
        assert_eq!(patience(Some("timeout=0s"), None), Duration::from_millis(9500));
        assert_eq!(
            patience(Some("timeout=9h0m0s"), None),
            Duration::from_millis(29_500)
        );
    }
}
