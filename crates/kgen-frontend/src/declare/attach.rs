//! Attaches comments to nodes.
//!
//! A marker belongs to the node below it if its comment block ends directly above the node (attributes may be in
//! between), or if its block is the next one above, one blank line away. Other markers do not belong to a node; only
//! markers that are allowed anywhere are valid there.

use std::num::NonZeroU32;
use std::sync::Arc;

use kgen_diagnostics::{Code, Fix, Problem, Problems, Span};
use kgen_markers::{
    CommentLine, Marker, MarkerText, Position, Target, is_foreign, marker_in_block, near_miss, parse,
    read_marker, starts_marker, trailing,
};

use super::Source;
use super::mistakes::Mistakes;
use crate::ForeignMarkers;
use crate::source::{BlockComment, Comment, Style};

/// The nodes that can have markers.
const POSITIONS: [Position; 6] = [
    Position::ValueVariant,
    Position::Kind,
    Position::Module,
    Position::Field,
    Position::Type,
    Position::Nothing,
];

/// A marker before its node is known.
struct Found {
    /// Index of its first comment.
    comment: usize,
    /// How many comments it takes up.
    length: usize,
    text: Arc<MarkerText>,
    taken: bool,
}

/// A marker with its node, for editors.
#[derive(Clone, Debug)]
pub(crate) struct Attached {
    pub(crate) text: Arc<MarkerText>,
    pub(crate) position: Position,
    /// The first byte of the node after its attributes; `None` for a marker without a node.
    pub(crate) node: Option<u32>,
}

/// The comments of a file while they are attached to nodes.
pub(super) struct Attachments<'a> {
    source: Source<'a>,
    comments: Vec<Comment>,
    blocks: Vec<BlockComment>,
    /// Returns whether a comment is part of a marker, and therefore not part of a description.
    in_marker: Vec<bool>,
    found: Vec<Found>,
    line_starts: Vec<u32>,
    /// For each line, the number, from one, of the comment that is alone on it, except comments about the enclosing
    /// module.
    comment_on_line: Vec<Option<NonZeroU32>>,
    /// Byte ranges that `cfg` disables.
    excluded: Vec<(u32, u32)>,
    anywhere: Vec<Vec<Marker>>,
    /// Markers that the project rejects, by their comments.
    forbidden: Vec<(usize, Problem)>,
    mistakes: Mistakes,
    /// Every marker with its node, if an editor asks for them.
    recorded: Option<Vec<Attached>>,
}

/// A node to which comments can be attached.
pub(super) struct Place<'a> {
    /// The first byte of the node after its attributes.
    pub(super) start: u32,
    /// The byte ranges of its attributes.
    pub(super) attributes: &'a [(u32, u32)],
}

impl<'a> Attachments<'a> {
    pub(super) fn new(
        source: Source<'a>,
        comments: Vec<Comment>,
        blocks: Vec<BlockComment>,
        line_starts: Vec<u32>,
        foreign: &ForeignMarkers,
        mistakes: Mistakes,
    ) -> Self {
        let mut comment_on_line = vec![None; line_starts.len()];
        for (comment, number) in comments.iter().zip(1..) {
            if comment.own_line
                && comment.style != Style::InnerDoc
                && let Some(place) = comment_on_line.get_mut(comment.line as usize)
            {
                *place = NonZeroU32::new(number);
            }
        }
        let mut attachments = Self {
            source,
            in_marker: vec![false; comments.len()],
            comments,
            blocks,
            found: Vec::new(),
            line_starts,
            comment_on_line,
            excluded: Vec::new(),
            anywhere: Vec::new(),
            forbidden: Vec::new(),
            mistakes,
            recorded: None,
        };
        attachments.read_markers(foreign);
        attachments
    }

    /// Records every marker with its node.
    pub(super) fn recording(mut self) -> Self {
        self.recorded = Some(Vec::new());
        self
    }

