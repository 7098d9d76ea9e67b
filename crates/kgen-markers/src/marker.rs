//! A marker that was read: its definition, its place, and its effect.

use std::ops::Range;
use std::sync::Arc;

use kgen_diagnostics::{Code, Fix, Problem, Span, Spanned, TextOrigin};
use kgen_model::{KindVersion, Sparse, VariantConversion};

use crate::access::ApiNode;
use crate::comment::MarkerText;
use crate::definition::{Definition, Position, Status, Target};
use crate::schema::Node;
use crate::settings::{FieldSettings, ModuleSettings, TypeSettings};
use crate::value::{Error, Located, string_parts};

/// Whether a marker could be applied.
pub(crate) type Outcome = Result<(), Problem>;

/// The effect of the struct behind a marker, shared between clones of the marker.
pub(crate) type SharedEffect = Arc<dyn Effect>;

/// The effects of a marker on the nodes of the model. Each changes only its own part.
pub(crate) trait Effect: std::fmt::Debug + Send + Sync {
    /// Returns the marker with its arguments under `name`, without `+`.
    fn written(&self, name: &str) -> String;
    fn on_schema(&self, _node: &mut Node<'_>) -> Outcome {
        Ok(())
    }
    fn on_kind(&self, _kind: &mut KindVersion) -> Outcome {
        Ok(())
    }
    fn on_api(&self, _api: &mut ApiNode<'_>) -> Outcome {
        Ok(())
    }
    fn on_module(&self, _settings: &mut ModuleSettings) -> Outcome {
        Ok(())
    }
    fn on_type(&self, _settings: &mut TypeSettings) -> Outcome {
        Ok(())
    }
    fn on_field(&self, _settings: &mut FieldSettings) -> Outcome {
        Ok(())
    }
    fn on_variant(&self, _conversion: &mut VariantConversion) -> Outcome {
        Ok(())
    }
    /// Returns the marker that applies to every value inside of the node.
    fn for_values(&self) -> Option<&Marker> {
        None
    }
    /// Makes sure that the arguments are those for the position.
    fn at(&self, _position: Position) -> Result<(), Error> {
        Ok(())
    }
    /// Sets the flag if the marker shows that the type is a kind.
    fn on_kind_sign(&self, _sign: &mut bool) -> Outcome {
        Ok(())
    }
}

