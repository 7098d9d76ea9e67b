//! Items of the result.

use super::RustType;

/// A struct or an enum.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) name: String,
    /// Lines of its comment.
    pub(crate) docs: Vec<String>,
    /// Marker lines, with `+`.
    pub(crate) markers: Vec<String>,
    /// Whether it derives serde's traits.
    pub(crate) has_serde: bool,
    /// The name of the kind that kube derives from it, beside it.
    pub(crate) custom_resource: Option<String>,
    /// Attributes besides the derive, without `#[…]`.
    pub(crate) attributes: Vec<String>,
    pub(crate) body: Body,
}

/// The content of an item.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
    /// An enum with data, externally tagged.
    Choice(Vec<Choice>),
}

/// A field.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) docs: Vec<String>,
    pub(crate) markers: Vec<String>,
    /// The content of `#[serde(…)]`.
    pub(crate) serde: Vec<String>,
    pub(crate) rust_type: RustType,
}

/// A variant without data.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) name: String,
    /// The value, if it is not the name.
    pub(crate) rename: Option<String>,
    /// Whether the variant has all other values.
    pub(crate) is_open: bool,
}

/// A variant with data.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) name: String,
    /// The name in JSON, if serde derives another one.
    pub(crate) rename: Option<String>,
    pub(crate) docs: Vec<String>,
    pub(crate) markers: Vec<String>,
    pub(crate) rust_type: RustType,
    pub(crate) is_boxed: bool,
}
