//! The definition of a marker, and the macro that declares one.
//!
//! Parser, checks, suggestions, help, documentation and tests all read [`Definition`]; nothing about a marker is
//! written anywhere else.

use crate::arguments::Reader;
use crate::marker::SharedEffect;
use crate::value::{Error, ValueType};
use crate::write::Writer;

/// The node of a marker, as the front end sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The head of a module.
    Module,
    /// A kind. It takes everything that a type takes.
    Kind,
    /// A type that is not a kind.
    Type,
    /// A field.
    Field,
    /// A variant of an enum.
    Variant,
    /// A variant around one value. It takes everything that a field takes.
    ValueVariant,
    /// No node to which a marker could belong.
    Nothing,
    /// Another item, such as `a function`.
    OtherItem(&'static str),
}

/// A kind of node that may have a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// The head of a module.
    Module,
    /// A kind.
    Kind,
    /// A type, kinds included.
    Type,
    /// A field.
    Field,
    /// A variant of an enum.
    Variant,
    /// Any comment of any file.
    Anywhere,
}

impl Target {
    /// Returns the word in tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Kind => "kind",
            Self::Type => "type",
            Self::Field => "field",
            Self::Variant => "variant",
            Self::Anywhere => "anywhere",
        }
    }

    fn accepts(self, position: Position) -> bool {
        match self {
            Self::Module => position == Position::Module,
            Self::Kind => position == Position::Kind,
            Self::Type => matches!(position, Position::Kind | Position::Type),
            Self::Field => matches!(position, Position::Field | Position::ValueVariant),
            Self::Variant => matches!(position, Position::Variant | Position::ValueVariant),
            Self::Anywhere => true,
        }
    }

    fn place(self) -> &'static str {
        match self {
            Self::Module => "at the top of a module",
            Self::Kind => "on a kind",
            Self::Type => "on a type",
            Self::Field => "on a field",
            Self::Variant => "on a variant",
            Self::Anywhere => "anywhere",
        }
    }
}

/// Markers that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The word for `kgen markers`.
    pub word: &'static str,
    /// The heading.
    pub title: &'static str,
}

/// How much a marker can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It works and stays.
    Stable,
    /// It works, and another one is better.
    Deprecated {
        /// The better one.
        replacement: &'static str,
    },
    /// It is known and does nothing.
    NoEffect {
        /// Why.
        why: &'static str,
    },
    /// It is known and always an error.
    Refused {
        /// Why.
        why: &'static str,
        /// The replacement.
        instead: &'static str,
    },
}

/// One argument of a marker.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// `=` for the value itself, `()` for the one in parentheses, `(name)` for a named one there, else the name.
    pub key: &'static str,
    /// Its type.
    pub value: ValueType,
    /// Whether it may be left out.
    pub optional: bool,
    pub(crate) docs: &'static str,
}

impl Argument {
    /// Returns its description.
    #[must_use]
    pub fn help(&self) -> String {
        clean_docs(self.docs)
    }

    /// Returns its name in messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.key {
            "=" => "the value",
            "()" => "the name in parentheses",
            key => key.trim_matches(['(', ')']),
        }
    }

    pub(crate) fn in_parentheses(&self) -> bool {
        self.key.starts_with('(')
    }

    pub(crate) fn is_named(&self) -> bool {
        self.key != "=" && !self.in_parentheses()
    }
}

/// One marker of the table.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The name behind the `+`.
    pub name: &'static str,
    /// Which others it belongs to.
    pub family: Family,
    /// The nodes on which it is allowed.
    pub targets: &'static [Target],
    /// Its arguments.
    pub arguments: &'static [Argument],
    /// How much it can be relied on.
    pub status: Status,
    /// Whether `kubebuilder:validation:items:…` applies the same to the items of a list.
    pub items: bool,
    /// Whether it is repeatable on one node.
    pub repeatable: bool,
    /// Whether it must not be repeated with the same value, although it is repeatable.
    pub distinct: bool,
    /// Lower ones are applied first.
    pub priority: u8,
    /// The fact that it states; two markers of one node that state the same fact contradict each other.
    pub states: &'static str,
    /// Names of markers that cannot hold together with this one.
    pub contradicts: &'static [&'static str],
    /// Whether another marker may carry it as its value.
    pub nestable: bool,
    docs: &'static str,
    pub(crate) read: fn(Reader<'_>) -> Result<SharedEffect, Error>,
    /// Writes the marker for what a node must have in addition to what its Rust type gives it.
    pub(crate) writer: Option<Writer>,
}