    /// Reports the mistakes in the markers of a file that is not valid Rust. Their nodes are unknown, so each marker is read as
    /// on a node that accepts it.
    pub(super) fn without_nodes(mut self, problems: &mut Problems) {
        self.report_near_misses(problems);
        for found in std::mem::take(&mut self.found) {
            let own_line = |comment: &Comment| comment.own_line;
            if !self.comments.get(found.comment).is_some_and(own_line) {
                continue;
            }
            let is_about_place =
                |problem: &Problem| matches!(problem.code, Code::MisplacedMarker | Code::DetachedMarker);
            let parsed = POSITIONS.iter().map(|position| parse(&found.text, *position));
            let mut mistakes = parsed.take_while(Result::is_err).filter_map(Result::err);
            // A marker that is fine on one kind of node has no mistake.
            let all: Vec<_> = mistakes.by_ref().collect();
            if all.len() == POSITIONS.len() {
                let mistake = all.into_iter().find(|problem| !is_about_place(problem));
                problems.extend(mistake.map(|problem| self.mistakes.judged(problem, &found.text)));
            }
        }
    }

    /// Finds the markers of every block of comment lines.
    fn read_markers(&mut self, foreign: &ForeignMarkers) {
        let source = self.source;
        let mut index = 0;
        while index < self.comments.len() {
            let block = self.block_length(index);
            let lines: Vec<_> = self.comments[index..index + block]
                .iter()
                .map(|comment| CommentLine {
                    text: comment.text(source.text),
                    offset: comment.text_start,
                })
                .collect();
            let mut position = 0;
            while let Some(line) = lines.get(position) {
                if !starts_marker(line.text) {
                    position += 1;
                    continue;
                }
                let (text, used) = read_marker(source.file, &lines[position..]);
                let used = used.clamp(1, block - position);
                let first = index + position;
                position += used;
                // Markers of other tools remain text for kube-derive, like all other markers.
                let is_text = self.mistakes == Mistakes::AreText && is_foreign(&text);
                self.in_marker[first..first + used].fill(!is_text);
                if foreign.include(text.name()) {
                    continue;
                }
                if foreign.forbidden && is_foreign(&text) {
                    self.forbidden.push((first, forbidden(&text)));
                }
                self.found.push(Found {
                    comment: first,
                    length: used,
                    text,
                    taken: false,
                });
            }
            index += block;
        }
    }

    /// Returns the number of consecutive comment lines from `index` on that form a block. Comments about the enclosing
    /// module and comments about the next item are separate blocks.
    fn block_length(&self, index: usize) -> usize {
        let Some(first) = self.comments.get(index) else {
            return 1;
        };
        if !first.own_line {
            return 1;
        }
        let inner = first.style == Style::InnerDoc;
        let rest = &self.comments[index + 1..];
        1 + rest
            .iter()
            .zip(first.line + 1..)
            .take_while(|(comment, line)| {
                comment.own_line && comment.line == *line && (comment.style == Style::InnerDoc) == inner
            })
            .count()
    }

    /// Returns the lines of the doc comment of a node without markers, with their offsets, in reverse order.
    ///
    /// A doc comment belongs to its node at any distance, as in Rust itself.
    pub(super) fn documentation(&self, place: &Place<'_>) -> impl Iterator<Item = (u32, &'a str)> {
        let mut line = self.line_of(place.start);
        let mut lines = Vec::new();
        let floor = self.shared_line(place);
        while let Some(above) = line.checked_sub(1).filter(|_| Some(line) != floor) {
            if let Some(index) = self.own_line_comment(above) {
                lines.push(index);
                line = above;
            } else if let Some(start) = self.attribute_above(line, place) {
                line = start;
            } else if self.is_blank(above) {
                line = above;
            } else {
                lines.extend(self.documentation_after_code(above));
                break;
            }
        }
        lines.into_iter().filter_map(|index| {
            let comment = self.comments.get(index)?;
            let counts = comment.style == Style::OuterDoc && !*self.in_marker.get(index)?;
            counts.then(|| (comment.start, comment.text(self.source.text)))
        })
    }

