//! Markers that describe a value: defaults, examples, titles, links.

use kgen_diagnostics::Code;
use kgen_model::{ExternalDocumentation, JsonType, Keyword};
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
    "kubebuilder:default" on [Field] with [states("default")] => KubebuilderDefault {
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
    "default" on [Field] with [priority(9), states("default")] => JsonDefault {
        /// The value, as JSON.
        "=" value: Json,
    }
    apply schema |marker, node| {
        node.schema.default = Some(marker.value.0.clone());
        node.note(Keyword::Default, &marker.place);
    };

    /// Example value, for documentation.
    ///
    /// ```
    /// // +kubebuilder:example="a.example.com"
    /// pub host: String,
    /// ```
    "kubebuilder:example" on [Field] => Example {
        /// The value, written as for `kubebuilder:default`.
        "=" value: Any,
    }
    apply schema |marker, node| {
        node.schema.example = Some(Box::new(marker.value.0.clone()));
        node.note(Keyword::Example, &marker.place);
    };

    /// Title, for documentation.
    ///
    /// ```
    /// // +kubebuilder:title="Wanted replicas"
    /// pub replicas: i32,
    /// ```
    "kubebuilder:title" on [Type, Field] => Title {
        /// The title.
        "=" value: TitleText,
    }
    apply schema |marker, node| {
        node.schema.title = Some(marker.value.0.as_str().into());
        node.note(Keyword::Title, &marker.place);
    };

    /// Link to external documentation.
    ///
    /// ```
    /// // +kubebuilder:externalDocs:url="https://example.com/replicas",description="How many are enough"
    /// pub replicas: i32,
    /// ```
    "kubebuilder:externalDocs" on [Type, Field] => ExternalDocs {
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
}

/// A text where controller-gen guesses the type: what it would read as something else needs quotes.
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
