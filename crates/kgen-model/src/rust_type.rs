//! The Rust side of types: what generated Rust needs to name them and their fields.
//!
//! Manifests do without it, so the front end fills it only for those who ask. It is as inert as the rest: names and
//! paths, nothing that would have to be parsed again.

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
    /// The name of the type itself.
    #[must_use]
    pub fn name(&self) -> &str {
        self.names.last().map(String::as_str).unwrap_or_default()
    }

    /// The modules around the type.
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
    /// The declaration that hides it, if the code of other modules cannot name it.
    #[must_use]
    pub fn hidden_by(self) -> Option<Span> {
        match self {
            Self::Hidden(span) => Some(span),
            Self::Everywhere | Self::Crate => None,
        }
    }
}

/// What a type is to those who build values of it step by step.
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
    /// Anything else, which is used as it is.
    Other,
}

/// A type with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustType {
    /// What it is.
    pub role: RustRole,
    /// What it is called.
    pub path: RustPath,
    /// Its arguments.
    pub arguments: Vec<RustType>,
    /// Who can name it, its arguments aside.
    pub reach: RustReach,
    /// The place of a declaration that is not `pub`; nothing for one that is.
    pub not_public: Option<Span>,
    /// Whether it has a default value, its arguments aside.
    pub has_default: bool,
}

impl RustType {
    /// What is inside an `Option`, if it is one.
    #[must_use]
    pub fn optional(&self) -> Option<&Self> {
        (self.role == RustRole::Optional)
            .then(|| self.arguments.first())
            .flatten()
    }

    /// The type and all types in it.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let next = waiting.pop()?;
            waiting.extend(&next.arguments);
            Some(next)
        })
    }

    /// Whether `Default::default()` makes a value of it.
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
    /// Whether its own fields take its place in JSON.
    pub flatten: bool,
    /// Where code rather than its type decides its JSON.
    pub custom: Option<Span>,
    /// Its type; nothing for one that only its own module can name.
    pub field_type: Option<RustType>,
    /// Where its type is written.
    pub type_span: Span,
    /// Who can use the field.
    pub reach: RustReach,
    /// Where it is declared.
    pub span: Span,
    /// What its markers say about conversion.
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
    /// Where it is declared.
    pub span: Span,
    /// What its markers say about conversion.
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
    /// Where it is declared.
    pub span: Span,
    /// What its markers say about conversion.
    pub conversion: TypeConversion,
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustVariant {
    /// Its name without `r#`.
    pub name: String,
    /// Its name in JSON.
    pub json_name: String,
    /// Its contents.
    pub contents: RustContents,
    /// Where it is declared.
    pub span: Span,
    /// What its markers say about conversion.
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
    /// Whether the Rust side was asked for. Otherwise, only kinds with several versions have one.
    pub is_wanted: bool,
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
    /// What its markers say about conversion.
    pub conversion: TypeConversion,
}

impl RustKind {
    /// The field called `name` in Rust.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&RustField> {
        self.fields.iter().find(|field| field.name == name)
    }
}