    /// Returns the documentation that follows other code on a line. For Rust, it belongs to the next node.
    fn documentation_after_code(&self, line: u32) -> Option<usize> {
        let next = self.comments.partition_point(|comment| comment.line <= line);
        let index = next.checked_sub(1)?;
        let comment = self.comments.get(index)?;
        let is_documentation = comment.line == line && comment.style == Style::OuterDoc && !comment.own_line;
        is_documentation.then_some(index)
    }

    /// Returns the markers that no node has taken so far, by number.
    pub(super) fn untaken(&self) -> Vec<usize> {
        let found = self.found.iter().enumerate();
        found
            .filter(|(_, found)| !found.taken)
            .map(|(index, _)| index)
            .collect()
    }

    /// Lets nodes take markers again, because another copy of them follows.
    pub(super) fn give_back(&mut self, untaken: &[usize]) {
        for index in untaken {
            if let Some(found) = self.found.get_mut(*index) {
                found.taken = false;
            }
        }
    }

    /// Excludes everything in a byte range.
    pub(super) fn exclude(&mut self, start: u32, end: u32) {
        self.excluded.push((start, end));
    }

    /// Removes the markers above a node that `cfg` disables. Markers that are allowed anywhere stay, and so do those of
    /// a module above its first item.
    pub(super) fn exclude_above(&mut self, place: &Place<'_>, is_first_item: bool) {
        for comment in self.above(place) {
            let Ok(index) = self.found.binary_search_by_key(&comment, |found| found.comment) else {
                continue;
            };
            let Some(found) = self.found.get_mut(index) else {
                continue;
            };
            let fits = |position| parse(&found.text, position).is_ok();
            found.taken |= !(fits(Position::Nothing) || is_first_item && fits(Position::Module));
        }
    }

    /// Returns the markers of a node. At the start of a module, markers that only a module can have are added to `head`
    /// instead.
    pub(super) fn node(
        &mut self,
        place: &Place<'_>,
        position: Position,
        mut head: Option<&mut Vec<Marker>>,
        problems: &mut Problems,
    ) -> Vec<Marker> {
        if self.found.is_empty() {
            return Vec::new();
        }
        let mut attached = self.above(place);
        attached.sort_unstable();
        let mut markers = Vec::new();
        for comment in attached {
            let Ok(index) = self.found.binary_search_by_key(&comment, |found| found.comment) else {
                continue;
            };
            let Some(found) = self.found.get_mut(index).filter(|found| !found.taken) else {
                continue;
            };
            found.taken = true;
            if let Some(recorded) = &mut self.recorded {
                recorded.push(Attached {
                    text: Arc::clone(&found.text),
                    position,
                    node: Some(place.start),
                });
            }
            let plain = self
                .comments
                .get(found.comment)
                .is_some_and(|comment| comment.style == Style::Plain);
            let mut parsed = parse(&found.text, position);
            if let (true, Some(head), Err(_)) = (plain, head.as_deref_mut(), &parsed)
                && let Ok(Some(marker)) = parse(&found.text, Position::Module)
            {
                head.push(marker);
                parsed = Ok(None);
            }
            if parsed.is_err() && self.mistakes.are_text(&found.text) {
                let comments = found.comment..found.comment + found.length;
                if let Some(comments) = self.in_marker.get_mut(comments) {
                    comments.fill(false);
                }
            }
            let parsed = parsed.map_err(|problem| self.mistakes.judged(problem, &found.text));
            markers.extend(problems.take(parsed).flatten());
        }
        self.keep(markers)
    }

