//! Chance: names that nobody else has, and waits that are not the same everywhere.

use std::time::Duration;

/// A random UUID (version 4).
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

/// `duration`, lengthened by a random share of up to `factor` of itself.
pub(crate) fn jittered(duration: Duration, factor: f64) -> Duration {
    scaled(duration, 1.0 + factor * fastrand::f64())
}

/// `duration` times `factor`; what cannot be expressed is the longest duration.
pub(crate) fn scaled(duration: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(duration.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}
