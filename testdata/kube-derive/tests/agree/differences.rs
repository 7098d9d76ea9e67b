//! The differences between kube-derive and kgen, one row each. Their reasons are in `docs/book/src/deviations.md`, under the name
//! of the row.

use serde_json::Value;

/// One place where two definitions differ.
pub struct Entry {
    pub path: String,
    pub kube: Option<Value>,
    pub kgen: Option<Value>,
    /// The schema that the place is part of.
    pub kube_parent: Value,
}

impl Entry {
    /// The last name of the path.
    fn key(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    fn is_at(&self, suffix: &str) -> bool {
        self.path.ends_with(&format!("/openAPIV3Schema{suffix}"))
    }

    /// A keyword of the schema that the place is part of, as kube-derive has it.
    fn beside(&self, key: &str) -> Option<&Value> {
        self.kube_parent.get(key)
    }
}

/// When a difference is there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Even if kgen follows kube-derive.
    Compatible,
    /// Only in the usual mode.
    Usual,
}

/// A difference that is meant.
pub struct Difference {
    pub name: &'static str,
    pub mode: Mode,
    pub explains: fn(&Entry) -> bool,
}

const fn always(name: &'static str, explains: fn(&Entry) -> bool) -> Difference {
    Difference {
        name,
        mode: Mode::Compatible,
        explains,
    }
}

const fn usually(name: &'static str, explains: fn(&Entry) -> bool) -> Difference {
    Difference {
        name,
        mode: Mode::Usual,
        explains,
    }
}

