//! Patterns: they must be regular expressions as Go reads them, and values are matched with what they mean there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use kgen_diagnostics::Code;
use kgen_model::Keyword;
use regex::Regex;

use super::Report;
use super::go_regex::{self, Refusal};
use super::walk::Node;

/// Checks the pattern of one node.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let Some(pattern) = &node.schema.constraints.pattern else {
        return;
    };
    if let Err(reason) = &report.patterns.get(pattern).translation {
        let message =
            format!("the pattern `{pattern}` is no regular expression that Kubernetes knows: {reason}");
        report.problems.push(
            node.error(Code::RegularExpression, Some(Keyword::Pattern), message)
                .help("the syntax is that of RE2: https://github.com/google/re2/wiki/Syntax"),
        );
    }
}

/// All patterns of a run, each read once for all threads: most of them stand in many places.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    known: Mutex<HashMap<String, Arc<Pattern>>>,
}

/// A pattern in the dialect of Rust, compiled when a value is first matched with it.
#[derive(Debug)]
struct Pattern {
    translation: Result<Option<String>, Refusal>,
    compiled: OnceLock<Option<Regex>>,
}

impl Patterns {
    fn get(&self, text: &str) -> Arc<Pattern> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pattern) = known.get(text) {
            return Arc::clone(pattern);
        }
        let pattern = Arc::new(Pattern {
            translation: go_regex::translate(text),
            compiled: OnceLock::new(),
        });
        known.insert(text.to_owned(), Arc::clone(&pattern));
        pattern
    }

    /// Whether a value matches; yes if the pattern is refused, or if only Go could tell.
    pub(super) fn matches(&self, pattern: &str, value: &str) -> bool {
        self.verdict(pattern, value).unwrap_or(true)
    }

    /// Whether a value matches; nothing if the pattern is refused, or if only Go could tell.
    pub(super) fn verdict(&self, pattern: &str, value: &str) -> Option<bool> {
        let pattern = self.get(pattern);
        let compile = || Regex::new(pattern.translation.as_ref().ok()?.as_ref()?).ok();
        let regex = pattern.compiled.get_or_init(compile).as_ref()?;
        Some(regex.is_match(value))
    }
}
