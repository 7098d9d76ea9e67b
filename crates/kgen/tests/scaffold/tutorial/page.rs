//! The page as a list of steps.
//!
//! | block | after the line | means |
//! |---|---|---|
//! | `sh` | | commands to run |
//! | `sh cluster` | | commands that need a cluster |
//! | `sh webhooks` | | commands that need a cluster in which the operator is deployed |
//! | `sh elsewhere` | | commands that are not run here |
//! | `sh … fails` | | a command that must fail |
//! | `text` | | the output of the commands before; `…` matches any text, or any lines if it is alone on its line |
//! | any other | ``Write `FILE`:`` | a whole file |
//! | any other | ``See `FILE`:`` | some lines that the file has by now |
//! | `… in=FILE` | | the same, at the end of the page |
//!
//! Any other block would not be tested, and is an error.

use std::fs;

use crate::Outcome;
use crate::project::root;

/// Where commands can be run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    Anywhere,
    Cluster,
    Webhooks,
    Elsewhere,
}

/// A step of the reader.
#[derive(Debug)]
pub enum Step {
    Write {
        file: String,
        text: String,
    },
    See {
        file: String,
        text: String,
    },
    Run {
        commands: String,
        place: Place,
        fails: bool,
        output: Option<String>,
    },
}

impl Step {
    /// Returns the lines of commands.
    pub fn commands(&self) -> std::str::Lines<'_> {
        match self {
            Self::Run { commands, .. } => commands.lines(),
            _ => "".lines(),
        }
    }
}

/// Returns all steps, from top to bottom.
pub fn steps() -> Outcome<Vec<Step>> {
    let page = fs::read_to_string(root().join("docs/book/src/tutorial.md"))?;
    let mut steps = Vec::new();
    let mut at_the_end = Vec::new();
    let mut before = "";
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            if !line.is_empty() {
                before = line;
            }
            continue;
        };
        let text: String = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != "```")
            .flat_map(|line| [line, "\n"])
            .collect();
        if let Some((_, file)) = info.split_once(" in=") {
            let file = file.to_owned();
            at_the_end.push(Step::See { file, text });
        } else {
            add(&mut steps, info, before, text)
                .map_err(|problem| format!("docs/book/src/tutorial.md:{}: {problem}", number + 1))?;
        }
        before = "";
    }
    steps.extend(at_the_end);
    Ok(steps)
}

fn add(steps: &mut Vec<Step>, info: &str, before: &str, text: String) -> Result<(), String> {
    let words: Vec<&str> = info.split(' ').collect();
    match words.as_slice() {
        ["sh", words @ ..] => {
            let (place, fails) = match words {
                [place, "fails"] => (*place, true),
                [place] => (*place, false),
                [] => ("", false),
                _ => return Err(format!("`{info}` means nothing")),
            };
            steps.push(Step::Run {
                commands: text,
                place: match place {
                    "" => Place::Anywhere,
                    "cluster" => Place::Cluster,
                    "webhooks" => Place::Webhooks,
                    "elsewhere" => Place::Elsewhere,
                    _ => return Err(format!("`{place}` is not a place")),
                },
                fails,
                output: None,
            });
        }
        ["text"] => match steps.last_mut() {
            Some(Step::Run {
                output: output @ None,
                ..
            }) => *output = Some(text),
            _ => return Err("there are no commands that could print this".to_owned()),
        },
        _ => {
            let file = |verb: &str| Some(before.strip_prefix(verb)?.strip_suffix("`:")?.to_owned());
            if let Some(file) = file("Write `") {
                steps.push(Step::Write { file, text });
            } else if let Some(file) = file("See `") {
                steps.push(Step::See { file, text });
            } else {
                return Err(format!("nobody tries this block: {before:?} says no file"));
            }
        }
    }
    Ok(())
}

/// Returns whether `found` matches the page.
pub fn is_shown(expected: &str, found: &str) -> bool {
    let expected: Vec<&str> = expected.lines().collect();
    let found: Vec<&str> = found.lines().map(str::trim_end).collect();
    are_shown(&expected, &found)
}

fn are_shown(expected: &[&str], found: &[&str]) -> bool {
    match expected {
        [] => found.is_empty(),
        ["…", rest @ ..] => (0..=found.len()).any(|skipped| are_shown(rest, &found[skipped..])),
        [line, rest @ ..] => {
            found.first().is_some_and(|found| is_like(line, found)) && are_shown(rest, &found[1..])
        }
    }
}

/// Returns whether `line` matches `pattern`, in which `…` is a wildcard.
fn is_like(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((begin, rest)) => line.strip_prefix(begin).is_some_and(|line| {
            rest.is_empty() || line.char_indices().any(|(at, _)| is_like(rest, &line[at..]))
        }),
    }
}
