//! Unified diffs from what is on the disk to what should be there.

use std::fmt::Write;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{ChangeTag, DiffOp};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// The number of lines of one file that are shown; the message names the command that shows all.
const LINE_LIMIT: usize = 300;

/// The time limit for a good diff; after it, a coarser one is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Returns the difference of one file, with the name in its head so that `patch -p1` understands it.
pub(crate) fn unified(name: &str, old: &str, new: &str, color: bool) -> String {
    if old.replace("\r\n", "\n") == new {
        return format!("{name}: only the line endings differ: CRLF on the disk, LF expected\n");
    }
    let (old, new) = (lines(old), lines(new));
    let mut painter = Painter {
        color,
        text: String::new(),
        lines: 0,
        left_out: 0,
    };
    painter.line(BOLD, &format!("--- a/{name}\n"));
    painter.line(BOLD, &format!("+++ b/{name}\n"));
    for hunk in similar::group_diff_ops(operations(&old, &new), CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
            continue;
        };
        let removed = shown(first.old_range().start..last.old_range().end);
        let added = shown(first.new_range().start..last.new_range().end);
        painter.line(CYAN, &format!("@@ -{removed} +{added} @@\n"));
        for change in hunk
            .iter()
            .flat_map(|operation| operation.iter_changes(&old, &new))
        {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', RED),
                ChangeTag::Insert => ('+', GREEN),
                ChangeTag::Equal => (' ', ""),
            };
            painter.line(style, &format!("{sign}{}", change.value()));
            if !change.value().ends_with('\n') {
                painter.line("", "\n\\ No newline at end of file\n");
            }
        }
    }
    if painter.left_out > 0 {
        // Writing to a string cannot fail.
        let _ = writeln!(painter.text, "… {} more lines of this diff", painter.left_out);
    }
    painter.text
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Compares lines with one algorithm. `similar::TextDiff` contains all of them, and takes several times as long to compile.
fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut operations = Compact::new(Replace::new(Capture::new()), old, new);
    let deadline = Instant::now() + PATIENCE;
    let Ok(()) = myers::diff_deadline(
        &mut operations,
        old,
        0..old.len(),
        new,
        0..new.len(),
        Some(deadline),
    );
    operations.into_inner().into_inner().into_ops()
}

/// Returns a range of lines as the head of a hunk names it: an empty range has the line before it.
fn shown(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => (lines.start + 1).to_string(),
        count => format!("{},{count}", lines.start + 1),
    }
}

const BOLD: &str = "\u{1b}[1m";
const CYAN: &str = "\u{1b}[36m";
const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const PLAIN: &str = "\u{1b}[0m";

struct Painter {
    color: bool,
    text: String,
    lines: usize,
    left_out: usize,
}

impl Painter {
    fn line(&mut self, style: &str, line: &str) {
        if self.lines >= LINE_LIMIT {
            self.left_out += 1;
            return;
        }
        self.lines += 1;
        if self.color && !style.is_empty() {
            let (content, end) = line
                .strip_suffix('\n')
                .map_or((line, ""), |content| (content, "\n"));
            let _ = write!(self.text, "{style}{content}{PLAIN}{end}");
        } else {
            self.text.push_str(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_three_lines_around_it() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let new = "a\nb\nc\nd\nE\nf\ng\nh";
        insta::assert_snapshot!(unified("x.yaml", old, new, false), @r"
        --- a/x.yaml
        +++ b/x.yaml
        @@ -2,7 +2,7 @@
         b
         c
         d
        -e
        +E
         f
         g
        -h
        +h
        \ No newline at end of file
        ");
    }

    #[test]
    fn an_empty_file_starts_before_its_first_line() {
        insta::assert_snapshot!(unified("x.yaml", "", "a\n", false), @r"
        --- a/x.yaml
        +++ b/x.yaml
        @@ -0,0 +1 @@
        +a
        ");
    }

    #[test]
    fn a_large_difference_stays_readable() {
        let old: String = (0..1000).map(|number| format!("old {number}\n")).collect();
        let new: String = (0..1000).map(|number| format!("new {number}\n")).collect();
        let text = unified("x.yaml", &old, &new, false);
        assert!(text.ends_with("… 1703 more lines of this diff\n"), "{text}");
    }

    #[test]
    fn line_endings_are_named_instead_of_shown() {
        insta::assert_snapshot!(unified("x.yaml", "a\r\nb\r\n", "a\nb\n", true), @"x.yaml: only the line endings differ: CRLF on the disk, LF expected");
    }
}
