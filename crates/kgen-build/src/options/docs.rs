//! Options of `docs`.

use std::path::PathBuf;

use kgen_docs::{DocsOptions as Generator, Flavor, Format, Split};

use super::description::{OptionType, OptionValue};
use super::field::Field;
use super::options;
use crate::inputs::Inputs;

options! {
    /// The contents and the form of the reference pages.
    pub struct DocsOptions at docs, described by DOCS {
        "format" => formats: Formats = Formats(vec![Format::Markdown]),
            "Form of the pages: `markdown`, `html` for one page with search, or `json` for other tools";

        "flavor" => flavor: Flavor = Flavor::Github,
            "Markdown dialect";

        "split" => split: Split = Split::Version,
            "Content of each Markdown file; HTML is always one file";

        "kubernetes" => kubernetes: Kubernetes = Kubernetes::Link,
            "Whether types of Kubernetes link to its reference, or show their fields";

        "status" => status: bool = true,
            "Whether the pages show `status`";

        "title" => title: Option<String> = None,
            "Title of the first page; the default is the name of the package";

        "intro" => intro: Option<PathBuf> = None,
            "Markdown file for the first page";

        "template" => template: Option<PathBuf> = None,
            "Template in the language of minijinja that replaces the Markdown of a page";
    }
}

impl DocsOptions {
    /// Returns the options of the generator, with the files that they name.
    pub(crate) fn for_generator(&self, inputs: &Inputs) -> Generator {
        Generator {
            formats: self.formats.0.clone(),
            flavor: self.flavor,
            split: self.split,
            inline_kubernetes: self.kubernetes == Kubernetes::Inline,
            without_status: !self.status,
            title: self.title.clone().unwrap_or_else(|| inputs.package.title()),
            intro: inputs.intro.clone(),
            template: inputs.template.clone(),
            samples: inputs.samples.iter().map(|sample| sample.value.clone()).collect(),
        }
    }
}

/// The forms of the pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formats(pub Vec<Format>);

impl Field for Formats {
    const TYPE: OptionType = OptionType::Words(Format::WORDS);

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Words(words) = value {
            self.0 = words.iter().filter_map(|word| Format::from_word(word)).collect();
        }
    }

    fn read(&self) -> Option<OptionValue> {
        let words = self
            .0
            .iter()
            .map(|format| word(Format::WORDS, |word| Format::from_word(word) == Some(*format)));
        Some(OptionValue::Words(words.collect()))
    }
}

/// How types of Kubernetes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kubernetes {
    /// As links to the reference of Kubernetes.
    Link,
    /// With their fields.
    Inline,
}

/// The words of [`Kubernetes`].
const KUBERNETES: &[&str] = &["link", "inline"];

impl Kubernetes {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "link" => Some(Self::Link),
            "inline" => Some(Self::Inline),
            _ => None,
        }
    }
}

/// Returns the word that `is` accepts.
fn word(words: &[&str], is: impl Fn(&str) -> bool) -> String {
    let found = words.iter().find(|word| is(word));
    found.copied().unwrap_or_default().to_owned()
}

/// Lets an option have one of some words.
macro_rules! one_word {
    ($type:ty, $words:expr) => {
        impl Field for $type {
            const TYPE: OptionType = OptionType::Word($words);

            fn write(&mut self, value: OptionValue) {
                if let OptionValue::Text(text) = value
                    && let Some(known) = <$type>::from_word(&text)
                {
                    *self = known;
                }
            }

            fn read(&self) -> Option<OptionValue> {
                let own = word($words, |word| {
                    <$type>::from_word(word).as_ref() == Some(self)
                });
                Some(OptionValue::Text(own))
            }
        }
    };
}

one_word!(Flavor, Flavor::WORDS);
one_word!(Split, Split::WORDS);
one_word!(Kubernetes, KUBERNETES);
