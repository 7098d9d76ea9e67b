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

/// Addresses by their labels in lower case: `[label]: address` on a line of its own.
type Definitions<'t> = BTreeMap<String, &'t str>;

/// The place that a link names.
enum Place<'t> {
    /// A path in Rust.
    Path(&'t str),
    /// Any other address.
    Address(&'t str),
}

/// Replaces the links of rustdoc. `resolve` returns the address of a Rust path; without one, the link becomes code.
///
/// Addresses that are defined on lines of their own move into their links, because a part of the text may be shown
/// without the rest.
pub(crate) fn rewrite(text: &str, resolve: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let mut definitions = Definitions::new();
    each_line(text, &mut |line| {
        if let Line::Definition(label, address) = line {
            definitions.entry(label.to_lowercase()).or_insert(address);
        }
    });
    let mut result = String::with_capacity(text.len());
    each_line(text, &mut |line| match line {
        Line::Code(line) => result.push_str(line),
        Line::Text(line) => rewrite_line(line, &definitions, resolve, &mut result),
        Line::Definition(..) => {}
    });
    result
}

/// A line of a text, with its end.
#[derive(Clone, Copy)]
enum Line<'t> {
    /// A line of a block of code, or one that begins or ends the block.
    Code(&'t str),
    /// The label and the address that a line defines.
    Definition(&'t str, &'t str),
    /// Any other line.
    Text(&'t str),
}

/// Calls `visit` for every line.
fn each_line<'t>(text: &'t str, visit: &mut dyn FnMut(Line<'t>)) {
    let mut fence = "";
    // A definition cannot interrupt a paragraph.
    let mut is_in_paragraph = false;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let marks = ["```", "~~~"]
            .into_iter()
            .find(|marks| trimmed.starts_with(marks));
        match marks {
            Some(marks) if fence.is_empty() => {
                fence = marks;
                visit(Line::Code(line));
            }
            Some(marks) if fence == marks => {
                fence = "";
                is_in_paragraph = false;
                visit(Line::Code(line));
            }
            _ if !fence.is_empty() => visit(Line::Code(line)),
            _ => {
                let defined = definition(line).filter(|_| !is_in_paragraph);
                is_in_paragraph = defined.is_none() && !trimmed.is_empty();
                visit(match defined {
                    Some((label, address)) => Line::Definition(label, address),
                    None => Line::Text(line),
                });
            }
        }
    }
}

/// Returns the label and the address of a line that defines one.
fn definition(line: &str) -> Option<(&str, &str)> {
    // Such a line belongs to a block of code.
    if line.starts_with("    ") || line.starts_with('\t') {
        return None;
    }
    let rest = line.trim().strip_prefix('[')?;
    let (label, rest) = rest.split_once("]:")?;
    let (address, title) = match rest.trim().split_once(char::is_whitespace) {
        Some((address, title)) => (address, title.trim()),
        None => (rest.trim(), ""),
    };
    if !title.is_empty() && !title.starts_with(['"', '\'', '(']) {
        return None;
    }
    let address = address.trim_start_matches('<').trim_end_matches('>');
    let is_label = !label.is_empty() && !label.contains(['[', ']']) && !label.starts_with('^');
    (is_label && !address.is_empty()).then_some((label, address))
}

fn rewrite_line(
    line: &str,
    definitions: &Definitions<'_>,
    resolve: &mut dyn FnMut(&str) -> Option<String>,
    result: &mut String,
) {
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
            _ => match link(from, definitions) {
                Some((length, shown, Place::Address(address))) => {
                    let address = address.replace('(', "%28").replace(')', "%29");
                    result.push_str(&format!("[{shown}]({address})"));
                    rest = from.get(length..).unwrap_or_default();
                }
                Some((length, shown, Place::Path(path))) => {
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

/// Returns the length, the text and the place of a link that starts with `[`.
fn link<'t>(text: &'t str, definitions: &Definitions<'t>) -> Option<(usize, &'t str, Place<'t>)> {
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
    let place = |path: &'t str| match is_rust_path(path.trim_matches('`')) {
        true => Place::Path(path.trim_matches('`')),
        false => Place::Address(path),
    };
    let defined = |label: &str| definitions.get(&label.to_lowercase()).copied();
    if let Some(rest) = behind.strip_prefix('(') {
        let close = rest.find(')')?;
        let path = rest.get(..close)?.trim_matches('`');
        return is_rust_path(path).then_some((end + 1 + close + 2, shown, Place::Path(path)));
    }
    if let Some(rest) = behind.strip_prefix('[') {
        let close = rest.find(']')?;
        let length = end + 1 + close + 2;
        let label = rest
            .get(..close)
            .filter(|label| !label.is_empty())
            .unwrap_or(shown);
        if let Some(address) = defined(label) {
            return Some((length, shown, place(address)));
        }
        return is_stated_path(label).then_some((length, shown, Place::Path(label.trim_matches('`'))));
    }
    if let Some(address) = defined(shown) {
        return Some((end + 1, shown, place(address)));
    }
    if behind.starts_with(':') {
        return None;
    }
    is_stated_path(shown).then_some((end + 1, shown, Place::Path(shown.trim_matches('`'))))
}

/// Returns whether the text in brackets is a path in Rust: it is code, or has several parts.
fn is_stated_path(text: &str) -> bool {
    let path = text.trim_matches('`');
    let is_code = text.starts_with('`') && text.ends_with('`');
    (is_code || path.contains("::")) && is_rust_path(path)
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
        assert_eq!(rewritten("[the size][Spec::size]."), "[the size](#Spec::size).");
        assert_eq!(rewritten("[the size][`size`]"), "[the size](#size)");
        let none = |text: &str| rewrite(text, &mut |_| None);
        assert_eq!(none("a [Spec::gone] b"), "a `Spec::gone` b");
    }

    /// A cell shows only a part of the text, so an address cannot be defined in another part.
    #[test]
    fn defined_addresses_move_into_their_links() {
        assert_eq!(
            rewritten(
                "see [docs], [`Type`], [here][docs] and [docs][]\n\n[docs]: https://a.b\n[`type`]: <https://c.d> \"T\"\n"
            ),
            "see [docs](https://a.b), [`Type`](https://c.d), [here](https://a.b) and [docs](https://a.b)\n\n"
        );
        assert_eq!(
            rewritten("[size]\n\n[size]: Spec::size"),
            "[size](#Spec::size)\n\n"
        );
        assert_eq!(rewritten("```\n[a]: b\n```"), "```\n[a]: b\n```");
        assert_eq!(
            rewritten("[a]: b.c\n [d]: e.f\n\nsee [a] and [d]"),
            "\nsee [a](b.c) and [d](e.f)"
        );
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
            "[Note]: this is a sentence",
            "Formats:\n[date]: YYYY-MM-DD",
            "Formats:\n\n    [date]: YYYY-MM-DD\n\t[time]: HH:MM\n",
        ] {
            assert_eq!(rewritten(text), text, "{text}");
        }
    }
}
