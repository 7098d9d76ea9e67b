//! Edits of a YAML text by key. Everything else in the text stays: comments, order, blank lines.
//!
//! Only maps in block style, with one key per line, can be edited. Every edit reads the text again; the files are short.

use std::ops::Range;

use kgen_diagnostics::Files;
use kgen_manifests::yaml::{self, Content, Entry, Node};
use serde_json::Value;

use super::Setting;

/// The text of a map, with `\n` at the end of every line.
pub(super) struct Text(pub(super) String);

impl Text {
    /// Returns the value of the text; null if there is none, or if it is not valid.
    pub(super) fn value(&self) -> Value {
        self.root().as_ref().map(Node::to_json).unwrap_or_default()
    }

    fn root(&self) -> Option<Node> {
        let documents = yaml::read(&self.0, Files::default().next_id()).ok()?;
        documents.into_iter().next()
    }

    /// Replaces a value that exists. Returns `None` if its place cannot be edited.
    pub(super) fn replace(&mut self, keys: &[&str], value: &Value) -> Option<()> {
        let root = self.root()?;
        let entry = find(&root, keys)?;
        let old = entry.value.span.range();
        let is_scalar = |node: &Node| matches!(&node.content, Content::Scalar(value) if !value.is_null());
        let new = kgen_yaml::to_string(value);
        let is_line = |text: &str| !text.trim_end().contains('\n');
        if is_scalar(&entry.value)
            && !value.is_object()
            && !value.is_array()
            && is_line(&new)
            && self.0.get(old.clone()).is_some_and(is_line)
        {
            self.0.replace_range(old, new.trim_end());
            return Some(());
        }
        let extent = self.extent(entry)?;
        let indent = self.column(entry)?;
        self.0.replace_range(extent, &written(&entry.key, value, indent));
        Some(())
    }

    /// Adds a value after the one of `before` that is nearest to it. Returns `None` if its place cannot be edited.
    pub(super) fn insert(&mut self, setting: &Setting<'_>, before: &[Setting<'_>]) -> Option<()> {
        let root = self.root();
        let groups = setting.groups();
        let known = (0..=groups.len()).rev().find_map(|depth| {
            let path = groups.get(..depth)?;
            let parent = find(root.as_ref()?, path);
            (depth == 0 || parent.is_some()).then_some((path, parent))
        });
        let (path, parent) = known.unwrap_or((&[], None));
        let map = parent.map(|entry| &entry.value).or(root.as_ref());
        if map.is_some_and(|map| !map.is_null() && map.entries().is_empty()) {
            return None;
        }
        let entries = map.map(Node::entries).unwrap_or_default();
        let indent = match (entries.first(), parent) {
            (Some(first), _) => self.column(first)?,
            (None, Some(parent)) => self.column(parent)? + 2,
            (None, None) => 0,
        };
        let sibling = before.iter().rev().find_map(|other| {
            let key = other.keys.get(path.len())?;
            let is_sibling = other.keys.starts_with(path);
            entries.iter().find(|entry| is_sibling && entry.key == *key)
        });
        let at = match (sibling, parent) {
            (Some(sibling), _) => self.extent(sibling)?.end,
            (None, Some(parent)) => self.extent(parent)?.end,
            (None, None) => self.0.len(),
        };
        let mut new = String::new();
        let missing = groups.get(path.len()..).unwrap_or_default();
        for (depth, group) in missing.iter().enumerate() {
            new.push_str(&format!("{}{group}:\n", " ".repeat(indent + 2 * depth)));
        }
        new.push_str(&setting.text(indent + 2 * missing.len()));
        self.0.insert_str(at, &new);
        Some(())
    }

    /// Removes a value and the comment line before it, and groups that have nothing else. Returns `None` if its place
    /// cannot be edited.
    pub(super) fn remove(&mut self, keys: &[&str]) -> Option<()> {
        let root = self.root()?;
        let mut keys = keys;
        while let Some((_, group)) = keys.split_last()
            && find(&root, group).is_some_and(|group| group.value.entries().len() == 1)
        {
            keys = group;
        }
        let extent = self.extent(find(&root, keys)?)?;
        let before = self.0.get(..extent.start)?.trim_end_matches('\n');
        let comment = before.rfind('\n').map_or(0, |at| at + 1);
        let is_comment = comment > 0
            && before.len() + 1 == extent.start
            && before.get(comment..)?.trim_start().starts_with('#');
        let start = if is_comment { comment } else { extent.start };
        self.0.replace_range(start..extent.end, "");
        Some(())
    }

    /// Returns the column of a key that is the first on its line.
    fn column(&self, entry: &Entry) -> Option<usize> {
        let key = entry.key_span.range().start;
        let before = self.0.get(self.line_start(key)..key)?;
        before.bytes().all(|byte| byte == b' ').then_some(before.len())
    }

    /// Returns the lines of an entry, with comments that are indented more than its key.
    fn extent(&self, entry: &Entry) -> Option<Range<usize>> {
        let indent = self.column(entry)?;
        let end = self.content_end(&entry.value).max(entry.key_span.range().end);
        let mut end = self.line_end(end);
        let mut next = end;
        while let Some(line) = self
            .0
            .get(next..self.line_end(next))
            .filter(|line| !line.is_empty())
        {
            let content = line.trim_start_matches(' ');
            next += line.len();
            if content.trim().is_empty() {
                continue;
            }
            if line.len() - content.len() <= indent {
                break;
            }
            end = next;
        }
        Some(self.line_start(entry.key_span.range().start)..end)
    }

    /// Returns where the text of a value ends; 0 for a value without text.
    fn content_end(&self, node: &Node) -> usize {
        let range = node.span.range();
        let is_flow = self
            .0
            .get(range.clone())
            .is_some_and(|text| text.starts_with(['{', '[']));
        match &node.content {
            Content::List(items) if !is_flow => {
                let ends = items.iter().map(|item| self.content_end(item));
                ends.max().unwrap_or_default()
            }
            Content::Map(entries) if !is_flow => {
                let ends = entries
                    .iter()
                    .map(|entry| self.content_end(&entry.value).max(entry.key_span.range().end));
                ends.max().unwrap_or_default()
            }
            Content::Scalar(_) if range.is_empty() => 0,
            _ => self.0.get(..range.end).map_or(0, |text| text.trim_end().len()),
        }
    }

    fn line_start(&self, at: usize) -> usize {
        let before = self.0.get(..at).unwrap_or_default();
        before.rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = self.0.get(at..).unwrap_or_default();
        rest.find('\n').map_or(self.0.len(), |length| at + length + 1)
    }
}

/// Returns the entry at a path of keys.
fn find<'n>(root: &'n Node, keys: &[&str]) -> Option<&'n Entry> {
    let (last, groups) = keys.split_last()?;
    let map = match groups {
        [] => root,
        groups => &find(root, groups)?.value,
    };
    map.entries().iter().find(|entry| entry.key == *last)
}

/// Returns the lines of an entry.
pub(super) fn written(key: &str, value: &Value, indent: usize) -> String {
    let entry = Value::Object([(key.to_owned(), value.clone())].into_iter().collect());
    let text = kgen_yaml::to_string(&entry);
    let lines = text.split_inclusive('\n');
    lines
        .map(|line| match line {
            "\n" => line.to_owned(),
            line => format!("{}{line}", " ".repeat(indent)),
        })
        .collect()
}