    /// Returns the markers at the start of a module: between `start` and its first item at `end`.
    pub(super) fn head(&mut self, start: u32, end: u32, problems: &mut Problems) -> Vec<Marker> {
        let mut markers = Vec::new();
        for found in &mut self.found {
            let Some(comment) = self.comments.get(found.comment) else {
                continue;
            };
            let inside = (start..end).contains(&comment.start) && comment.own_line;
            if found.taken || !inside || comment.style == Style::OuterDoc {
                continue;
            }
            found.taken = true;
            if let Some(recorded) = &mut self.recorded {
                recorded.push(Attached {
                    text: Arc::clone(&found.text),
                    position: Position::Module,
                    node: None,
                });
            }
            let parsed = parse(&found.text, Position::Module);
            let parsed = parsed.map_err(|problem| self.mistakes.judged(problem, &found.text));
            markers.extend(problems.take(parsed).flatten());
        }
        self.keep(markers)
    }

    /// Separates the markers that are allowed anywhere, and returns the others.
    fn keep(&mut self, markers: Vec<Marker>) -> Vec<Marker> {
        let (anywhere, mut node): (Vec<_>, Vec<_>) = markers.into_iter().partition(is_anywhere);
        // Every field keeps its own until the end of the run.
        node.shrink_to_fit();
        if !anywhere.is_empty() {
            self.anywhere.push(anywhere);
        }
        node
    }

    /// Handles the markers without a node: valid if they are allowed anywhere, otherwise a problem.
    ///
    /// Also returns every marker with its node, if they are recorded.
    pub(super) fn finish(mut self, problems: &mut Problems) -> (Vec<Vec<Marker>>, Vec<Attached>) {
        let mut recorded = self.recorded.take();
        for (comment, problem) in std::mem::take(&mut self.forbidden) {
            if self
                .comments
                .get(comment)
                .is_some_and(|comment| !self.is_excluded(comment.start))
            {
                problems.push(problem);
            }
        }
        if self.mistakes == Mistakes::Stop {
            self.report_near_misses(problems);
        }
        let mut last_line = None;
        let mut block = Vec::new();
        for found in std::mem::take(&mut self.found) {
            let Some(comment) = self.comments.get(found.comment) else {
                continue;
            };
            if found.taken || self.is_excluded(comment.start) {
                continue;
            }
            if !comment.own_line {
                if let Some(problem) = trailing(&found.text) {
                    let problem = match self.above_its_line(comment) {
                        Some(fix) => problem.with_fix(fix),
                        None => problem,
                    };
                    problems.push(self.mistakes.judged(problem, &found.text));
                }
                continue;
            }
            if last_line.is_none_or(|line| line + 1 != comment.line) && !block.is_empty() {
                self.anywhere.push(std::mem::take(&mut block));
            }
            last_line = Some(comment.line);
            if let Some(recorded) = &mut recorded {
                recorded.push(Attached {
                    text: Arc::clone(&found.text),
                    position: Position::Nothing,
                    node: None,
                });
            }
            let parsed = parse(&found.text, Position::Nothing);
            let parsed = parsed.map_err(|problem| self.mistakes.judged(problem, &found.text));
            block.extend(problems.take(parsed).flatten());
        }
        if !block.is_empty() {
            self.anywhere.push(block);
        }
        self.anywhere
            .sort_by_key(|block| block.first().map(|marker| marker.span().start));
        // The copies of a type have the same comments.
        self.anywhere
            .dedup_by_key(|block| block.first().map(|marker| marker.span().start));
        (self.anywhere, recorded.unwrap_or_default())
    }