/// One method of an effect, from an `apply` line of the table.
macro_rules! effect {
    (schema |$marker:ident, $node:ident| $body:expr) => {
        $crate::marker::effect! { @ on_schema, $crate::schema::Node<'_>, $marker, $node, $body }
    };
    (kind |$marker:ident, $node:ident| $body:expr) => {
        $crate::marker::effect! { @ on_kind, kgen_model::KindVersion, $marker, $node, $body }
    };
    (api |$marker:ident, $node:ident| $body:expr) => {
        $crate::marker::effect! { @ on_api, $crate::access::ApiNode<'_>, $marker, $node, $body }
    };
    (module |$marker:ident, $node:ident| $body:expr) => {
        $crate::marker::effect! { @ on_module, $crate::settings::ModuleSettings, $marker, $node, $body }
    };
    (type_settings |$marker:ident, $node:ident| $body:expr) => {
        $crate::marker::effect! { @ on_type, $crate::settings::TypeSettings, $marker, $node, $body }
    };
    (field |$marker:ident, $node:ident| $body:expr) => {
        $crate::marker::effect! { @ on_field, $crate::settings::FieldSettings, $marker, $node, $body }
    };
    (variant |$marker:ident, $node:ident| $body:expr) => {
        $crate::marker::effect! { @ on_variant, kgen_model::VariantConversion, $marker, $node, $body }
    };
    (values |$marker:ident, $node:ident| $body:expr) => {
        fn for_values(&self) -> Option<&$crate::marker::Marker> {
            let ($marker, $node) = (self, ());
            let () = $node;
            Some($body)
        }
    };
    (position |$marker:ident, $position:ident| $body:expr) => {
        fn at(&self, $position: $crate::definition::Position) -> Result<(), $crate::value::Error> {
            let $marker = self;
            $body;
            Ok(())
        }
    };
    (kind_sign |$marker:ident, $node:ident| $body:expr) => {
        $crate::marker::effect! { @ on_kind_sign, bool, $marker, $node, $body }
    };
    (@ $method:ident, $type:ty, $marker:ident, $node:ident, $body:expr) => {
        fn $method(&self, $node: &mut $type) -> $crate::marker::Outcome {
            let $marker = self;
            $body;
            Ok(())
        }
    };
}

pub(crate) use effect;

/// The place of a marker.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    text: Arc<MarkerText>,
    name: Range<usize>,
    whole: Range<usize>,
    /// The values of named arguments.
    arguments: Sparse<Vec<(String, Range<usize>)>>,
}

impl Place {
    pub(crate) fn new(text: Arc<MarkerText>, name: Range<usize>) -> Self {
        let whole = name.start..text.text().trim_end().len().max(name.end);
        Self {
            text,
            name,
            whole,
            arguments: Sparse::default(),
        }
    }

    /// Stores the place of the value of a named argument.
    pub(crate) fn add_argument(&mut self, name: &str, value: Range<usize>) {
        self.arguments.push((name.to_owned(), value));
    }

    /// Returns the places of the values of named arguments, in source order.
    pub(crate) fn argument_spans(&self) -> Vec<(String, Span)> {
        let span = |(name, range): &(String, Range<usize>)| (name.clone(), self.span_of(range));
        self.arguments.iter().map(span).collect()
    }

    /// Returns the places of the parts of a string value.
    pub(crate) fn origin(&self, value: &Located<String>) -> TextOrigin {
        let mut origin = TextOrigin::default();
        let mut at = value.range.start;
        for (length, written) in string_parts(self.text.text().get(value.range.clone()).unwrap_or_default()) {
            let range = at..at + written;
            if length == written {
                for piece in self.text.pieces(range) {
                    origin.push(piece.len(), self.text.span(piece));
                }
            } else if length > 0 {
                origin.push(length, self.text.span(range));
            }
            at += written;
        }
        origin
    }

    /// Returns the name as it is written.
    pub(crate) fn name(&self) -> &str {
        self.text.text().get(self.name.clone()).unwrap_or_default()
    }

    /// Returns the whole marker as it is written.
    pub(crate) fn text(&self) -> &str {
        self.text.text().get(self.whole.clone()).unwrap_or_default()
    }

    pub(crate) fn name_span(&self) -> Span {
        self.text.span(self.name.clone())
    }

    pub(crate) fn name_range(&self) -> Range<usize> {
        self.name.clone()
    }

    /// Returns the whole marker, value included.
    pub(crate) fn span(&self) -> Span {
        self.text.span(self.whole.clone())
    }

    /// Returns the place of a part of the marker.
    pub(crate) fn span_of(&self, range: &Range<usize>) -> Span {
        self.text.span(range.clone())
    }

    /// Returns a value with its place in the source.
    pub(crate) fn spanned<T: Clone>(&self, located: &Located<T>) -> Spanned<T> {
        Spanned::new(located.value.clone(), self.span_of(&located.range))
    }

    pub(crate) fn spanned_all<T: Clone>(&self, list: &[Located<T>]) -> Vec<Spanned<T>> {
        list.iter().map(|located| self.spanned(located)).collect()
    }

    /// Returns the error for an argument that is not there.
    pub(crate) fn missing(&self, key: &str) -> Error {
        let message = match key {
            "=" => format!("`{}` needs a value", self.name()),
            "()" => format!("`{}` needs a name in parentheses", self.name()),
            key => format!(
                "`{}` needs the argument `{}`",
                self.name(),
                key.trim_matches(['(', ')'])
            ),
        };
        Error::argument(self.name.clone(), message)
    }

    /// Creates an error at the whole marker.
    pub(crate) fn problem(&self, code: Code, message: impl Into<String>) -> Problem {
        Problem::error(code, self.span(), message)
    }

    /// Creates an error at a part of the marker.
    pub(crate) fn problem_at(&self, range: &Range<usize>, code: Code, message: impl Into<String>) -> Problem {
        // A value over several lines may be quoted in it.
        Problem::error(
            code,
            self.span_of(range),
            message.into().replace(['\n', '\r'], " "),
        )
    }
}

/// One marker that was read.
#[derive(Clone, Debug)]
pub struct Marker {
    pub(crate) definition: &'static Definition,
    /// Whether it is the `items:` form.
    pub(crate) items: bool,
    pub(crate) place: Place,
    pub(crate) effect: SharedEffect,
}

impl Marker {
    /// Returns the name as it is written, without `+`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.place.name()
    }

    /// Returns the whole marker, value included.
    #[must_use]
    pub fn span(&self) -> Span {
        self.place.span()
    }

    /// Returns the marker in the form in which kgen writes it, without `+`.
    #[must_use]
    pub fn written(&self) -> String {
        self.effect.written(self.name())
    }

    /// Returns the place of its name.
    #[must_use]
    pub fn name_span(&self) -> Span {
        self.place.name_span()
    }

    /// Returns its definition in the table.
    #[must_use]
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// Returns whether it applies to the items of a list instead of the list.
    #[must_use]
    pub fn is_for_items(&self) -> bool {
        self.items
    }

    /// Returns the note about a marker that another one has replaced, with the fix that writes the newer name.
    #[must_use]
    pub fn deprecation(&self) -> Option<Problem> {
        let Status::Deprecated { replacement } = self.definition.status else {
            return None;
        };
        let message = format!("`{}` is deprecated", self.name());
        let mut problem = Problem::note(Code::DeprecatedMarker, message);
        problem.span = Some(self.name_span());
        // The form for items has a name of its own.
        let is_plain = self.name() == self.definition.name;
        Some(if is_plain {
            problem.with_fix(Fix::replace(self.name_span(), replacement).told())
        } else {
            problem
        })
    }

    /// Returns whether only kinds carry it, so that it shows that its type is one.
    #[must_use]
    pub fn is_kind_marker(&self) -> bool {
        let mut sign = self.definition.targets == [Target::Kind];
        // An effect that fails does not affect kinds.
        let _ = self.effect.on_kind_sign(&mut sign);
        sign
    }
}
