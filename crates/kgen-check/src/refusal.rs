//! Why a path leads nowhere, and the fix if one of its names is misspelled.

use std::borrow::Cow;

use kgen_diagnostics::{Fix, Problem, Span, nearest};
use kgen_model::Schema;

use super::text;

/// Why a path leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// One line, without a full stop.
    pub(super) message: String,
    misspelled: Option<Misspelled>,
    help: Option<String>,
}

/// A name in a path, and the name that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Misspelled {
    written: String,
    near: String,
    is_certain: bool,
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self {
            message,
            misspelled: None,
            help: None,
        }
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl Refusal {
    /// Returns the refusal of a name that is not a field of `schema`.
    pub(super) fn unknown_field(message: String, name: &str, schema: &Schema) -> Self {
        if let Some(condition) = schema.disabled_field(name) {
            return Self {
                help: Some(text::disabled_help(condition)),
                ..format!("{message}, because {}", text::disabled(name, condition)).into()
            };
        }
        let mut known: Vec<&str> = schema.properties.keys().map(String::as_str).collect();
        known.sort_unstable();
        match nearest(name, known.iter().copied()) {
            Some(near) => Self {
                message,
                misspelled: Some(Misspelled {
                    written: name.to_owned(),
                    near: near.word.to_owned(),
                    is_certain: near.is_certain,
                }),
                help: None,
            },
            None => match text::list(known) {
                Some(list) => format!("{message}; {list}").into(),
                None => message.into(),
            },
        }
    }

    /// Adds the suggestion to the problem of `path`, which is written at `span`.
    pub(super) fn add_to(self, problem: Problem, path: &str, span: Option<Span>) -> Problem {
        let problem = match self.help {
            Some(help) => problem.help(help),
            None => problem,
        };
        let Some(misspelled) = self.misspelled else {
            return problem;
        };
        let corrected = replaced(path, &misspelled.written, &misspelled.near);
        match corrected.zip(span) {
            Some((corrected, span)) => {
                let fix = Fix::word(span, corrected).only_for(path).asked();
                problem.with_fix(if misspelled.is_certain {
                    fix
                } else {
                    fix.uncertain()
                })
            }
            None => problem.help(format!("did you mean `{}`?", misspelled.near)),
        }
    }
}

/// Replaces the only name in `path` that is `name`. Returns `None` if the path has it several times, or in other words.
fn replaced(path: &str, name: &str, other: &str) -> Option<String> {
    let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '\\');
    let mut places = path.match_indices(name).filter(|(at, _)| {
        let before = path.get(..*at).and_then(|before| before.chars().next_back());
        let behind = path
            .get(at + name.len()..)
            .and_then(|behind| behind.chars().next());
        !before.is_some_and(is_inside) && !behind.is_some_and(is_inside)
    });
    let (at, _) = places.next()?;
    if places.next().is_some() {
        return None;
    }
    let other: Cow<'_, str> = other.into();
    let (before, behind) = (path.get(..at)?, path.get(at + name.len()..)?);
    // A name with other signs needs another notation.
    other
        .chars()
        .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
        .then(|| format!("{before}{other}{behind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_name_is_replaced() {
        assert_eq!(
            replaced(".spec.size", "size", "sizes").as_deref(),
            Some(".spec.sizes")
        );
        assert_eq!(replaced(".a['b']", "b", "c").as_deref(), Some(".a['c']"));
        assert_eq!(replaced(".size.size", "size", "x"), None);
        assert_eq!(replaced(".sizes", "size", "x"), None);
        assert_eq!(replaced(".a\\.b", "a.b", "x"), None);
        assert_eq!(replaced(".a", "a", "b.c"), None);
    }
}
