//! Adds entries to lists in `kustomization.yaml`, and removes them.
//!
//! The file is read line by line and not as YAML, so that an edit keeps the comments, the quotes and the order. This module
//! supports only block lists below a key at the start of a line.

use super::{Edit, cut, insert};

/// Adds `entry`, which starts with `- `, to the list of `key`. Adds the key if it does not exist.
pub(crate) fn add(text: &str, key: &str, entry: &str) -> Edit {
    let lines: Vec<Line<'_>> = lines(text);
    let wanted: Vec<&str> = entry.lines().collect();
    let Some(position) = lines.iter().position(|line| line.is_key(key)) else {
        return Edit::Changed(insert(text, text.len(), &format!("{key}:\n{entry}")));
    };
    let Some(head) = lines.get(position) else {
        return Edit::Unchanged;
    };
    let behind_key = head.text.split_once(':').map_or("", |(_, value)| value);
    let value = behind_key.split(" #").next().unwrap_or_default().trim();
    if !value.is_empty() {
        return Edit::NoPlace(format!("the value of `{key}` is on the line of the key"));
    }
    // The list ends with the last line of its last entry. Comments after it belong to the next key.
    let rest = lines.get(position + 1..).unwrap_or_default();
    let inside = rest
        .iter()
        .take_while(|line| line.is_empty() || line.is_comment() || line.is_entry() || line.is_indented());
    let mut end = head.end;
    // The indentation of the first entry, because entries can contain lists themselves.
    let mut indent = None;
    let mut present: Vec<&str> = Vec::new();
    for line in inside {
        if line.is_empty() || line.is_comment() {
            continue;
        }
        if line.is_entry() && indent.is_none() {
            indent = Some(line.indent());
        }
        present.push(line.text);
        end = line.end;
    }
    let indent = indent.unwrap_or_default();
    let unindented: Vec<&str> = present
        .iter()
        .map(|line| line.strip_prefix(indent).unwrap_or(line))
        .collect();
    let is_there = unindented
        .windows(wanted.len().max(1))
        .any(|window| same(window, &wanted));
    if is_there {
        return Edit::Unchanged;
    }
    let added: Vec<String> = wanted.iter().map(|line| format!("{indent}{line}")).collect();
    Edit::Changed(insert(text, end, &added.join("\n")))
}

/// Removes `entry` from the list of `key`. Also removes the key if the list is empty then.
pub(crate) fn remove(text: &str, key: &str, entry: &str) -> Edit {
    let lines: Vec<Line<'_>> = lines(text);
    let wanted: Vec<&str> = entry.lines().collect();
    let Some(position) = lines.iter().position(|line| line.is_key(key)) else {
        return Edit::Unchanged;
    };
    let length = lines
        .get(position + 1..)
        .unwrap_or_default()
        .iter()
        .take_while(|line| line.is_empty() || line.is_comment() || line.is_entry() || line.is_indented())
        .count();
    let inside = lines.get(position + 1..position + 1 + length).unwrap_or_default();
    let Some(indent) = inside.iter().find(|line| line.is_entry()).map(Line::indent) else {
        return Edit::Unchanged;
    };
    let unindented: Vec<&str> = inside
        .iter()
        .map(|line| line.text.strip_prefix(indent).unwrap_or(line.text))
        .collect();
    let found = unindented
        .windows(wanted.len().max(1))
        .position(|window| same(window, &wanted));
    let Some(found) = found else {
        return Edit::Unchanged;
    };
    let is_other = |(index, line): (usize, &Line<'_>)| {
        !(found..found + wanted.len()).contains(&index) && !line.is_empty() && !line.is_comment()
    };
    let first = if inside.iter().enumerate().any(is_other) {
        position + 1 + found
    } else {
        position
    };
    let end_of = |index: usize| lines.get(index).map_or(text.len(), |line| line.end);
    let start = first.checked_sub(1).map_or(0, end_of);
    Edit::Changed(cut(text, start..end_of(position + found + wanted.len())))
}

/// Returns whether the file has a list with entries.
pub(crate) fn has_entries(text: &str) -> bool {
    lines(text).iter().any(Line::is_entry)
}

/// Returns whether two sequences of lines are the same apart from quotes and trailing comments.
fn same(left: &[&str], right: &[&str]) -> bool {
    let bare = |line: &str| {
        let line = line.split(" #").next().unwrap_or_default();
        line.replace(['"', '\''], "").trim_end().to_owned()
    };
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| bare(left) == bare(right))
}

