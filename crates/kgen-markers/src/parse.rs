//! Parses the text of a marker: its name, its place, its arguments.

use std::ops::Range;
use std::sync::Arc;

use kgen_diagnostics::{Code, Near, Problem};

use crate::arguments::{Reader, Start};
use crate::comment::{MarkerText, name_length};
use crate::definition::{Definition, Position, Status, Target};
use crate::marker::{Marker, Place};
use crate::table::{self, Found};
use crate::value::{Error, Located, Parser, TextFix, second_marker};

/// Parses one marker at its node. Returns `None` for a marker of another tool.
///
/// # Errors
/// When the marker is unknown, misplaced or malformed.
pub fn parse(text: &Arc<MarkerText>, position: Position) -> Result<Option<Marker>, Problem> {
    marker_at(text, 0, 0, position).map_err(|error| error.at(|range| text.span(range)))
}

/// Returns whether a marker is one of another tool: neither known nor near to a name that is.
#[must_use]
pub fn is_foreign(text: &MarkerText) -> bool {
    matches!(resolve(text.text(), 0), Ok(None))
}

/// Returns the problem of a marker after code on its line, if it looks like one of ours.
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
            format!("the marker `{name}` comes after code and would be ignored"),
        )
        .help("move it to a comment line of its own above the code")
    })
}

/// Returns the marker at byte `at` of a text; `depth` counts the markers around it.
pub(crate) fn marker_at(
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
    effect.at(position)?;
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
    if let Some(error) = equals_for_colon(name, behind, at) {
        return Err(error);
    }
    let Some((short, segment)) = name.rsplit_once(':') else {
        return unknown(name, at);
    };
    let Some(found) = table::lookup(short) else {
        return unknown(name, at);
    };
    if segment.is_empty() && found.definition.takes_names() {
        let missing = Error::argument(name_range, format!("an argument is missing after `{name}`"));
        return Err(missing.help(format!("write `{}`", found.definition.syntax())));
    }
    if segment.is_empty() && !table::is_prefix(short) {
        let colon = at + short.len()..text.trim_end().len();
        let error = Error::text(colon.clone(), format!("text after `{short}` has no meaning"))
            .help(format!("write `{}`", found.definition.syntax()));
        // Only a colon at the end is certain to be too much.
        return Err(if colon.len() == 1 {
            error.with_fix(TextFix::replace(colon, ""))
        } else {
            error
        });
    }
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
        Error::text(range, format!("`{segment}` after `{short}` has no meaning"))
            .help(format!("write `{}`", found.definition.syntax())),
    )
}

/// Returns the error for `+kubebuilder:validation=MaxLength=63`: an `=` in the place of a `:`.
fn equals_for_colon(name: &str, behind: &str, at: usize) -> Option<Error> {
    let rest = behind.strip_prefix('=')?;
    let last = rest.get(..name_length(rest))?.trim_end_matches(':');
    let meant = format!("{name}:{last}");
    let sign = at + name.len()..at + name.len() + 1;
    (!last.is_empty() && table::find_name(&meant).is_some()).then(|| {
        Error::new(
            Code::UnknownMarker,
            at..at + meant.len(),
            format!("there is no marker `{name}`"),
        )
        .label(format!("did you mean `{meant}`?"))
        .help("separate the parts of a name with `:`, and write `=` before the value")
        .with_fix(TextFix::replace(sign, ":"))
    })
}

/// Returns the text after a complete name.
fn start_behind(definition: &Definition, name: &str, end: usize, text: &str) -> Result<Start, Error> {
    let behind = text.get(end..).unwrap_or_default();
    let blanks = behind.len() - behind.trim_start().len();
    match behind.trim_start().chars().next() {
        // The text after a marker that is rejected does not matter.
        _ if matches!(definition.status, Status::Refused { .. }) => Ok(Start::End),
        None => Ok(Start::End),
        Some('=') if blanks > 0 => Err(blank_before_equals(end..end + blanks, text)),
        Some('=') if definition.value().is_some() => Ok(Start::Value(end + 1)),
        Some('=') if definition.takes_names() => {
            let error = Error::argument(
                end..text.trim_end().len(),
                format!("`{name}` has named arguments instead of a value"),
            )
            .help(format!("write `{}`", definition.syntax()));
            Err(match definition.arguments {
                // The value can belong to one argument only.
                [only] => error.with_fix(TextFix::replace(end..end + 1, format!(":{}=", only.key))),
                _ => error,
            })
        }
        Some('=') => {
            let range = end..text.trim_end().len();
            let error = Error::value(range.clone(), format!("`{name}` does not have a value"))
                .help(format!("write `+{name}`, or remove the marker"));
            // Any other value may mean the opposite.
            Err(match text.get(range.clone()) {
                Some("=true" | "=") => error.with_fix(TextFix::replace(range, "")),
                _ => error,
            })
        }
        Some('(') if blanks == 0 && definition.takes_parentheses() => Ok(Start::Parenthesis(end)),
        Some(_) => Err(second_marker(text, end).unwrap_or_else(|| {
            Error::trailing_text(
                end + blanks..text.trim_end().len(),
                format!("text after `{name}` has no meaning"),
            )
        })),
    }
}

