//! Placeholder until the real one lands.

/// The plural of a kind.
#[must_use]
pub fn plural(kind: &str) -> String {
    format!("{}s", kind.to_lowercase())
}
