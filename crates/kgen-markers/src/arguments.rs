//! The arguments of one marker, and markers as arguments of markers.

use crate::definition::{Argument, Definition, Position};
use crate::marker::{Marker, Place};
use crate::parse::marker_at;
use crate::value::{Error, Located, Parser, Value, ValueType, quoted_list};

/// How the text goes on behind the name.
pub(crate) enum Start {
    /// Not at all.
    End,
    /// With a value, at this byte.
    Value(usize),
    /// With named arguments, at this byte.
    Names(usize),
    /// With an opening parenthesis, at this byte.
    Parenthesis(usize),
}

/// Walks over the arguments of one marker and hands each to the struct behind it.
pub(crate) struct Reader<'a> {
    pub(crate) definition: &'static Definition,
    pub(crate) place: Place,
    pub(crate) start: Start,
    pub(crate) parser: Parser<'a>,
}

/// Reads the value of the argument with the given key.
type ReadArgument<'f, 'a> = dyn FnMut(&str, &mut Parser<'a>) -> Result<(), Error> + 'f;

impl<'a> Reader<'a> {
    /// Reads all arguments, each once and none but the known ones, and makes sure that none is missing.
    pub(crate) fn read(mut self, read: &mut ReadArgument<'_, 'a>) -> Result<Place, Error> {
        let mut seen = Vec::new();
        match self.start {
            Start::End => {}
            Start::Value(at) => {
                self.parser.jump(at);
                self.read_value(&mut seen, read)?;
            }
            Start::Names(at) => {
                self.parser.jump(at);
                self.read_names(&mut seen, read)?;
            }
            Start::Parenthesis(at) => {
                self.parser.jump(at);
                self.read_parentheses(at, &mut seen, read)?;
            }
        }
        let missing =
            |argument: &&Argument| !argument.optional && !seen.iter().any(|seen| seen == argument.key);
        let missing: Vec<_> = self
            .definition
            .arguments
            .iter()
            .filter(missing)
            .map(|argument| argument.key)
            .collect();
        match missing.as_slice() {
            [] => Ok(self.place),
            [one] => Err(self
                .place
                .missing(one)
                .help(format!("write `{}`", self.definition.syntax()))),
            several => {
                let message = format!(
                    "`{}` needs the arguments {}",
                    self.place.name(),
                    quoted_list(several)
                );
                Err(Error::argument(self.place.name_range(), message))
            }
        }
    }

    fn read_value(&mut self, seen: &mut Vec<String>, read: &mut ReadArgument<'_, 'a>) -> Result<(), Error> {
        seen.push("=".to_owned());
        read("=", &mut self.parser)?;
        if self.definition.arguments.iter().any(Argument::is_named) {
            self.parser.skip_blanks();
            if self.parser.take(',') {
                return self.read_names(seen, read);
            }
        }
        self.parser.end()
    }

    fn read_names(&mut self, seen: &mut Vec<String>, read: &mut ReadArgument<'_, 'a>) -> Result<(), Error> {
        let known: Vec<_> = self
            .definition
            .arguments
            .iter()
            .filter(|argument| argument.is_named())
            .map(|argument| argument.key)
            .collect();
        let place = &mut self.place;
        self.parser.named(|parser, name| {
            if !known.contains(&name.value) {
                return Err(Parser::unknown_argument(name, &known));
            }
            seen.push(name.value.to_owned());
            parser.skip_blanks();
            let start = parser.position();
            read(name.value, parser)?;
            place.add_argument(name.value, parser.written_since(start));
            Ok(())
        })
    }

    /// Parses `(name)` or `(key: value, …)`, and a value behind it.
    fn read_parentheses(
        &mut self,
        opening: usize,
        seen: &mut Vec<String>,
        read: &mut ReadArgument<'_, 'a>,
    ) -> Result<(), Error> {
        self.parser.take('(');
        loop {
            self.parser.skip_blanks();
            if self.parser.take(')') {
                break;
            }
            if self.parser.peek().is_none() {
                return Err(Error::unclosed(opening..self.parser.position(), "parenthesis"));
            }
            let key = self.parenthesised_key(seen)?;
            seen.push(key.clone());
            self.parser.parenthesised(|parser| read(&key, parser))?;
            self.parser.skip_blanks();
            if self.parser.peek().is_none() {
                return Err(Error::unclosed(opening..self.parser.position(), "parenthesis"));
            }
            if !self.parser.take(',') && self.parser.peek() != Some(')') {
                return Err(self.parser.surplus());
            }
        }
        if self.parser.peek() == Some('=') && self.definition.value().is_some() {
            self.parser.take('=');
            return self.read_value(seen, read);
        }
        self.parser.end()
    }

    /// Returns the key of the next argument in parentheses: `()` for the one without a name.
    fn parenthesised_key(&mut self, seen: &[String]) -> Result<String, Error> {
        let start = self.parser.position();
        if self
            .definition
            .arguments
            .iter()
            .any(|argument| argument.key == "()")
        {
            if seen.iter().any(|seen| seen == "()") {
                return Err(Error::argument(
                    start..start + 1,
                    "only one name is allowed in the parentheses",
                ));
            }
            return Ok("()".to_owned());
        }
        let known: Vec<_> = self
            .definition
            .arguments
            .iter()
            .filter(|argument| argument.in_parentheses())
            .map(Argument::name)
            .collect();
        let rest = self.parser.rest();
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let name = Located {
            value: rest.get(..length).unwrap_or_default(),
            range: start..start + length,
        };
        if !known.contains(&name.value) {
            return Err(Parser::unknown_argument(&name, &known));
        }
        let key = format!("({})", name.value);
        if seen.contains(&key) {
            return Err(Error::argument(
                name.range,
                format!("argument `{}` is given twice", name.value),
            ));
        }
        self.parser.jump(start + length);
        self.parser.skip_blanks();
        if !self.parser.take(':') {
            return Err(
                Error::argument(name.range, format!("argument `{}` has no value", name.value))
                    .help(format!("write `{}: value`", name.value)),
            );
        }
        Ok(key)
    }
}

/// A marker as the value of another one.
#[derive(Clone, Debug)]
pub(crate) struct Nested(pub(crate) Marker);

impl Value for Nested {
    const TYPE: ValueType = ValueType::Marker;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.skip_blanks();
        let start = parser.position();
        let end = parser.rest().trim_end().len() + start;
        let no_marker = || {
            Error::value(start..end, "a marker is missing here")
                .help("write a marker, such as `+k8s:maxLength=5`")
        };
        if !parser.take('+') {
            return Err(no_marker());
        }
        let Some(origin) = parser.origin() else {
            return Err(no_marker());
        };
        if parser.depth() > 8 {
            return Err(Error::value(start..end, "markers are nested too deeply"));
        }
        let at = parser.position();
        // The inner marker reads up to the end of the text and has made sure that nothing is left.
        let marker = marker_at(origin, at, parser.depth() + 1, Position::Field)?;
        let _ = parser.take_rest();
        match marker {
            Some(marker) if marker.definition.nestable => Ok(Self(marker)),
            Some(marker) => {
                let message = format!("`{}` cannot be the value of another marker", marker.name());
                Err(Error::value(marker.place.name_range(), message))
            }
            None => Err(no_marker()),
        }
    }

    fn write(&self) -> Option<String> {
        Some(format!("+{}", self.0.written()))
    }
}
