//! Fixes: the edits that repair a problem, as data.
//!
//! Code that finds a problem adds a [`Fix`] to it. People see a sentence that this module derives from the fix,
//! programs get the edits, and `kgen fix` applies those that are certain.

use std::borrow::Cow;
use std::ops::Range;

use crate::{Files, Near, SourceFile, Span};

/// How certain a fix is, in rustc's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Applicability {
    /// The fix is what the user meant; programs may apply it without asking.
    MachineApplicable,
    /// The fix may be what the user meant; a person has to decide.
    MaybeIncorrect,
}

impl Applicability {
    /// Returns the word in JSON, as rustc writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::MachineApplicable => "MachineApplicable",
            Self::MaybeIncorrect => "MaybeIncorrect",
        }
    }
}

/// How people read a fix, beside the underlined place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wording {
    /// `` did you mean `…`? ``
    Question,
    /// `` write `…` ``
    Imperative,
    /// Not at all, because the help of the problem already says it.
    Unsaid,
}

/// Text that takes the place of other text. The span of an insertion is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced text.
    pub span: Span,
    /// The new text. Its line breaks are `\n`; [`Edit::resolve`] adapts them to the file.
    pub replacement: String,
    /// Where the replacement goes, relative to the span.
    placement: Placement,
    /// The text that must be there, for code that knows the value but not how it is written.
    expected: Option<String>,
}

/// Where a replacement goes, relative to the span of its edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placement {
    /// In the place of the span.
    Exact,
    /// In the place of the span, but quotes around the replaced text stay.
    InsideQuotes,
    /// In the place of the only mention of the expected text within the span.
    OnlyMention,
    /// On a line of its own above the line of the span.
    LineAbove,
    /// In the place of the span, after a line break and the comment sign of the line.
    NextCommentLine,
}

impl Edit {
    fn new(span: Span, replacement: impl Into<String>, placement: Placement) -> Self {
        Self {
            span,
            replacement: replacement.into(),
            placement,
            expected: None,
        }
    }
}

/// An edit in terms of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedEdit {
    /// The replaced text, without quotes that stay.
    pub span: Span,
    /// The new text, with the line breaks of the file.
    pub replacement: String,
}

impl Edit {
    /// Adapts the edit to its file: quotes that stay are left out of the span, and line breaks are those of the file.
    ///
    /// Returns `None` if the file is unknown, if the span is not a range of its text, or if other text is there.
    #[must_use]
    pub fn resolve(&self, files: &Files) -> Option<ResolvedEdit> {
        let file = files.get(self.span.file)?;
        let written = file.text().get(self.span.range())?;
        let mut range = self.span.range();
        match self.placement {
            Placement::Exact => {}
            // The comment signs of further lines are inside the span, and must not go.
            Placement::InsideQuotes if written.contains('\n') => return None,
            Placement::InsideQuotes => range = inside_quotes(written, range),
            Placement::OnlyMention => {
                range = only_mention(written, self.expected.as_deref()?, range.start)?;
            }
            Placement::LineAbove => return self.resolve_line_above(file),
            Placement::NextCommentLine => return self.resolve_next_comment_line(file),
        }
        let replaced = file.text().get(range.clone())?;
        if self
            .expected
            .as_deref()
            .is_some_and(|expected| expected != replaced)
        {
            return None;
        }
        Some(ResolvedEdit {
            span: Span::of(self.span.file, range),
            replacement: with_line_breaks_of(file, &self.replacement).into_owned(),
        })
    }

    /// Adapts a new line above a declaration. Returns `None` if other code is before the declaration on its line, because a
    /// comment above that line would belong to the other code.
    fn resolve_line_above(&self, file: &SourceFile) -> Option<ResolvedEdit> {
        let line = self.line_before(file)?;
        let start = self.span.range().start - line.len();
        let code = line.trim_start();
        let mut words = code.split_whitespace();
        let starts_item = |word: &str| ["pub", "struct", "enum"].contains(&word) || word.starts_with("pub(");
        if !words.all(starts_item) {
            return None;
        }
        let indent = line.get(..line.len() - code.len())?;
        let lines = self.replacement.lines().map(|line| format!("{indent}{line}\n"));
        let text: String = lines.collect();
        Some(ResolvedEdit {
            span: Span::of(self.span.file, start..start),
            replacement: with_line_breaks_of(file, &text).into_owned(),
        })
    }

