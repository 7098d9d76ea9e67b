//! The types that a field of options can have, and the values that each takes.
//!
//! Types that only one generator knows implement [`Field`] beside its options.

use std::path::PathBuf;

use super::description::{OptionType, OptionValue};

/// A type that the user's values are stored in.
pub(super) trait Field {
    /// The type of the values.
    const TYPE: OptionType;

    /// Stores a value. A value of another type changes nothing.
    fn write(&mut self, value: OptionValue);

    /// Returns the value as the user would write it, or `None` if it is unset.
    fn read(&self) -> Option<OptionValue>;

    /// Returns whether the user gave a value that has no effect.
    fn is_ignored(&self) -> bool {
        false
    }
}

/// The value of a switch that has no effect: all that counts is whether the user set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Whether the user set it.
    pub given: bool,
    /// The value that help shows as the default.
    pub default: bool,
}

impl Ignored {
    /// Returns a switch that the user has not set.
    pub(super) const fn by_default(default: bool) -> Self {
        Self {
            given: false,
            default,
        }
    }
}

impl Field for Ignored {
    const TYPE: OptionType = OptionType::Boolean;

    fn write(&mut self, value: OptionValue) {
        self.given |= matches!(value, OptionValue::Boolean(_));
    }

    fn read(&self) -> Option<OptionValue> {
        Some(OptionValue::Boolean(self.default))
    }

    fn is_ignored(&self) -> bool {
        self.given
    }
}

impl Field for bool {
    const TYPE: OptionType = OptionType::Boolean;

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Boolean(value) = value {
            *self = value;
        }
    }

    fn read(&self) -> Option<OptionValue> {
        Some(OptionValue::Boolean(*self))
    }
}

impl Field for Option<bool> {
    const TYPE: OptionType = OptionType::Boolean;

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Boolean(value) = value {
            *self = Some(value);
        }
    }

    fn read(&self) -> Option<OptionValue> {
        self.map(OptionValue::Boolean)
    }
}

impl Field for Option<i64> {
    const TYPE: OptionType = OptionType::Integer;

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Integer(value) = value {
            *self = Some(value);
        }
    }

    fn read(&self) -> Option<OptionValue> {
        self.map(OptionValue::Integer)
    }
}

impl Field for String {
    const TYPE: OptionType = OptionType::Text;

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Text(text) = value {
            *self = text;
        }
    }

    fn read(&self) -> Option<OptionValue> {
        Some(OptionValue::Text(self.clone()))
    }
}

impl Field for Option<String> {
    const TYPE: OptionType = OptionType::Text;

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Text(text) = value {
            *self = Some(text);
        }
    }

    fn read(&self) -> Option<OptionValue> {
        self.clone().map(OptionValue::Text)
    }
}

impl Field for Vec<String> {
    const TYPE: OptionType = OptionType::Texts;

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Words(texts) = value {
            *self = texts;
        }
    }

    fn read(&self) -> Option<OptionValue> {
        (!self.is_empty()).then(|| OptionValue::Words(self.clone()))
    }
}

impl Field for Option<PathBuf> {
    const TYPE: OptionType = OptionType::File;

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Text(path) = value {
            // controller-gen takes an empty name for none.
            *self = (!path.is_empty()).then(|| path.into());
        }
    }

    fn read(&self) -> Option<OptionValue> {
        let path = self.as_ref()?;
        Some(OptionValue::Text(path.to_string_lossy().into_owned()))
    }
}
