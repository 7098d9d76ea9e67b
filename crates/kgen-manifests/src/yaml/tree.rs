//! Builds nodes from the events of the parser.

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError};
use kgen_diagnostics::{Code, FileId, Span};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::{Content, Entry, Mistake, Node};

/// The most nodes of a text, counted with every use of an alias. An API server accepts three megabytes.
const LARGEST: usize = 1_000_000;

/// A list or map that is being read.
enum Open {
    List(Vec<Node>),
    Map(Vec<Entry>, Option<(String, Span)>),
}

struct Frame {
    open: Open,
    start: usize,
    anchor: usize,
}

struct Tree {
    file: FileId,
    frames: Vec<Frame>,
    anchors: FxHashMap<usize, Node>,
    documents: Vec<Node>,
    count: usize,
}

/// Reads all documents of a text. `place` translates an offset to that of the original text.
pub(super) fn read(text: &str, file: FileId, place: &dyn Fn(usize) -> usize) -> Result<Vec<Node>, Mistake> {
    let options =
        granit_parser::options! { emit_comments: false, block_nesting_limit: 512, flow_nesting_limit: 512 };
    let mut tree = Tree {
        file,
        frames: Vec::new(),
        anchors: FxHashMap::default(),
        documents: Vec::new(),
        count: 0,
    };
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| broken(text, &error, place))?;
        let range = span.byte_range().unwrap_or_else(|| {
            let at = span.start.byte_offset().unwrap_or(text.len());
            at..at
        });
        tree.event(event, place(range.start)..place(range.end))?;
    }
    Ok(tree.documents)
}

fn broken(text: &str, error: &ScanError, place: &dyn Fn(usize) -> usize) -> Mistake {
    let marker = error.marker();
    let at = marker.byte_offset().unwrap_or_else(|| {
        let line: usize = text
            .split_inclusive('\n')
            .take(marker.line().saturating_sub(1))
            .map(str::len)
            .sum();
        line + marker.col()
    });
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let end = text
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .map_or(at, |letter| at + letter.len_utf8());
    Mistake {
        message: format!("this is not valid YAML: {}", error.info()),
        at: place(at)..place(end),
        code: Code::InvalidYaml,
        is_indentation: matches!(error.kind(), ErrorKind::InvalidQuotedScalarIndent),
    }
}

/// Returns the value of a scalar with an explicit tag of YAML, if the tag is known.
fn tagged(tag: &str, text: &str) -> Option<Value> {
    match tag {
        "str" | "binary" | "timestamp" => Some(Value::String(text.to_owned())),
        "null" => Some(Value::Null),
        "bool" | "int" | "float" => Some(kgen_yaml::plain_scalar(text)),
        _ => None,
    }
}

impl Tree {
    fn event(&mut self, event: Event<'_>, range: std::ops::Range<usize>) -> Result<(), Mistake> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let tag = tag.as_ref().and_then(|tag| tag.core_suffix());
                let value = match tag {
                    Some(tag) => tagged(tag, &text),
                    None if style == ScalarStyle::Plain => Some(kgen_yaml::plain_scalar(&text)),
                    None => None,
                };
                let value = value.unwrap_or_else(|| Value::String(text.to_string()));
                // A key is its own text, whatever it would mean as a value.
                self.value(Content::Scalar(value), Some(&text), range, anchor)
            }
            Event::SequenceStart(_, anchor, _) => {
                self.open(Open::List(Vec::new()), range.start, anchor);
                Ok(())
            }
            Event::MappingStart(_, anchor, _) => {
                self.open(Open::Map(Vec::new(), None), range.start, anchor);
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(frame) = self.frames.pop() else {
                    return Ok(());
                };
                let content = match frame.open {
                    Open::List(items) => Content::List(items),
                    Open::Map(entries, _) => Content::Map(merged(entries)),
                };
                self.value(
                    content,
                    None,
                    frame.start..range.end.max(frame.start),
                    frame.anchor,
                )
            }
            Event::Alias(id) => {
                let Some(node) = self.anchors.get(&id).cloned() else {
                    return Err(mistake(range, "this alias names a value that contains the alias"));
                };
                self.count += size(&node);
                let text = node.text().map(str::to_owned);
                self.value(node.content, text.as_deref(), range, 0)
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, open: Open, start: usize, anchor: usize) {
        self.frames.push(Frame { open, start, anchor });
    }

    /// Puts a finished value into the list, map or document that it belongs to.
    fn value(
        &mut self,
        content: Content,
        text: Option<&str>,
        range: std::ops::Range<usize>,
        anchor: usize,
    ) -> Result<(), Mistake> {
        self.count += 1;
        if self.count > LARGEST {
            return Err(Mistake {
                message: "the document is too large".to_owned(),
                at: range,
                code: Code::Limit,
                is_indentation: false,
            });
        }
        let span = Span::of(self.file, range.clone());
        let node = Node { content, span };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        match self.frames.last_mut().map(|frame| &mut frame.open) {
            None => {
                if !node.is_null() {
                    self.documents.push(node);
                }
            }
            Some(Open::List(items)) => items.push(node),
            Some(Open::Map(entries, key)) => match key.take() {
                Some((key, key_span)) => entries.push(Entry {
                    key,
                    key_span,
                    value: node,
                }),
                None => {
                    let Some(text) = text else {
                        return Err(mistake(range, "the key of a map must be a string"));
                    };
                    // go-yaml refuses a second key of the same name; merge keys may be repeated.
                    if text != "<<" && entries.iter().any(|entry| entry.key == *text) {
                        return Err(mistake(range, format!("the key `{text}` is given twice")));
                    }
                    *key = Some((text.to_owned(), span));
                }
            },
        }
        Ok(())
    }
}

fn mistake(at: std::ops::Range<usize>, message: impl Into<String>) -> Mistake {
    Mistake {
        message: message.into(),
        at,
        code: Code::InvalidYaml,
        is_indentation: false,
    }
}

/// Replaces merge keys by the entries of the maps that they name. Entries of the map itself take precedence.
fn merged(entries: Vec<Entry>) -> Vec<Entry> {
    if !entries.iter().any(|entry| entry.key == "<<") {
        return entries;
    }
    let (merges, mut own): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.key == "<<");
    for merge in merges {
        let maps = match merge.value.content {
            Content::List(maps) => maps,
            content => vec![Node {
                content,
                span: merge.value.span,
            }],
        };
        for map in maps {
            for entry in map.entries() {
                if !own.iter().any(|known| known.key == entry.key) {
                    own.push(entry.clone());
                }
            }
        }
    }
    own
}

fn size(node: &Node) -> usize {
    match &node.content {
        Content::Scalar(_) => 1,
        Content::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Content::Map(entries) => 1 + entries.iter().map(|entry| size(&entry.value)).sum::<usize>(),
    }
}
