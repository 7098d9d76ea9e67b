//! Options of `bundle`.

use std::path::PathBuf;

use kgen_bundle::{BundleOptions as Generator, CAPABILITIES, Contact, Descriptors, INSTALL_MODES};

use super::description::{OptionType, OptionValue};
use super::field::Field;
use super::options;
use crate::inputs::Inputs;

options! {
    /// The contents of a bundle for OLM.
    pub struct BundleOptions at bundle, described by BUNDLE {
        "manifests" => manifests: String = "config/default".to_owned(),
            "Deployment manifests: a kustomization folder, a folder of YAML files, a YAML file, or `-` for standard input";

        "version" => version: Option<String> = None,
            "Version of the operator; the default is that of the package";

        "image" => image: Option<String> = None,
            "Image of the operator; the default is that of the manifests";

        "channels" => channels: Vec<String> = Vec::new(),
            "Channels of the bundle; the default is `stable`";

        "defaultChannel" => default_channel: Option<String> = None,
            "Default channel; the default is the first channel";

        "name" => name: Option<String> = None,
            "Name of the operator in catalogs; the default is that of the package";

        "displayName" => display_name: Option<String> = None,
            "Display name in catalogs";

        "provider" => provider: Provider = Provider(String::new()),
            "Company or person that provides the operator";

        "maintainers" => maintainers: Maintainers = Maintainers(Vec::new()),
            "Maintainers; the default is the authors of the package";

        "icon" => icon: Option<PathBuf> = None,
            "Image file: SVG, PNG, JPEG or GIF";

        "description" => description: Option<PathBuf> = None,
            "Markdown file that describes the operator; the default is the description of the package";

        "capabilities" => capabilities: Capability = Capability(CAPABILITIES[0]),
            "Capability level of the operator";

        "categories" => categories: Vec<String> = Vec::new(),
            "Categories in catalogs";

        "keywords" => keywords: Vec<String> = Vec::new(),
            "Keywords; the default is those of the package";

        "installModes" => install_modes: InstallModes = InstallModes(vec!["AllNamespaces".to_owned()]),
            "Supported install modes";

        "minKubeVersion" => min_kube_version: Option<String> = None,
            "Oldest supported version of Kubernetes; the default is the oldest that accepts the CRDs";

        "replaces" => replaces: Option<String> = None,
            "Name of the version that this one replaces, such as `guestbook.v0.1.0`";

        "skips" => skips: Vec<String> = Vec::new(),
            "Names of versions that upgrades skip";

        "required" => required: Vec<String> = Vec::new(),
            "CRDs of others that the operator needs, such as `certificates.cert-manager.io/v1/Certificate`";

        "createdAt" => created_at: Option<String> = None,
            "Time to write into the bundle; the default is the environment variable SOURCE_DATE_EPOCH, or none";

        "scorecard" => scorecard: Scorecard = Scorecard(None),
            "Scorecard image; without it, the bundle has no scorecard";

        "descriptors" => descriptors: Descriptors = Descriptors::All,
            "Fields to describe: all at the first level of spec and status and those with a marker, or only those with a marker";

        "base" => base: Option<PathBuf> = None,
            "CSV of operator-sdk whose other fields the CSV keeps";
    }
}

impl BundleOptions {
    /// Returns the options of the generator, with the files that they name.
    pub(crate) fn for_generator(&self, inputs: &Inputs) -> Generator {
        let package = &inputs.package;
        let or = |own: &Vec<String>, other: &Vec<String>| if own.is_empty() { other } else { own }.clone();
        Generator {
            name: self.name.clone().unwrap_or_else(|| package.name.clone()),
            version: self.version.clone().unwrap_or_else(|| package.version.clone()),
            image: self.image.clone(),
            channels: self.channels.clone(),
            default_channel: self.default_channel.clone(),
            display_name: self.display_name.clone(),
            provider: contact(&self.provider.0),
            maintainers: or(&self.maintainers.0, &package.authors)
                .iter()
                .map(|text| contact(text))
                .collect(),
            icon: inputs.icon.clone(),
            description: inputs
                .intro
                .clone()
                .unwrap_or_else(|| package.description.clone()),
            summary: package.description.clone(),
            capabilities: self.capabilities.0.to_owned(),
            categories: self.categories.clone(),
            keywords: or(&self.keywords, &package.keywords),
            repository: package.repository.clone(),
            install_modes: self.install_modes.0.clone(),
            min_kube_version: self.min_kube_version.clone(),
            replaces: self.replaces.clone(),
            skips: self.skips.clone(),
            required: self.required.clone(),
            created_at: self.created_at.clone().or_else(|| inputs.created_at.clone()),
            scorecard: self.scorecard.0.clone(),
            descriptors: self.descriptors,
            base: inputs.base.clone(),
            has_description: self.description.is_some(),
            manifests: inputs.manifests.clone(),
            samples: inputs.samples.clone(),
            folder: inputs.folder.clone(),
            header: inputs.header.clone(),
        }
    }
}

/// Reads `NAME <ADDRESS>`.
fn contact(text: &str) -> Contact {
    let (name, address) = text.split_once('<').unwrap_or((text, ""));
    Contact {
        name: name.trim().to_owned(),
        address: address.trim().trim_end_matches('>').trim().to_owned(),
    }
}

/// The provider, as `NAME <URL>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider(pub String);

impl Field for Provider {
    const TYPE: OptionType = OptionType::Contact("url");

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Text(text) = value {
            self.0 = text;
        }
    }

    fn read(&self) -> Option<OptionValue> {
        (!self.0.is_empty()).then(|| OptionValue::Text(self.0.clone()))
    }
}

/// The maintainers, each as `NAME <EMAIL>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maintainers(pub Vec<String>);

impl Field for Maintainers {
    const TYPE: OptionType = OptionType::Contacts("email");

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Words(texts) = value {
            self.0 = texts;
        }
    }

    fn read(&self) -> Option<OptionValue> {
        (!self.0.is_empty()).then(|| OptionValue::Words(self.0.clone()))
    }
}

/// The install modes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallModes(pub Vec<String>);

impl Field for InstallModes {
    const TYPE: OptionType = OptionType::Words(INSTALL_MODES);

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Words(words) = value {
            self.0 = words;
        }
    }

    fn read(&self) -> Option<OptionValue> {
        Some(OptionValue::Words(self.0.clone()))
    }
}

/// A capability level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capability(pub &'static str);

impl Field for Capability {
    const TYPE: OptionType = OptionType::Word(CAPABILITIES);

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Text(text) = value
            && let Some(known) = CAPABILITIES.iter().find(|known| **known == text)
        {
            self.0 = known;
        }
    }

    fn read(&self) -> Option<OptionValue> {
        Some(OptionValue::Text(self.0.to_owned()))
    }
}

/// The image of scorecard's tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scorecard(pub Option<String>);

impl Field for Scorecard {
    const TYPE: OptionType = OptionType::InTable("image");

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Text(text) = value {
            self.0 = Some(text);
        }
    }

    fn read(&self) -> Option<OptionValue> {
        self.0.clone().map(OptionValue::Text)
    }
}

impl Field for Descriptors {
    const TYPE: OptionType = OptionType::Word(Descriptors::WORDS);

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Text(text) = value
            && let Some(known) = Descriptors::from_word(&text)
        {
            *self = known;
        }
    }

    fn read(&self) -> Option<OptionValue> {
        Some(OptionValue::Text(self.word().to_owned()))
    }
}
