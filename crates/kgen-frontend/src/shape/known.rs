//! The schemas of well-known types: those of the standard library and of crates that kgen knows without their source.

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Span};
use kgen_model::{JsonType, Keyword, ListType, Number, Schema};

use super::null::accept_null;
use super::{Resolved, Shapes};
use crate::Options;
use crate::well_known::not_zero;
use crate::well_known::{self, Known};

impl Shapes<'_> {
    /// Returns the schema of a well-known type.
    pub(super) fn known(&mut self, known: Known, arguments: &[Resolved], span: Span) -> Option<Schema> {
        let argument = |index: usize| arguments.get(index);
        match known {
            Known::Value(make) => Some(make()),
            Known::WithoutSource(make) => {
                // The same as from the source: output must not depend on whether cargo has fetched it.
                let mut schema = make();
                if self.conventions.adds_facts() {
                    well_known::narrow_condition(&mut schema);
                }
                Some(schema)
            }
            Known::Exact(_, make) if self.follows_rust_exactly() => Some(make()),
            Known::Exact(make, _) => Some(make()),
            Known::Optional if self.writes_null_beside_options() => {
                let inner = argument(0)?;
                let schema = self.element(inner, span)?;
                Some(self.conventions.nullable_element(schema, inner, self.program))
            }
            // A field may be absent, and its reader takes the `Option` away. Everywhere else, only null means `None`.
            Known::Optional => {
                let mut schema = self.element(argument(0)?, span)?;
                if self.follows_rust_exactly() {
                    schema.nullable = true;
                    accept_null(&mut schema);
                }
                Some(schema)
            }
            Known::Transparent => self.resolved(arguments.last()?, span),
            Known::NonZero => {
                let mut schema = self.resolved(argument(0)?, span)?;
                match schema.constraints.minimum {
                    Some(Number::Integer(0)) => {
                        schema.constraints.minimum = Some(Number::Integer(1));
                    }
                    _ => schema = not_zero(schema),
                }
                Some(schema)
            }
            Known::List => Some(Schema::array_of(self.element(argument(0)?, span)?)),
            Known::Set => {
                let items = self.element(argument(0)?, span)?;
                let scalar = items.json_type.is_some_and(|json_type| {
                    !matches!(json_type, JsonType::Array | JsonType::Object) && !items.nullable
                });
                let list_type = (scalar && self.conventions.adds_facts()).then_some(ListType::Set);
                Some(Schema {
                    list_type,
                    ..Schema::array_of(items)
                })
            }
            Known::Map => {
                // The key was checked when the type was resolved.
                let values = self.element(argument(1)?, span)?;
                Some(match self.keys_with_properties(argument(0)?, span) {
                    Some(keys) => {
                        let mut schema = Schema::of_type(JsonType::Object);
                        let values = Arc::new(values);
                        schema.properties = keys.into_iter().map(|key| (key, Arc::clone(&values))).collect();
                        schema
                    }
                    None => Schema::map_of(values),
                })
            }
            Known::Range => {
                let bound = Arc::new(self.element(argument(0)?, span)?);
                let mut schema = Schema::of_type(JsonType::Object);
                for name in ["end", "start"] {
                    schema.properties.insert(name.to_owned(), Arc::clone(&bound));
                    schema.required.insert(name.to_owned());
                }
                Some(schema)
            }
            Known::Float(format) => Some(Schema {
                implied_format: format.filter(|_| self.follows_rust_exactly()),
                ..Schema::of_type(JsonType::Number)
            }),
            Known::ObjectMeta => Some(embedded_metadata(self.options)),
            Known::ListMeta | Known::TypeMeta => Some(Schema::of_type(JsonType::Object)),
            // Reported when the type was resolved.
            Known::Unsupported(_) => None,
        }
    }

    /// Returns the keys of a map, if each of them is a property.
    fn keys_with_properties(&mut self, key: &Resolved, span: Span) -> Option<Vec<String>> {
        if !self.conventions.has_properties_for_keys() || !matches!(key, Resolved::Declared(..)) {
            return None;
        }
        let key = self.resolved(key, span)?;
        let names = key.constraints.enumeration.as_ref()?.iter();
        names.map(|name| name.as_str().map(str::to_owned)).collect()
    }

    /// Notes that a `Duration` of the standard library is not what other APIs call a duration.
    pub(super) fn note_duration(&mut self, span: Span) {
        if self.in_kubernetes() {
            return;
        }
        let mut problem = Problem::note(
            Code::DurationParts,
            "`std::time::Duration` is an object with `secs` and `nanos`",
        )
        .help("for strings such as `1m30s`, use `kube::core::Duration`, which is Go's `metav1.Duration`")
        .help("or choose the form with `#[serde(with = \"…\")]` and state its type with `+kubebuilder:validation:Type=…`");
        problem.span = Some(span);
        self.problems.push(problem);
    }

    /// Returns whether a type can be the key of a JSON object: text, a newtype of text, or an enum of unit variants.
    pub(super) fn is_map_key(&mut self, key: &Resolved, span: Span) -> bool {
        let Some(schema) = self.resolved(key, span) else {
            return false;
        };
        let is_number = schema.json_type == Some(JsonType::Integer);
        let is_text = schema.json_type == Some(JsonType::String);
        if (is_text || is_number) && self.conventions.allows_unusual_types() {
            return true;
        }
        if is_text {
            let is_narrow = is_narrower_than_text(&schema);
            if is_narrow {
                self.problems.push(
                    Problem::error(
                        Code::MapKey,
                        span,
                        "not every string is a key of this map, but a schema cannot check keys",
                    )
                    .help("use `String` keys, and parse them where they are used"),
                );
            }
            return !is_narrow;
        }
        self.problems.push(
            Problem::error(Code::MapKey, span, "the keys of this map are not strings")
                .help("use `String`, a newtype of it, or an enum of unit variants; keys of JSON objects are strings"),
        );
        false
    }
}

/// Returns whether the Rust type, and not a marker, narrows a text. The keys that are enums are a gap that Go has as well.
fn is_narrower_than_text(schema: &Schema) -> bool {
    let constraints = &schema.constraints;
    let by_type = |keyword: Keyword, is_there: bool| is_there && schema.places.stated(keyword).is_none();
    by_type(Keyword::Pattern, constraints.pattern.is_some())
        || by_type(Keyword::Format, schema.format().is_some())
        || by_type(Keyword::MaxLength, constraints.max_length.is_some())
        || !schema.any_of.is_empty()
}

/// Returns the schema of metadata inside an object, such as that of a pod template.
fn embedded_metadata(options: &Options) -> Schema {
    let mut schema = Schema::of_type(JsonType::Object);
    if options.generate_embedded_object_meta {
        let text = || Schema::of_type(JsonType::String);
        for (name, property) in [
            ("annotations", Schema::map_of(text())),
            ("finalizers", Schema::array_of(text())),
            ("labels", Schema::map_of(text())),
            ("name", text()),
            ("namespace", text()),
        ] {
            schema.properties.insert(name.to_owned(), Arc::new(property));
        }
    }
    schema
}
