//! The options of an import.

/// Where types of Kubernetes are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KubernetesTypes {
    /// Where the schemas are equal.
    #[default]
    Exact,
    /// Also where an older version of Kubernetes had the schema. The CRD then differs.
    Compatible,
    /// Nowhere, apart from the metadata of kinds and values that are integers or strings.
    Own,
}

impl KubernetesTypes {
    /// The words of command lines and files.
    pub const WORDS: &[&str] = &["exact", "compatible", "own"];

    /// Returns the meaning of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "exact" => Some(Self::Exact),
            "compatible" => Some(Self::Compatible),
            "own" => Some(Self::Own),
            _ => None,
        }
    }
}

/// The representation of enumerations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Enums {
    /// Rust enums.
    #[default]
    Closed,
    /// Rust enums with a variant for any other value. The CRD then differs.
    Open,
    /// Strings.
    Text,
}

impl Enums {
    /// The words of command lines and files.
    pub const WORDS: &[&str] = &["closed", "open", "text"];

    /// Returns the meaning of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "closed" => Some(Self::Closed),
            "open" => Some(Self::Open),
            "text" => Some(Self::Text),
            _ => None,
        }
    }
}

/// How kinds are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As whole structs.
    #[default]
    Kgen,
    /// With `#[derive(CustomResource)]` of kube on the spec.
    Kube,
}

impl Style {
    /// The words of command lines and files.
    pub const WORDS: &[&str] = &["kgen", "kube"];

    /// Returns the meaning of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "kgen" => Some(Self::Kgen),
            "kube" => Some(Self::Kube),
            _ => None,
        }
    }
}

/// Which versions of a CRD are imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Versions {
    /// All of them.
    #[default]
    All,
    /// The stored one.
    Stored,
    /// Those with these names.
    Named(Vec<String>),
}

impl Versions {
    /// Returns the meaning of words: `all`, `stored`, or names.
    #[must_use]
    pub fn from_words(words: Vec<String>) -> Self {
        match words.as_slice() {
            [] => Self::All,
            [word] if word == "all" => Self::All,
            [word] if word == "stored" => Self::Stored,
            _ => Self::Named(words),
        }
    }
}

/// The options of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How kinds are written.
    pub style: Style,
    /// Which versions are imported.
    pub versions: Versions,
    /// The groups to import; empty for all.
    pub groups: Vec<String>,
    /// The kinds to import; empty for all.
    pub kinds: Vec<String>,
    /// Where types of Kubernetes are used.
    pub kubernetes_types: KubernetesTypes,
    /// The minor version of Kubernetes whose types are used, such as 36; the newest if there is none.
    pub kubernetes_minor: Option<u32>,
    /// The representation of enumerations.
    pub enums: Enums,
    /// Names of types, each for a path such as `Kind.spec.template[]`.
    pub names: Vec<(String, String)>,
    /// Rust types that replace the imported ones, each for a path.
    pub types: Vec<(String, String)>,
    /// Derives of all structs and enums besides those that are always there.
    pub derives: Vec<String>,
    /// Whether descriptions become comments.
    pub docs: bool,
    /// Whether any value is allowed where a schema is not structural.
    pub lenient: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            style: Style::default(),
            versions: Versions::default(),
            groups: Vec::new(),
            kinds: Vec::new(),
            kubernetes_types: KubernetesTypes::default(),
            kubernetes_minor: None,
            enums: Enums::default(),
            names: Vec::new(),
            types: Vec::new(),
            derives: vec!["PartialEq".to_owned()],
            docs: true,
            lenient: false,
        }
    }
}

impl Options {
    /// How to write a pair of a path and a name or type.
    pub const PAIR_HELP: &str = "write a path such as `Kind.spec.template[]`, `=`, and the name";

    /// Returns the path and the value of a text of the form `PATH=VALUE`.
    #[must_use]
    pub fn pair(text: &str) -> Option<(String, String)> {
        let (path, value) = text.rsplit_once('=')?;
        (!path.is_empty() && !value.is_empty()).then(|| (path.to_owned(), value.to_owned()))
    }
}
