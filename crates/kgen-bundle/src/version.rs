//! Semantic versions, as far as OLM compares them.

use std::cmp::Ordering;

use kgen_diagnostics::{Code, Problem, Problems};

use crate::options::BundleOptions;

/// A version in the form `1.2.3-beta.1+build`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version<'a> {
    numbers: [u64; 3],
    /// The identifiers after `-`; empty for a release.
    early: Vec<&'a str>,
}

impl<'a> Version<'a> {
    /// Reads a version; `None` if it is not semver.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let (text, build) = match text.split_once('+') {
            Some((text, build)) => (text, Some(build)),
            None => (text, None),
        };
        let (release, early) = match text.split_once('-') {
            Some((release, early)) => (release, early.split('.').collect()),
            None => (text, Vec::new()),
        };
        let is_identifier = |part: &str| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let without_zeros = |part: &str| !is_number(part) || part == "0" || !part.starts_with('0');
        let mut parts = release.split('.');
        let mut number = || {
            let part = parts.next()?;
            (is_number(part) && without_zeros(part)).then(|| part.parse().ok())?
        };
        let numbers = [number()?, number()?, number()?];
        let is_whole = parts.next().is_none()
            && early
                .iter()
                .all(|part| is_identifier(part) && without_zeros(part))
            && build.is_none_or(|build| build.split('.').all(is_identifier));
        is_whole.then_some(Self { numbers, early })
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.numbers
            .cmp(&other.numbers)
            .then_with(|| match (self.early.is_empty(), other.early.is_empty()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => {
                    let pairs = self.early.iter().zip(&other.early);
                    pairs
                        .map(|(left, right)| compare_identifiers(left, right))
                        .find(|order| order.is_ne())
                        .unwrap_or_else(|| self.early.len().cmp(&other.early.len()))
                }
            })
    }
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

fn compare_identifiers(left: &str, right: &str) -> Ordering {
    match (is_number(left), is_number(right)) {
        // Numbers without leading zeros: the longer one is greater.
        (true, true) => left.len().cmp(&right.len()).then_with(|| left.cmp(right)),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => left.cmp(right),
    }
}

/// Reports versions that OLM would refuse.
pub(crate) fn check(options: &BundleOptions, problems: &mut Problems) {
    let Some(version) = Version::read(&options.version) else {
        let message = format!("the version `{}` is not a semantic version", options.version);
        problems.push(
            Problem::general(Code::BundleVersion, message)
                .help("write three numbers, such as `0.2.0`, without a leading `v`"),
        );
        return;
    };
    let Some(replaces) = options.replaces.as_deref().filter(|name| !name.is_empty()) else {
        return;
    };
    let example = format!("{}.v0.1.0", options.name);
    let older = replaces
        .strip_prefix(options.name.as_str())
        .and_then(|rest| rest.strip_prefix(".v"))
        .and_then(Version::read);
    match older {
        None => problems.push(
            Problem::general(
                Code::BundleVersion,
                format!("`replaces = \"{replaces}\"` is not the name of a version of this operator"),
            )
            .help(format!("write it in the form `{example}`")),
        ),
        Some(older) if version.compare(&older).is_le() => problems.push(
            Problem::general(
                Code::BundleVersion,
                format!(
                    "the version {} is not greater than `{replaces}`, which it replaces",
                    options.version
                ),
            )
            .help("raise the version, or name an older one in `replaces`"),
        ),
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared() {
        let sorted = [
            "0.1.0",
            "1.0.0-1",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-beta",
            "1.0.0",
            "1.2.0+build.7",
            "1.10.0",
        ];
        for pair in sorted.windows(2) {
            let [left, right] = [pair[0], pair[1]].map(|text| Version::read(text).unwrap());
            assert_eq!(left.compare(&right), Ordering::Less, "{pair:?}");
        }
        for wrong in [
            "", "1", "1.2", "v1.2.3", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+", "1.2.x",
        ] {
            assert_eq!(Version::read(wrong), None, "{wrong}");
        }
    }
}
