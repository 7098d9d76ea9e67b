//! Options of `helm`.

use std::path::PathBuf;

use kgen_helm::{Crds, HelmOptions as Generator};

use super::description::{OptionType, OptionValue};
use super::field::Field;
use super::options;
use crate::inputs::Inputs;

options! {
    /// The contents of the Helm chart.
    pub struct HelmOptions at helm, described by HELM {
        "manifests" => manifests: String = "config/default".to_owned(),
            "Deployment manifests: a kustomization folder, a folder of YAML files, a YAML file, or `-` for standard input";

        "name" => name: Option<String> = None,
            "Name of the chart; the default is the name of the package";

        "version" => version: Option<String> = None,
            "Version of the chart; the default is the version of the package";

        "appVersion" => app_version: Option<String> = None,
            "Version of the operator and default tag of its image; the default is the tag in the manifests";

        "crds" => crds: Crds = Crds::Templates,
            "Whether the chart installs and updates the CRDs";

        "values" => extra: ExtraValues = ExtraValues(None),
            "YAML file with more values for `values.yaml`, `extra` in `[helm.values]`";

        "force" => force: bool = false,
            "Whether to replace edited templates";
    }
}

impl HelmOptions {
    /// Returns the options of the generator, with the facts of the package and the files that exist.
    pub(crate) fn for_generator(&self, inputs: &Inputs) -> Generator {
        let package = &inputs.package;
        let version = self.version.clone().unwrap_or_else(|| package.version.clone());
        Generator {
            name: self.name.clone().unwrap_or_else(|| package.name.clone()),
            version: if version.is_empty() {
                "0.1.0".to_owned()
            } else {
                version
            },
            app_version: self.app_version.clone(),
            description: package.description.clone(),
            repository: package.repository.clone(),
            keywords: package.keywords.clone(),
            authors: package.authors.clone(),
            folder: inputs.folder.clone(),
            crds: self.crds,
            extra_values: inputs.extra_values.clone(),
            existing: inputs.chart.clone(),
            force: self.force,
        }
    }
}

impl Field for Crds {
    const TYPE: OptionType = OptionType::Word(Crds::WORDS);

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Text(text) = value
            && let Some(known) = Crds::from_word(&text)
        {
            *self = known;
        }
    }

    fn read(&self) -> Option<OptionValue> {
        let own = Crds::WORDS
            .iter()
            .find(|word| Crds::from_word(word) == Some(*self));
        own.map(|word| OptionValue::Text((*word).to_owned()))
    }
}

/// The file with more values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraValues(pub Option<PathBuf>);

impl Field for ExtraValues {
    const TYPE: OptionType = OptionType::InTable("extra");

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Text(path) = value {
            self.0 = Some(path.into());
        }
    }

    fn read(&self) -> Option<OptionValue> {
        let path = self.0.as_ref()?;
        Some(OptionValue::Text(path.to_string_lossy().into_owned()))
    }
}
