//! From doc comments to descriptions.
//!
//! The rules are those of controller-gen: marker lines and TODO lines are left out, nothing after a `---` line counts,
//! runs of empty lines become one, and lines stay lines. schemars has rules of its own, which need the text as it
//! stands.

/// Whose rules make a description of documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentationStyle {
    /// Those of controller-gen.
    ControllerGen,
    /// None: every line is kept, for rules that are known only later.
    AsWritten,
}

/// One line of documentation as it stands in the source, or one attribute with several.
pub(super) struct DocumentationPart<'a> {
    pub(super) text: &'a str,
    /// Whether it comes from a `/** */` comment or a string, which may hold several lines.
    pub(super) is_block: bool,
}

/// The description that these parts make; nothing if they say nothing.
pub(super) fn description(parts: &[DocumentationPart<'_>], style: DocumentationStyle) -> Option<String> {
    let mut lines: Vec<&str> = Vec::with_capacity(parts.len());
    for part in parts {
        if part.is_block {
            lines.extend(block_lines(part.text));
        } else {
            lines.push(part.text);
        }
    }
    if style == DocumentationStyle::AsWritten {
        let text = lines.join("\n");
        let text = text.trim();
        return (!text.is_empty()).then(|| text.to_owned());
    }
    let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    let mut fenced = false;
    let mut pending_blank = false;
    for line in lines {
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
        if line.is_empty() {
            pending_blank = !text.is_empty();
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        if pending_blank {
            text.push('\n');
            pending_blank = false;
        }
        text.push_str(line);
    }
    (!text.is_empty()).then_some(text)
}

/// The lines of a block comment, without the stars that stand at their beginning.
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
