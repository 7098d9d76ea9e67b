//! Which schemars and k8s-openapi the user's crates build with. The output of kube-derive depends on them: schemars
//! 0.8, which kube used up to version 1, generates other texts, bounds and enums than version 1, and an old k8s-openapi
//! has a string where a newer one has an integer or a string. kube itself changed its output in versions 3 and 4.2.

use std::collections::BTreeSet;

use super::manifest::{Dependency, Edge};
use super::{CrateId, Program};

/// The versions of schemars that write schemas differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schemars {
    /// 0.8 and before.
    Zero,
    /// 1 and later; also the default.
    One,
}

/// The version of kube that kgen knows best, which is the default.
const KUBE: KubeVersion = (5, 0);

/// The first two numbers of a version of kube.
pub(crate) type KubeVersion = (u32, u32);

/// The dependencies of kube-derive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foundation {
    pub(crate) schemars: Schemars,
    /// Whether `IntOrString` of k8s-openapi is text, as it was before version 0.21.
    pub(crate) int_or_string_is_text: bool,
    /// The version of kube.
    pub(crate) kube: KubeVersion,
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
    /// Parses a version, or a version requirement.
    fn of_version(version: &str) -> Self {
        let number = version.trim_start_matches(['^', '=', '~', '>', '<', ' ']);
        if number.starts_with("0.") || number == "0" {
            Self::Zero
        } else {
            Self::One
        }
    }

    /// Derives the version of schemars from a major version of kube: 2 was the first to use schemars 1.
    fn of_kube(major: u32) -> Self {
        if major < 2 { Self::Zero } else { Self::One }
    }
}

/// Returns the first two numbers of a version, or of the newest one that fits a requirement.
fn kube_version(version: &str) -> Option<KubeVersion> {
    let number = version.trim_start_matches(['^', '=', '~', '>', '<', ' ']);
    let mut parts = number.split('.');
    let major = parts.next()?.parse().ok()?;
    let minor = parts.next().and_then(|minor| minor.parse().ok());
    let takes_newer = major > 0 && version.starts_with(['^', '>']);
    Some((major, minor.filter(|_| !takes_newer).unwrap_or(u32::MAX)))
}

/// Returns whether a version of k8s-openapi, or a requirement for one, is before 0.21.
fn has_textual_int_or_string(version: &str) -> bool {
    let number = version.trim_start_matches(['^', '=', '~', '>', '<', ' ']);
    let mut parts = number.split('.').map(str::parse::<u32>);
    matches!((parts.next(), parts.next()), (Some(Ok(0)), Some(Ok(minor))) if minor < 21)
}

impl Program {
    /// Returns the dependencies of the requested crates. They are the same in one workspace, because it has one kube.
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
        let found: Vec<Versions> = wanted.into_iter().map(|id| self.versions_of(id)).collect();
        // A crate without kube may be beside the one whose kinds use its types.
        let known = |is_known: fn(&Versions) -> bool| found.iter().find(|versions| is_known(versions));
        let versions = known(|versions| versions.kube.is_some())
            .or_else(|| known(|versions| versions.schemars.is_some()));
        *self
            .foundation
            .insert(versions.map(Versions::foundation).unwrap_or_default())
    }

    /// Returns the versions that a crate builds with. Many operators get all of them through another crate, which
    /// hands kube and schemars on.
    fn versions_of(&mut self, id: CrateId) -> Versions {
        let kube_edge = self.direct(id, KUBE_PACKAGES);
        let locked = self.locked(id);
        let lock = locked.as_ref().map(|locked| &*locked.lock);
        let member = locked.as_ref().and_then(|locked| locked.entry);
        let kube_entry = lock.and_then(|lock| {
            let direct = kube_edge.as_ref().and_then(|edge| lock.dependency(member, edge));
            direct.or_else(|| lock.nearest(member, KUBE_PACKAGES))
        });
        let version = |entry: usize| Some(lock?.packages.get(entry)?.version.clone());
        let of_package = |name: &'static str| {
            let edge = self.direct(id, &[name]);
            let entry = lock.and_then(|lock| {
                let direct = edge.as_ref().and_then(|edge| lock.dependency(member, edge));
                // What kube builds with is nearer to its derive than what another dependency happens to use.
                direct
                    .or_else(|| kube_entry.and_then(|kube| lock.nearest(Some(kube), &[name])))
                    .or_else(|| lock.nearest(member, &[name]))
            });
            entry.and_then(version).or_else(|| required(edge?))
        };
        let (schemars, kubernetes) = (of_package("schemars"), of_package("k8s-openapi"));
        Versions {
            kube: kube_entry.and_then(version).or_else(|| required(kube_edge?)),
            schemars,
            kubernetes,
        }
    }

    /// Returns the dependency of a crate on the first of several packages that it names.
    fn direct(&self, id: CrateId, packages: &[&str]) -> Option<Edge> {
        let dependencies = self.crates.get(id.0)?.dependencies.as_ref()?;
        packages.iter().find_map(|name| {
            let mut edges = dependencies.values().map(|dependency| match dependency {
                Dependency::Elsewhere(edge) | Dependency::Folder(_, edge) => edge,
            });
            edges.find(|edge| edge.package == *name).cloned()
        })
    }
}

/// Returns the requirement in a manifest.
fn required(edge: Edge) -> Option<String> {
    let requirement = edge.requirement?;
    // A string that starts with a digit is the short form.
    let is_short = requirement.starts_with(|letter: char| letter.is_ascii_digit());
    Some(if is_short {
        format!("^{requirement}")
    } else {
        requirement
    })
}

/// The packages that have the version of kube, the best known first.
const KUBE_PACKAGES: &[&str] = &["kube", "kube-derive", "kube-core"];

/// The versions that a crate builds with, or the requirements for them; `None` for one that is not known.
struct Versions {
    kube: Option<String>,
    schemars: Option<String>,
    kubernetes: Option<String>,
}

impl Versions {
    fn foundation(&self) -> Foundation {
        let kube = self.kube.as_deref().and_then(kube_version);
        let schemars = self.schemars.as_deref().map(Schemars::of_version);
        let kubernetes = self.kubernetes.as_deref();
        Foundation {
            schemars: schemars
                .or_else(|| kube.map(|(major, _)| Schemars::of_kube(major)))
                .unwrap_or(Schemars::One),
            int_or_string_is_text: kubernetes.is_some_and(has_textual_int_or_string),
            kube: kube.unwrap_or(KUBE),
        }
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
        assert_eq!(Schemars::of_kube(1), Schemars::Zero);
        assert_eq!(Schemars::of_kube(2), Schemars::One);
        assert_eq!(kube_version("1.1.0"), Some((1, 1)));
        assert_eq!(kube_version("^0.74"), Some((0, 74)));
        assert_eq!(kube_version("=4.0"), Some((4, 0)));
        assert_eq!(kube_version("^4.0"), Some((4, u32::MAX)));
        assert_eq!(kube_version("4"), Some((4, u32::MAX)));
        assert_eq!(kube_version("*"), None);
        assert!(has_textual_int_or_string("0.20.0"));
        assert!(has_textual_int_or_string("^0.15"));
        assert!(!has_textual_int_or_string("0.21.1"));
        assert!(!has_textual_int_or_string("1.0"));
    }
}
