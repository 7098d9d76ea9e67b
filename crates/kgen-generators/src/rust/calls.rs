//! Lays out calls and chains of calls like rustfmt.
//!
//! Tables of changes are long chains whose arguments are chains again. The layout follows rustfmt's own decisions, with its
//! default widths: a call or a chain of several calls takes at most 60 characters in one line.

/// The longest line that rustfmt does not break.
const WIDTH: usize = 100;

/// The longest arguments of a call, and the longest chain, in one line.
const SHORT: usize = 60;

/// Last calls of a chain with as many lines stay on the line of the chain.
const TALL: usize = 5;

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    /// Anything that is never broken.
    Text(String),
    /// A function with its arguments.
    Call(Call),
    /// A value and the method calls on it.
    Chain(Box<Expression>, Vec<Call>),
}

/// The name of a function or method, with its arguments.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Vec<Expression>,
}

impl Call {
    pub(super) fn new(name: impl Into<String>, arguments: impl IntoIterator<Item = Expression>) -> Self {
        Self {
            name: name.into(),
            arguments: arguments.into_iter().collect(),
        }
    }

    /// Returns the call in one line, if rustfmt leaves it there.
    fn one_line(&self) -> Option<String> {
        let arguments: Option<Vec<String>> = self.arguments.iter().map(Expression::one_line).collect();
        let arguments = arguments?.join(", ");
        (width(&arguments) <= SHORT).then(|| format!("{}({arguments})", self.name))
    }

    /// Returns the call at a column, with `behind` characters after it.
    fn lines(&self, indent: usize, column: usize, behind: usize) -> String {
        if let Some(line) = self
            .one_line()
            .filter(|line| column + width(line) + behind <= WIDTH)
        {
            return line;
        }
        let mut text = format!("{}(\n", self.name);
        for argument in &self.arguments {
            let argument = argument.lines(indent + 4, indent + 4, 1);
            text.push_str(&format!("{}{argument},\n", " ".repeat(indent + 4)));
        }
        text.push_str(&format!("{})", " ".repeat(indent)));
        text
    }
}

impl Expression {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Adds a call to a chain.
    pub(super) fn then(self, call: Call) -> Self {
        match self {
            Self::Chain(first, mut calls) => {
                calls.push(call);
                Self::Chain(first, calls)
            }
            other => Self::Chain(Box::new(other), vec![call]),
        }
    }

    fn one_line(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Call(call) => call.one_line(),
            Self::Chain(first, calls) => {
                let mut line = first.one_line()?;
                for call in calls {
                    line.push_str(&format!(".{}", call.one_line()?));
                }
                (calls.len() < 2 || width(&line) <= SHORT).then_some(line)
            }
        }
    }

    /// Returns the expression at a column of a line with this indentation, with `behind` characters after it.
    pub(super) fn lines(&self, indent: usize, column: usize, behind: usize) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Call(call) => call.lines(indent, column, behind),
            Self::Chain(first, calls) => chain(first, calls, indent, column, behind),
        }
    }
}

fn chain(first: &Expression, calls: &[Call], indent: usize, column: usize, behind: usize) -> String {
    let head = first.lines(indent, column, 0);
    let Some((last, before)) = calls.split_last() else {
        return head;
    };
    // Behind a head of several lines, calls are not indented.
    let is_block = head.contains('\n');
    let below = if is_block { indent } else { indent + 4 };
    let budget = if calls.len() == 1 { WIDTH } else { SHORT };
    let singles: Option<Vec<String>> = before.iter().map(Call::one_line).collect();
    if let Some(singles) = singles.filter(|_| !is_block) {
        let start: String = [head.clone()]
            .into_iter()
            .chain(singles.iter().map(|call| format!(".{call}")))
            .collect();
        let room = budget
            .min(WIDTH.saturating_sub(column))
            .saturating_sub(width(&start));
        let on_line = last.lines(indent, column + width(&start) + 1, behind);
        let first_line = on_line.lines().next().map_or(0, width) + 1;
        let count = on_line.lines().count();
        if count == 1 && first_line + behind <= room {
            return format!("{start}.{on_line}");
        }
        let alone = last.lines(below, below + 1, behind);
        if room > 0 && first_line <= room && count > 1 && (count >= TALL || alone.lines().count() >= count) {
            return format!("{start}.{on_line}");
        }
    }
    let mut text = head;
    for (index, call) in calls.iter().enumerate() {
        let behind = if index + 1 == calls.len() { behind } else { 0 };
        text.push_str(&format!(
            "\n{}.{}",
            " ".repeat(below),
            call.lines(below, below + 1, behind)
        ));
    }
    text
}

/// Returns the number of characters, which rustfmt counts instead of bytes.
fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &[&str]) -> Call {
        Call::new(name, arguments.iter().map(|argument| Expression::text(*argument)))
    }

    #[test]
    fn short_chains_stay_on_one_line() {
        let chain = Expression::text("Change::new()").then(call("renamed", &["\"port\"", "\"number\""]));
        let chain = chain.then(call("added", &["\"protocol\""]));
        assert_eq!(
            chain.lines(4, 4, 0),
            "Change::new().renamed(\"port\", \"number\").added(\"protocol\")"
        );
    }

    #[test]
    fn long_chains_are_broken_before_each_call() {
        let mut chain = Expression::text("Change::new()");
        for name in ["first", "second", "third", "fourth"] {
            chain = chain.then(call("renamed", &[&format!("\"{name}\""), "\"number\""]));
        }
        let text = chain.lines(4, 4, 0);
        assert!(
            text.starts_with("Change::new()\n        .renamed(\"first\", \"number\")\n"),
            "{text}"
        );
    }
}
