//! Everything that the pages show, in the order in which they show it. All texts are Markdown unless they are names.

use kgen_diagnostics::Span;

/// The API as a reader sees it.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// The title of the first page.
    pub title: String,
    /// The text of the first page.
    pub intro: Option<String>,
    /// The kinds, by group and kind.
    pub kinds: Vec<Kind>,
}

/// One kind with its versions.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The plural, as for `kubectl get`.
    pub plural: String,
    /// Short names for commands.
    pub short_names: Vec<String>,
    /// Groups of resources that commands can name.
    pub categories: Vec<String>,
    /// Whether objects are in a namespace.
    pub is_namespaced: bool,
    /// The versions, the newest first.
    pub versions: Vec<Version>,
    /// Pairs of versions, the newest first.
    pub comparisons: Vec<Comparison>,
}

/// One version of a kind.
#[derive(Clone, Debug)]
pub struct Version {
    /// The name of the version.
    pub name: String,
    /// Whether the API server serves it.
    pub is_served: bool,
    /// Whether objects are stored in it.
    pub is_stored: bool,
    /// The warning, if the version is deprecated; empty for the default one.
    pub deprecated: Option<String>,
    /// The description of the kind.
    pub description: Option<String>,
    /// Where it is declared.
    pub span: Option<Span>,
    /// Columns of `kubectl get`.
    pub columns: Vec<Column>,
    /// Subresources.
    pub subresources: Vec<&'static str>,
    /// Paths that field selectors may name.
    pub selectable_fields: Vec<String>,
    /// Rules about whole objects.
    pub rules: Vec<Rule>,
    /// An object that the API server accepts, as YAML.
    pub sample: Option<String>,
    /// The webhooks that see requests about the kind.
    pub webhooks: Vec<Webhook>,
    /// `spec`, `status` and others.
    pub fields: Vec<Field>,
}

/// A column of `kubectl get`.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// Where its value is.
    pub path: String,
    /// Its description.
    pub description: Option<String>,
    /// Whether only `-o wide` shows it.
    pub is_wide: bool,
}

/// An admission webhook.
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Its name.
    pub name: String,
    /// Whether it may change objects.
    pub is_mutating: bool,
    /// The operations that it sees.
    pub operations: Vec<String>,
}

/// A rule in CEL.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The message if it does not hold.
    pub message: Option<String>,
    /// The expression.
    pub rule: String,
}

/// One field.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// The name in JSON.
    pub name: String,
    /// The path in the object, such as `spec.ports[].name`.
    pub path: String,
    /// The type in words around its name.
    pub type_name: TypeName,
    /// Whether it must be set.
    pub is_required: bool,
    /// The default, as JSON.
    pub default: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The constraints in words, each once.
    pub constraints: Vec<String>,
    /// The rules.
    pub rules: Vec<Rule>,
    /// Whether it cannot be changed.
    pub is_immutable: bool,
    /// The alternative; empty if none is given.
    pub deprecated: Option<String>,
    /// An example, as JSON.
    pub example: Option<String>,
    /// A link to more documentation.
    pub external: Option<(String, Option<String>)>,
    /// The version that introduced it, if an older version does not have it.
    pub since: Option<String>,
    /// The values of an enumeration that are documented.
    pub values: Vec<(String, String)>,
    /// The alternatives of an enum with data.
    pub variants: Option<Variants>,
    /// The fields of the object, of each item or of each entry.
    pub fields: Vec<Field>,
    /// The Rust path of its own type, if several fields have it.
    pub shared: Option<String>,
    /// The Rust path of its own type.
    pub(crate) own_type: Option<String>,
    /// The name in Rust.
    pub(crate) rust_name: String,
    /// Where it is declared.
    pub(crate) span: Option<Span>,
}

/// The type of a field, such as "list of `PodTemplateSpec`".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeName {
    /// The words before the name, such as "list of ".
    pub before: String,
    /// The name.
    pub name: String,
    /// The page of Kubernetes about it.
    pub url: Option<String>,
}

/// The alternatives of an enum with data.
#[derive(Clone, Debug)]
pub struct Variants {
    /// Whether the object has exactly one key, which names the variant.
    pub is_exactly_one: bool,
    /// The alternatives.
    pub list: Vec<Variant>,
}

/// One alternative.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name in JSON; that in Rust if it is not written.
    pub name: String,
    /// The description.
    pub description: Option<String>,
    /// The smallest value, as YAML.
    pub yaml: Option<String>,
    /// The same in one line.
    pub flow: Option<String>,
}

/// Two versions side by side.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The older version.
    pub old: String,
    /// The newer version.
    pub new: String,
    /// The fields that differ.
    pub changes: Vec<Change>,
}

/// A field that differs between two versions.
#[derive(Clone, Debug)]
pub struct Change {
    /// Added, removed or changed.
    pub sort: kgen_diff::Sort,
    /// The path, such as `spec.ports[].name`.
    pub path: String,
    /// The differences, one sentence each.
    pub messages: Vec<String>,
    /// The field in the older version: its type and constraints.
    pub old: Option<String>,
    /// The field in the newer version.
    pub new: Option<String>,
}

impl Field {
    /// Returns whether it has everything to be a row of its own without others.
    #[must_use]
    pub fn is_object(&self) -> bool {
        !self.fields.is_empty()
    }
}

/// Calls `visit` for every field, the outer ones first.
pub fn each_field<'f>(fields: &'f [Field], visit: &mut dyn FnMut(&'f Field)) {
    for field in fields {
        visit(field);
        each_field(&field.fields, visit);
    }
}