/// All of them.
pub const DIFFERENCES: &[Difference] = &[
    always("any value", |entry| match entry.key() {
        "x-kubernetes-preserve-unknown-fields" => entry.kube.is_none(),
        "additionalProperties" => entry.kube == Some(Value::Bool(true)),
        _ => false,
    }),
    always("an integer or a string", |entry| {
        // Without a type, kube-derive's form is refused.
        entry.path.contains("/port/") || entry.path.contains("/optionalPort/")
    }),
    always("a string, or a number, in several forms", |entry| {
        entry.path.contains("/forms/")
    }),
    always("a marker in a comment", |entry| entry.path.contains("/marked/")),
    always("keys of maps with a pattern", |entry| {
        entry.path.contains("/by_word/")
    }),
    always(
        "a map with a type for its values, flattened among other fields",
        |entry| entry.path.ends_with("/open/additionalProperties") && entry.kgen.is_none(),
    ),
    always("two flattened enums", |entry| {
        entry.path.contains("/two/") && matches!(entry.key(), "allOf" | "oneOf" | "properties")
    }),
    always("titles of variants with data", |entry| {
        entry.path.contains("/titled/") && entry.key() == "title" && entry.kgen.is_none()
    }),
    always("defaults that code converts", |entry| {
        entry.path.ends_with("/converted/default")
    }),
    usually("null", |entry| match entry.key() {
        "nullable" => entry.kube == Some(Value::Bool(true)) && entry.kgen.is_none(),
        "enum" => {
            let values = entry
                .kube
                .as_ref()
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default();
            let without: Vec<_> = values.into_iter().filter(|value| !value.is_null()).collect();
            entry.kgen == Some(Value::Array(without))
        }
        _ => false,
    }),
    usually("null as any value", |entry| {
        entry.key() == "nullable" && entry.kube.is_none() && entry.beside("type").is_none()
    }),
    usually("IP addresses", |entry| {
        let format = entry.beside("format").and_then(Value::as_str);
        matches!(entry.key(), "format" | "pattern") && matches!(format, Some("ip" | "ipv4" | "ipv6"))
    }),
    usually("several checks of one value", |entry| {
        let fields = [
            "/anything/",
            "/first_of_two/",
            "/first_of_one/",
            "/loosened/",
            "/map/additionalProperties/",
        ];
        matches!(entry.key(), "minLength" | "maxLength" | "pattern")
            && fields.iter().any(|field| entry.path.contains(field))
    }),
    usually("checks that only validator or garde has", |entry| {
        entry.path.contains("/unknown_to_") && entry.kube.is_none()
    }),
    usually("values that are required", |entry| {
        entry.key() == "nullable" && entry.kube.is_none() && entry.kgen == Some(Value::Bool(true))
    }),
    usually("an `Option` inside a transparent struct", |entry| {
        let names = |value: &Option<Value>| value.as_ref().map(Value::to_string).unwrap_or_default();
        entry.is_at("/properties/spec/required")
            && names(&entry.kube).contains("described")
            && !names(&entry.kgen).contains("described")
    }),
    usually("the order of names", |entry| {
        entry.path.contains("/enum/")
            && entry
                .kube_parent
                .as_array()
                .is_some_and(|names| entry.kgen.as_ref().is_some_and(|name| names.contains(name)))
    }),
    usually("a variant for all other names", |entry| {
        entry.path.ends_with("/open/enum") && entry.kgen.is_none()
    }),
    usually("keys of maps that are enums", |entry| {
        entry.path.ends_with("/by_key/properties") || entry.path.ends_with("/by_key/additionalProperties")
    }),
    usually("title and text of the root", |entry| {
        entry.is_at("/title") || entry.is_at("/description")
    }),
    usually("headings, stars and spaces in documentation", |entry| {
        let words = |value: &Option<Value>| {
            let is_word = |word: &&str| !matches!(*word, "#" | "*");
            text(value)
                .split_whitespace()
                .filter(is_word)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        match entry.key() {
            "title" => entry.kgen.is_none(),
            "description" => {
                let (kube, kgen) = (words(&entry.kube), words(&entry.kgen));
                !kube.is_empty() && kgen.ends_with(&kube)
            }
            _ => false,
        }
    }),
    usually("`length` of a map", |entry| entry.key() == "maxProperties"),
    usually("defaults that only schemars has", |entry| {
        let fields = entry.beside("properties");
        entry.key() == "required" && fields.is_some_and(|fields| fields.get("undone").is_some())
    }),
    usually("properties of every object", |entry| {
        entry.is_at("/properties/apiVersion")
            || entry.is_at("/properties/kind")
            || entry.is_at("/properties/metadata")
            || entry.path == "/spec/names/listKind"
    }),
    usually("formats and bounds of integers", |entry| {
        entry.beside("type") == Some(&Value::from("integer"))
            && matches!(entry.key(), "format" | "minimum" | "maximum")
    }),
    usually("formats of floats", |entry| {
        entry.beside("type") == Some(&Value::from("number")) && entry.key() == "format"
    }),
    usually("defaults", |entry| {
        entry.key() == "default" && entry.kgen.is_none()
    }),
    usually("texts of variants", |entry| {
        entry.key() == "description"
            && entry.beside("enum").is_some()
            && text(&entry.kgen).starts_with(text(&entry.kube))
    }),
    usually("the text of an optional enum", |entry| {
        entry.key() == "description"
            && entry.kube.is_none()
            && (entry.beside("oneOf").is_some() || entry.beside("anyOf").is_some())
    }),
    usually("the text of a flattened struct", |entry| {
        entry.path.ends_with("/bench/description") && entry.kgen.is_none()
    }),
    usually("texts of hand-written schemas", |entry| {
        entry.key() == "description"
            && entry.kube.is_none()
            && ["/delegated/", "/temperature/", "/optionalTemperature/"]
                .iter()
                .any(|name| entry.path.contains(name))
    }),
    usually("deprecated fields", |entry| {
        entry.path.ends_with("/old/description") && text(&entry.kgen).starts_with("Deprecated")
    }),
    usually("sets", |entry| {
        entry.key() == "x-kubernetes-list-type"
            && entry.kube.is_none()
            && entry.kgen == Some(Value::from("set"))
    }),
    usually("variants without required fields", |entry| {
        entry.key() == "anyOf" && entry.kgen.is_none()
    }),
    usually("merge keys and defaults of Kubernetes' types", |entry| {
        let is_fact = matches!(
            entry.key(),
            "x-kubernetes-list-type" | "x-kubernetes-list-map-keys" | "x-kubernetes-map-type" | "default"
        );
        let lets_more_out = entry.key() == "required" && list_length(&entry.kgen) < list_length(&entry.kube);
        let is_theirs = [
            "container",
            "selector",
            "optionalSelector",
            "password",
            "reference",
            "resources",
        ]
        .iter()
        .any(|field| entry.path.contains(&format!("/spec/properties/{field}/")));
        is_theirs && (is_fact && entry.kube.is_none() || lets_more_out)
    }),
    usually("objects inside others", |entry| {
        let is_inside =
            entry.path.contains("/benches/items/") || entry.path.contains("/wrapped/properties/inner/");
        is_inside
            && matches!(
                entry.key(),
                "description" | "metadata" | "required" | "x-kubernetes-embedded-resource"
            )
    }),
    usually("the text of an alias", |entry| {
        entry.path.ends_with("/words/items/description") && entry.kube.is_none()
    }),
    usually("an `Option` whose schema is stated", |entry| {
        let is_stated = |value: &Option<Value>| {
            value
                .as_ref()
                .is_some_and(|value| value.to_string().contains("statedByFunction"))
        };
        entry.is_at("/properties/spec/required") && is_stated(&entry.kube) && !is_stated(&entry.kgen)
    }),
    usually("types of Kubernetes", |entry| {
        let is_known = [
            "IntOrString is a type",
            "Quantity is a fixed-point representation",
            "Time is a wrapper",
            "ObjectMeta is metadata",
        ];
        let is_text = entry.key() == "description"
            && entry.kgen.is_none()
            && is_known.iter().any(|known| text(&entry.kube).starts_with(known));
        let is_number_or_text = entry.beside("x-kubernetes-int-or-string").is_some()
            && matches!(entry.key(), "anyOf" | "pattern")
            && entry.kube.is_none();
        let is_condition = entry.path.contains("/conditions/items/") || entry.path.contains("/more/items/");
        is_text
            || is_number_or_text
            || is_condition
            || entry.path.contains("/properties/spec/properties/metadata/")
    }),
];

/// Those that only older versions of kube show, always in the compatible mode.
pub const OLDER: &[Difference] = &[
    always("an optional enum of kube 2", |entry| {
        let null = serde_json::json!({"enum": [null], "nullable": true});
        let has_null = |schemas: &Value| schemas.as_array().is_some_and(|schemas| schemas.contains(&null));
        let untagged = ["/optionalUntagged/", "/ur/", "/ount/"];
        let is_inside = untagged
            .iter()
            .any(|field| entry.path.contains(&format!("{field}anyOf/")));
        is_inside || entry.beside("anyOf").is_some_and(has_null)
    }),
    always("`NonZeroI8` and similar types with schemars 0.8", |entry| {
        entry.path.contains("/layer/")
    }),
    always("`rename_all_fields` with schemars 0.8", |entry| {
        entry.path.contains("/renamed/")
    }),
    always("`additionalProperties: false`", |entry| {
        entry.key() == "additionalProperties"
            && entry.kube == Some(Value::Bool(false))
            && entry.kgen.is_none()
    }),
];

fn list_length(value: &Option<Value>) -> usize {
    value.as_ref().and_then(Value::as_array).map_or(0, Vec::len)
}

fn text(value: &Option<Value>) -> &str {
    value.as_ref().and_then(Value::as_str).unwrap_or_default()
}
