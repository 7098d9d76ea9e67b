//! Entries in catalogs of operators: what users see of a kind and its fields. Nothing else depends on them.

/// The part of an object that a descriptor is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DescriptorPart {
    /// The desired state.
    Spec,
    /// The observed state.
    Status,
}

impl DescriptorPart {
    /// Returns the name of the field.
    #[must_use]
    pub fn field(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Status => "status",
        }
    }
}

/// The entry of a field in a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// The part of the object in which the field is shown.
    pub part: DescriptorPart,
    /// The name that users see.
    pub display_name: Option<String>,
    /// How user interfaces show the field, such as `urn:alm:descriptor:com.tectonic.ui:podCount`.
    pub x_descriptors: Vec<String>,
    /// The place among the fields; fields without one come last.
    pub order: Option<i64>,
}

/// A kind of object that the operator creates for a kind of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogResource {
    /// The kind.
    pub kind: String,
    /// The version.
    pub version: String,
    /// The name of the object; it may be empty.
    pub name: String,
}

/// The entry of a kind in a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogKind {
    /// The name that users see.
    pub display_name: Option<String>,
    /// The objects that the operator creates.
    pub resources: Vec<CatalogResource>,
    /// The place among the kinds; kinds without one come last.
    pub order: Option<i64>,
}
