//! Generated CRDs as YAML: the node of a line, and the line of a node.
//!
//! kgen writes one form of YAML, with one key or item per line, so lines and their indentation say everything. Other YAML has
//! nodes of no kind, and is ignored.

use crate::index::{Index, Node, Place};

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Item(usize),
}

/// A line with a key or an item, and its path.
#[derive(Debug)]
struct Row {
    line: usize,
    /// The first column of the key.
    column: usize,
    path: Vec<Step>,
    value: String,
}

/// A part of a CRD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) group: String,
    pub(crate) plural: String,
    /// `None` outside of the versions.
    pub(crate) version: Option<String>,
    /// The path of the node, such as `.spec.size`.
    pub(crate) path: String,
    /// The keyword of the schema that is on the line.
    keyword: Option<String>,
}

/// Returns the part of a CRD that is on a line; `None` if the text is not a CRD.
pub(crate) fn part_at(text: &str, line: usize) -> Option<Part> {
    let rows = rows(text);
    let value = |path: &[&str]| value_of(&rows, path);
    let row = rows.iter().rev().find(|row| row.line <= line)?;
    let mut part = Part {
        group: value(&["spec", "group"])?,
        plural: value(&["spec", "names", "plural"])?,
        version: None,
        path: String::new(),
        keyword: None,
    };
    let [
        Step::Key(spec),
        Step::Key(versions),
        Step::Item(number),
        inside @ ..,
    ] = row.path.as_slice()
    else {
        return Some(part);
    };
    if spec != "spec" || versions != "versions" {
        return Some(part);
    }
    part.version = version_name(&rows, *number);
    if let [Step::Key(schema), Step::Key(root), steps @ ..] = inside
        && schema == "schema"
        && root == "openAPIV3Schema"
    {
        (part.path, part.keyword) = node_path(steps);
    }
    Some(part)
}

/// Returns the path of a node, and the keyword behind it.
fn node_path(steps: &[Step]) -> (String, Option<String>) {
    let mut path = String::new();
    let mut rest = steps;
    loop {
        match rest {
            [Step::Key(properties), Step::Key(name), inner @ ..] if properties == "properties" => {
                path.push('.');
                path.push_str(name);
                rest = inner;
            }
            [Step::Key(word), inner @ ..] if word == "items" => {
                path.push_str("[*]");
                rest = inner;
            }
            [Step::Key(word), inner @ ..] if word == "additionalProperties" => {
                path.push_str(".*");
                rest = inner;
            }
            [Step::Key(word), ..] => return (path, Some(word.clone())),
            _ => return (path, None),
        }
    }
}

/// Returns the line and column of a node of a version, both from zero.
pub(crate) fn place_of(text: &str, version: &str, path: &str) -> Option<(usize, usize)> {
    let rows = rows(text);
    let is_wanted = |row: &&Row| {
        let [
            Step::Key(spec),
            Step::Key(versions),
            Step::Item(number),
            schema,
            root,
            steps @ ..,
        ] = row.path.as_slice()
        else {
            return false;
        };
        spec == "spec"
            && versions == "versions"
            && *schema == Step::Key("schema".to_owned())
            && *root == Step::Key("openAPIV3Schema".to_owned())
            && node_path(steps) == (path.to_owned(), None)
            && version_name(&rows, *number).as_deref() == Some(version)
    };
    let row = rows.iter().find(is_wanted)?;
    Some((row.line, row.column))
}

/// Returns the places in the source that a part comes from.
pub(crate) fn sources(index: &Index, part: &Part) -> Vec<Place> {
    let is_kind = |node: &&Node| {
        index.kind(node).is_some_and(|kind| {
            kind.group == part.group
                && kind.plural == part.plural
                && part
                    .version
                    .as_ref()
                    .is_none_or(|version| *version == kind.version)
        })
    };
    let nodes = index.nodes.iter().filter(|node| node.path == part.path);
    let mut places: Vec<Place> = nodes
        .filter(is_kind)
        .filter_map(|node| {
            let stated = part.keyword.as_ref().and_then(|keyword| {
                let bound = node.bounds.iter().find(|(name, _)| name == keyword);
                bound.map(|(_, place)| place.clone())
            });
            stated.or_else(|| node.place.clone())
        })
        .collect();
    places.dedup();
    places
}

fn version_name(rows: &[Row], number: usize) -> Option<String> {
    let key = |name: &str| Step::Key(name.to_owned());
    let path = [key("spec"), key("versions"), Step::Item(number), key("name")];
    let row = rows.iter().find(|row| row.path == path)?;
    Some(row.value.clone())
}

