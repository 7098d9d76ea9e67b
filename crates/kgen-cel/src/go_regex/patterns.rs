//! A cache of compiled patterns.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use regex::Regex;

use super::{Refusal, translate};

/// Patterns that several threads share, so that each is parsed and compiled only once.
///
/// ```
/// use kgen_cel::go_regex::Patterns;
///
/// let patterns = Patterns::default();
/// assert_eq!(patterns.is_match("^a+$", "aaa"), Some(true));
/// assert_eq!(patterns.is_match("(", "aaa"), None);
/// assert!(patterns.refusal("(").is_some());
/// ```
#[derive(Debug, Default)]
pub struct Patterns {
    known: Mutex<HashMap<String, Arc<Pattern>>>,
}

/// A pattern in the dialect of Rust, which is compiled when a value is first matched with it.
#[derive(Debug)]
struct Pattern {
    translation: Result<Option<String>, Refusal>,
    compiled: OnceLock<Option<Regex>>,
}

impl Patterns {
    fn get(&self, pattern: &str) -> Arc<Pattern> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(pattern) {
            return Arc::clone(found);
        }
        let found = Arc::new(Pattern {
            translation: translate(pattern),
            compiled: OnceLock::new(),
        });
        known.insert(pattern.to_owned(), Arc::clone(&found));
        found
    }

    /// Returns why Go rejects a pattern, or `None` if Go accepts it.
    pub fn refusal(&self, pattern: &str) -> Option<Refusal> {
        self.get(pattern).translation.clone().err()
    }

    /// Returns whether a text matches a pattern; `None` if Go rejects the pattern, or if Rust does not have an
    /// equivalent.
    pub fn is_match(&self, pattern: &str, text: &str) -> Option<bool> {
        self.get(pattern).regex().map(|regex| regex.is_match(text))
    }

    /// Returns the first match of a pattern in a text; `None` if Go rejects the pattern, or if Rust has no equivalent for it.
    ///
    /// ```
    /// let patterns = kgen_cel::go_regex::Patterns::default();
    /// assert_eq!(patterns.find("[0-9]+", "ab12c3"), Some(Some("12")));
    /// assert_eq!(patterns.find("x", "ab12c3"), Some(None));
    /// assert_eq!(patterns.find("(", "ab12c3"), None);
    /// ```
    pub fn find<'t>(&self, pattern: &str, text: &'t str) -> Option<Option<&'t str>> {
        let pattern = self.get(pattern);
        let regex = pattern.regex()?;
        Some(regex.find(text).map(|found| found.as_str()))
    }

    /// Returns the first matches of a pattern in a text, at most `count`; `None` if Go rejects the pattern, or if Rust has no
    /// equivalent for it.
    pub fn find_all<'t>(&self, pattern: &str, text: &'t str, count: usize) -> Option<Vec<&'t str>> {
        let pattern = self.get(pattern);
        let regex = pattern.regex()?;
        Some(
            regex
                .find_iter(text)
                .take(count)
                .map(|found| found.as_str())
                .collect(),
        )
    }
}

impl Pattern {
    fn regex(&self) -> Option<&Regex> {
        let compile = || Regex::new(self.translation.as_ref().ok()?.as_ref()?).ok();
        self.compiled.get_or_init(compile).as_ref()
    }
}
