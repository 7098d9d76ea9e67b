//! The places of the parts of a schema, so that a check can refer to the responsible marker.

use kgen_diagnostics::Span;

/// A part of a schema that a marker or attribute can state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the key of a schema that it is named after")]
pub enum Keyword {
    /// Not a key of a schema: `deny_unknown_fields` of variants that see all fields of the object, also if the enum is
    /// flattened.
    ClosedVariants,
    Default,
    EmbeddedResource,
    Enum,
    Example,
    ExternalDocs,
    Format,
    IntOrString,
    /// Not a key of a schema: `deny_unknown_fields`, which contradicts `PreserveUnknownFields`.
    KnownFieldsOnly,
    ListMapKeys,
    ListType,
    MapType,
    MaxItems,
    MaxLength,
    MaxProperties,
    Maximum,
    MinItems,
    MinLength,
    MinProperties,
    Minimum,
    MultipleOf,
    Nullable,
    /// Not a key of a schema: `#[serde(other)]`, with which Rust reads any value of an enum.
    OtherVariant,
    Pattern,
    PreserveUnknownFields,
    /// Not a key of a schema: the marker that makes the field required. Only noted for lints.
    RequiredStated,
    /// Not a key of a schema: the field is an `Option` in Rust. Only noted for lints.
    RustOption,
    Title,
    Type,
    UniqueItems,
    /// Not a key of a schema: Rust writes an empty `Option` as `null`. Only noted for lints.
    WrittenAsNull,
}

/// The places of one schema node: of the node itself, and of what markers state on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The field or type of the node.
    pub node: Option<Span>,
    /// The declaration of the Rust type of the node, if it is a type of the user.
    pub declared: Option<Span>,
    keywords: Vec<(Keyword, Span)>,
}

impl Places {
    /// Stores the last place of `keyword`.
    pub fn set(&mut self, keyword: Keyword, span: Span) {
        self.keywords.retain(|(known, _)| *known != keyword);
        self.keywords.push((keyword, span));
    }

    /// Returns all places of the node.
    pub fn all(&self) -> impl Iterator<Item = Span> {
        self.node
            .into_iter()
            .chain(self.keywords.iter().map(|(_, span)| *span))
    }

    /// Returns the place of `keyword`, or that of the node.
    #[must_use]
    pub fn of(&self, keyword: Keyword) -> Option<Span> {
        self.stated(keyword).or(self.node)
    }

    /// Returns the place of `keyword`, if a marker or attribute states it.
    #[must_use]
    pub fn stated(&self, keyword: Keyword) -> Option<Span> {
        self.keywords
            .iter()
            .find(|(known, _)| *known == keyword)
            .map(|(_, span)| *span)
    }
}
