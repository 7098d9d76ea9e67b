//! The versions that are built and tested together.

use crate::error::{Error, Result};

/// The variable that chooses the version of Kubernetes if the test does not, for example for a matrix in CI.
pub const KGEN_KUBERNETES: &str = "KGEN_KUBERNETES";

/// Versions that were built and tested together, the default first. The `go.mod` of Kubernetes names the etcd that it
/// is released with; the pin is the newest patch of that minor.
const PINNED: &[Pinned] = &[
    Pinned {
        kubernetes: "1.36.4",
        etcd: "3.6.16",
        kwok: "0.8.0",
    },
    Pinned {
        kubernetes: "1.37.1",
        etcd: "3.7.3",
        kwok: "0.8.0",
    },
];

struct Pinned {
    kubernetes: &'static str,
    etcd: &'static str,
    kwok: &'static str,
}

/// The versions of one control plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The version of Kubernetes, such as `1.36.4`.
    pub kubernetes: String,
    /// The version of etcd.
    pub etcd: String,
    /// The version of kwok.
    pub kwok: String,
}

impl Release {
    /// Returns the release for a minor (`1.36`: its pinned patch) or a whole version (`1.36.2`). The default is the
    /// value of `KGEN_KUBERNETES`, or else the first pinned release.
    ///
    /// A whole version whose minor is not pinned uses the default's etcd and kwok.
    ///
    /// # Errors
    ///
    /// Returns an error if the minor is not pinned or the text is not a version.
    pub fn resolve(asked: Option<&str>) -> Result<Self> {
        let chosen = std::env::var(KGEN_KUBERNETES)
            .ok()
            .filter(|version| !version.is_empty());
        Self::choose(asked.or(chosen.as_deref()))
    }

    fn choose(asked: Option<&str>) -> Result<Self> {
        let [default, ..] = PINNED else {
            return Err(unknown(""));
        };
        let Some(asked) = asked else {
            return Ok(Self::pinned(default));
        };
        let version = asked.trim_start_matches('v');
        let parts: Vec<&str> = version.split('.').collect();
        let numbers = parts.iter().all(|part| part.parse::<u32>().is_ok());
        let pin = PINNED.iter().find(|pin| minor(pin.kubernetes) == minor(version));
        match (numbers, parts.len(), pin) {
            (true, 2, Some(pin)) => Ok(Self::pinned(pin)),
            (true, 3, pin) => Ok(Self {
                kubernetes: version.to_owned(),
                ..Self::pinned(pin.unwrap_or(default))
            }),
            _ => Err(unknown(asked)),
        }
    }

    fn pinned(pin: &Pinned) -> Self {
        Self {
            kubernetes: pin.kubernetes.to_owned(),
            etcd: pin.etcd.to_owned(),
            kwok: pin.kwok.to_owned(),
        }
    }

    /// Returns the minor version of Kubernetes, such as `1.36`.
    #[must_use]
    pub fn minor(&self) -> &str {
        minor(&self.kubernetes)
    }

    /// Returns the version of the modules that Kubernetes publishes from its `staging` folder: 1.36.4 → 0.36.4.
    pub(crate) fn staging(&self) -> String {
        match self.kubernetes.split_once('.') {
            Some((_, rest)) => format!("0.{rest}"),
            None => self.kubernetes.clone(),
        }
    }
}

/// Returns the first two numbers of a version, which may start with `v`.
pub(crate) fn minor(version: &str) -> &str {
    let version = version.trim_start_matches('v');
    match version.match_indices('.').nth(1) {
        Some((dot, _)) => &version[..dot],
        None => version,
    }
}

fn unknown(asked: &str) -> Error {
    let known: Vec<&str> = PINNED.iter().map(|pin| minor(pin.kubernetes)).collect();
    Error::UnknownVersion {
        asked: asked.to_owned(),
        known: known.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minor_is_its_pinned_patch_and_a_whole_version_is_itself() {
        let kubernetes = |asked| Release::choose(asked).map(|release| release.kubernetes).ok();
        assert_eq!(kubernetes(None).as_deref(), Some("1.36.4"));
        assert_eq!(kubernetes(Some("1.37")).as_deref(), Some("1.37.1"));
        assert_eq!(kubernetes(Some("v1.36.2")).as_deref(), Some("1.36.2"));
        assert_eq!(kubernetes(Some("1.35.4")).as_deref(), Some("1.35.4"));
        assert_eq!(kubernetes(Some("1.35")), None);
        assert_eq!(kubernetes(Some("latest")), None);
    }

    #[test]
    fn an_unknown_minor_says_which_are_known() {
        let error = Release::choose(Some("1.20")).unwrap_err().to_string();
        assert!(
            error.contains("`1.20`") && error.contains("1.36, 1.37"),
            "{error}"
        );
    }

    #[test]
    fn staging_modules_have_the_version_with_a_zero() {
        assert_eq!(Release::choose(None).unwrap().staging(), "0.36.4");
    }
}
