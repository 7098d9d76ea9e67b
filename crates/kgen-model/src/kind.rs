//! Kinds: the parts of a CRD besides its schemas.

use std::collections::BTreeMap;

use kgen_diagnostics::{Allowance, Span, Spanned};

use crate::{
    AccessRule, CatalogKind, KindConversion, RustKind, RustType, RustTypes, Schema, VersionAge, Webhook,
    WebhookConfiguration,
};

/// Everything that the source declares, resolved and in order.
#[derive(Clone, Debug, Default)]
pub struct Api {
    /// Custom resources, by kind and group.
    pub resources: Vec<Resource>,
    /// RBAC rules, by file and place.
    pub access_rules: Vec<AccessRule>,
    /// Webhooks, by file and place.
    pub webhooks: Vec<Webhook>,
    /// Names of webhook configurations, by file and place.
    pub webhook_configurations: Vec<WebhookConfiguration>,
    /// Warnings that markers allow, each at its place.
    pub allowances: Vec<Allowance>,
    /// The Rust side of the types, if it was requested.
    pub rust: RustTypes,
}

/// One kind of a group with all its versions: one CRD.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// All its names.
    pub names: ResourceNames,
    /// Whether the resource is namespaced.
    pub scope: Scope,
    /// Annotations of the definition.
    pub annotations: BTreeMap<String, String>,
    /// Labels of the definition.
    pub labels: BTreeMap<String, String>,
    /// The versions, by name.
    pub versions: Vec<KindVersion>,
}

/// The names of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceNames {
    /// The plural, in URLs and commands.
    pub plural: String,
    /// The singular, in commands.
    pub singular: String,
    /// The kind of lists.
    pub list_kind: String,
    /// Short forms for commands.
    pub short_names: Vec<String>,
    /// Groups of resources that commands can name, such as `all`.
    pub categories: Vec<String>,
}

/// Whether the resource is namespaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// In a namespace.
    #[default]
    Namespaced,
    /// In the cluster as a whole.
    Cluster,
}

impl Scope {
    /// Returns the word in a manifest.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Namespaced => "Namespaced",
            Self::Cluster => "Cluster",
        }
    }
}

/// How a kind is declared in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindStyle {
    /// A struct with `metadata`, `spec` and `status`.
    WholeStruct,
    /// A spec struct with `#[derive(CustomResource)]`.
    KubeDerive,
}

/// One version of a kind, with the declarations of its type.
#[derive(Clone, Debug)]
pub struct KindVersion {
    /// The API group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// How it is declared.
    pub style: KindStyle,
    /// The name in its declaration.
    pub span: Span,
    /// Where the group is stated.
    pub group_span: Span,
    /// Where the version is stated, or the kind if it follows from the name of a module.
    pub version_span: Span,
    /// Path of the type in its crate, such as `api::v1::Foo`.
    pub rust_path: String,
    /// `path` of the resource marker: the plural.
    pub plural: Option<Spanned<String>>,
    /// The singular.
    pub singular: Option<Spanned<String>>,
    /// The kind of lists, if it is not the default.
    pub list_kind: Option<Spanned<String>>,
    /// Where the kind is stated, if it is not the name of the type.
    pub kind_span: Option<Span>,
    /// Short names.
    pub short_names: Vec<Spanned<String>>,
    /// Categories.
    pub categories: Vec<Spanned<String>>,
    /// The scope.
    pub scope: Option<Spanned<Scope>>,
    /// Annotations of the definition.
    pub annotations: Vec<(String, String, Span)>,
    /// Labels of the definition.
    pub labels: Vec<(String, String, Span)>,
    /// The place of the status subresource marker.
    pub status_subresource: Option<Span>,
    /// The scale subresource.
    pub scale: Option<Spanned<Scale>>,
    /// Columns of `kubectl get`.
    pub columns: Vec<Spanned<Column>>,
    /// Fields that field selectors may name.
    pub selectable_fields: Vec<Spanned<String>>,
    /// Where the version is declared to be the stored one.
    pub storage: Option<Span>,
    /// Where the version is declared not to be the stored one.
    pub unstored: Option<Span>,
    /// Where the version is declared not to be served.
    pub unserved: Option<Span>,
    /// Whether it is on its way out.
    pub deprecation: Option<Deprecation>,
    /// Whether the definition leaves this version out.
    pub skipped: bool,
    /// Whether empty lists are written, as in kube-derive before version 5.
    pub writes_empty_lists: bool,
    /// The typed client.
    pub client: ClientSettings,
    /// Its markers about conversion.
    pub conversion: KindConversion,
    /// Its entry in catalogs.
    pub catalog: CatalogKind,
    /// The schema of the whole object.
    pub schema: Schema,
    /// Its Rust side, if it was requested.
    pub rust: Option<RustKind>,
}

impl KindVersion {
    /// Returns a version of a kind that is declared at `span`, with default values.
    #[must_use]
    pub fn new(
        group: String,
        version: String,
        kind: String,
        style: KindStyle,
        span: Span,
        rust_path: String,
    ) -> Self {
        Self {
            group,
            version,
            kind,
            style,
            span,
            group_span: span,
            version_span: span,
            rust_path,
            plural: None,
            singular: None,
            list_kind: None,
            kind_span: None,
            short_names: Vec::new(),
            categories: Vec::new(),
            scope: None,
            annotations: Vec::new(),
            labels: Vec::new(),
            status_subresource: None,
            scale: None,
            columns: Vec::new(),
            selectable_fields: Vec::new(),
            storage: None,
            unstored: None,
            unserved: None,
            deprecation: None,
            skipped: false,
            writes_empty_lists: false,
            client: ClientSettings::default(),
            conversion: KindConversion::default(),
            catalog: CatalogKind::default(),
            schema: Schema::default(),
            rust: None,
        }
    }
}

