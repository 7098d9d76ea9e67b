//! The differences between the versions of a kind as data: tables of changes, and the methods that only the author can
//! write. The generator prints them, and nothing else decides what they contain.

use kgen_model::{KindVersion, Resource, RustType, Tagging};

/// The conversion of a kind with several versions.
#[derive(Debug)]
pub struct Conversion<'a> {
    /// The kind.
    pub resource: &'a Resource,
    /// Its versions, from the oldest to the newest.
    pub chain: Vec<&'a KindVersion>,
    /// The steps from each version to the next one.
    pub steps: Vec<Step<'a>>,
    /// The methods that the steps call, in the order of the tables.
    pub methods: Vec<Method>,
}

impl Conversion<'_> {
    /// Returns whether the JSON of any two versions differs.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.steps.iter().any(|step| !step.tables.is_empty())
    }
}

/// The differences between two neighboring versions.
#[derive(Debug)]
pub struct Step<'a> {
    /// The older version.
    pub older: &'a KindVersion,
    /// The newer version.
    pub newer: &'a KindVersion,
    /// The tables, each before those that it uses. The first one is about the whole object; there is none if both versions
    /// are equal.
    pub tables: Vec<Table>,
}

/// The differences between two structs.
#[derive(Debug)]
pub struct Table {
    /// The name of its function.
    pub name: String,
    /// The changes, in the order of the newer struct.
    pub lines: Vec<Line>,
}

/// The names that lead to a field, from the struct of the table.
pub type FieldPath = Vec<String>;

/// The index of a method in [`Conversion::methods`].
pub type MethodIndex = usize;

/// One change. Names are JSON names, the older one first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The field has another name or place, and perhaps other contents.
    Paired {
        /// The field in the older version.
        older: FieldPath,
        /// The field in the newer version.
        newer: FieldPath,
        /// The differences inside.
        contents: Option<Contents>,
    },
    /// Only newer has the field.
    Added {
        /// The field.
        name: String,
        /// The method that gives its value, if it must have one.
        fill: Option<MethodIndex>,
    },
    /// Only older has the field.
    Dropped {
        /// The field.
        name: String,
        /// The method that gives its value, if it must have one.
        fill: Option<MethodIndex>,
    },
    /// A version requires a field that the other one may lack.
    Filled {
        /// Whether newer requires it.
        is_newer: bool,
        /// The field.
        name: String,
        /// The method that gives its value.
        fill: MethodIndex,
    },
    /// Newer has a wider number.
    Widened {
        /// The field in the older version.
        older: String,
        /// The field in the newer version.
        newer: String,
        /// The method for the way back.
        backward: MethodIndex,
    },
    /// Newer has a narrower number.
    Narrowed {
        /// The field in the older version.
        older: String,
        /// The field in the newer version.
        newer: String,
        /// The method for the way to newer.
        forward: MethodIndex,
    },
    /// Values that functions translate.
    Translated {
        /// The fields of the older version.
        older: Vec<FieldPath>,
        /// The fields of the newer version.
        newer: Vec<FieldPath>,
        /// From older to newer.
        forward: Function,
        /// From newer to older.
        backward: Function,
    },
}

/// The differences inside a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Those of a struct: the name of its table.
    Table(String),
    /// Those of the items of a list or map.
    Items(Box<Contents>),
    /// Those of an enum.
    Variants {
        /// How its variants are written.
        tagging: Tagging,
        /// The changes.
        lines: Vec<VariantLine>,
    },
    /// A value that functions translate.
    Value {
        /// From older to newer.
        forward: Function,
        /// From newer to older.
        backward: Function,
    },
}

/// One change of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantLine {
    /// The variant has another name, and perhaps other contents.
    Paired {
        /// The name in older.
        older: String,
        /// The name in newer.
        newer: String,
        /// The differences inside.
        contents: Option<Contents>,
    },
    /// Only newer has the variant.
    Added {
        /// Its name.
        name: String,
        /// The value that older shows.
        shown: Shown,
    },
    /// Only older has the variant.
    Dropped {
        /// Its name.
        name: String,
        /// The value that newer shows.
        shown: Shown,
    },
    /// A variant of an untagged enum, recognized by its required fields.
    Shaped {
        /// The required fields in older.
        older: Vec<String>,
        /// The required fields in newer.
        newer: Vec<String>,
        /// The differences inside.
        contents: Contents,
    },
}

/// The value that a version shows for a variant that it does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A variant without contents.
    Variant(String),
    /// The whole value that a method returns.
    Method(MethodIndex),
}

/// A function of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    /// A method of the author.
    Method(MethodIndex),
    /// A number becomes a wider one.
    Widen {
        /// The name of the value.
        name: String,
        /// The type of the narrow number.
        from: Box<RustType>,
        /// The type of the wide number.
        to: Box<RustType>,
    },
    /// The value is copied.
    Copy {
        /// The name of the value.
        name: String,
        /// Its type.
        value: Box<RustType>,
    },
}

/// A translation that only the author can provide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Its description, one sentence.
    pub documentation: String,
    /// The source fields.
    pub arguments: Vec<Argument>,
    /// The target fields.
    pub results: Vec<Value>,
}

/// An argument of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name, as that of the source field in Rust.
    pub name: String,
    /// Its type.
    pub value: Value,
}

/// A value of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The type without an `Option` around it.
    pub rust: RustType,
    /// Whether it may be absent.
    pub is_optional: bool,
}