    /// Reports comments that look like markers but are not.
    fn report_near_misses(&self, problems: &mut Problems) {
        let text = self.source.text;
        let mut in_code = false;
        let mut last_line = None;
        for (comment, in_marker) in self.comments.iter().zip(&self.in_marker) {
            if last_line.is_none_or(|line| line + 1 != comment.line) {
                in_code = false;
            }
            last_line = Some(comment.line);
            let written = comment.text(text);
            if written.trim_start().starts_with("```") {
                in_code = !in_code;
            }
            if in_code || *in_marker || !comment.own_line || self.is_excluded(comment.start) {
                continue;
            }
            let Some(miss) = near_miss(written) else { continue };
            let at = |byte: usize| comment.text_start as usize + byte;
            let sign = Span::of(self.source.file, at(miss.sign.start)..at(miss.sign.end));
            let end = miss.sign.end + miss.name.len();
            let whole = Span::of(self.source.file, at(miss.sign.start)..at(end));
            let marker = written.get(miss.sign.end..).unwrap_or(miss.name).trim_end();
            problems.push(lookalike(whole, miss.name, marker).with_fix(Fix::replace(sign, "+")));
        }
        for block in self.blocks.iter().filter(|block| !self.is_excluded(block.start)) {
            let (start, end) = (block.start as usize, block.end as usize);
            let inside = text.get(start + 2..end.saturating_sub(2)).unwrap_or_default();
            let Some((range, name)) = marker_in_block(inside) else {
                continue;
            };
            let marker = inside.get(range.clone()).unwrap_or_default();
            let span = Span::of(self.source.file, start + 2 + range.start..start + 2 + range.end);
            let problem = lookalike(span, name, marker);
            let is_whole = inside.trim_start_matches(['*', '!']).trim() == marker;
            problems.push(if is_whole && self.is_alone(block.start, block.end) {
                let block = Span::new(self.source.file, block.start, block.end);
                problem.with_fix(Fix::replace(block, format!("// {marker}")))
            } else {
                problem
            });
        }
    }

    /// Returns whether the lines of a byte range contain nothing else.
    pub(super) fn is_alone(&self, start: u32, end: u32) -> bool {
        let text = self.source.text;
        let before = text.get(..start as usize).unwrap_or_default();
        let behind = text.get(end as usize..).unwrap_or_default();
        let before = before.rsplit('\n').next().unwrap_or_default();
        let behind = behind.split('\n').next().unwrap_or_default();
        before.trim().is_empty() && behind.trim().is_empty()
    }

    /// Returns the fix that moves a comment from the end of its line to a separate line above it.
    fn above_its_line(&self, comment: &Comment) -> Option<Fix> {
        let source = self.source;
        let line_start = *self.line_starts.get(comment.line as usize)?;
        let line = source.text.get(line_start as usize..comment.start as usize)?;
        let code = line.trim();
        let indentation = line.get(..line.len() - line.trim_start().len())?;
        let code_start = line_start + u32::try_from(indentation.len()).ok()?;
        let code_end = line_start + u32::try_from(line.trim_end().len()).ok()?;
        let text = source.text.get(comment.start as usize..comment.end as usize)?;
        let fix = Fix::replace(
            Span::new(source.file, code_start, code_start),
            format!("{text}\n{indentation}"),
        )
        .and(Span::new(source.file, code_end, comment.end), "");
        // The marker belongs to a field with its comma. After a brace, it may be meant for the content.
        let is_field = code.ends_with(',')
            && !code.starts_with(['}', ')', ']', '#'])
            && code.matches(['{', '(', '[', '<']).count() == code.matches(['}', ')', ']', '>']).count();
        Some(if is_field { fix } else { fix.uncertain() })
    }

    /// Returns the first byte of the comments that end directly above the line of `offset`, or `offset` itself. Returns
    /// `None` if one of these comments has a marker that may belong to the module.
    pub(super) fn start_above(&self, offset: u32) -> Option<u32> {
        let mut start = offset;
        let mut line = self.line_of(offset);
        while let Some(index) = line.checked_sub(1).and_then(|above| self.own_line_comment(above)) {
            let comment = self.comments.get(index)?;
            if comment.style == Style::Plain && *self.in_marker.get(index)? {
                return None;
            }
            start = comment.start;
            line -= 1;
        }
        Some(start)
    }

    /// Returns whether `cfg` disables the code at an offset.
    fn is_excluded(&self, offset: u32) -> bool {
        self.excluded
            .iter()
            .any(|(start, end)| (*start..*end).contains(&offset))
    }

