//! Breaks statements and attributes: calls, chains of calls, sums, lists and conditions.
//!
//! The widths are rustfmt's defaults. A chain of several calls, the arguments of a call, or a list can have 60
//! characters on one line, the arguments of an attribute 70, and the fields of a struct 18.

use super::{SHORT, brackets, fits, spaces, width};

/// The longest arguments of an attribute on one line.
const ATTRIBUTE: usize = 70;

/// The longest fields of a struct expression on one line.
const STRUCT: usize = 18;

/// The longest items of an array that share lines.
const SHORT_ITEM: usize = 10;

/// Breaks an attribute.
pub(super) fn attribute(indent: usize, text: &str) -> String {
    let one_line = format!("{}{text}", spaces(indent));
    let Some((before, arguments, behind)) = text
        .strip_prefix("#[")
        .and_then(|rest| brackets::first(rest, '(', ')'))
    else {
        return one_line;
    };
    if fits(indent, text) && width(arguments) <= ATTRIBUTE {
        return one_line;
    }
    let lines: Vec<String> = brackets::list(arguments)
        .into_iter()
        .map(|argument| format!("{}{argument}", spaces(indent + 4)))
        .collect();
    format!(
        "{}#[{before}(\n{}\n{}){behind}",
        spaces(indent),
        lines.join(",\n"),
        spaces(indent)
    )
}

/// Breaks a statement, the value of a field, or the head of a block.
pub(super) fn statement(indent: usize, text: &str) -> String {
    let start = spaces(indent);
    if let Some(head) = text
        .strip_prefix("if let ")
        .and_then(|rest| rest.strip_suffix(" {"))
    {
        return match head.split_once(" = ") {
            Some(_) if fits(indent, &format!("if let {head}")) && !fits(indent, text) => {
                format!("{start}if let {head}\n{start}{{")
            }
            Some((pattern, value)) if !fits(indent, text) => {
                format!(
                    "{start}if let {pattern} =\n{}{value}\n{start}{{",
                    spaces(indent + 4)
                )
            }
            _ => format!("{start}{text}"),
        };
    }
    if text.ends_with('{') || text.ends_with('}') && !text.starts_with("Self {") || text.starts_with('}') {
        return format!("{start}{text}");
    }
    let (body, end) = match text.chars().last() {
        Some(end @ (';' | ',')) => (text.get(..text.len() - 1).unwrap_or_default(), end.to_string()),
        _ => (text, String::new()),
    };
    let (prefix, value) = prefix(body);
    let shape = Shape {
        indent,
        first: width(prefix),
        behind: end.len(),
    };
    if let Some(value) = shape.one_line(value) {
        return format!("{start}{prefix}{value}{end}");
    }
    let below = Shape {
        indent: indent + 4,
        first: 0,
        behind: end.len(),
    };
    // A value that fits on the next line moves there, unless it can be broken on this line.
    let is_chain = !chain(value).links.is_empty();
    match below.one_line(value) {
        Some(value) if !prefix.is_empty() && !is_chain => {
            format!("{start}{}\n{}{value}{end}", prefix.trim_end(), spaces(indent + 4))
        }
        _ => {
            let here = shape.lines(value);
            let next = below.lines(value);
            if is_sum(value) && here.lines().count() > next.lines().count() + 1 {
                return format!("{start}{}\n{}{next}{end}", prefix.trim_end(), spaces(indent + 4));
            }
            format!("{start}{prefix}{here}{end}")
        }
    }
}

/// Returns the text before the value of a statement: `let x = `, `return `, `name: `, or an empty string.
fn prefix(text: &str) -> (&str, &str) {
    let end = if text.starts_with("let ") || text.starts_with("self.") {
        brackets::outside(text, false)
            .iter()
            .find(|(index, letter)| {
                *letter == '=' && text.get(..*index).is_some_and(|before| before.ends_with(' '))
            })
            .map(|(index, _)| index + 2)
    } else if text.starts_with("return ") {
        Some("return ".len())
    } else {
        text.split_once(": ")
            .filter(|(name, _)| {
                name.chars()
                    .all(|letter| letter.is_alphanumeric() || "_#".contains(letter))
            })
            .map(|(name, _)| name.len() + 2)
    };
    end.and_then(|end| text.split_at_checked(end))
        .unwrap_or(("", text))
}