fn value_of(rows: &[Row], path: &[&str]) -> Option<String> {
    let is_same = |row: &&Row| {
        row.path.len() == path.len()
            && row
                .path
                .iter()
                .zip(path)
                .all(|(step, name)| *step == Step::Key((*name).to_owned()))
    };
    rows.iter().find(is_same).map(|row| row.value.clone())
}

/// Returns the lines with keys and items. Further lines of long texts have none.
fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut open: Vec<(usize, Step)> = Vec::new();
    // The indentation of the key whose text the present lines may continue.
    let mut continued: Option<usize> = None;
    for (line, whole) in text.lines().enumerate() {
        let mut rest = whole.trim_start_matches(' ');
        let mut indent = whole.len() - rest.len();
        if rest.is_empty() || rest.starts_with('#') || rest == "---" {
            continue;
        }
        if continued.is_some_and(|start| indent > start) {
            continue;
        }
        continued = None;
        while let Some(item) = rest.strip_prefix("- ") {
            let mut number = 0;
            while let Some((depth, step)) = open.last() {
                match step {
                    Step::Item(last) if *depth == indent => number = last + 1,
                    _ if *depth > indent => {}
                    _ => break,
                }
                open.pop();
            }
            open.push((indent, Step::Item(number)));
            rest = item.trim_start_matches(' ');
            indent = whole.len() - rest.len();
        }
        let Some((key, value)) = key_and_value(rest) else {
            continue;
        };
        while open.last().is_some_and(|(depth, _)| *depth >= indent) {
            open.pop();
        }
        open.push((indent, Step::Key(key.to_owned())));
        if !value.is_empty() {
            continued = Some(indent);
        }
        rows.push(Row {
            line,
            column: indent,
            path: open.iter().map(|(_, step)| step.clone()).collect(),
            value: unquoted(value).to_owned(),
        });
    }
    rows
}

fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = match line.strip_suffix(':') {
        Some(key) if !key.contains(": ") => (key, ""),
        _ => line.split_once(": ")?,
    };
    Some((unquoted(key), value.trim()))
}

fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRD: &str = "# @generated by kgen crd. Do not edit.
---
apiVersion: apiextensions.k8s.io/v1
spec:
  group: example.com
  names:
    plural: kilns
  versions:
  - additionalPrinterColumns:
    - jsonPath: .spec.size
      name: Size
    name: v1
    schema:
      openAPIV3Schema:
        description: |-
          A kiln.
          spec: is not a key here
        properties:
          spec:
            properties:
              \"on\":
                additionalProperties:
                  maxLength: 3
                  type: string
                type: object
              tiles:
                items:
                  properties:
                    name:
                      type: string
                  type: object
                type: array
            type: object
        type: object
    served: true
  - name: v2
    schema:
      openAPIV3Schema:
        properties:
          spec:
            type: object
        type: object
";

    fn part(line: &str) -> (Option<String>, String, Option<String>) {
        let number = CRD.lines().position(|found| found.trim() == line).unwrap();
        let part = part_at(CRD, number).unwrap();
        assert_eq!(
            (part.group.as_str(), part.plural.as_str()),
            ("example.com", "kilns")
        );
        (part.version, part.path, part.keyword)
    }

    #[test]
    fn a_line_has_its_node() {
        let of = |path: &str, keyword: Option<&str>| {
            (Some("v1".to_owned()), path.to_owned(), keyword.map(str::to_owned))
        };
        assert_eq!(part("maxLength: 3"), of(".spec.on.*", Some("maxLength")));
        assert_eq!(part("name:"), of(".spec.tiles[*].name", None));
        assert_eq!(part("- jsonPath: .spec.size"), of("", None));
        assert_eq!(part("spec: is not a key here"), of("", Some("description")));
        assert_eq!(part("plural: kilns"), (None, String::new(), None));
    }

    #[test]
    fn a_node_has_its_line() {
        let line = |version: &str, path: &str| {
            let (line, column) = place_of(CRD, version, path)?;
            CRD.lines().nth(line)?.get(column..)
        };
        assert_eq!(line("v1", ".spec.tiles[*].name"), Some("name:"));
        assert_eq!(line("v1", ".spec.on"), Some("\"on\":"));
        assert_eq!(line("v1", ""), Some("openAPIV3Schema:"));
        assert_eq!(line("v2", ".spec"), Some("spec:"));
        assert_eq!(line("v2", ".spec.on"), None);
    }

    #[test]
    fn other_yaml_has_no_nodes() {
        assert_eq!(part_at("kind: Deployment\nspec:\n  replicas: 1\n", 2), None);
        assert_eq!(part_at("", 0), None);
        assert_eq!(part_at("- - a: b\n-\n  - c", 1), None);
    }
}
