//! The options of a bundle, and the files that it is made of besides the API.

use kgen_manifests::{Manifests, Object};

/// A person or company with an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contact {
    /// The name.
    pub name: String,
    /// The URL of a provider, or the email address of a maintainer.
    pub address: String,
}

/// The install modes of OLM, in its order.
pub const INSTALL_MODES: &[&str] = &[
    "OwnNamespace",
    "SingleNamespace",
    "MultiNamespace",
    "AllNamespaces",
];

/// The capability levels of OLM, from the lowest to the highest.
pub const CAPABILITIES: &[&str] = &[
    "Basic Install",
    "Seamless Upgrades",
    "Full Lifecycle",
    "Deep Insights",
    "Auto Pilot",
];

/// The options of this generator.
#[derive(Clone, Debug, Default)]
pub struct BundleOptions {
    /// The name of the package.
    pub name: String,
    /// The version of the operator.
    pub version: String,
    /// The image of the operator, in place of that of the manifests.
    pub image: Option<String>,
    /// The channels; empty means `stable`.
    pub channels: Vec<String>,
    /// The channel of users who name none; the default is the first.
    pub default_channel: Option<String>,
    /// The name that users see; the default is the name of the package in words.
    pub display_name: Option<String>,
    /// The provider.
    pub provider: Contact,
    /// The maintainers.
    pub maintainers: Vec<Contact>,
    /// The bytes of the icon.
    pub icon: Option<Vec<u8>>,
    /// The description, in Markdown.
    pub description: String,
    /// The first sentence about the operator.
    pub summary: String,
    /// The capability level.
    pub capabilities: String,
    /// The categories.
    pub categories: Vec<String>,
    /// The search words.
    pub keywords: Vec<String>,
    /// The URL of the source.
    pub repository: String,
    /// The install modes that the operator supports.
    pub install_modes: Vec<String>,
    /// The oldest supported version of Kubernetes.
    pub min_kube_version: Option<String>,
    /// The name of the version that this one replaces.
    pub replaces: Option<String>,
    /// The names of versions that upgrades skip.
    pub skips: Vec<String>,
    /// CRDs of others that the operator needs, such as `certificates.cert-manager.io/v1/Certificate`.
    pub required: Vec<String>,
    /// The time at which the bundle was made, if it is written.
    pub created_at: Option<String>,
    /// The image of scorecard's tests, if scorecard is wanted.
    pub scorecard: Option<String>,
    /// The fields that the CSV describes.
    pub descriptors: Descriptors,
    /// A CSV whose other fields the CSV keeps.
    pub base: Option<Object>,
    /// Whether the user wrote the description for the bundle. That of the package gives way to the base.
    pub has_description: bool,
    /// The objects of the deployment.
    pub manifests: Manifests,
    /// Objects of the user, as examples.
    pub samples: Vec<Object>,
    /// The name of the output folder, for the Dockerfile.
    pub folder: String,
    /// The user's own header for each file.
    pub header: Option<String>,
}

/// The fields that the CSV describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Descriptors {
    /// Those with a marker, and all at the first level of `spec` and `status`.
    #[default]
    All,
    /// Those with a marker.
    Marked,
}

impl Descriptors {
    /// The words for the option.
    pub const WORDS: &'static [&'static str] = &["all", "marked"];

    /// Returns the value for a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "all" => Some(Self::All),
            "marked" => Some(Self::Marked),
            _ => None,
        }
    }

    /// Returns the word for the option.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Marked => "marked",
        }
    }
}