fn is_sum(text: &str) -> bool {
    brackets::outside(text, false)
        .iter()
        .any(|(_, letter)| *letter == '+')
}

/// Splits a sum of two before its second part, if the first is as short as the indentation. rustfmt then breaks the second
/// part on the same line.
fn short_beginning(text: &str) -> Option<(&str, &str)> {
    let prefix = parts(text, '+').first().map(|part| width(part) + " + ".len())?;
    is_sum(text)
        .then(|| text.split_at_checked(prefix))?
        .filter(|(_, last)| prefix <= 4 && !is_sum(last))
}

/// The space for an expression: its indentation, and the widths before and after it.
#[derive(Clone, Copy)]
struct Shape {
    indent: usize,
    first: usize,
    behind: usize,
}

impl Shape {
    /// Returns the expression on one line, or `None` if rustfmt breaks it.
    fn one_line(self, text: &str) -> Option<&str> {
        let has_room = self.indent + self.first + width(text) + self.behind <= super::WIDTH;
        (has_room && is_short(text)).then_some(text)
    }

    /// Returns the expression on one or more lines.
    fn whole(self, text: &str) -> String {
        self.one_line(text)
            .map_or_else(|| self.lines(text), str::to_owned)
    }

    /// Returns the expression on several lines.
    fn lines(self, text: &str) -> String {
        let inner = spaces(self.indent + 4);
        if let Some(items) = text.strip_prefix("&[").and_then(|rest| rest.strip_suffix(']')) {
            return array(self.indent, items);
        }
        if let Some((before, fields, behind)) = struct_expression(text) {
            let fields: String = brackets::list(fields)
                .iter()
                .map(|field| format!("{inner}{field},\n"))
                .collect();
            return format!("{before}\n{fields}{}{behind}", spaces(self.indent));
        }
        if let Some((prefix, last)) = short_beginning(text) {
            let rest = Self {
                first: self.first + width(prefix),
                ..self
            };
            return format!("{prefix}{}", rest.lines(last));
        }
        if is_sum(text) {
            return self.sum(text);
        }
        let Chain { count, root, links } = chain(text);
        match links.as_slice() {
            [] => call(self.indent, text),
            // A single call stays on its line, and its arguments are broken.
            [only] if count == 1 && only.contains('(') && !root.ends_with([')', '"']) => {
                format!("{root}{}", call(self.indent, only))
            }
            // rustfmt does not format an expression with a string that is too long for a line of its own.
            [_] if root.ends_with('"') && self.indent + self.first + width(root) > super::WIDTH => {
                text.to_owned()
            }
            _ => links
                .iter()
                .fold(root.to_owned(), |lines, link| format!("{lines}\n{inner}{link}")),
        }
    }
}

impl Shape {
    /// Returns a sum with its parts below each other. A part stays behind a line that ends where its own line would begin.
    fn sum(self, text: &str) -> String {
        let below = Self {
            indent: self.indent + 4,
            first: 2,
            behind: 1,
        };
        let mut lines = String::new();
        for part in parts(text, '+') {
            if lines.is_empty() {
                lines = self.whole(part);
                continue;
            }
            let (last, first) = match lines.rsplit_once('\n') {
                Some((_, last)) => (width(last), width(last.trim_start())),
                None => (self.indent + self.first + width(&lines), width(&lines)),
            };
            if last <= below.indent {
                let beside = Self {
                    first: self.first + first + " + ".len(),
                    ..self
                };
                lines = format!("{lines} + {}", beside.whole(part));
            } else {
                lines = format!("{lines}\n{}+ {}", spaces(below.indent), below.whole(part));
            }
        }
        lines
    }
}

