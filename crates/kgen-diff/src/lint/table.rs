//! The sets of lints.

use kgen_diagnostics::Code;

/// Which lints run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LintSet {
    /// Those that every API should follow.
    #[default]
    Recommended,
    /// All of them.
    Strict,
    /// None but those that the configuration names.
    None,
}

impl LintSet {
    /// The words in the configuration.
    pub const WORDS: &'static [&'static str] = &["recommended", "strict", "none"];

    /// Returns the set of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "recommended" => Some(Self::Recommended),
            "strict" => Some(Self::Strict),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

/// Returns the smallest set that has a lint.
#[must_use]
pub fn set_of(code: Code) -> LintSet {
    match code {
        Code::BoolField
        | Code::MapField
        | Code::NullableField
        | Code::UnboundedInteger
        | Code::UnboundedList
        | Code::UnboundedMap
        | Code::UnboundedString
        | Code::UnsignedInteger => LintSet::Strict,
        _ => LintSet::Recommended,
    }
}
