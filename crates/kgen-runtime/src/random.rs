//! Random identifiers and jitter.

use std::time::Duration;

/// Returns a random UUID (version 4).
pub(crate) fn uuid() -> String {
    let random = fastrand::u128(..);
    let hex = format!("{random:032x}");
    let variant = fastrand::choice(["8", "9", "a", "b"]).unwrap_or("8");
    format!(
        "{}-{}-4{}-{variant}{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[13..16],
        &hex[17..20],
        &hex[20..]
    )
}

/// Adds a random jitter of up to `factor` times `duration`.
pub(crate) fn jittered(duration: Duration, factor: f64) -> Duration {
    scaled(duration, 1.0 + factor * fastrand::f64())
}

/// Returns `duration` times `factor`, or the longest duration on overflow.
pub(crate) fn scaled(duration: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(duration.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}
