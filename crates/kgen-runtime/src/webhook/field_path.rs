//! The way from an object to one of its fields, as Kubernetes writes it: `spec.containers[0].ports[http]`.

use std::fmt;

/// A field of an object.
///
/// ```
/// use kgen_runtime::webhook::field;
///
/// let container = field("spec").child("containers").index(0);
/// assert_eq!(container.child("image").to_string(), "spec.containers[0].image");
/// assert_eq!(container.child("ports").key("http").to_string(), "spec.containers[0].ports[http]");
/// ```
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct FieldPath(String);

/// A field at the top of an object, such as `spec`, by its name in JSON.
pub fn field(name: impl Into<String>) -> FieldPath {
    FieldPath(name.into())
}

impl FieldPath {
    /// A field of this field, by its name in JSON.
    #[must_use]
    pub fn child(&self, name: &str) -> Self {
        Self(format!("{}.{name}", self.0))
    }

    /// An item of this list.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    /// An entry of this map, or an item of this list that is known by a key.
    #[must_use]
    pub fn key(&self, key: impl fmt::Display) -> Self {
        Self(format!("{}[{key}]", self.0))
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<&Self> for FieldPath {
    fn from(path: &Self) -> Self {
        path.clone()
    }
}

impl From<FieldPath> for String {
    fn from(path: FieldPath) -> Self {
        path.0
    }
}
