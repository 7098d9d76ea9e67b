//! From the text of a marker to the marker: its name, where it stands, its arguments.

use std::ops::Range;
use std::sync::Arc;

use kgen_diagnostics::{Code, Problem};

use crate::comment::{MarkerText, name_length};
use crate::definition::{Argument, Definition, Position, Status};
use crate::marker::{Marker, Place};
use crate::table::{self, Found};
use crate::value::{Error, Located, Parser, Value, ValueType, quoted_list};

/// Reads one marker where it stands. Nothing for a marker of another tool.
///
/// # Errors
/// When the marker is unknown, misplaced or malformed.
pub fn parse(text: &MarkerText, position: Position) -> Result<Option<Marker>, Problem> {
    let text = Arc::new(text.clone());
    marker_at(&text, 0, 0, position).map_err(|error| {
        let span = text.span(error.range.clone());
        error.at(span)
    })
}

/// The problem of a marker that stands behind code on its line, if it looks like one of ours.
#[must_use]
pub fn trailing(text: &MarkerText) -> Option<Problem> {
    let name = text.name();
    let short = name.rsplit_once(':').map_or(name, |(short, _)| short);
    let ours = table::find(text.text()).is_some()
        || [name, short]
            .iter()
            .any(|name| table::is_ours(name) || table::is_misspelled(name));
    ours.then(|| {
        Problem::error(
            Code::TrailingMarker,
            text.whole(),
            format!("marker `{name}` stands behind code and would be lost"),
        )
        .help("move it to a comment line of its own above the code")
    })
}

/// How the text goes on behind the name.
enum Start {
    /// Not at all.
    End,
    /// With a value, at this byte.
    Value(usize),
    /// With named arguments, at this byte.
    Names(usize),
    /// With an opening parenthesis, at this byte.
    Parenthesis(usize),
}

fn marker_at(
    text: &Arc<MarkerText>,
    at: usize,
    depth: usize,
    position: Position,
) -> Result<Option<Marker>, Error> {
    let Some((found, name, start)) = resolve(text.text(), at)? else {
        return Ok(None);
    };
    let definition = found.definition;
    check_position(definition, &name, text, position)?;
    if let Status::Refused { why, instead } = definition.status {
        return Err(Error::new(
            Code::InapplicableMarker,
            name,
            format!("`{}` {why}", definition.name),
        )
        .help(instead));
    }
    let place = Place::new(Arc::clone(text), name);
    let reader = Reader {
        definition,
        place: place.clone(),
        start,
        parser: Parser::of_marker(text, at, depth),
    };
    let effect = (definition.read)(reader)?;
    Ok(Some(Marker {
        definition,
        items: found.items,
        place,
        effect,
    }))
}

/// Finds the definition of the marker at byte `at`, the range of its name, and how it goes on.
fn resolve(text: &str, at: usize) -> Result<Option<(Found, Range<usize>, Start)>, Error> {
    let rest = text.get(at..).unwrap_or_default();
    let length = name_length(rest);
    let written = rest.get(..length).unwrap_or_default();
    let behind = rest.get(length..).unwrap_or_default();
    let colon_equals = written.ends_with(':') && behind.starts_with('=');
    let name = if colon_equals {
        written.get(..length - 1).unwrap_or_default()
    } else {
        written
    };
    let name_range = at..at + name.len();

    if let Some(found) = table::lookup(name) {
        let start = start_behind(found.definition, name, at + length, text)?;
        return Ok(Some((found, name_range, start)));
    }
    let Some((short, segment)) = name.rsplit_once(':') else {
        return unknown(name, at);
    };
    let Some(found) = table::lookup(short) else {
        return unknown(name, at);
    };
    let segment_start = at + short.len() + 1;
    let segment_range = segment_start..segment_start + segment.len();
    if found.definition.takes_names() {
        check_first_argument(
            found.definition,
            segment,
            segment_range,
            text,
            at + length,
            colon_equals,
        )?;
        return Ok(Some((found, at..at + short.len(), Start::Names(segment_start))));
    }
    if table::is_prefix(short) {
        return unknown(name, at);
    }
    let range = segment_start - 1..segment_range.end;
    Err(
        Error::text(range, format!("`{segment}` behind `{short}` has no meaning"))
            .help(format!("write `{}`", found.definition.syntax())),
    )
}

/// What follows a complete name.
fn start_behind(definition: &Definition, name: &str, end: usize, text: &str) -> Result<Start, Error> {
    let behind = text.get(end..).unwrap_or_default();
    let blanks = behind.len() - behind.trim_start().len();
    match behind.trim_start().chars().next() {
        // What follows a marker that is refused anyway does not matter.
        _ if matches!(definition.status, Status::Refused { .. }) => Ok(Start::End),
        None => Ok(Start::End),
        Some('=') if blanks > 0 => Err(blank_before_equals(end..end + blanks)),
        Some('=') if definition.value().is_some() => Ok(Start::Value(end + 1)),
        Some('=') if definition.takes_names() => Err(Error::argument(
            end..text.trim_end().len(),
            format!("`{name}` takes named arguments, not one value"),
        )
        .help(format!("write `{}`", definition.syntax()))),
        Some('=') => Err(
            Error::value(end..text.trim_end().len(), format!("`{name}` takes no value"))
                .help(format!("write `+{name}`, or remove the marker")),
        ),
        Some('(') if blanks == 0 && definition.takes_parentheses() => Ok(Start::Parenthesis(end)),
        Some(_) => Err(Error::text(
            end + blanks..text.trim_end().len(),
            format!("text behind `{name}` has no meaning"),
        )
        .help("a marker has its line for itself; move a note to a line of its own")),
    }
}

