//! The questions that the checker, the cost estimator and the evaluator ask about the schema of a value.
//!
//! A rule looks up the few fields that it reads, while the schema may describe a whole pod. So nothing is built in
//! advance: [`Schema`] is a cheap handle, and every step to a property or item returns another handle.

/// The value of the keyword `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JsonType {
    /// A list.
    Array,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// An object with named properties, or a map.
    Object,
    /// A string.
    String,
}

impl JsonType {
    /// Returns the type that the keyword `type` of OpenAPI calls `word`.
    ///
    /// ```
    /// use kgen_cel::JsonType;
    ///
    /// assert_eq!(JsonType::from_word("integer"), Some(JsonType::Integer));
    /// assert_eq!(JsonType::from_word("int"), None);
    /// ```
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "array" => Self::Array,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "object" => Self::Object,
            "string" => Self::String,
            _ => return None,
        })
    }
}

/// A handle to a structural schema of a CRD.
///
/// Implement it for a small `Copy` type, such as a struct around a reference. [`OpenApi`](crate::OpenApi) implements it
/// for schemas in the form of `serde_json` values. Keywords that a type of schema does not have can keep their default,
/// which says that the keyword is not set.
///
/// ```
/// use kgen_cel::{Environment, Expression, JsonType, Schema};
///
/// enum Shape {
///     Number,
///     Record(&'static [(&'static str, Shape)]),
/// }
///
/// #[derive(Clone, Copy)]
/// struct Handle<'s>(&'s Shape);
///
/// impl Schema for Handle<'_> {
///     fn json_type(&self) -> Option<JsonType> {
///         Some(match self.0 {
///             Shape::Number => JsonType::Integer,
///             Shape::Record(_) => JsonType::Object,
///         })
///     }
///
///     fn property(&self, name: &str) -> Option<Self> {
///         self.properties().find(|(known, _)| *known == name).map(|(_, property)| property)
///     }
///
///     fn properties(&self) -> impl Iterator<Item = (&str, Self)> {
///         let fields = match self.0 {
///             Shape::Number => &[],
///             Shape::Record(fields) => *fields,
///         };
///         fields.iter().map(|(name, shape)| (*name, Handle(shape)))
///     }
///
///     fn is_same(&self, other: &Self) -> bool {
///         std::ptr::eq(self.0, other.0)
///     }
/// }
///
/// let shape = Shape::Record(&[("min", Shape::Number), ("max", Shape::Number)]);
/// let environment = Environment::rule(Handle(&shape)).unwrap();
/// assert!(Expression::parse("self.min <= self.max")?.check(&environment).is_ok());
/// assert!(Expression::parse("self.min <= self.most")?.check(&environment).is_err());
/// # Ok::<(), kgen_cel::ParseError>(())
/// ```
pub trait Schema: Copy + Send + Sync {
    /// Returns the value of `type`, or `None` if the schema does not state one.
    fn json_type(&self) -> Option<JsonType>;

    /// Returns the schema of the property with this name in JSON.
    fn property(&self, name: &str) -> Option<Self>;

    /// Returns all properties with their names in JSON, in any fixed order.
    fn properties(&self) -> impl Iterator<Item = (&str, Self)>;

    /// Returns whether both handles refer to the same place of the same schema.
    ///
    /// Two schemas that are written twice and happen to be equal are not the same.
    fn is_same(&self, other: &Self) -> bool;

    /// Returns the schema of the items of a list.
    fn items(&self) -> Option<Self> {
        None
    }

    /// Returns the schema of the values of a map, if `additionalProperties` has one.
    fn additional_properties(&self) -> Option<Self> {
        None
    }

    /// Returns the value of `format`.
    fn format(&self) -> Option<&str> {
        None
    }

    /// Returns the names in `required`.
    fn required(&self) -> impl Iterator<Item = &str> {
        std::iter::empty()
    }

    /// Returns whether there is a `default` that is not `null`.
    fn has_default(&self) -> bool {
        false
    }

    /// Returns `x-kubernetes-int-or-string`.
    fn is_int_or_string(&self) -> bool {
        false
    }

    /// Returns `x-kubernetes-embedded-resource`.
    fn is_embedded_resource(&self) -> bool {
        false
    }

    /// Returns whether `x-kubernetes-list-type` is `set` or `map`, so that the order of the items does not matter.
    fn is_unordered_list(&self) -> bool {
        false
    }

    /// Returns `x-kubernetes-list-map-keys`.
    fn list_map_keys(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns `maxLength`.
    fn max_length(&self) -> Option<i64> {
        None
    }

    /// Returns `maxItems`.
    fn max_items(&self) -> Option<i64> {
        None
    }

    /// Returns `maxProperties`.
    fn max_properties(&self) -> Option<i64> {
        None
    }

    /// Returns the length in bytes of the longest string in `enum`; `None` if `enum` is absent or empty.
    ///
    /// A list without any string has the length 0.
    fn longest_enum_value(&self) -> Option<usize> {
        None
    }
}
