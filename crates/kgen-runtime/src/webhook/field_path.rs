//! The path of a field, in the notation of Kubernetes: `spec.containers[0].ports[http]`.

use std::fmt;

/// The path of a field in an object.
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

/// Returns the path of a top-level field, such as `spec`, by its name in JSON.
pub fn field(name: impl Into<String>) -> FieldPath {
    FieldPath(name.into())
}

impl FieldPath {
    /// Returns the path of a field in this field, by its name in JSON.
    #[must_use]
    pub fn child(&self, name: &str) -> Self {
        Self(format!("{}.{name}", self.0))
    }

    /// Returns the path of an item of this list.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    /// Returns the path of an entry of this map, or of an item of this list by its key.
    #[must_use]
    pub fn key(&self, key: impl fmt::Display) -> Self {
        Self(format!("{}[{key}]", self.0))
    }

    /// Returns the path as a string.
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
