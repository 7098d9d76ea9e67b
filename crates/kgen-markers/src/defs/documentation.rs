//! Markers that describe a value: defaults, examples, titles, links.

use kgen_diagnostics::Code;
use kgen_model::{DescriptionLimit, ExternalDocumentation, JsonType, Keyword};
use serde_json::Value as JsonValue;

use crate::definition::markers;
use crate::value::{Any, Error, Json, Located, Parser, TextFix, Value, ValueType};

markers! {
    family "documentation" "Defaults and documentation";

    /// Default that the API server sets if the field is absent.
    ///
    /// The type is guessed: `5` is a number, `true` a boolean, `a;b` or `{a, b}` a list, `{key: value}` a map, and
    /// `[…]` JSON. A value in quotes is always a string.
    ///
    /// ```
    /// // +kubebuilder:default=3
    /// pub replicas: i32,
    /// ```
    "kubebuilder:default" on [Field] with [nestable, states("default")] => KubebuilderDefault {
        /// The value.
        "=" value: Any,
    }
    apply schema |marker, node| {
        let empty_map = marker.value.0.as_object().is_some_and(serde_json::Map::is_empty);
        // `{}` is the empty list as well; only the type tells.
        let list = empty_map && node.schema.json_type == Some(JsonType::Array);
        node.schema.default = Some(if list { JsonValue::Array(Vec::new()) } else { marker.value.0.clone() });
        node.note(Keyword::Default, &marker.place);
    };

    /// Default that the API server sets if the field is absent, as JSON.
    ///
    /// ```
    /// // +default=["a", "b"]
    /// pub names: Vec<String>,
    /// ```
    "default" on [Field] with [nestable, priority(9), states("default")] => JsonDefault {
        /// The value, as JSON.
        "=" value: Json,
    }
    apply schema |marker, node| {
        node.schema.default = Some(marker.value.0.clone());
        node.note(Keyword::Default, &marker.place);
    };
    write schema |gap| gap.part(|schema| schema.default.clone()).map(|value| (Json(value),));

    /// Example value, for documentation.
    ///
    /// ```
    /// // +kubebuilder:example="a.example.com"
    /// pub host: String,
    /// ```
    "kubebuilder:example" on [Kind, Field] with [nestable] => Example {
        /// The value, written as for `kubebuilder:default`.
        "=" value: Any,
    }
    apply schema |marker, node| {
        node.schema.example = Some(Box::new(marker.value.0.clone()));
        node.note(Keyword::Example, &marker.place);
    };
    write schema |gap| gap.part(|schema| schema.example.clone()).map(|value| (Any(*value),));

    /// Title, for documentation.
    ///
    /// ```
    /// // +kubebuilder:title="Wanted replicas"
    /// pub replicas: i32,
    /// ```
    "kubebuilder:title" on [Type, Field] with [nestable] => Title {
        /// The title.
        "=" value: TitleText,
    }
    apply schema |marker, node| {
        node.schema.title = Some(marker.value.0.as_str().into());
        node.note(Keyword::Title, &marker.place);
    };
    write schema |gap| gap.part(|schema| schema.title.clone()).map(|title| (TitleText(title.into()),));

    /// Link to external documentation.
    ///
    /// ```
    /// // +kubebuilder:externalDocs:url="https://example.com/replicas",description="How many are enough"
    /// pub replicas: i32,
    /// ```
    "kubebuilder:externalDocs" on [Type, Field] with [nestable] => ExternalDocs {
        /// An absolute URI or an absolute path.
        "url" url: Located<String>,
        /// Description of the link.
        "description" description: Option<String>,
    }
    apply schema |marker, node| {
        if !is_absolute(&marker.url.value) {
            let message = format!("`{}` is neither an absolute URI nor an absolute path", marker.url.value);
            return Err(marker.place.problem_at(&marker.url.range, Code::MarkerValue, message));
        }
        let (url, description) = (marker.url.value.clone(), marker.description.clone());
        node.schema.external_documentation = Some(Box::new(ExternalDocumentation { url, description }));
        node.note(Keyword::ExternalDocs, &marker.place);
    };
    write schema |gap| gap
        .part(|schema| schema.external_documentation.clone())
        .map(|link| (link.url.into(), link.description));

    /// Description of the value, in place of the comment.
    ///
    /// It is for descriptions that a comment cannot have: with trailing spaces, or with lines that comments
    /// leave out. The description of a list's items or a map's values can only be stated this way.
    ///
    /// ```
    /// // +kgen:description="Wanted replicas.\n\n\nZero stops the program. "
    /// pub replicas: i32,
    /// ```
    "kgen:description" on [Type, Field] with [items, nestable] => Description {
        /// The description; an empty one removes that of the comment.
        "=" value: String,
    }
    apply schema |marker, node| node.schema.description = Some(marker.value.clone()).filter(|text| !text.is_empty());
    write schema |gap| gap.description().map(|text| (text,));

    /// Leaves a field, type or kind out of the pages of `kgen docs`.
    ///
    /// Nothing else changes: CRDs and generated Rust still have it.
    ///
    /// ```
    /// // +kgen:docs:hide
    /// pub debug: bool,
    /// ```
    "kgen:docs:hide" on [Type, Field] => DocsHide {}
    apply type_settings |_marker, settings| settings.is_hidden = true;
    apply field |_marker, settings| settings.is_hidden = true;

    /// Shortens the description of the value, and of everything inside of it.
    ///
    /// Large types of others, such as `PodTemplateSpec`, make a CRD large. A description is cut after a
    /// sentence, as with `maxDescLen`, which is the same for the whole run. At the head of a module, the marker is for all types
    /// in it.
    ///
    /// ```
    /// // +kgen:description:max=0
    /// pub template: PodTemplateSpec,
    /// ```
    "kgen:description:max" on [Module, Type, Field] with [items, nestable] => DescriptionMax {
        /// The most bytes of a description; zero removes all of them.
        "=" value: Located<i64>,
    }
    apply schema |marker, node| {
        if marker.value.value < 0 {
            let message = "the length of a description cannot be negative";
            return Err(marker.place.problem_at(&marker.value.range, Code::MarkerValue, message));
        }
        node.descriptions = DescriptionLimit::from_option(Some(marker.value.value));
    };
    apply module |marker, module| module.descriptions = DescriptionLimit::from_option(Some(marker.value.value));
}

