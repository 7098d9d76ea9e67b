//! Comments that look like markers and are none: `// + kubebuilder:…`, `// @kubebuilder:…`, `// kubebuilder:…`.
//!
//! Only the exact name of a known marker counts, and nothing but its value may follow: prose that mentions a marker is not
//! a near miss.

use std::ops::Range;

use crate::comment::{name_length, starts_marker};
use crate::table;

/// The prefixes that no word of prose starts with.
const PREFIXES: [&str; 3] = ["kubebuilder:", "kgen:", "k8s:"];

/// Deeper indentation is code in Markdown.
const CODE_INDENTATION: usize = 4;

/// A comment that would be a marker with another sign at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearMiss<'a> {
    /// The bytes that a `+` should take the place of.
    pub sign: Range<usize>,
    /// The name of the marker, as it is written.
    pub name: &'a str,
}

/// Finds out whether the text of a line comment is nearly a marker.
#[must_use]
pub fn near_miss(text: &str) -> Option<NearMiss<'_>> {
    let rest = text.trim_start();
    let indentation = text.len() - rest.len();
    if indentation >= CODE_INDENTATION {
        return None;
    }
    let without_blanks = |text: &str| text.len() - text.trim_start().len();
    let sign = match rest.chars().next()? {
        '+' => match without_blanks(rest.get(1..)?) {
            // A plus directly before the name is a marker.
            0 => return None,
            blanks => 1 + blanks,
        },
        '@' => 1 + without_blanks(rest.get(1..)?),
        'k' => 0,
        _ => return None,
    };
    let marker = rest.get(sign..)?;
    let name = known_name(marker)?;
    let behind = marker.get(name.len()..)?;
    // Without a sign, a sentence may start with the name.
    let is_prose = sign == 0 && behind.contains(char::is_whitespace) && !behind.contains(['"', '`']);
    (!is_prose).then(|| NearMiss {
        sign: indentation..indentation + sign,
        name,
    })
}

/// Returns the marker in the text of a block comment, and its name, if it starts the comment or one of its lines.
#[must_use]
pub fn marker_in_block(text: &str) -> Option<(Range<usize>, &str)> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start().trim_start_matches('*').trim_start();
        if starts_marker(content)
            && let Some(name) = content.get(1..).and_then(known_name)
        {
            let start = offset + line.len() - content.len();
            return Some((start..start + content.trim_end().len(), name));
        }
        offset += line.len();
    }
    None
}

/// Returns the known name that a text starts with, if the end of the text or a value follows.
fn known_name(text: &str) -> Option<&str> {
    let name = text.get(..name_length(text))?;
    let behind = text.get(name.len()..)?;
    let is_known = PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        && !name.ends_with(':')
        && table::find_name(name).is_some();
    let is_whole = behind.trim_end().is_empty() || behind.starts_with(['=', '(']);
    (is_known && is_whole).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_found() {
        for (text, sign, name) in [
            (
                "+ kubebuilder:validation:Minimum=1",
                0..2,
                "kubebuilder:validation:Minimum",
            ),
            (
                "@kubebuilder:validation:Minimum=1",
                0..1,
                "kubebuilder:validation:Minimum",
            ),
            (
                " kubebuilder:subresource:status",
                1..1,
                "kubebuilder:subresource:status",
            ),
            (
                "kubebuilder:validation:XValidation:rule=\"self > 1\"",
                0..0,
                "kubebuilder:validation:XValidation:rule",
            ),
        ] {
            assert_eq!(near_miss(text), Some(NearMiss { sign, name }), "{text}");
        }
    }

    #[test]
    fn prose_is_left_alone() {
        for text in [
            "+kubebuilder:validation:Minimum=1",
            "+ first",
            "+ optional",
            "kubebuilder is a tool",
            "kubebuilder:validation:Minimum sets the minimum",
            "kubebuilder:validation:Minimum=1 sets the minimum",
            "kubebuilder:validation: markers",
            "kubebuilder:nothing=1",
            "https://book.kubebuilder.io/reference",
            "    kubebuilder:validation:Minimum=1",
            "see kubebuilder:validation:Minimum=1",
            "@author me",
            "k8s:",
            "+",
            "@",
            "",
        ] {
            assert_eq!(near_miss(text), None, "{text}");
        }
    }

    #[test]
    fn markers_in_block_comments_are_found() {
        let found = |text: &str| {
            marker_in_block(text).map(|(range, _)| text.get(range).unwrap_or_default().to_owned())
        };
        assert_eq!(
            found(" +kubebuilder:validation:Minimum=1 ").as_deref(),
            Some("+kubebuilder:validation:Minimum=1")
        );
        assert_eq!(
            found("*\n * Heat.\n * +kubebuilder:validation:Minimum=1\n ").as_deref(),
            Some("+kubebuilder:validation:Minimum=1")
        );
        assert_eq!(found(" write +kubebuilder:validation:Minimum=1 "), None);
        assert_eq!(found(" +kubebuilder:validation:Bogus=1 "), None);
    }
}
