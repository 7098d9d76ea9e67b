//! The Rust side of types: the information that generated Rust needs to name them and their fields.
//!
//! Manifests do not need it, so the front end creates it only on request. It is plain data like the rest: names and
//! paths.

use std::collections::BTreeMap;
use std::fmt;

use kgen_diagnostics::Span;

use crate::{FieldConversion, TypeConversion, VariantConversion};

/// Where a path starts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RustRoot {
    /// The one crate that the user points at.
    Own,
    /// A library, by its name in source.
    Library(String),
    /// The language itself: `bool`, `i32`, `str`.
    Language,
}

/// The path of a type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RustPath {
    /// Where it starts.
    pub root: RustRoot,
    /// Modules and the type, without `r#`.
    pub names: Vec<String>,
}

impl RustPath {
    /// Returns the name of the type itself.
    #[must_use]
    pub fn name(&self) -> &str {
        self.names.last().map(String::as_str).unwrap_or_default()
    }

    /// Returns the modules around the type.
    #[must_use]
    pub fn modules(&self) -> &[String] {
        self.names.split_last().map_or(&[], |(_, modules)| modules)
    }
}

impl fmt::Display for RustPath {
    /// Writes the path as source would name it from its own crate: `crate::api::Foo`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let root = match &self.root {
            RustRoot::Own => "crate",
            RustRoot::Library(library) => library,
            RustRoot::Language => "",
        };
        write!(formatter, "{root}::{}", self.names.join("::"))
    }
}

/// Who can name a type or field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RustReach {
    /// Other crates too.
    Everywhere,
    /// Every module of its crate.
    Crate,
    /// Only some modules of its crate, because of the declaration at this place.
    Hidden(Span),
}

impl RustReach {
    /// Returns the declaration that hides it, if the code of other modules cannot name it.
    #[must_use]
    pub fn hidden_by(self) -> Option<Span> {
        match self {
            Self::Hidden(span) => Some(span),
            Self::Everywhere | Self::Crate => None,
        }
    }
}

/// The role of a type in builders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RustRole {
    /// `Option`.
    Optional,
    /// A list or set of its argument.
    List,
    /// A map from its first argument to its second.
    Map,
    /// A pointer such as `Box` around its argument.
    Pointer,
    /// An array of this length of its argument; the path is empty.
    Array(u64),
    /// A struct with named fields that [`RustTypes`] describes.
    Struct,
    /// Kubernetes' metadata of an object.
    ObjectMeta,
    /// `apiVersion` and `kind`.
    TypeMeta,
    /// Any other type, which is used unchanged.
    Other,
}

/// A type with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustType {
    /// Its role.
    pub role: RustRole,
    /// Its path.
    pub path: RustPath,
    /// Its arguments.
    pub arguments: Vec<RustType>,
    /// The visibility of its path, without its arguments.
    pub reach: RustReach,
    /// The place of a declaration that is not `pub`; `None` if it is.
    pub not_public: Option<Span>,
    /// Whether it has a default value, without its arguments.
    pub has_default: bool,
}

impl RustType {
    /// Returns the content of an `Option`, if it is one.
    #[must_use]
    pub fn optional(&self) -> Option<&Self> {
        (self.role == RustRole::Optional)
            .then(|| self.arguments.first())
            .flatten()
    }

    /// Returns the type and all types in it.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let next = waiting.pop()?;
            waiting.extend(&next.arguments);
            Some(next)
        })
    }

    /// Returns whether it implements `Default`.
    #[must_use]
    pub fn is_default(&self) -> bool {
        match self.role {
            RustRole::Optional | RustRole::List | RustRole::Map => true,
            RustRole::Pointer | RustRole::Array(_) => {
                self.has_default && self.arguments.iter().all(Self::is_default)
            }
            _ => self.has_default,
        }
    }
}

