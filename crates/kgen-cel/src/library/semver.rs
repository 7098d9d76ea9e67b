//! Semantic versions as the Go package `blang/semver` reads them, with its messages.

use std::cmp::Ordering;
use std::fmt::{self, Display};

use crate::go_text::quoted;

/// A version.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    pub(crate) major: u64,
    pub(crate) minor: u64,
    pub(crate) patch: u64,
    pre_release: Vec<Part>,
    /// Not compared.
    build: Vec<String>,
}

/// A part of a pre-release. Numbers come before texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u64),
    Text(String),
}

impl Version {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("Version string empty".to_owned());
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
            return Err("No Major.Minor.Patch elements found".to_owned());
        };
        let (major, minor) = (number(major, "Major")?, number(minor, "Minor")?);
        let (rest, build) = match rest.split_once('+') {
            Some((rest, build)) => (rest, Some(build)),
            None => (rest, None),
        };
        let (patch, pre_release) = match rest.split_once('-') {
            Some((patch, pre_release)) => (patch, Some(pre_release)),
            None => (rest, None),
        };
        let patch = number(patch, "Patch")?;
        let pre_release = pre_release.into_iter().flat_map(|text| text.split('.'));
        let pre_release = pre_release.map(pre_release_part).collect::<Result<_, _>>()?;
        let build = build.into_iter().flat_map(|text| text.split('.'));
        let build = build.map(build_part).collect::<Result<_, _>>()?;
        Ok(Self {
            major,
            minor,
            patch,
            pre_release,
            build,
        })
    }

    /// Parses a version that may have a `v` in front, zeros at the start of its numbers, and only one or two numbers.
    pub(crate) fn parse_tolerantly(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(without_zeros).collect();
        if parts.len() < 3 {
            if parts.last().is_some_and(|last| last.contains(['+', '-'])) {
                return Err("short version cannot contain PreRelease/Build meta data".to_owned());
            }
            parts.resize(3, "0".to_owned());
        }
        Self::parse(&parts.join("."))
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| {
            // A version without a pre-release is the greater one.
            let is_release = self.pre_release.is_empty().cmp(&other.pre_release.is_empty());
            is_release.then_with(|| self.pre_release.cmp(&other.pre_release))
        })
    }
}

impl Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (index, part) in self.pre_release.iter().enumerate() {
            formatter.write_str(if index == 0 { "-" } else { "." })?;
            match part {
                Part::Number(number) => write!(formatter, "{number}")?,
                Part::Text(text) => formatter.write_str(text)?,
            }
        }
        for (index, part) in self.build.iter().enumerate() {
            formatter.write_str(if index == 0 { "+" } else { "." })?;
            formatter.write_str(part)?;
        }
        Ok(())
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_word(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn has_leading_zero(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0')
}

fn number(text: &str, what: &str) -> Result<u64, String> {
    if !is_number(text) {
        let what = what.to_lowercase();
        return Err(format!(
            "Invalid character(s) found in {what} number {}",
            quoted(text)
        ));
    }
    if has_leading_zero(text) {
        return Err(format!(
            "{what} number must not contain leading zeroes {}",
            quoted(text)
        ));
    }
    parse_number(text)
}

fn parse_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        let reason = if text.is_empty() {
            "invalid syntax"
        } else {
            "value out of range"
        };
        format!("strconv.ParseUint: parsing {}: {reason}", quoted(text))
    })
}

fn pre_release_part(text: &str) -> Result<Part, String> {
    if text.is_empty() {
        return Err("Prerelease is empty".to_owned());
    }
    if is_number(text) {
        if has_leading_zero(text) {
            return Err(format!(
                "Numeric PreRelease version must not contain leading zeroes {}",
                quoted(text)
            ));
        }
        return parse_number(text).map(Part::Number);
    }
    if is_word(text) {
        return Ok(Part::Text(text.to_owned()));
    }
    Err(format!(
        "Invalid character(s) found in prerelease {}",
        quoted(text)
    ))
}

fn build_part(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err("Build meta data is empty".to_owned());
    }
    if is_word(text) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "Invalid character(s) found in build meta data {}",
        quoted(text)
    ))
}

/// Removes zeros at the start, but leaves a digit there.
fn without_zeros(part: &str) -> String {
    if part.len() < 2 {
        return part.to_owned();
    }
    let rest = part.trim_start_matches('0');
    if rest.starts_with(|first: char| first.is_ascii_digit()) {
        rest.to_owned()
    } else {
        format!("0{rest}")
    }
}
