//! The form for people: rustc's, drawn by the library that draws rustc's.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::Remark;
use crate::{Files, Problem, Severity, Span};

/// Lines around a place that the drawing library gets to see.
const CONTEXT_LINES: usize = 2;

pub(super) fn render(problem: &Problem, remarks: &[Remark], files: &Files, color: bool) -> String {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level
        .primary_title(problem.message.as_str())
        .id(problem.code.name());
    let mut group = Group::with_title(title);
    let beside = problem.beside();
    let mut places: Vec<(Span, AnnotationKind, &str)> = Vec::new();
    places.extend(
        problem
            .span
            .map(|span| (span, AnnotationKind::Primary, beside.as_ref())),
    );
    places.extend(
        problem
            .related
            .iter()
            .map(|related| (related.span, AnnotationKind::Context, related.label.as_str())),
    );
    while let Some((first, _, _)) = places.first().copied() {
        let (here, elsewhere): (Vec<_>, Vec<_>) = places
            .into_iter()
            .partition(|(span, _, _)| span.file == first.file);
        places = elsewhere;
        if let Some(snippet) = snippet(&here, files) {
            group = group.element(snippet);
        }
    }
    for (title, text) in remarks {
        group = group.element(Level::NOTE.with_name(*title).message(text.as_str()));
    }
    for help in &problem.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = renderer.render(&[group]);
    text.push_str("\n\n");
    text
}

/// Returns the excerpt of one file with everything that is marked in it.
fn snippet<'a>(
    places: &[(Span, AnnotationKind, &'a str)],
    files: &'a Files,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let (first, _, _) = places.first()?;
    let file = files.get(first.file)?;
    let top = places.iter().map(|(span, _, _)| file.line_of(span.start)).min()?;
    let bottom = places.iter().map(|(span, _, _)| file.line_of(span.end)).max()?;
    let top = top.saturating_sub(CONTEXT_LINES);
    let window_start = file.line_start(top) as usize;
    let window_end = file.line_start(bottom + CONTEXT_LINES) as usize;
    let window = file.text().get(window_start..window_end)?;
    let mut snippet = Snippet::source(window)
        .path(file.name())
        .line_start(top + 1)
        .fold(true);
    for (span, kind, label) in places {
        let range = clamp(span.range(), window_start, window);
        let mut annotation = kind.span(range);
        if !label.is_empty() {
            annotation = annotation.label(*label);
        }
        snippet = snippet.annotation(annotation);
    }
    Some(snippet)
}

/// Returns a range of the file as a range of the window, moved onto character boundaries.
fn clamp(range: std::ops::Range<usize>, window_start: usize, window: &str) -> std::ops::Range<usize> {
    let onto = |offset: usize| {
        let mut offset = offset.saturating_sub(window_start).min(window.len());
        while !window.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    let start = onto(range.start);
    start..onto(range.end).max(start)
}
