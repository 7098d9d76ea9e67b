//! Converts doc comments to descriptions.
//!
//! The rules are those of controller-gen, in its order: marker lines are removed, consecutive empty lines are merged
//! and removed at both ends, then TODO lines and everything after a `---` line are removed. Line breaks stay, and so do
//! empty lines next to removed lines. schemars has different rules, which need the original text.

/// The tool whose rules turn documentation into a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentationStyle {
    /// Those of controller-gen.
    ControllerGen,
    /// None: every line is kept, for rules that are applied later.
    AsWritten,
}

/// One line of documentation as written in the source, or one attribute with several lines.
pub(super) struct DocumentationPart<'a> {
    pub(super) text: &'a str,
    /// Whether it comes from a `/** */` comment or a string, which may hold several lines.
    pub(super) is_block: bool,
}

impl DocumentationPart<'_> {
    /// Returns the text without the space that separates it from the comment's own characters.
    fn as_written(&self) -> &str {
        if self.is_block {
            self.text.strip_prefix(' ').unwrap_or(self.text)
        } else {
            self.text
        }
    }
}

/// Returns the description of these parts; `None` if it is empty.
pub(super) fn description(parts: &[DocumentationPart<'_>], style: DocumentationStyle) -> Option<String> {
    if style == DocumentationStyle::AsWritten {
        let lines: Vec<&str> = parts.iter().map(DocumentationPart::as_written).collect();
        let text = lines.join("\n");
        let text = text.trim();
        return (!text.is_empty()).then(|| text.to_owned());
    }
    let mut lines: Vec<&str> = Vec::with_capacity(parts.len());
    for part in parts {
        if part.is_block {
            lines.extend(block_lines(part.text));
        } else {
            lines.push(part.text);
        }
    }
    let mut kept: Vec<&str> = Vec::with_capacity(lines.len());
    let mut fenced = false;
    for line in without_runs_of_blanks(&lines) {
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced {
            if line.starts_with("---") {
                break;
            }
            if line.starts_with("TODO") {
                continue;
            }
        }
        kept.push(line);
    }
    let says_something = kept.iter().any(|line| !line.is_empty());
    says_something.then(|| kept.join("\n"))
}

/// Returns the lines from the first to the last non-empty one, with consecutive empty lines merged.
fn without_runs_of_blanks<'a>(lines: &[&'a str]) -> impl Iterator<Item = &'a str> {
    let last = lines.iter().rposition(|line| !line.is_empty());
    let mut after_blank = true;
    lines
        .iter()
        .take(last.map_or(0, |last| last + 1))
        .filter(move |line| {
            let repeats = line.is_empty() && after_blank;
            after_blank = line.is_empty();
            !repeats
        })
        .copied()
}

/// Returns the lines of a block comment, without the stars at their start.
fn block_lines(text: &str) -> impl Iterator<Item = &str> {
    let starred = text
        .lines()
        .skip(1)
        .all(|line| line.trim().is_empty() || line.trim_start().starts_with('*'));
    text.lines().enumerate().map(move |(index, line)| {
        let line = line.trim();
        if starred && index > 0 {
            line.strip_prefix('*').unwrap_or(line).trim()
        } else {
            line
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_lines(lines: &[&str]) -> Option<String> {
        let parts: Vec<_> = lines
            .iter()
            .map(|text| DocumentationPart {
                text,
                is_block: false,
            })
            .collect();
        description(&parts, DocumentationStyle::ControllerGen)
    }

    #[test]
    fn lines_stay_lines_and_blanks_collapse() {
        assert_eq!(
            of_lines(&["One.", "", "", "  indented", "Two.", ""]).unwrap(),
            "One.\n\n  indented\nTwo."
        );
        assert_eq!(of_lines(&["", ""]), None);
    }

    #[test]
    fn notes_to_the_author_are_left_out() {
        assert_eq!(
            of_lines(&["Text", "TODO: more", "---", "hidden"]).unwrap(),
            "Text"
        );
        assert_eq!(
            of_lines(&["```", "TODO", "---", "```", "end"]).unwrap(),
            "```\nTODO\n---\n```\nend"
        );
    }

    #[test]
    fn empty_lines_beside_what_is_left_out_stay() {
        assert_eq!(of_lines(&["Text", "", "---", "hidden"]).unwrap(), "Text\n");
        assert_eq!(of_lines(&["TODO", "", "Text"]).unwrap(), "\nText");
        assert_eq!(of_lines(&["One", "", "TODO", "", "Two"]).unwrap(), "One\n\n\nTwo");
        assert_eq!(of_lines(&["TODO", "", "", "TODO", ""]), None);
    }

    #[test]
    fn everything_can_be_kept() {
        let parts = ["# Title", "", "", "TODO: more", "---", "end", ""].map(|text| DocumentationPart {
            text,
            is_block: false,
        });
        assert_eq!(
            description(&parts, DocumentationStyle::AsWritten).unwrap(),
            "# Title\n\n\nTODO: more\n---\nend"
        );
        assert_eq!(description(&[], DocumentationStyle::AsWritten), None);
    }

    #[test]
    fn block_comments_lose_their_stars() {
        let part = DocumentationPart {
            text: " One.\n     * Two.\n     *\n     * Three.\n     ",
            is_block: true,
        };
        assert_eq!(
            description(&[part], DocumentationStyle::ControllerGen).unwrap(),
            "One.\nTwo.\n\nThree."
        );
    }
}
