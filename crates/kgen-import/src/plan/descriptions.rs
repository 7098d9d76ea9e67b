//! Descriptions as doc comments.
//!
//! A description is kept by a comment if kgen's own reader would read the same text from it. For any other, a marker has
//! the text, and the comment only has to render well.

use kgen_markers::starts_marker;

/// Returns the lines of a comment that is read as `text` again, or `None` if there is no such comment.
pub(crate) fn faithful(text: &str) -> Option<Vec<String>> {
    let lines: Vec<&str> = text.split('\n').collect();
    let is_kept = |line: &&str| {
        line.trim_end() == *line
            && !line.contains(['\t', '\r'])
            && !line.chars().any(is_unusual)
            && !line.starts_with("---")
            && !line.starts_with("TODO")
            && !line.starts_with("    ")
            && !line.trim_start().starts_with("```")
            && !line.trim_start().starts_with("~~~")
            && !looks_like_marker(line)
    };
    let is_fine = !text.is_empty()
        && lines.iter().all(is_kept)
        && lines.first().is_some_and(|line| !line.is_empty())
        && lines.last().is_some_and(|line| !line.is_empty())
        && !lines
            .windows(2)
            .any(|pair| pair.iter().all(|line| line.is_empty()));
    is_fine.then(|| lines.into_iter().map(str::to_owned).collect())
}

/// Returns the lines of a comment that renders well.
pub(crate) fn readable(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut fenced = false;
    for line in text.split('\n') {
        let plain: String = line
            .chars()
            .filter(|letter| !is_unusual(*letter) && *letter != '\r')
            .map(|letter| if letter == '\t' { ' ' } else { letter })
            .collect();
        let plain = plain.trim_end();
        let content = plain.trim_start();
        let line = if content.starts_with("```") || content.starts_with("~~~") {
            fenced = !fenced;
            if fenced {
                "```text".to_owned()
            } else {
                "```".to_owned()
            }
        } else if looks_like_marker(content) || content.starts_with('+') {
            format!("\\{content}")
        } else if fenced {
            plain.to_owned()
        } else {
            let indent = (plain.len() - content.len()).min(3);
            format!("{}{content}", " ".repeat(indent))
        };
        if !(line.is_empty() && lines.last().is_none_or(String::is_empty)) {
            lines.push(line);
        }
    }
    if fenced {
        lines.push("```".to_owned());
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Characters that a comment cannot have, or that the compiler refuses in it.
fn is_unusual(letter: char) -> bool {
    letter.is_control() && letter != '\t'
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{2028}' | '\u{2029}')
}

fn looks_like_marker(line: &str) -> bool {
    starts_marker(line) || line.trim_start().starts_with('+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_are_comments() {
        assert_eq!(faithful("One.\n\n  Two.").unwrap(), ["One.", "", "  Two."]);
        for text in [
            "",
            "a ",
            " a\n",
            "a\n\n\nb",
            "TODO: x",
            "---",
            "+optional",
            "    code",
            "a\tb",
            "```\nx\n```",
        ] {
            assert_eq!(faithful(text), None, "{text:?}");
        }
    }

    #[test]
    fn other_texts_become_readable() {
        assert_eq!(
            readable("\n\na \n\n\n\tb\n        code\n+optional\n"),
            ["a", "", " b", "   code", "\\+optional"]
        );
        assert_eq!(readable("```\nx\n```"), ["```text", "x", "```"]);
        assert_eq!(readable("```\nx"), ["```text", "x", "```"]);
    }
}
