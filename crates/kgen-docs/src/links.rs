//! The links of rustdoc in descriptions: ``[`KettleSpec::size`]``, `[size](KettleSpec::size)`.
//!
//! Links to other places stay as they are.

use std::collections::BTreeMap;

use crate::model::{Reference, each_field};

/// The place of a field or a kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Target {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    /// Empty for the kind itself.
    pub(crate) path: String,
}

/// Finds the places that Rust paths name.
#[derive(Debug, Default)]
pub(crate) struct Index(BTreeMap<String, Vec<Target>>);

impl Index {
    pub(crate) fn of(reference: &Reference) -> Self {
        let mut index = Self::default();
        for kind in &reference.kinds {
            for version in &kind.versions {
                let target = |path: &str| Target {
                    group: kind.group.clone(),
                    version: version.name.clone(),
                    kind: kind.kind.clone(),
                    path: path.to_owned(),
                };
                index.add(kind.kind.clone(), target(""));
                for field in &version.fields {
                    index.add(format!("{}::{}", kind.kind, field.rust_name), target(&field.path));
                }
                each_field(&version.fields, &mut |field| {
                    let Some(owner) = &field.own_type else { return };
                    index.add(owner.clone(), target(&field.path));
                    for inner in &field.fields {
                        index.add(format!("{owner}::{}", inner.rust_name), target(&inner.path));
                        index.add(format!("{owner}::{}", inner.name), target(&inner.path));
                    }
                    let variants = field.variants.iter().flat_map(|variants| &variants.list);
                    let values = field.values.iter().map(|(name, _)| name);
                    for name in variants.map(|variant| &variant.name).chain(values) {
                        index.add(format!("{owner}::{name}"), target(&field.path));
                    }
                });
            }
        }
        index
    }

    fn add(&mut self, name: String, target: Target) {
        self.0.entry(name).or_default().push(target);
    }

    /// Returns the place of a Rust path. Places of the same version and kind are preferred.
    pub(crate) fn find(&self, path: &str, from: &Target) -> Option<&Target> {
        let parts: Vec<&str> = path.trim_end_matches("()").split("::").collect();
        let last = |count: usize| {
            parts
                .get(parts.len().checked_sub(count)?..)
                .map(|parts| parts.join("::"))
        };
        let stated = parts.iter().find(|part| is_version(part)).copied();
        for count in [2, 1] {
            let Some(found) = last(count).and_then(|name| self.0.get(&name)) else {
                continue;
            };
            let rank = |target: &Target| {
                let version = stated.unwrap_or(&from.version);
                (
                    target.version != version,
                    target.group != from.group,
                    target.kind != from.kind,
                )
            };
            return found.iter().min_by_key(|target| rank(target));
        }
        None
    }
}

fn is_version(word: &str) -> bool {
    let rest = word.strip_prefix('v').unwrap_or_default();
    rest.starts_with(|first: char| first.is_ascii_digit())
}

/// Replaces the links of rustdoc. `resolve` returns the address of a Rust path; without one, the link becomes code.
pub(crate) fn rewrite(text: &str, resolve: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    let mut fence = "";
    while !rest.is_empty() {
        let line_end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let (line, behind) = rest.split_at(line_end);
        let trimmed = line.trim_start();
        let marks = if trimmed.starts_with("```") {
            "```"
        } else if trimmed.starts_with("~~~") {
            "~~~"
        } else {
            ""
        };
        if !marks.is_empty() && (fence.is_empty() || fence == marks) {
            fence = if fence.is_empty() { marks } else { "" };
            result.push_str(line);
        } else if fence.is_empty() {
            rewrite_line(line, resolve, &mut result);
        } else {
            result.push_str(line);
        }
        rest = behind;
    }
    result
}

