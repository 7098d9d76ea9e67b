//! docs/book/src/problems.md: every code of a problem with its page, from `kgen-diagnostics`.

use std::fmt::Write;

use anyhow::Result;
use kgen_diagnostics::Code;

/// Returns the page.
pub fn page() -> Result<String> {
    let mut text = super::header();
    text += "\
# Problems

Every problem has a code, in brackets after `error` or `warning`.
`kgen explain CODE` prints the section of that code in a terminal.
`kgen fix` applies the suggestions that are certain; you decide about the others.

| code | meaning |
|---|---|
";
    for code in Code::ALL {
        writeln!(
            text,
            "| [`{0}`](#{0}) | {1} |",
            code.name(),
            code.summary().replace('|', "\\|")
        )?;
    }
    for code in Code::ALL {
        let explanation = lower_headings(code.explanation().trim());
        write!(
            text,
            "\n## {}\n\n**{}**\n\n{explanation}\n",
            code.name(),
            code.summary()
        )?;
    }
    Ok(super::as_parts(&text))
}

/// Moves the headings of a page two levels down, to make it part of another one. Lines in code blocks stay.
fn lower_headings(page: &str) -> String {
    let mut in_code = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        in_code ^= line.trim_start().starts_with("```");
        let heading = !in_code && line.starts_with('#');
        lines.push(if heading {
            format!("##{line}")
        } else {
            line.to_owned()
        });
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_go_down_and_code_stays() {
        let page = "# Why\n\n```rust\n# hidden\n```\n\n## More\n";
        assert_eq!(
            lower_headings(page),
            "### Why\n\n```rust\n# hidden\n```\n\n#### More"
        );
    }
}