    /// Indices of the comments that belong to a node.
    fn above(&self, place: &Place<'_>) -> Vec<usize> {
        let mut line = self.line_of(place.start);
        let mut attached = Vec::new();
        let floor = self.shared_line(place);
        self.climb(&mut line, floor, place, &mut attached);
        // The next block above, one blank line away.
        if line > 0 && Some(line) != floor && self.is_blank(line - 1) {
            line -= 1;
            self.climb(&mut line, floor, place, &mut attached);
        }
        attached
    }

    /// Climbs over comment lines and attributes of the node until it finds another line.
    fn climb(&self, line: &mut u32, floor: Option<u32>, place: &Place<'_>, attached: &mut Vec<usize>) {
        while Some(*line) != floor {
            if let Some(index) = line.checked_sub(1).and_then(|above| self.own_line_comment(above)) {
                attached.push(index);
                *line -= 1;
            } else if let Some(start) = self.attribute_above(*line, place) {
                *line = start;
            } else {
                return;
            }
        }
    }

    /// Returns the line on which a node starts after other code; comments above that line belong to the other code.
    fn shared_line(&self, place: &Place<'_>) -> Option<u32> {
        let first = place
            .attributes
            .iter()
            .map(|(start, _)| *start)
            .min()
            .map_or(place.start, |start| start.min(place.start));
        let line = self.line_of(first);
        let line_start = self.line_starts.get(line as usize).copied().unwrap_or_default();
        let before = self
            .source
            .text
            .get(line_start as usize..first as usize)
            .unwrap_or_default();
        (!before.trim().is_empty()).then_some(line)
    }

    /// Returns the first line of an attribute of the node that reaches the line above `line`, or `line` itself.
    fn attribute_above(&self, line: u32, place: &Place<'_>) -> Option<u32> {
        place.attributes.iter().find_map(|(start, end)| {
            let (first, last) = (self.line_of(*start), self.line_of(end.saturating_sub(1)));
            (first < line && last + 1 >= line).then_some(first)
        })
    }

    /// Returns the comment that is alone on a line, unless it is about the enclosing module.
    fn own_line_comment(&self, line: u32) -> Option<usize> {
        let number = self.comment_on_line.get(line as usize).copied()??;
        Some(number.get() as usize - 1)
    }

    fn line_of(&self, offset: u32) -> u32 {
        let index = self
            .line_starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1);
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    fn is_blank(&self, line: u32) -> bool {
        let start = self.line_starts.get(line as usize).copied().unwrap_or_default() as usize;
        let end = self
            .line_starts
            .get(line as usize + 1)
            .map_or(self.source.text.len(), |next| *next as usize);
        self.source
            .text
            .get(start..end)
            .is_some_and(|text| text.trim().is_empty())
    }
}

/// Returns the problem of text that looks like the marker `name`. `text` is the name with its value.
pub(super) fn lookalike(span: Span, name: &str, text: &str) -> Problem {
    let message = format!("this looks like the marker `{name}`, but is plain text");
    let text = text.trim_start_matches('+');
    Problem::warning(Code::MarkerLookalike, span, message)
        .help(format!("write `// +{text}` on a line of its own"))
}

/// Returns the problem of a marker of another tool that the project rejects.
fn forbidden(text: &MarkerText) -> Problem {
    let name = text.name();
    let prefix = name.split_once(':').map_or(name, |(first, _)| first);
    Problem::error(
        Code::ForeignMarker,
        text.name_span(),
        format!("`{name}` is not a marker of kgen, and `kgen.toml` forbids other markers"),
    )
    .help(format!(
        "if another tool reads it, add `\"{prefix}:\"` to `foreign-markers` in `kgen.toml`; otherwise remove it"
    ))
}

/// Returns whether a marker is allowed in any comment, and therefore does not belong to a node.
fn is_anywhere(marker: &Marker) -> bool {
    marker.definition().targets.contains(&Target::Anywhere)
}
