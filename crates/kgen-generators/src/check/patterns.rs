//! Patterns: they must be regular expressions as Go reads them, and values are matched with what they mean there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kgen_diagnostics::Code;
use kgen_model::Keyword;
use regex::Regex;

use super::go_regex;
use super::walk::Node;
use super::Report;

/// Checks the pattern of one node.
pub(super) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let Some(pattern) = &node.schema.constraints.pattern else { return };
    if let Err(reason) = go_regex::translate(pattern) {
        let message = format!("the pattern `{pattern}` is no regular expression that Kubernetes knows: {reason}");
        report.problems.push(
            node.error(Code::RegularExpression, Some(Keyword::Pattern), message)
                .help("the syntax is that of RE2: https://github.com/google/re2/wiki/Syntax"),
        );
    }
}

/// Patterns that were compiled to match values with, each once for all threads.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    compiled: Mutex<HashMap<String, Option<Arc<Regex>>>>,
}

impl Patterns {
    /// Whether a text matches; yes if the pattern is refused, or if only Go could tell.
    pub(super) fn matches(&self, pattern: &str, text: &str) -> bool {
        self.compiled(pattern).is_none_or(|regex| regex.is_match(text))
    }

    fn compiled(&self, pattern: &str) -> Option<Arc<Regex>> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = compiled.get(pattern) {
            return known.clone();
        }
        let regex = go_regex::translate(pattern).ok().flatten().and_then(|text| Regex::new(&text).ok()).map(Arc::new);
        compiled.insert(pattern.to_owned(), regex.clone());
        regex
    }
}