fn blank_before_equals(range: Range<usize>) -> Error {
    Error::text(range, "no blank may stand in front of `=`").help("write `name=value`")
}

/// Makes sure that the last segment of the name can be the name of the first argument.
fn check_first_argument(
    definition: &Definition,
    segment: &str,
    range: Range<usize>,
    text: &str,
    end: usize,
    colon_equals: bool,
) -> Result<(), Error> {
    let known: Vec<_> = definition.arguments.iter().map(|argument| argument.key).collect();
    if !known.contains(&segment) {
        return Err(Parser::unknown_argument(
            &Located {
                value: segment,
                range,
            },
            &known,
        ));
    }
    if colon_equals {
        return Err(Error::text(
            range.end..range.end + 1,
            "`:=` works only where the marker has one value",
        )
        .help(format!("write `{segment}=`")));
    }
    let behind = text.get(end..).unwrap_or_default();
    let blanks = behind.len() - behind.trim_start().len();
    if behind.starts_with('=') {
        Ok(())
    } else if behind.trim_start().starts_with('=') {
        Err(blank_before_equals(end..end + blanks))
    } else {
        Err(
            Error::argument(range, format!("argument `{segment}` has no value"))
                .help(format!("write `{segment}=…`")),
        )
    }
}

/// An unknown name: a mistake if it is or looks like one of ours, else none of our business.
fn unknown<T>(name: &str, at: usize) -> Result<Option<T>, Error> {
    let short = name.rsplit_once(':').map_or("", |(short, _)| short);
    let misspelled = |name: &str| table::is_misspelled(name);
    if !(table::is_ours(name) || misspelled(name) || short.contains(':') && misspelled(short)) {
        return Ok(None);
    }
    // The last segment may be the name of an argument; then the misspelled name is what stands in front of it.
    let whole = table::suggest(name);
    let part = table::suggest(short).filter(|part| {
        part.definition.takes_names() && whole.as_ref().is_none_or(|whole| part.distance < whole.distance)
    });
    let (wrong, near) = match part {
        Some(part) => (short, Some(part)),
        None => (name, whole),
    };
    let error = Error::new(
        Code::UnknownMarker,
        at..at + wrong.len(),
        format!("no marker is called `{wrong}`"),
    );
    let family = near
        .as_ref()
        .map(|near| near.definition.family.word)
        .or_else(|| family_of_prefix(name));
    let error = match near {
        Some(near) => error.label(format!("did you mean `{}`?", near.name)),
        None => error,
    };
    Err(match family {
        Some(family) => error.help(format!("`kgen markers {family}` lists this family")),
        None => error.help("`kgen markers` lists all markers"),
    })
}

fn family_of_prefix(name: &str) -> Option<&'static str> {
    let mut prefix = name;
    while let Some((shorter, _)) = prefix.rsplit_once(':') {
        prefix = shorter;
        let start = format!("{prefix}:");
        let mut families = table::definitions()
            .iter()
            .filter(|known| known.name.starts_with(&start))
            .map(|known| known.family.word);
        let first = families.next()?;
        if families.all(|family| family == first) {
            return Some(first);
        }
    }
    name.starts_with("genclient").then_some("client")
}

fn check_position(
    definition: &Definition,
    name: &Range<usize>,
    text: &MarkerText,
    position: Position,
) -> Result<(), Error> {
    if definition.accepts(position) {
        return Ok(());
    }
    let shown = text.text().get(name.clone()).unwrap_or_default();
    let stands = match position {
        Position::Nothing => {
            return Err(Error::new(
                Code::DetachedMarker,
                name.clone(),
                format!("`{shown}` belongs to nothing here"),
            )
            .label("no item follows that it could belong to")
            .help(format!(
                "it stands {}, directly above it or one blank line away",
                definition.places()
            )));
        }
        Position::Module => "at the head of a module",
        Position::Kind => "on a kind",
        Position::Type if definition.targets.contains(&crate::definition::Target::Kind) => {
            "on a type that is no kind"
        }
        Position::Type => "on a type",
        Position::Field => "on a field",
        Position::Variant => "on a variant of an enum",
        Position::OtherItem(item) => {
            return Err(misplaced(
                definition,
                name,
                format!("`{shown}` means nothing on {item}"),
            ));
        }
    };
    Err(misplaced(
        definition,
        name,
        format!("`{shown}` means nothing {stands}"),
    ))
}

fn misplaced(definition: &Definition, name: &Range<usize>, message: String) -> Error {
    Error::new(Code::MisplacedMarker, name.clone(), message)
        .help(format!("it may stand {}", definition.places()))
}

/// Walks over the arguments of one marker and hands each to the struct behind it.
pub(crate) struct Reader<'a> {
    definition: &'static Definition,
    place: Place,
    start: Start,
    parser: Parser<'a>,
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
        self.parser.named(|parser, name| {
            if !known.contains(&name.value) {
                return Err(Parser::unknown_argument(name, &known));
            }
            seen.push(name.value.to_owned());
            read(name.value, parser)
        })
    }

    /// `(name)` or `(key: value, …)`, and a value behind it.
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

    /// The key of the next argument in parentheses: `()` for the one without a name.
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
                    "only one name stands in the parentheses",
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
        let no_marker =
            || Error::value(start..end, "a marker is needed here").help("write `+k8s:maxLength=5`, say");
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
}
