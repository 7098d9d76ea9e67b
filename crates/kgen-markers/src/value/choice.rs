//! Values that are one of some words.

use kgen_diagnostics::nearest;
use kgen_diagnostics::words::not_one_of;

use super::{Error, Located, Parser};

impl Parser<'_> {
    /// Reads one of `words`.
    pub(crate) fn word_of(&mut self, words: &'static [&'static str]) -> Result<Located<&'static str>, Error> {
        let found = self.string(false)?;
        if let Some(word) = words.iter().find(|word| **word == found.value) {
            return Ok(Located {
                value: word,
                range: found.range,
            });
        }
        let error = Error::value(
            found.range.clone(),
            not_one_of(&found.value, words.iter().copied()),
        );
        let near = nearest(&found.value, words.iter().copied());
        Err(error.near(found.range, near))
    }
}

/// Declares a type with a fixed set of words, each with a value.
macro_rules! choice {
    ($(#[$attribute:meta])* $name:ident($type:ty) { $($word:literal => $value:expr,)+ }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        struct $name($type);

        impl $name {
            /// Returns the value of a word, if it is one of the words.
            #[allow(dead_code, reason = "only some choices are written from words")]
            fn of_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self($value)),)+
                    _ => None,
                }
            }
        }

        impl $crate::value::Value for $name {
            const TYPE: $crate::value::ValueType = $crate::value::ValueType::Choice(&[$($word),+]);

            fn read(parser: &mut $crate::value::Parser<'_>) -> Result<Self, $crate::value::Error> {
                let found = parser.word_of(&[$($word),+])?;
                $(if found.value == $word {
                    return Ok(Self($value));
                })+
                Err($crate::value::Error::value(found.range, "no such word"))
            }

            fn write(&self) -> Option<String> {
                $(if self.0 == $value {
                    return Some($word.to_owned());
                })+
                None
            }
        }
    };
}

pub(crate) use choice;