fn rewrite_line(line: &str, resolve: &mut dyn FnMut(&str) -> Option<String>, result: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find(['[', '`', '\\']) {
        let (before, from) = rest.split_at(at);
        result.push_str(before);
        let mut letters = from.chars();
        match letters.next() {
            Some('\\') => {
                let length = 1 + letters.next().map_or(0, char::len_utf8);
                let (escaped, behind) = from.split_at(length);
                result.push_str(escaped);
                rest = behind;
            }
            Some('`') => {
                let length = code_length(from);
                let (code, behind) = from.split_at(length);
                result.push_str(code);
                rest = behind;
            }
            _ => match link(from) {
                Some((length, shown, path)) => {
                    let is_code = shown.starts_with('`');
                    match resolve(path) {
                        Some(address) => {
                            result.push_str(&format!("[{shown}]({address})"));
                        }
                        None if is_code => result.push_str(shown),
                        // `[text](Path)`: the text is prose, and only the path can be code.
                        None if shown == path => result.push_str(&format!("`{path}`")),
                        None => result.push_str(&format!("{shown} (`{path}`)")),
                    }
                    rest = from.get(length..).unwrap_or_default();
                }
                None => {
                    result.push('[');
                    rest = from.get(1..).unwrap_or_default();
                }
            },
        }
    }
    result.push_str(rest);
}

/// Returns the length of code that starts with backquotes, or of the backquotes if nothing closes it.
fn code_length(text: &str) -> usize {
    let marks = text.len() - text.trim_start_matches('`').len();
    let Some(inside) = text.get(marks..) else {
        return marks;
    };
    let mut at = 0;
    while let Some(found) = inside.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + found;
        let rest = inside.get(start..).unwrap_or_default();
        let length = rest.len() - rest.trim_start_matches('`').len();
        if length == marks {
            return marks + start + length;
        }
        at = start + length;
    }
    marks
}

/// Returns the length, the text and the Rust path of a link that starts with `[`.
fn link(text: &str) -> Option<(usize, &str, &str)> {
    let mut depth = 0usize;
    let mut end = None;
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.chars().next()) {
        match next {
            '`' => {
                at += code_length(text.get(at..)?);
                continue;
            }
            '[' => depth += 1,
            ']' => {
                depth -= 1;
                if depth == 0 {
                    end = Some(at);
                    break;
                }
            }
            _ => {}
        }
        at += next.len_utf8();
    }
    let end = end?;
    let shown = text.get(1..end)?;
    let behind = text.get(end + 1..)?;
    if let Some(rest) = behind.strip_prefix('(') {
        let close = rest.find(')')?;
        let path = rest.get(..close)?.trim_matches('`');
        return is_rust_path(path).then_some((end + 1 + close + 2, shown, path));
    }
    if behind.starts_with(['[', ':']) {
        return None;
    }
    let is_code = shown.starts_with('`') && shown.ends_with('`');
    let path = shown.trim_matches('`');
    ((is_code || path.contains("::")) && is_rust_path(path)).then_some((end + 1, shown, path))
}

/// Returns whether a text is a path in Rust, and not an address.
fn is_rust_path(text: &str) -> bool {
    let path = text.trim_end_matches("()");
    !path.is_empty()
        && path.split("::").all(|part| {
            part.starts_with(|first: char| first.is_alphabetic() || first == '_')
                && part
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || letter == '_')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        rewrite(text, &mut |path| (path != "Unknown").then(|| format!("#{path}")))
    }

    #[test]
    fn rust_paths_become_links() {
        assert_eq!(
            rewritten("see [`Spec::size`]."),
            "see [`Spec::size`](#Spec::size)."
        );
        assert_eq!(
            rewritten("see [the size](Spec::size)"),
            "see [the size](#Spec::size)"
        );
        assert_eq!(rewritten("[`v1`](super::v1)"), "[`v1`](#super::v1)");
        assert_eq!(rewritten("a [`Unknown`] b"), "a `Unknown` b");
        assert_eq!(rewritten("[the `size`](Unknown)"), "the `size` (`Unknown`)");
        let none = |text: &str| rewrite(text, &mut |_| None);
        assert_eq!(none("a [Spec::gone] b"), "a `Spec::gone` b");
    }

    #[test]
    fn other_text_stays() {
        for text in [
            "[a](https://example.org)",
            "`[`Spec`]`",
            "[optional]",
            "a [1] b",
            "\\[`Spec`]",
            "```\n[`Spec`]\n```\n",
            "[open",
            "``",
            "[a][b]",
        ] {
            assert_eq!(rewritten(text), text, "{text}");
        }
    }
}
