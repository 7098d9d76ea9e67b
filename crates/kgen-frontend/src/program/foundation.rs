//! Which schemars and k8s-openapi the user's crates build with. kube-derive writes what these give it: schemars 0.8, which
//! kube asked for up to version 1, gives other texts, bounds and enums than version 1, and an old k8s-openapi has text
//! where a newer one has an integer or text. kube itself changed what it makes of that in versions 3 and 5.

use std::collections::BTreeSet;

use super::manifest::{Dependency, Edge};
use super::{CrateId, Program};

/// The versions of schemars that write schemas differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schemars {
    /// 0.8 and before.
    Zero,
    /// 1 and later; also where nothing tells.
    One,
}

/// The version of kube whose definitions kgen knows best, for where nothing tells.
const KUBE: u32 = 5;

/// What kube-derive builds on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foundation {
    pub(crate) schemars: Schemars,
    /// Whether `IntOrString` of k8s-openapi is text, as it was before version 0.21.
    pub(crate) int_or_string_is_text: bool,
    /// The major version of kube.
    pub(crate) kube: u32,
}

impl Default for Foundation {
    fn default() -> Self {
        Self {
            schemars: Schemars::One,
            int_or_string_is_text: false,
            kube: KUBE,
        }
    }
}

impl Schemars {
    /// What a version, or a requirement for one, means.
    fn of_version(version: &str) -> Self {
        let number = version.trim_start_matches(['^', '=', '~', '>', '<', ' ']);
        if number.starts_with("0.") || number == "0" {
            Self::Zero
        } else {
            Self::One
        }
    }

    /// What a major version of kube means: 2 was the first to take schemars 1.
    fn of_kube(major: u32) -> Self {
        if major < 2 { Self::Zero } else { Self::One }
    }
}

/// The first number of a version, or of a requirement for one.
fn major(version: &str) -> Option<u32> {
    let number = version.trim_start_matches(['^', '=', '~', '>', '<', ' ']);
    number.split('.').next()?.parse().ok()
}

/// Whether a version of k8s-openapi, or a requirement for one, is before 0.21.
fn has_textual_int_or_string(version: &str) -> bool {
    let number = version.trim_start_matches(['^', '=', '~', '>', '<', ' ']);
    let mut parts = number.split('.').map(str::parse::<u32>);
    matches!((parts.next(), parts.next()), (Some(Ok(0)), Some(Ok(minor))) if minor < 21)
}

impl Program {
    /// What the crates that the user points at build on. In one workspace that is the same, because there is one kube.
    pub(crate) fn foundation(&mut self) -> Foundation {
        if let Some(known) = self.foundation {
            return known;
        }
        let wanted: BTreeSet<CrateId> = self
            .modules
            .iter()
            .filter(|module| module.wanted)
            .map(|module| module.crate_id)
            .collect();
        let found = wanted.into_iter().find_map(|id| self.foundation_of(id));
        *self.foundation.insert(found.unwrap_or_default())
    }

    fn foundation_of(&mut self, id: CrateId) -> Option<Foundation> {
        let kube = self
            .version_of(id, &["kube", "kube-derive", "kube-core"])
            .and_then(|version| major(&version));
        let schemars = self
            .version_of(id, &["schemars"])
            .map(|version| Schemars::of_version(&version))
            .or_else(|| kube.map(Schemars::of_kube))?;
        let kubernetes = self.version_of(id, &["k8s-openapi"]);
        Some(Foundation {
            schemars,
            int_or_string_is_text: kubernetes.is_some_and(|version| has_textual_int_or_string(&version)),
            kube: kube.unwrap_or(KUBE),
        })
    }

    /// The version of the first of several packages that a crate depends on, or what its manifest asks for where no
    /// lock file tells more.
    fn version_of(&mut self, id: CrateId, packages: &[&str]) -> Option<String> {
        let dependencies = self.crates.get(id.0)?.dependencies.as_ref()?;
        let edge: Edge = packages.iter().find_map(|name| {
            dependencies.values().find_map(|dependency| match dependency {
                Dependency::Elsewhere(edge) if edge.package == *name => Some(edge.clone()),
                _ => None,
            })
        })?;
        let locked = self.locked(id).and_then(|locked| {
            let entry = locked.lock.dependency(locked.entry, &edge)?;
            Some(locked.lock.packages.get(entry)?.version.clone())
        });
        locked.or(edge.requirement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_requirements() {
        for zero in ["0.8.22", "0.8", "^0.8", "=0.8.12", "0"] {
            assert_eq!(Schemars::of_version(zero), Schemars::Zero, "{zero}");
        }
        for one in ["1", "1.0.4", "*", "~1.2"] {
            assert_eq!(Schemars::of_version(one), Schemars::One, "{one}");
        }
        assert_eq!(major("1.1.0").map(Schemars::of_kube), Some(Schemars::Zero));
        assert_eq!(major("^0.74").map(Schemars::of_kube), Some(Schemars::Zero));
        assert_eq!(major("2").map(Schemars::of_kube), Some(Schemars::One));
        assert_eq!(major("*"), None);
        assert!(has_textual_int_or_string("0.20.0"));
        assert!(has_textual_int_or_string("^0.15"));
        assert!(!has_textual_int_or_string("0.21.1"));
        assert!(!has_textual_int_or_string("1.0"));
    }
}