struct Line<'a> {
    text: &'a str,
    /// The offset of the next line.
    end: usize,
}

impl Line<'_> {
    fn is_key(&self, key: &str) -> bool {
        self.text
            .strip_prefix(key)
            .is_some_and(|rest| rest.starts_with(':'))
    }

    fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn is_comment(&self) -> bool {
        self.text.trim_start().starts_with('#')
    }

    fn is_entry(&self) -> bool {
        let text = self.text.trim_start();
        text.starts_with("- ") || text == "-"
    }

    fn is_indented(&self) -> bool {
        self.text.starts_with([' ', '\t'])
    }

    fn indent(&self) -> &str {
        let length = self.text.len() - self.text.trim_start().len();
        self.text.get(..length).unwrap_or_default()
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut end = 0;
    text.split_inclusive('\n')
        .map(|line| {
            end += line.len();
            Line {
                text: line.trim_end_matches(['\n', '\r']),
                end,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text after an edit. Snapshots do not show the last line break, so it is checked here.
    fn changed(edit: Edit) -> String {
        let Edit::Changed(text) = edit else {
            panic!("{edit:?}");
        };
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text:?}");
        text
    }

    const FILE: &str = "\
# Mine.
resources:
- a.yaml # first
  # between
- \"b.yaml\"

# About patches.
patches:
  - path: p.yaml
    target:
      kind: Deployment
";

    #[test]
    fn entries_go_to_the_end_of_their_list() {
        let text = changed(add(FILE, "resources", "- c.yaml"));
        assert_eq!(text, FILE.replace("- \"b.yaml\"\n", "- \"b.yaml\"\n- c.yaml\n"));
        assert_eq!(add(&text, "resources", "- c.yaml"), Edit::Unchanged);
        assert_eq!(add(FILE, "resources", "- a.yaml"), Edit::Unchanged);
        assert_eq!(add(FILE, "resources", "- b.yaml"), Edit::Unchanged);
        let text = changed(add(
            FILE,
            "patches",
            "- path: q.yaml\n  target:\n    kind: Service",
        ));
        let text = changed(add(&text, "patches", "- path: r.yaml\n  options:\n  - one"));
        let text = changed(add(&text, "patches", "- path: s.yaml"));
        insta::assert_snapshot!(text, @r#"
        # Mine.
        resources:
        - a.yaml # first
          # between
        - "b.yaml"

        # About patches.
        patches:
          - path: p.yaml
            target:
              kind: Deployment
          - path: q.yaml
            target:
              kind: Service
          - path: r.yaml
            options:
            - one
          - path: s.yaml
        "#);
        assert_eq!(
            add(&text, "patches", "- path: q.yaml\n  target:\n    kind: Service"),
            Edit::Unchanged
        );
    }

    #[test]
    fn removing_an_entry_undoes_adding_it() {
        for (key, entry) in [
            ("resources", "- c.yaml"),
            ("patches", "- path: q.yaml\n  target:\n    kind: Service"),
            (
                "replacements",
                "- source:\n    kind: Service\n  targets:\n  - select: {}",
            ),
        ] {
            let added = changed(add(FILE, key, entry));
            assert_eq!(changed(remove(&added, key, entry)), FILE, "{key}");
            assert_eq!(remove(FILE, key, entry), Edit::Unchanged);
        }
        let rest = changed(remove(FILE, "resources", "- b.yaml"));
        assert_eq!(rest, FILE.replace("- \"b.yaml\"\n", ""));
        assert!(has_entries(FILE));
        assert!(!has_entries("# Nothing yet.\nkind: Kustomization\n"));
    }

    #[test]
    fn a_missing_key_is_added() {
        let text = changed(add("resources:\n- a.yaml", "patches", "- path: p.yaml"));
        insta::assert_snapshot!(text, @"
        resources:
        - a.yaml
        patches:
        - path: p.yaml
        ");
        assert_eq!(
            changed(add("resources:\n", "resources", "- a.yaml")),
            "resources:\n- a.yaml\n"
        );
        assert_eq!(
            changed(add("resources:\r\n- a.yaml\r\n", "resources", "- b.yaml")),
            "resources:\r\n- a.yaml\r\n- b.yaml\r\n"
        );
    }

    #[test]
    fn lists_in_one_line_are_left_alone() {
        assert!(matches!(
            add("resources: [a.yaml]\n", "resources", "- b.yaml"),
            Edit::NoPlace(_)
        ));
        assert!(matches!(
            add("resources: []\n", "resources", "- b.yaml"),
            Edit::NoPlace(_)
        ));
    }
}