    /// Adapts text that starts a comment line. Returns `None` if the line of the span is not a line comment.
    fn resolve_next_comment_line(&self, file: &SourceFile) -> Option<ResolvedEdit> {
        let line = self.line_before(file)?;
        let code = line.trim_start();
        if !code.starts_with("//") {
            return None;
        }
        let comment = code.trim_start_matches('/').trim_start();
        let sign = line.get(..line.len() - comment.len())?;
        let text = format!("\n{sign}{}", self.replacement);
        Some(ResolvedEdit {
            span: self.span,
            replacement: with_line_breaks_of(file, &text).into_owned(),
        })
    }

    /// Returns the text between the start of the line and the span.
    fn line_before<'a>(&self, file: &'a SourceFile) -> Option<&'a str> {
        let before = file.text().get(..self.span.range().start)?;
        before.rsplit('\n').next()
    }
}

/// Returns the range of the only whole word `word` in a text that starts at `start`.
fn only_mention(text: &str, word: &str, start: usize) -> Option<Range<usize>> {
    let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let mut mentions = text.match_indices(word).filter(|(at, _)| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let behind = text
            .get(at + word.len()..)
            .and_then(|behind| behind.chars().next());
        !before.is_some_and(is_inside) && !behind.is_some_and(is_inside)
    });
    let (at, _) = mentions.next().filter(|_| !word.is_empty())?;
    mentions
        .next()
        .is_none()
        .then_some(start + at..start + at + word.len())
}

fn inside_quotes(written: &str, range: Range<usize>) -> Range<usize> {
    let is_quoted = ['"', '`']
        .iter()
        .any(|quote| written.len() >= 2 && written.starts_with(*quote) && written.ends_with(*quote));
    if is_quoted {
        range.start + 1..range.end - 1
    } else {
        range
    }
}

