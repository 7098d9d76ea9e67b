//! Descriptions as parts of a page: which blocks fit into a table, and which signs are escaped.

use crate::options::Flavor;

/// A description, divided for a table.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Divided {
    /// The paragraphs, for the cell.
    pub(super) cell: String,
    /// Lists, tables and code, for the text below the table.
    pub(super) below: Vec<String>,
}

/// Divides a description into the part for a cell and the part below the table.
pub(super) fn divide(text: &str) -> Divided {
    let mut divided = Divided::default();
    let mut paragraphs: Vec<String> = Vec::new();
    for block in blocks(text) {
        match block {
            Block::Paragraph(lines) => paragraphs.push(lines.join(" ")),
            Block::Heading(title) => paragraphs.push(format!("**{title}**")),
            Block::Other(lines) => divided.below.push(lines.join("\n")),
        }
    }
    divided.cell = paragraphs.join("<br>");
    divided
}

/// Moves the headings of a description below a heading of level `level`.
pub(super) fn demote(text: &str, level: usize) -> String {
    let mut result: Vec<String> = Vec::new();
    for block in blocks(text) {
        if !result.is_empty() {
            result.push(String::new());
        }
        match block {
            Block::Heading(title) => {
                // The level of the heading itself does not matter: descriptions hardly ever have two.
                result.push(format!("{} {title}", "#".repeat((level + 1).min(6))));
            }
            Block::Paragraph(lines) | Block::Other(lines) => {
                result.extend(lines.into_iter().map(str::to_owned));
            }
        }
    }
    result.join("\n")
}

enum Block<'t> {
    Paragraph(Vec<&'t str>),
    Heading(&'t str),
    /// A list, a table or code.
    Other(Vec<&'t str>),
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let content = line.trim_start();
        if content.is_empty() {
            continue;
        }
        let fence = ["```", "~~~"]
            .into_iter()
            .find(|fence| content.starts_with(fence));
        if let Some(fence) = fence {
            let mut block = vec![line];
            for line in lines.by_ref() {
                block.push(line);
                if line.trim_start().starts_with(fence) {
                    break;
                }
            }
            if block.len() == 1 || block.last().is_none_or(|last| last.trim() != fence) {
                // Code that is not closed would swallow the rest of the page.
                block.push(fence);
            }
            blocks.push(Block::Other(block));
        } else if let Some(title) = heading(content) {
            blocks.push(Block::Heading(title));
        } else {
            let is_other = is_item(content) || content.starts_with(['|', '>']) || line.starts_with("    ");
            let mut block = vec![line];
            while let Some(next) = lines.peek() {
                let next_content = next.trim_start();
                let ends = next_content.is_empty()
                    || heading(next_content).is_some()
                    || next_content.starts_with("```")
                    || !is_other && is_item(next_content);
                // A list goes on after an empty line if the next line is part of it.
                if ends {
                    break;
                }
                block.push(next);
                lines.next();
            }
            match blocks.last_mut() {
                Some(Block::Other(last)) if is_other && last.first().is_some_and(|first| is_item(first)) => {
                    last.extend(block);
                }
                _ if is_other => blocks.push(Block::Other(block)),
                _ => blocks.push(Block::Paragraph(block)),
            }
        }
    }
    blocks
}

fn heading(content: &str) -> Option<&str> {
    let title = content.trim_start_matches('#');
    let level = content.len() - title.len();
    ((1..=6).contains(&level) && title.starts_with(' ')).then(|| title.trim())
}

/// Returns whether a line starts an item of a list.
fn is_item(content: &str) -> bool {
    let content = content.trim_start();
    let digits = content.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = digits.len() < content.len() && (digits.starts_with(". ") || digits.starts_with(") "));
    is_numbered || ["- ", "* ", "+ "].iter().any(|sign| content.starts_with(sign))
}

/// Escapes what would be HTML, or an expression of MDX, outside of code. `in_table` also escapes `|`.
pub(super) fn escape(text: &str, flavor: Flavor, in_table: bool) -> String {
    let mut result = String::with_capacity(text.len());
    let mut fence = None;
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            result.push('\n');
        }
        let content = line.trim_start();
        let marks = ["```", "~~~"]
            .into_iter()
            .find(|marks| content.starts_with(marks));
        if let Some(marks) = marks.filter(|marks| fence.is_none_or(|open| open == *marks)) {
            fence = if fence.is_none() { Some(marks) } else { None };
            result.push_str(line);
        } else if fence.is_some() {
            result.push_str(line);
        } else {
            // MDX would read the line as a module's.
            let is_module = ["import", "export"].iter().any(|word| {
                line.strip_prefix(word)
                    .is_some_and(|rest| rest.starts_with([' ', '{', '*']))
            });
            let line = match flavor {
                Flavor::Docusaurus if is_module && !in_table => {
                    let first = if line.starts_with('i') { "&#105;" } else { "&#101;" };
                    result.push_str(first);
                    line.get(1..).unwrap_or_default()
                }
                _ => line,
            };
            escape_line(line, flavor, in_table, &mut result);
        }
    }
    result
}

