//! Adds tables to `kgen.toml`. The file is read line by line, so that an edit keeps its comments.

use super::{Edit, insert};

/// Adds the empty table `name` at the end of the file, unless it is there.
pub(crate) fn add_table(text: &str, name: &str) -> Edit {
    let head = format!("[{name}]");
    let mut tables = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    let is_table = |line: &str| line.starts_with('[') && line.ends_with(']');
    if tables.clone().any(|line| line == head) {
        return Edit::Unchanged;
    }
    // An empty table goes directly after another empty one.
    let follows_empty = tables.rfind(|line| !line.is_empty()).is_some_and(is_table);
    let gap = if follows_empty || text.trim().is_empty() {
        ""
    } else {
        "\n"
    };
    Edit::Changed(insert(text, text.len(), &format!("{gap}{head}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_added_at_the_end() {
        for (text, expected) in [
            ("", "[conversion]\n"),
            (
                "[crd]\noutput = \"a\"\n",
                "[crd]\noutput = \"a\"\n\n[conversion]\n",
            ),
            (
                "[object]\n[client] # mine\n",
                "[object]\n[client] # mine\n[conversion]\n",
            ),
            ("[object]\r\n[client]", "[object]\r\n[client]\r\n[conversion]\r\n"),
        ] {
            let changed = Edit::Changed(expected.to_owned());
            assert_eq!(add_table(text, "conversion"), changed, "{text}");
            assert_eq!(add_table(expected, "conversion"), Edit::Unchanged);
        }
        assert_eq!(add_table("[conversion] # mine\n", "conversion"), Edit::Unchanged);
    }
}
