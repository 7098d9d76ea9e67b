//! The description of an option, for everything that lists, parses or shows options.

use super::Options;

/// The type of the values of an option.
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
    /// One of some words.
    Word(&'static [&'static str]),
    /// Several of some words.
    Words(&'static [&'static str]),
    /// Several texts.
    Texts,
    /// A text; in `kgen.toml` also a table with this key.
    InTable(&'static str),
    /// A name with an address, `NAME <ADDRESS>`; in `kgen.toml`, a table with `name` and this key.
    Contact(&'static str),
    /// Several names with addresses.
    Contacts(&'static str),
}

impl OptionType {
    /// Returns the type as help and messages name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Text | Self::InTable(_) => "string",
            Self::File => "file",
            Self::Word(_) => "word",
            Self::Words(_) => "list of words",
            Self::Texts => "list of strings",
            Self::Contact(_) => "name and address",
            Self::Contacts(_) => "list of names and addresses",
        }
    }
}

/// A value as the user writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// For [`OptionType::Boolean`].
    Boolean(bool),
    /// For [`OptionType::Integer`].
    Integer(i64),
    /// For [`OptionType::Text`], [`OptionType::File`], [`OptionType::Word`], [`OptionType::InTable`] and [`OptionType::Contact`].
    Text(String),
    /// For [`OptionType::Words`], [`OptionType::Texts`] and [`OptionType::Contacts`].
    Words(Vec<String>),
}

/// One option of a generator.
#[derive(Debug)]
pub struct OptionDescription {
    /// The name in controller-gen's form, such as `maxDescLen`.
    pub name: &'static str,
    /// The type of its values.
    pub value: OptionType,
    /// One or more sentences on what it does.
    pub help: &'static str,
    /// Why it does nothing here, for options that exist only because controller-gen has them.
    pub no_effect: Option<&'static str>,
    pub(super) write: fn(&mut Options, OptionValue),
    pub(super) read: fn(&Options) -> Option<OptionValue>,
    pub(super) is_ignored: fn(&Options) -> bool,
}

impl OptionDescription {
    /// Stores a value in the field of the option. A value of another type changes nothing.
    pub fn write(&self, options: &mut Options, value: OptionValue) {
        (self.write)(options, value);
    }

    /// Returns the value in the field of the option, or `None` if it is unset.
    #[must_use]
    pub fn read(&self, options: &Options) -> Option<OptionValue> {
        (self.read)(options)
    }

    /// Returns the value that the option has where the user gives none.
    #[must_use]
    pub fn default(&self) -> Option<OptionValue> {
        self.read(&Options::default())
    }

    /// Returns whether the user gave the option a value that has no effect.
    pub(crate) fn is_ignored(&self, options: &Options) -> bool {
        (self.is_ignored)(options)
    }

    /// Returns the name as a flag and in `kgen.toml`, such as `max-desc-len`.
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

    /// Returns the default as the user would write it, for help.
    #[must_use]
    pub fn default_text(&self) -> Option<String> {
        self.default().map(|value| match value {
            OptionValue::Boolean(value) => value.to_string(),
            OptionValue::Integer(value) => value.to_string(),
            OptionValue::Text(text) => text,
            OptionValue::Words(words) => words.join(";"),
        })
    }
}