/// Returns the error for the blanks at `range`, which an `=` follows. The fix also removes blanks behind it.
fn blank_before_equals(range: Range<usize>, text: &str) -> Error {
    let behind = text.get(range.end + 1..).unwrap_or_default();
    let blanks = behind.len() - behind.trim_start().len();
    let value = range.end + 1 + blanks;
    Error::text(range.clone(), "there is a space before `=`")
        .help("write `name=value`")
        .with_fix(TextFix::replace(range.start..value, "="))
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
        let colon = range.end..range.end + 1;
        return Err(
            Error::text(colon.clone(), "`:=` works only where the marker has one value")
                .help(format!("write `{segment}=`"))
                .with_fix(TextFix::replace(colon, "")),
        );
    }
    let behind = text.get(end..).unwrap_or_default();
    let blanks = behind.len() - behind.trim_start().len();
    if behind.starts_with('=') {
        Ok(())
    } else if behind.trim_start().starts_with('=') {
        Err(blank_before_equals(end..end + blanks, text))
    } else {
        Err(
            Error::argument(range, format!("argument `{segment}` has no value"))
                .help(format!("write `{segment}=…`")),
        )
    }
}

/// Handles an unknown name: it is an error if it looks like one of kgen's markers, and ignored otherwise.
fn unknown<T>(name: &str, at: usize) -> Result<Option<T>, Error> {
    let short = name.rsplit_once(':').map_or("", |(short, _)| short);
    let misspelled = |name: &str| table::is_misspelled(name);
    if !(table::is_ours(name) || misspelled(name) || short.contains(':') && misspelled(short)) {
        return Ok(None);
    }
    // The last segment may be the name of an argument; then the part before it is the misspelled name.
    let whole = table::suggest(name);
    let part = table::suggest(short).filter(|part| {
        part.definition.takes_names() && whole.as_ref().is_none_or(|whole| part.distance < whole.distance)
    });
    let (wrong, near) = match part {
        Some(part) => (short, Some(part)),
        None => (name, whole),
    };
    let range = at..at + wrong.len();
    let error = Error::new(
        Code::UnknownMarker,
        range.clone(),
        format!("there is no marker `{wrong}`"),
    );
    let family = near
        .as_ref()
        .map(|near| near.definition.family.word)
        .or_else(|| family_of_prefix(name));
    let longer = table::longer_names(name);
    let error = match near {
        _ if (1..=3).contains(&longer.len()) => longer.iter().fold(error, |error, name| {
            let near = Near {
                word: name,
                is_certain: false,
            };
            error.near(range.clone(), Some(near))
        }),
        Some(near) => error.near(
            range,
            Some(Near {
                word: near.name,
                is_certain: near.is_certain,
            }),
        ),
        None => match table::marker_with_argument(name) {
            Some((definition, argument)) => error
                .label(format!("did you mean `{}:{argument}=…`?", definition.name))
                .with_fix(
                    TextFix::replace(range, format!("{}:{argument}", definition.name)).certain_if(false),
                ),
            None => error,
        },
    };
    Err(match family {
        Some(family) => error.help(format!("run `kgen markers {family}` to list this family")),
        None => error.help("run `kgen markers` to list all markers"),
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
                format!("`{shown}` is not attached to any item"),
            )
            .label("no item follows this marker")
            .help(format!(
                "put it {}, directly above or one blank line away",
                definition.places()
            )));
        }
        Position::Module => "at the top of a module",
        Position::Kind => "on a kind",
        Position::Type if definition.targets.contains(&Target::Kind) => "on a type that is not a kind",
        Position::Type => "on a type",
        Position::Field => "on a field",
        Position::Variant | Position::ValueVariant => "on a variant of an enum",
        Position::OtherItem(item) => {
            return Err(misplaced(
                definition,
                name,
                format!("`{shown}` is not allowed on {item}"),
            ));
        }
    };
    let error = misplaced(definition, name, format!("`{shown}` is not allowed {stands}"));
    let needs_kind = position == Position::Type && definition.targets.contains(&Target::Kind);
    Err(if needs_kind {
        error.help(
            "a kind is a struct with `metadata: ObjectMeta`, or one that derives kube's `CustomResource`",
        )
    } else {
        error
    })
}

fn misplaced(definition: &Definition, name: &Range<usize>, message: String) -> Error {
    Error::new(Code::MisplacedMarker, name.clone(), message).help(format!("put it {}", definition.places()))
}