fn with_line_breaks_of<'a>(file: &SourceFile, text: &'a str) -> Cow<'a, str> {
    let first_break = file.text().find('\n');
    let is_crlf =
        first_break.is_some_and(|at| file.text().get(..at).is_some_and(|line| line.ends_with('\r')));
    if is_crlf && text.contains('\n') {
        Cow::Owned(text.replace('\n', "\r\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A repair of a problem: one edit, or several that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The edits, which do not overlap.
    pub edits: Vec<Edit>,
    /// How certain they are.
    pub applicability: Applicability,
    wording: Wording,
}

impl Fix {
    /// Replaces exactly the text at `span`. The fix is certain, and the help of the problem already says it.
    #[must_use]
    pub fn replace(span: Span, replacement: impl Into<String>) -> Self {
        Self::of(Edit::new(span, replacement, Placement::Exact))
    }

    fn of(edit: Edit) -> Self {
        Self {
            edits: vec![edit],
            applicability: Applicability::MachineApplicable,
            wording: Wording::Unsaid,
        }
    }

    /// Replaces the word at `span`; quotes around it stay. Otherwise the same as [`Fix::replace`].
    #[must_use]
    pub fn word(span: Span, word: impl Into<String>) -> Self {
        Self::of(Edit::new(span, word, Placement::InsideQuotes))
    }

    /// Replaces the only mention of `misspelled` within the text at `span` by the word that was probably meant, and asks whether it
    /// was. It cannot be applied if the text has several mentions, or none.
    #[must_use]
    pub fn near_mention(span: Span, misspelled: impl Into<String>, near: Near<'_>) -> Self {
        let fix = Self::of(Edit::new(span, near.word, Placement::OnlyMention));
        let fix = fix.only_for(misspelled).asked();
        if near.is_certain { fix } else { fix.uncertain() }
    }

    /// Replaces the text at `span`, inside a line comment, by a line break and a comment line that starts with `text`. Otherwise
    /// the same as [`Fix::replace`].
    #[must_use]
    pub fn next_comment_line(span: Span, text: impl Into<String>) -> Self {
        Self::of(Edit::new(span, text, Placement::NextCommentLine))
    }

    /// Adds a line above the declaration whose name is at `span`, with its indentation. A person has to decide about it, and
    /// the help of the problem already says it.
    #[must_use]
    pub fn line_above(span: Span, line: impl Into<String>) -> Self {
        Self::of(Edit::new(span, line, Placement::LineAbove)).uncertain()
    }

    /// Makes it a fix that can be applied only if exactly `text` is at the place of its first edit.
    #[must_use]
    pub fn only_for(mut self, text: impl Into<String>) -> Self {
        if let Some(edit) = self.edits.first_mut() {
            edit.expected = Some(text.into());
        }
        self
    }

    /// Replaces the word at `span` by the word that was probably meant, and asks whether it was.
    #[must_use]
    pub fn near(span: Span, near: Near<'_>) -> Self {
        let fix = Self::word(span, near.word).asked();
        if near.is_certain { fix } else { fix.uncertain() }
    }

    /// Adds an edit.
    #[must_use]
    pub fn and(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.edits.push(Edit::new(span, replacement, Placement::Exact));
        self
    }

    /// Adds a line above another declaration.
    #[must_use]
    pub fn and_line_above(mut self, span: Span, line: impl Into<String>) -> Self {
        self.edits.push(Edit::new(span, line, Placement::LineAbove));
        self
    }

    /// Makes it a fix that a person has to decide about.
    #[must_use]
    pub fn uncertain(mut self) -> Self {
        self.applicability = Applicability::MaybeIncorrect;
        self
    }

    /// Makes it a fix that programs may apply without asking.
    #[must_use]
    pub fn certain(mut self) -> Self {
        self.applicability = Applicability::MachineApplicable;
        self
    }

    /// Shows it as `` did you mean `…`? ``.
    #[must_use]
    pub fn asked(mut self) -> Self {
        self.wording = Wording::Question;
        self
    }

    /// Shows it as `` write `…` ``.
    #[must_use]
    pub fn told(mut self) -> Self {
        self.wording = Wording::Imperative;
        self
    }

    /// Returns whether programs may apply it without asking.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.applicability == Applicability::MachineApplicable
    }

    fn replacement(&self) -> &str {
        self.edits.first().map_or("", |edit| edit.replacement.as_str())
    }
}

/// The fixes of a problem. Most problems have none, so that the list takes one pointer: problems are returned as errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixes(Option<Box<Several>>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Several(Vec<Fix>);

impl Fixes {
    /// Adds one.
    pub fn push(&mut self, fix: Fix) {
        self.0.get_or_insert_default().0.push(fix);
    }

    /// Marks all fixes as ones that a person has to decide about.
    pub(crate) fn doubt(&mut self) {
        for fix in self.0.iter_mut().flat_map(|several| &mut several.0) {
            fix.applicability = Applicability::MaybeIncorrect;
        }
    }
}

impl std::ops::Deref for Fixes {
    type Target = [Fix];

    fn deref(&self) -> &[Fix] {
        self.0.as_ref().map_or(&[], |several| &several.0)
    }
}

/// Returns the sentence about the fixes of a problem; empty if none needs one.
pub(crate) fn sentence(fixes: &[Fix]) -> String {
    let shown = |wording: Wording| {
        let fixes = fixes.iter().filter(move |fix| fix.wording == wording);
        fixes.map(|fix| quoted(fix.replacement())).collect::<Vec<_>>()
    };
    let (asked, told) = (shown(Wording::Question), shown(Wording::Imperative));
    if !asked.is_empty() {
        format!("did you mean {}?", asked.join(" or "))
    } else if !told.is_empty() {
        format!("write {}", told.join(" or "))
    } else {
        String::new()
    }
}

/// Returns a replacement in back quotes, unless it has quotes of its own.
fn quoted(replacement: &str) -> String {
    if replacement.starts_with(['"', '`']) {
        replacement.to_owned()
    } else {
        format!("`{replacement}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> (Files, crate::FileId) {
        let mut files = Files::default();
        let id = files.add(SourceFile::new("a.rs", text));
        (files, id)
    }

    fn resolved(text: &str, fix: &Fix) -> Vec<(Range<usize>, String)> {
        let (files, _) = files(text);
        fix.edits
            .iter()
            .filter_map(|edit| edit.resolve(&files))
            .map(|edit| (edit.span.range(), edit.replacement))
            .collect()
    }

    #[test]
    fn a_word_keeps_the_quotes_around_it() {
        let (_, id) = files("");
        let fix = Fix::word(Span::of(id, 2..7), "red");
        assert_eq!(resolved("x=\"rad\"", &fix), [(3..6, "red".to_owned())]);
        assert_eq!(resolved("x=`rad`", &fix), [(3..6, "red".to_owned())]);
        assert_eq!(resolved("x=radar", &fix), [(2..7, "red".to_owned())]);
        let exact = Fix::replace(Span::of(id, 2..7), "\"red\"");
        assert_eq!(resolved("x='rad'", &exact), [(2..7, "\"red\"".to_owned())]);
    }

    #[test]
    fn a_line_goes_above_a_declaration() {
        let (_, id) = files("");
        let text = "pub struct A {\r\n    #[serde(default)]\r\n    pub(crate) b: u8,\r\n}\r\n";
        let at = |word: &str| text.find(word).unwrap();
        let fix = Fix::line_above(Span::of(id, at("b: ")..at(": ")), "// +c");
        let line = at("    pub(crate)");
        assert_eq!(resolved(text, &fix), [(line..line, "    // +c\r\n".to_owned())]);
        let fix = Fix::line_above(Span::of(id, at("A ")..at(" {")), "// +c");
        assert_eq!(resolved(text, &fix), [(0..0, "// +c\r\n".to_owned())]);
        assert!(!fix.is_certain());
        // A comment above this line would belong to the struct.
        let text = "pub struct A { pub b: u8 }\n";
        let fix = Fix::line_above(Span::of(id, 19..20), "// +c");
        assert_eq!(resolved(text, &fix), []);
    }

    #[test]
    fn text_moves_to_a_comment_line_of_its_own() {
        let (_, id) = files("");
        let text = "struct A {\r\n    // +a +b\r\n    b: u8, // +c +d\r\n}\r\n";
        let gap = text.find(" +b").unwrap();
        let fix = Fix::next_comment_line(Span::of(id, gap..gap + 1), "");
        assert_eq!(resolved(text, &fix), [(gap..gap + 1, "\r\n    // ".to_owned())]);
        assert!(fix.is_certain());
        // The next line would be the comment of another field.
        let gap = text.find(" +d").unwrap();
        let fix = Fix::next_comment_line(Span::of(id, gap..gap + 1), "");
        assert_eq!(resolved(text, &fix), []);
    }

    #[test]
    fn a_fix_can_insist_on_the_text_that_it_replaces() {
        let (_, id) = files("");
        let fix = Fix::word(Span::of(id, 2..7), "red").only_for("rad");
        assert_eq!(resolved("x=\"rad\"", &fix).len(), 1);
        assert_eq!(resolved("x=rad;b", &fix), []);
    }

    #[test]
    fn a_word_over_several_lines_is_left_alone() {
        let (_, id) = files("");
        assert_eq!(resolved("a\n// b", &Fix::word(Span::of(id, 0..6), "c")), []);
        assert_eq!(resolved("a", &Fix::replace(Span::of(id, 0..9), "c")), []);
    }

    #[test]
    fn insertions_have_the_line_breaks_of_the_file() {
        let (_, id) = files("");
        let fix = Fix::replace(Span::of(id, 0..0), "use a;\n");
        assert_eq!(resolved("x\r\ny\r\n", &fix), [(0..0, "use a;\r\n".to_owned())]);
        assert_eq!(resolved("x\ny\r\n", &fix), [(0..0, "use a;\n".to_owned())]);
        assert_eq!(resolved("x", &fix), [(0..0, "use a;\n".to_owned())]);
    }

    #[test]
    fn the_sentence_follows_from_the_fixes() {
        let (_, id) = files("");
        let fix = |word: &str| Fix::word(Span::of(id, 0..1), word);
        assert_eq!(sentence(&[fix("a").asked()]), "did you mean `a`?");
        assert_eq!(
            sentence(&[fix("a").asked(), fix("b").asked()]),
            "did you mean `a` or `b`?"
        );
        assert_eq!(sentence(&[fix("\"a\"").told()]), "write \"a\"");
        assert_eq!(sentence(&[fix("a").told()]), "write `a`");
        assert_eq!(sentence(&[fix("a")]), "");
    }
}