/// A field of a struct or of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustField {
    /// Its name without `r#`.
    pub name: String,
    /// Its name in JSON.
    pub json_name: String,
    /// Its documentation without markers.
    pub description: Option<String>,
    /// The note of `#[deprecated]`; empty without a note.
    pub deprecated: Option<Box<str>>,
    /// Whether reference pages leave it out.
    pub is_hidden: bool,
    /// Whether its own fields take its place in JSON.
    pub flatten: bool,
    /// The place of the code that determines its JSON instead of its type.
    pub custom: Option<Span>,
    /// Its type; `None` if only its own module can name it.
    pub field_type: Option<RustType>,
    /// Where its type is written.
    pub type_span: Span,
    /// Who can use the field.
    pub reach: RustReach,
    /// Where it is declared.
    pub span: Span,
    /// Its markers about conversion.
    pub conversion: FieldConversion,
}

/// A struct that is part of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustStruct {
    /// Its path.
    pub path: RustPath,
    /// The file that declares it, from the folder of its package.
    pub source: String,
    /// Its fields, in the order of the source.
    pub fields: Vec<RustField>,
    /// Whether reference pages leave it out.
    pub is_hidden: bool,
    /// Where it is declared.
    pub span: Span,
    /// Its markers about conversion.
    pub conversion: TypeConversion,
}

/// How serde writes the variants of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tagging {
    /// `"Variant"` or `{"Variant": …}`.
    External,
    /// `{"tag": "Variant", …}`.
    Internal(String),
    /// `{"tag": "Variant", "content": …}`.
    Adjacent(String, String),
    /// The contents alone.
    Untagged,
}

/// An enum that is part of a kind. Its path has the role [`RustRole::Other`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustEnum {
    /// Its path.
    pub path: RustPath,
    /// How its variants are written.
    pub tagging: Tagging,
    /// Its variants, in the order of the source.
    pub variants: Vec<RustVariant>,
    /// Whether reference pages leave it out.
    pub is_hidden: bool,
    /// Where it is declared.
    pub span: Span,
    /// Its markers about conversion.
    pub conversion: TypeConversion,
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustVariant {
    /// Its name without `r#`.
    pub name: String,
    /// Its name in JSON.
    pub json_name: String,
    /// Its documentation without markers.
    pub description: Option<String>,
    /// Its contents.
    pub contents: RustContents,
    /// Where it is declared.
    pub span: Span,
    /// Its markers about conversion.
    pub conversion: VariantConversion,
}

/// The contents of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RustContents {
    /// None.
    Unit,
    /// One value without a name.
    Value(Box<RustField>),
    /// Named fields.
    Fields(Vec<RustField>),
}

/// The structs and enums that kinds are made of, by their paths.
#[derive(Clone, Debug, Default)]
pub struct RustTypes {
    /// Whether the Rust side was requested. Otherwise, only kinds with several versions have one.
    pub is_wanted: bool,
    /// The minor version of Kubernetes whose types k8s-openapi has, if it was looked at.
    pub kubernetes_minor: Option<u32>,
    /// The structs.
    pub structs: BTreeMap<RustPath, RustStruct>,
    /// The enums.
    pub enums: BTreeMap<RustPath, RustEnum>,
}

/// The Rust side of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustKind {
    /// The path of the type of whole objects.
    pub path: RustPath,
    /// The file that declares it, from the folder of its package.
    pub source: String,
    /// Its fields, in the order of the source.
    pub fields: Vec<RustField>,
    /// Fields that are not part of its JSON.
    pub unwritten: Vec<String>,
    /// Who can name it.
    pub reach: RustReach,
    /// Whether it is declared with `pub`.
    pub is_public: bool,
    /// Whether it derives serde itself.
    pub derives_serde: bool,
    /// Whether reference pages leave it out.
    pub is_hidden: bool,
    /// Its markers about conversion.
    pub conversion: TypeConversion,
}

impl RustKind {
    /// Returns the field called `name` in Rust.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&RustField> {
        self.fields.iter().find(|field| field.name == name)
    }
}
