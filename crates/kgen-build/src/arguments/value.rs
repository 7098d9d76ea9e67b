//! Options and their values.

use kgen_diagnostics::nearest;
use kgen_diagnostics::words::not_one_of;
use kgen_markers::value::{Error, Located, Parser, Value};

use super::usage;
use crate::generator::Generator;
use crate::options::{OptionDescription, OptionType, OptionValue};
use crate::words::quoted;

/// Returns the option of a name.
pub(super) fn option(
    generator: &'static Generator,
    name: &Located<&str>,
) -> Result<&'static OptionDescription, Error> {
    generator.option(name.value).ok_or_else(|| {
        let names = || generator.options().map(|option| option.name);
        let message = format!("`{}` has no option `{}`", generator.name, name.value);
        let error = usage(name.range.clone(), message);
        match nearest(name.value, names()) {
            Some(near) => error.near(name.range.clone(), Some(near)),
            None => error.help(format!("its options are {}", quoted(names()))),
        }
    })
}

/// Parses the value of an option at the current position of the parser.
pub(super) fn read(parser: &mut Parser<'_>, option: &OptionDescription) -> Result<OptionValue, Error> {
    Ok(match option.value {
        OptionType::Boolean => OptionValue::Boolean(parser.read()?),
        OptionType::Integer => OptionValue::Integer(parser.read()?),
        OptionType::Text | OptionType::File | OptionType::InTable(_) | OptionType::Contact(_) => {
            OptionValue::Text(parser.read()?)
        }
        OptionType::Word(known) => {
            let word: Located<String> = parser.read()?;
            if !known.contains(&word.value.as_str()) {
                return Err(unknown_word(&word, known));
            }
            OptionValue::Text(word.value)
        }
        OptionType::Texts | OptionType::Contacts(_) => OptionValue::Words(parser.read()?),
        OptionType::Words(known) => {
            let words: Vec<Located<String>> = parser.read()?;
            if let Some(unknown) = words.iter().find(|word| !known.contains(&word.value.as_str())) {
                return Err(unknown_word(unknown, known));
            }
            OptionValue::Words(words.into_iter().map(|word| word.value).collect())
        }
    })
}

/// Returns the error for a word that an option does not accept.
fn unknown_word(word: &Located<String>, known: &[&str]) -> Error {
    let message = not_one_of(&word.value, known.iter().copied());
    let error = usage(word.range.clone(), message);
    error.near(word.range.clone(), nearest(&word.value, known.iter().copied()))
}

/// Parses the value of an option from a separate text, such as in a build script.
pub(crate) fn parse_value(text: &str, option: &OptionDescription) -> Result<OptionValue, Error> {
    let mut parser = Parser::new(text);
    let value = read(&mut parser, option)?;
    parser.end()?;
    Ok(value)
}

/// Parses everything from byte `at` on as one value.
pub(super) fn whole<T: Value>(word: &str, at: usize, example: &str) -> Result<T, Error> {
    let mut parser = Parser::starting_at(word, at);
    if parser.rest().trim().is_empty() {
        return Err(usage(0..word.len(), "a value is missing after `=`").help(format!("write `{example}`")));
    }
    let value = parser.read()?;
    parser.end()?;
    Ok(value)
}