impl Definition {
    pub(crate) const fn new(
        name: &'static str,
        family: Family,
        targets: &'static [Target],
        docs: &'static str,
        arguments: &'static [Argument],
        read: fn(Reader<'_>) -> Result<SharedEffect, Error>,
    ) -> Self {
        Self {
            name,
            family,
            targets,
            arguments,
            status: Status::Stable,
            items: false,
            repeatable: false,
            distinct: false,
            priority: 10,
            states: "",
            contradicts: &[],
            nestable: false,
            docs,
            read,
            writer: None,
        }
    }

    pub(crate) const fn writer(self, writer: Writer) -> Self {
        Self {
            writer: Some(writer),
            ..self
        }
    }

    pub(crate) const fn items(self) -> Self {
        Self { items: true, ..self }
    }

    pub(crate) const fn repeatable(self) -> Self {
        Self {
            repeatable: true,
            ..self
        }
    }

    pub(crate) const fn distinct(self) -> Self {
        Self {
            distinct: true,
            repeatable: true,
            ..self
        }
    }

    pub(crate) const fn priority(self, priority: u8) -> Self {
        Self { priority, ..self }
    }

    pub(crate) const fn states(self, states: &'static str) -> Self {
        Self { states, ..self }
    }

    pub(crate) const fn contradicts(self, contradicts: &'static [&'static str]) -> Self {
        Self { contradicts, ..self }
    }

    pub(crate) const fn nestable(self) -> Self {
        Self {
            nestable: true,
            ..self
        }
    }

    pub(crate) const fn deprecated(self, replacement: &'static str) -> Self {
        Self {
            status: Status::Deprecated { replacement },
            ..self
        }
    }

    pub(crate) const fn no_effect(self, why: &'static str) -> Self {
        Self {
            status: Status::NoEffect { why },
            repeatable: true,
            ..self
        }
    }

    pub(crate) const fn refused(self, why: &'static str, instead: &'static str) -> Self {
        Self {
            status: Status::Refused { why, instead },
            repeatable: true,
            ..self
        }
    }

    /// Returns its effect in one sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let docs = clean_docs(self.docs);
        docs.split("\n\n").next().unwrap_or_default().replace('\n', " ")
    }

    /// Returns further documentation, in Markdown; it may be empty.
    #[must_use]
    pub fn details(&self) -> String {
        let docs = clean_docs(self.docs);
        let behind_summary = docs.split_once("\n\n").map_or("", |(_, rest)| rest);
        let (before, behind) = match behind_summary.split_once("```\n") {
            Some((before, rest)) => (before, rest.split_once("```").map_or("", |(_, behind)| behind)),
            None => (behind_summary, ""),
        };
        format!("{}\n\n{}", before.trim(), behind.trim())
            .trim()
            .to_owned()
    }

    /// Returns an example: comment lines, and the Rust line below them.
    #[must_use]
    pub fn example(&self) -> String {
        let docs = clean_docs(self.docs);
        let fenced = docs
            .split_once("```\n")
            .and_then(|(_, rest)| rest.split_once("```"));
        fenced.map_or("", |(example, _)| example).trim_end().to_owned()
    }

    /// Returns the argument directly after `=`.
    #[must_use]
    pub fn value(&self) -> Option<&'static Argument> {
        self.arguments.iter().find(|argument| argument.key == "=")
    }

    pub(crate) fn takes_names(&self) -> bool {
        self.value().is_none() && self.arguments.iter().any(Argument::is_named)
    }

    pub(crate) fn takes_parentheses(&self) -> bool {
        self.arguments.iter().any(Argument::in_parentheses)
    }

    /// Returns whether it is allowed at `position`.
    #[must_use]
    pub fn accepts(&self, position: Position) -> bool {
        self.targets.iter().any(|target| target.accepts(position))
    }

    /// Describes the nodes on which it is allowed.
    #[must_use]
    pub fn places(&self) -> String {
        let mut places: Vec<_> = self.targets.iter().map(|target| target.place()).collect();
        let last = places.pop().unwrap_or("nowhere");
        if places.is_empty() {
            last.to_owned()
        } else {
            format!("{} or {last}", places.join(", "))
        }
    }

    /// Returns its syntax, such as `+kubebuilder:resource:path=<string>`.
    #[must_use]
    pub fn syntax(&self) -> String {
        let mut text = format!("+{}", self.name);
        let shown = |argument: &Argument| format!("<{}>", argument.value);
        let inside: Vec<_> = self
            .arguments
            .iter()
            .filter(|argument| argument.in_parentheses())
            .map(|argument| {
                if argument.key == "()" {
                    "<name>".to_owned()
                } else {
                    format!("{}: {}", argument.name(), shown(argument))
                }
            })
            .collect();
        if !inside.is_empty() {
            text += &format!("({})", inside.join(", "));
        }
        if let Some(value) = self.value() {
            text += &format!("={}", shown(value));
        }
        for (index, argument) in self
            .arguments
            .iter()
            .filter(|argument| argument.is_named())
            .enumerate()
        {
            text.push(if index == 0 && self.value().is_none() {
                ':'
            } else {
                ','
            });
            text += &format!("{}={}", argument.key, shown(argument));
        }
        text
    }
}