/// A text where controller-gen guesses the type. A text that it would read as another type needs quotes.
#[derive(Clone, Debug)]
struct TitleText(String);

impl Value for TitleText {
    const TYPE: ValueType = ValueType::String;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        // Square brackets mean JSON only in defaults and examples.
        parser.skip_blanks();
        if parser.peek() == Some('[') {
            return String::read(parser).map(Self);
        }
        let rest = parser.rest();
        let found = Located::<Any>::read(parser)?;
        match found.value.0 {
            JsonValue::String(text) => Ok(Self(text)),
            _ => {
                let (start, end) = (found.range.start, found.range.end);
                let quotes = [start..start, end..end].map(|place| (place, "\"".to_owned()));
                let error =
                    Error::value(found.range, "a title must be a string").help("put it in double quotes");
                let is_plain = !rest.contains(['"', '\\']);
                Err(error.with_fix(TextFix::of_edits(quotes.into()).certain_if(is_plain)))
            }
        }
    }

    fn write(&self) -> Option<String> {
        Some(crate::value::written::quoted(&self.0))
    }
}

fn is_absolute(url: &str) -> bool {
    let clean = !url.contains(|c: char| c.is_whitespace() || c.is_control());
    let scheme = url.split_once(':').filter(|(scheme, rest)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
            && !rest.is_empty()
    });
    clean && (url.starts_with('/') || scheme.is_some())
}