/// The scale subresource.
#[derive(Clone, Debug)]
pub struct Scale {
    /// Path of the wanted number.
    pub spec_path: Spanned<String>,
    /// Path of the present number.
    pub status_path: Spanned<String>,
    /// Path of the label selector.
    pub selector_path: Option<Spanned<String>>,
}

/// Two subresources are equal regardless of their places.
impl PartialEq for Scale {
    fn eq(&self, other: &Self) -> bool {
        let selector = |scale: &Self| scale.selector_path.as_ref().map(|path| path.value.clone());
        self.spec_path.value == other.spec_path.value
            && self.status_path.value == other.status_path.value
            && selector(self) == selector(other)
    }
}

impl Eq for Scale {}

/// A column of `kubectl get`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// Its OpenAPI type, or `date`.
    pub column_type: String,
    /// Where its value is.
    pub json_path: Spanned<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its OpenAPI format.
    pub format: Option<String>,
    /// Zero is always shown, more only with `-o wide`.
    pub priority: Option<i64>,
}

/// A version on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecation {
    /// The message for clients, if it is not the default.
    pub warning: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// A verb of a typed client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the verb that it is named after")]
pub enum Verb {
    Create,
    Update,
    UpdateStatus,
    Delete,
    DeleteCollection,
    Get,
    List,
    Watch,
    Patch,
    Apply,
    ApplyStatus,
}

impl Verb {
    /// Every verb, in the order in which clients show them.
    pub const ALL: &'static [Self] = &[
        Self::Create,
        Self::Update,
        Self::UpdateStatus,
        Self::Delete,
        Self::DeleteCollection,
        Self::Get,
        Self::List,
        Self::Watch,
        Self::Patch,
        Self::Apply,
        Self::ApplyStatus,
    ];

    /// Returns the word in markers.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::UpdateStatus => "updateStatus",
            Self::Delete => "delete",
            Self::DeleteCollection => "deleteCollection",
            Self::Get => "get",
            Self::List => "list",
            Self::Watch => "watch",
            Self::Patch => "patch",
            Self::Apply => "apply",
            Self::ApplyStatus => "applyStatus",
        }
    }

    /// Returns the verb of a word in a marker.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|verb| verb.word() == word)
    }
}

/// A method of a typed client besides the usual verbs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientMethod {
    /// The name of the method.
    pub name: String,
    /// Its verb.
    pub verb: Verb,
    /// The subresource that it addresses.
    pub subresource: Option<String>,
    /// The type that it sends.
    pub input: Option<MethodType>,
    /// The type that it returns.
    pub result: Option<MethodType>,
    /// Where it is declared.
    pub span: Span,
}

/// The type that a method sends or returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodType {
    /// As the marker names it.
    pub name: String,
    /// Where it names it.
    pub span: Span,
    /// The resolved type, if the Rust side was requested.
    pub rust: Option<RustType>,
}

/// The typed client of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientSettings {
    /// Where a client is asked for.
    pub wanted: Option<Span>,
    /// Whether the marker says that the kind is not namespaced.
    pub non_namespaced: Option<Span>,
    /// No verbs at all.
    pub no_verbs: Option<Span>,
    /// No status verbs.
    pub no_status: Option<Span>,
    /// Only verbs that read.
    pub read_only: Option<Span>,
    /// Only these verbs.
    pub only_verbs: Option<Spanned<Vec<Verb>>>,
    /// All but these verbs.
    pub skip_verbs: Option<Spanned<Vec<Verb>>>,
    /// Methods beyond the verbs.
    pub methods: Vec<ClientMethod>,
    /// The plural in URLs, if it is not the default.
    pub resource_name: Option<Spanned<String>>,
    /// The name of the group in accessors, if it is not its first part.
    pub group_name: Option<Spanned<String>>,
}

/// Returns the version that is stored by default: the only one, or the only one that is not declared as unstored. With
/// kube-derive, code decides if there are several; then it is the newest.
#[must_use]
pub fn implied_storage<'a>(versions: &[&'a KindVersion]) -> Option<&'a KindVersion> {
    if let [only] = versions {
        return Some(only);
    }
    if versions.iter().any(|version| version.storage.is_some()) {
        return None;
    }
    let left = versions.iter().filter(|version| version.unstored.is_none());
    let left: Vec<&'a KindVersion> = left.copied().collect();
    match left.as_slice() {
        [only] => Some(only),
        open if open.iter().all(|version| version.style == KindStyle::KubeDerive) => {
            let age = |version: &KindVersion| VersionAge::of(&version.version);
            open.iter()
                .copied()
                .max_by(|left, right| match (age(left), age(right)) {
                    (Some(left), Some(right)) => left.by_priority(right),
                    (left, right) => left.is_some().cmp(&right.is_some()),
                })
        }
        _ => None,
    }
}