/// Returns doc lines of the compiler without the blank behind the slashes.
fn clean_docs(docs: &str) -> String {
    let lines: Vec<_> = docs
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
        .collect();
    lines.join("\n").trim().to_owned()
}

/// Declares the markers of a family: documentation with an example, name, targets, arguments, effect.
///
/// An entry becomes a struct with the arguments as fields and `place`, its [`Effect`](crate::marker::Effect), and a
/// row of the table. `with` takes the methods of [`Definition`]; `apply` names what the marker changes. `write` is the
/// other direction: it returns the arguments of the markers that bring a difference about.
macro_rules! markers {
    (
        family $word:literal $title:literal;
        $(
            $(#[doc = $doc:literal])+
            $name:literal on [$($target:ident),+] $(with [$($setting:ident $(($($value:expr),+))?),+])? => $type:ident {
                $($(#[doc = $argument_doc:literal])+ $key:literal $field:ident: $argument:ty,)*
            }
            $(apply $stage:ident |$marker:ident, $node:ident| $body:expr;)*
            $(write $source:ident |$gap:ident| $written:expr;)?
        )+
    ) => {
        const FAMILY: $crate::definition::Family = $crate::definition::Family { word: $word, title: $title };

        /// The markers of this family, in the order of their declaration.
        pub(super) const DEFINITIONS: &[$crate::definition::Definition] = &[$($type::DEFINITION),+];

        $(
            #[derive(Debug)]
            #[allow(dead_code, reason = "markers without effect never look at what they were given")]
            struct $type {
                place: $crate::marker::Place,
                $($field: $argument,)*
            }

            impl $type {
                const DEFINITION: $crate::definition::Definition = $crate::definition::Definition::new(
                    $name,
                    FAMILY,
                    &[$($crate::definition::Target::$target),+],
                    concat!($($doc, "\n"),+),
                    &[$($crate::definition::Argument {
                        key: $key,
                        value: <$argument as $crate::value::Value>::TYPE,
                        optional: <$argument as $crate::value::Value>::OPTIONAL,
                        docs: concat!($($argument_doc, "\n"),+),
                    }),*],
                    Self::read,
                )$(.writer($crate::write::writer! { $source |$gap| $written, Self::text }))?$($(.$setting($($($value),+)?))+)?;

                /// Returns the marker with these arguments, without `+`.
                #[allow(dead_code, reason = "only the markers with a `write` line are written from facts")]
                fn text(($($field,)*): ($($argument,)*)) -> String {
                    $crate::write::text($name, &[$(($key, <$argument as $crate::value::Value>::write(&$field))),*])
                }

                fn read(
                    reader: $crate::arguments::Reader<'_>,
                ) -> Result<$crate::marker::SharedEffect, $crate::value::Error> {
                    $(let mut $field: Option<$argument> = None;)*
                    let place = reader.read(&mut |key, parser| {
                        let _ = (key, &parser);
                        $(if key == $key {
                            $field = Some(<$argument as $crate::value::Value>::read(parser)?);
                        })*
                        Ok(())
                    })?;
                    Ok(std::sync::Arc::new(Self {
                        $($field: match $field.or_else(<$argument as $crate::value::Value>::absent) {
                            Some(value) => value,
                            None => return Err(place.missing($key)),
                        },)*
                        place,
                    }))
                }
            }

            impl $crate::marker::Effect for $type {
                fn written(&self, name: &str) -> String {
                    $crate::write::text(name, &[$(($key, <$argument as $crate::value::Value>::write(&self.$field))),*])
                }

                $($crate::marker::effect! { $stage |$marker, $node| $body })*
            }
        )+
    };
}

pub(crate) use markers;
