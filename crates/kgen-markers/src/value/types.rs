//! The types that a value can have, and the trait that reads them.

use std::ops::Range;

use kgen_model::Number;

use super::{Error, Parser, written};

/// The type of a value, as help and documentation name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A text.
    String,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A value whose type is guessed.
    Any,
    /// JSON.
    Json,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Several values.
    List(&'static ValueType),
    /// Values by name.
    Map(&'static ValueType),
    /// Verbs of a client, separated by commas.
    Verbs,
    /// Another marker.
    Marker,
    /// Any text up to the end of the line.
    Raw,
}

impl std::fmt::Display for ValueType {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::String => formatter.write_str("string"),
            Self::Integer => formatter.write_str("integer"),
            Self::Number => formatter.write_str("number"),
            Self::Boolean => formatter.write_str("boolean"),
            Self::Any => formatter.write_str("any"),
            Self::Json => formatter.write_str("JSON"),
            Self::Choice(words) => write!(formatter, "one of {}", words.join(", ")),
            Self::List(element) => write!(formatter, "list of {element}"),
            Self::Map(element) => write!(formatter, "map of {element}"),
            Self::Verbs => formatter.write_str("verbs, separated by commas"),
            Self::Marker => formatter.write_str("marker"),
            Self::Raw => formatter.write_str("text"),
        }
    }
}

/// Something that can be written behind `=`.
pub trait Value: Sized {
    /// Its name in help and documentation.
    const TYPE: ValueType;
    /// Whether it may be left out.
    const OPTIONAL: bool = false;

    /// Parses one at the current position of the parser.
    ///
    /// # Errors
    /// Returns an error if the text is not such a value.
    fn read(parser: &mut Parser<'_>) -> Result<Self, Error>;

    /// Writes the value so that [`read`](Self::read) reads it again. Returns `None` for a value that is left out.
    #[must_use]
    fn write(&self) -> Option<String>;

    /// Returns the default value.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }
}

/// A value and the bytes that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its place in the text.
    pub range: Range<usize>,
}

/// A text that may be empty without quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaybeEmpty(pub String);

/// A whole number that is not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub i64);

/// Values by name, in the order in which they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map<T>(pub Vec<(Located<String>, T)>);

impl Value for String {
    const TYPE: ValueType = ValueType::String;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.string(false).map(|found| found.value)
    }

    fn write(&self) -> Option<String> {
        Some(written::string(self))
    }
}

impl Value for MaybeEmpty {
    const TYPE: ValueType = ValueType::String;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.string(true).map(|found| Self(found.value))
    }

    fn write(&self) -> Option<String> {
        Some(written::string(&self.0))
    }
}

impl Value for i64 {
    const TYPE: ValueType = ValueType::Integer;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.integer().map(|found| found.value)
    }

    fn write(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Value for Count {
    const TYPE: ValueType = ValueType::Integer;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        let found = parser.integer()?;
        if found.value < 0 {
            return Err(
                Error::value(found.range, format!("`{}` is negative", found.value)).help("write 0 or more"),
            );
        }
        Ok(Self(found.value))
    }

    fn write(&self) -> Option<String> {
        self.0.write()
    }
}

impl Value for Number {
    const TYPE: ValueType = ValueType::Number;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.number().map(|found| found.value)
    }

    fn write(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Value for bool {
    const TYPE: ValueType = ValueType::Boolean;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.boolean().map(|found| found.value)
    }

    fn write(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl<T: Value> Value for Vec<T> {
    const TYPE: ValueType = ValueType::List(&T::TYPE);

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.list().map(|found| found.value)
    }

    fn write(&self) -> Option<String> {
        Some(written::list(self.iter().filter_map(T::write)))
    }
}

impl<T: Value> Value for Map<T> {
    const TYPE: ValueType = ValueType::Map(&T::TYPE);

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.map().map(Self)
    }

    fn write(&self) -> Option<String> {
        let entries = self.0.iter();
        let entries = entries.filter_map(|(key, value)| Some((key.value.as_str(), value.write()?)));
        Some(written::map(entries))
    }
}

impl<T: Value> Value for Option<T> {
    const TYPE: ValueType = T::TYPE;
    const OPTIONAL: bool = true;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        T::read(parser).map(Some)
    }

    fn write(&self) -> Option<String> {
        self.as_ref()?.write()
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Value> Value for Located<T> {
    const TYPE: ValueType = T::TYPE;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.skip_blanks();
        let start = parser.position();
        let value = T::read(parser)?;
        // A bare text leaves the blanks behind it to the next reader; they are not part of the value.
        let read = parser.slice(start..parser.position()).trim_end().len();
        Ok(Self {
            value,
            range: start..start + read,
        })
    }

    fn write(&self) -> Option<String> {
        self.value.write()
    }
}

impl<T> From<T> for Located<T> {
    /// Returns a value that is not written anywhere yet.
    fn from(value: T) -> Self {
        Self { value, range: 0..0 }
    }
}