fn escape_line(line: &str, flavor: Flavor, in_table: bool, result: &mut String) {
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '`' => {
                let marks = rest.len() - rest.trim_start_matches('`').len();
                let sign = rest.get(..marks).unwrap_or_default();
                let inside = rest.get(marks..).unwrap_or_default();
                let end = closing(inside, sign).map_or(marks, |end| marks + end + marks);
                let code = rest.get(..end).unwrap_or_default();
                if in_table {
                    // Tables are divided before code is recognized.
                    result.push_str(&code.replace('|', "\\|"));
                } else {
                    result.push_str(code);
                }
                end
            }
            '\\' => {
                let length = 1 + rest.chars().nth(1).map_or(0, char::len_utf8);
                result.push_str(rest.get(..length).unwrap_or_default());
                length
            }
            '|' if in_table => {
                result.push_str("\\|");
                1
            }
            '<' if rest.starts_with("<br>") && in_table => {
                result.push_str(if flavor == Flavor::Docusaurus {
                    "<br/>"
                } else {
                    "<br>"
                });
                4
            }
            '<' if flavor == Flavor::Docusaurus || is_tag(rest) => {
                result.push_str("\\<");
                1
            }
            '{' if flavor == Flavor::Docusaurus => {
                result.push_str("\\{");
                1
            }
            other => {
                result.push(other);
                other.len_utf8()
            }
        };
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
}

/// Returns the place of the sign that closes code.
fn closing(text: &str, sign: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text.get(at..)?.find('`') {
        let start = at + found;
        let rest = text.get(start..)?;
        let length = rest.len() - rest.trim_start_matches('`').len();
        if length == sign.len() {
            return Some(start);
        }
        at = start + length;
    }
    None
}

/// Returns whether a text starts with a tag of HTML, and not with an address.
fn is_tag(text: &str) -> bool {
    let inside = text.get(1..).unwrap_or_default();
    let is_address = inside.starts_with("http://") || inside.starts_with("https://");
    !is_address
        && inside.starts_with(|next: char| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_code_move_below_the_table() {
        let divided =
            divide("First line\nsecond.\n\n# Title\n\n- a\n- b\n\n```yaml\na: |\n  b\n```\n\nLast.");
        assert_eq!(divided.cell, "First line second.<br>**Title**<br>Last.");
        assert_eq!(divided.below, ["- a\n- b", "```yaml\na: |\n  b\n```"]);
        assert_eq!(divide("```\nopen").below, ["```\nopen\n```"]);
        assert_eq!(divide("a\n\n> b\n> c\n\nd").below, ["> b\n> c"]);
    }

    #[test]
    fn headings_are_demoted() {
        assert_eq!(demote("# A\n\ntext", 2), "### A\n\ntext");
        assert_eq!(demote("```\n# no\n```", 2), "```\n# no\n```");
    }

    #[test]
    fn signs_are_escaped_outside_of_code() {
        let all = |text: &str, flavor| escape(text, flavor, true);
        assert_eq!(all("a|b `c|d`", Flavor::Github), "a\\|b `c\\|d`");
        assert_eq!(
            all("<script> {x} `{x}<y>`", Flavor::Docusaurus),
            "\\<script> \\{x} `{x}<y>`"
        );
        assert_eq!(all("a<br>b", Flavor::Docusaurus), "a<br/>b");
        assert_eq!(
            escape(
                "import a from b\nexport {x}\nimportant",
                Flavor::Docusaurus,
                false
            ),
            "&#105;mport a from b\n&#101;xport \\{x}\nimportant"
        );
        assert_eq!(escape("import a", Flavor::Github, false), "import a");
        assert_eq!(all("<script>", Flavor::Mdbook), "\\<script>");
        assert_eq!(
            all("1 < 2, <https://a.b>", Flavor::Github),
            "1 < 2, <https://a.b>"
        );
        assert_eq!(
            escape("```\n<b>|\n```\n|", Flavor::Github, false),
            "```\n<b>|\n```\n|"
        );
    }
}
