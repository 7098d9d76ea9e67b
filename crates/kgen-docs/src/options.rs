//! The options of the pages, and the files that they are made of besides the API.

use serde_json::Value;

/// A form of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Markdown files.
    Markdown,
    /// One HTML file.
    Html,
    /// The model of the pages, for other generators of sites.
    Json,
}

impl Format {
    /// The words in options, in the order of help.
    pub const WORDS: &'static [&'static str] = &["markdown", "html", "json"];

    /// Returns the format of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "markdown" => Some(Self::Markdown),
            "html" => Some(Self::Html),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// The program that reads the Markdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flavor {
    /// GitHub, and most others.
    #[default]
    Github,
    /// mdBook.
    Mdbook,
    /// Docusaurus.
    Docusaurus,
}

impl Flavor {
    /// The words in options, in the order of help.
    pub const WORDS: &'static [&'static str] = &["github", "mdbook", "docusaurus"];

    /// Returns the flavor of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "github" => Some(Self::Github),
            "mdbook" => Some(Self::Mdbook),
            "docusaurus" => Some(Self::Docusaurus),
            _ => None,
        }
    }
}

/// The subject of each Markdown file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// One group.
    Group,
    /// One version of a group.
    #[default]
    Version,
    /// One kind of a version.
    Kind,
    /// Everything.
    None,
}

impl Split {
    /// The words in options, in the order of help.
    pub const WORDS: &'static [&'static str] = &["group", "version", "kind", "none"];

    /// Returns the division of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "group" => Some(Self::Group),
            "version" => Some(Self::Version),
            "kind" => Some(Self::Kind),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

/// The options of this generator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocsOptions {
    /// The formats; empty means Markdown.
    pub formats: Vec<Format>,
    /// The program that reads the Markdown.
    pub flavor: Flavor,
    /// The subject of each Markdown file.
    pub split: Split,
    /// Whether the fields of Kubernetes' own types are shown; otherwise, the types are links.
    pub inline_kubernetes: bool,
    /// Whether `status` is left out.
    pub without_status: bool,
    /// The title of the first page.
    pub title: String,
    /// Markdown for the first page.
    pub intro: Option<String>,
    /// The name and the text of a template for the Markdown of a page.
    pub template: Option<(String, String)>,
    /// Objects of the user, whose values samples prefer.
    pub samples: Vec<Value>,
}
