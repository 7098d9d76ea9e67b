//! Options of generators: how they are described, and the values that a user gave them.
//!
//! The descriptions are part of the table in [`generator`](crate::generator). The command line, `kgen.toml`, the help
//! text and the JSON schema all read them; nobody lists options a second time.

use std::collections::BTreeMap;

/// What can be written behind an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionType {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A text.
    Text,
    /// A file to read.
    File,
    /// Several of some words.
    Words(&'static [&'static str]),
}

impl OptionType {
    /// The type as help and messages name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Text => "text",
            Self::File => "file",
            Self::Words(_) => "list of words",
        }
    }
}

/// A value that a user gave, or the default of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// For [`OptionType::Boolean`].
    Boolean(bool),
    /// For [`OptionType::Integer`].
    Integer(i64),
    /// For [`OptionType::Text`] and [`OptionType::File`].
    Text(String),
    /// For [`OptionType::Words`].
    Words(Vec<String>),
}

/// What an option is where nobody gives it a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// Not set.
    Unset,
    /// This truth value.
    Boolean(bool),
    /// This text.
    Text(&'static str),
    /// All words that there are.
    AllWords,
}

/// One option of a generator.
#[derive(Debug)]
pub struct OptionDescription {
    /// The name in controller-gen's form, such as `maxDescLen`.
    pub name: &'static str,
    /// What can be written behind it.
    pub value: OptionType,
    /// What it is where nobody sets it.
    pub default: DefaultValue,
    /// One or more sentences on what it does.
    pub help: &'static str,
    /// Why it does nothing here, for options that exist only because controller-gen has them.
    pub no_effect: Option<&'static str>,
}

impl OptionDescription {
    /// The name as a flag and in `kgen.toml`, such as `max-desc-len`.
    #[must_use]
    pub fn kebab_name(&self) -> String {
        let mut name = String::with_capacity(self.name.len() + 4);
        for letter in self.name.chars() {
            if letter.is_ascii_uppercase() {
                name.push('-');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }

    /// The default as it would be written, for help.
    #[must_use]
    pub fn default_text(&self) -> Option<String> {
        match (self.default, self.value) {
            (DefaultValue::Unset, _) => None,
            (DefaultValue::Boolean(value), _) => Some(value.to_string()),
            (DefaultValue::Text(text), _) => Some(text.to_owned()),
            (DefaultValue::AllWords, OptionType::Words(words)) => Some(words.join(";")),
            (DefaultValue::AllWords, _) => None,
        }
    }
}

/// The options of one generator: what the user set, and the defaults behind it.
#[derive(Clone, Debug)]
pub struct Options {
    descriptions: &'static [OptionDescription],
    given: BTreeMap<&'static str, OptionValue>,
}

impl Options {
    /// Nothing set yet.
    #[must_use]
    pub fn new(descriptions: &'static [OptionDescription]) -> Self {
        Self {
            descriptions,
            given: BTreeMap::new(),
        }
    }

    /// Sets an option; the value must be of its type, or it is as good as not set.
    pub fn set(&mut self, description: &'static OptionDescription, value: OptionValue) {
        self.given.insert(description.name, value);
    }

    /// The options that the user set, by name.
    pub fn given(&self) -> impl Iterator<Item = (&OptionDescription, &OptionValue)> {
        self.descriptions
            .iter()
            .filter_map(|known| Some((known, self.given.get(known.name)?)))
    }

    /// A truth value, if it is set or has a default.
    #[must_use]
    pub fn boolean(&self, name: &str) -> Option<bool> {
        match (self.given.get(name), self.default(name)) {
            (Some(OptionValue::Boolean(value)), _) | (None, Some(DefaultValue::Boolean(value))) => {
                Some(*value)
            }
            _ => None,
        }
    }

    /// A whole number, if it is set.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<i64> {
        match self.given.get(name) {
            Some(OptionValue::Integer(value)) => Some(*value),
            _ => None,
        }
    }

    /// A text, if it is set or has a default.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match (self.given.get(name), self.default(name)) {
            (Some(OptionValue::Text(text)), _) => Some(text),
            (None, Some(DefaultValue::Text(text))) => Some(text),
            _ => None,
        }
    }

    /// The words that are set.
    #[must_use]
    pub fn words(&self, name: &str) -> &[String] {
        match self.given.get(name) {
            Some(OptionValue::Words(words)) => words,
            _ => &[],
        }
    }

    fn default(&self, name: &str) -> Option<&DefaultValue> {
        self.descriptions
            .iter()
            .find(|known| known.name == name)
            .map(|known| &known.default)
    }
}