/// Returns the fields of a struct expression, with the text before and behind them.
fn struct_expression(text: &str) -> Option<(&str, &str, &str)> {
    [("Self {", "}"), ("Ok(Self {", "})")]
        .into_iter()
        .find_map(|(before, behind)| {
            let fields = text.strip_prefix(before)?.strip_suffix(behind)?;
            Some((before, fields.strip_prefix(' ')?.strip_suffix(' ')?, behind))
        })
}

/// Returns whether all parts of an expression are short enough for one line.
fn is_short(text: &str) -> bool {
    if let Some(items) = text.strip_prefix("&[").and_then(|rest| rest.strip_suffix(']')) {
        return width(items) <= SHORT;
    }
    if let Some((_, fields, _)) = struct_expression(text) {
        return width(fields) <= STRUCT;
    }
    if is_sum(text) {
        return parts(text, '+').into_iter().all(is_short);
    }
    let Chain { count, links, .. } = chain(text);
    if count > 1 && width(text) > SHORT {
        return false;
    }
    let mut calls: Vec<&str> = links.clone();
    if links.is_empty() {
        calls.push(text);
    }
    calls.iter().all(|link| match brackets::first(link, '(', ')') {
        // rustfmt does not format the argument of this macro.
        Some((before, arguments, _)) => width(arguments) <= SHORT || before.ends_with('!'),
        None => true,
    })
}

/// A chain of fields and calls.
struct Chain<'a> {
    /// The number of links.
    count: usize,
    /// The part that stays on its line. A root as short as the indentation keeps its first link.
    root: &'a str,
    /// The links that can be on lines of their own.
    links: Vec<&'a str>,
}

fn chain(text: &str) -> Chain<'_> {
    let mut starts: Vec<usize> = brackets::outside(text, false)
        .into_iter()
        .filter(|(_, letter)| *letter == '.')
        .map(|(index, _)| index)
        .collect();
    let count = starts.len();
    if starts.first().is_some_and(|first| *first <= 4) {
        starts.remove(0);
    }
    let Some(first) = starts.first().copied() else {
        return Chain {
            count,
            root: text,
            links: Vec::new(),
        };
    };
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let links = starts
        .iter()
        .zip(ends)
        .filter_map(|(start, end)| text.get(*start..end));
    Chain {
        count,
        root: text.get(..first).unwrap_or_default(),
        links: links.collect(),
    }
}

/// Returns a call with one argument per line.
fn call(indent: usize, text: &str) -> String {
    let Some((before, arguments, behind)) =
        brackets::first(text, '(', ')').filter(|(_, inside, _)| !inside.is_empty())
    else {
        return text.to_owned();
    };
    let shape = Shape {
        indent: indent + 4,
        first: 0,
        behind: 1,
    };
    let lines: String = brackets::list(arguments)
        .into_iter()
        .map(|argument| format!("{}{},\n", spaces(indent + 4), shape.whole(argument)))
        .collect();
    format!("{before}(\n{lines}{}){behind}", spaces(indent))
}

/// Returns an array of literals; short ones share lines.
fn array(indent: usize, items: &str) -> String {
    let items = brackets::list(items);
    let inner = spaces(indent + 4);
    if items.iter().any(|item| width(item) > SHORT_ITEM) {
        let lines: String = items.iter().map(|item| format!("{inner}{item},\n")).collect();
        return format!("&[\n{lines}{}]", spaces(indent));
    }
    let mut lines = String::new();
    let mut line = inner.clone();
    for item in items {
        if width(&line) + width(item) + 2 > super::WIDTH {
            lines.push_str(line.trim_end());
            lines.push('\n');
            line.clone_from(&inner);
        }
        line.push_str(&format!("{item}, "));
    }
    format!("&[\n{lines}{}\n{}]", line.trim_end(), spaces(indent))
}

/// Returns the parts of an expression between operators.
fn parts(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut begin = 0;
    for (index, letter) in brackets::outside(text, false) {
        if letter == separator {
            parts.push(text.get(begin..index).unwrap_or_default().trim());
            begin = index + separator.len_utf8();
        }
    }
    parts.push(text.get(begin..).unwrap_or_default().trim());
    parts
}
