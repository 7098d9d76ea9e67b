//! Options of `crd`.

use kgen_diagnostics::Policy;
use kgen_frontend::Compat;

use super::description::{OptionType, OptionValue};
use super::field::{Field, Ignored};
use super::options;

options! {
    /// How types become schemas and definitions.
    pub struct CrdOptions at crd, described by CRD {
        "maxDescLen" => max_description_length: Option<i64> = None,
            "Maximum length of a description in bytes; 0 removes descriptions, unset or negative keeps them";

        "allowDangerousTypes" => allow_dangerous_types: bool = front_end().allow_dangerous_types,
            "Allow f32 and f64, although other languages may read different numbers";

        "crdVersions" => versions: Vec<CrdVersion> = vec![CrdVersion::V1],
            "Versions of the CustomResourceDefinition API to write; only v1 exists";

        "generateEmbeddedObjectMeta" => generate_embedded_object_meta: bool = front_end().generate_embedded_object_meta,
            "Describe the properties of embedded metadata, so that the API server keeps its labels";

        "serdeDefaults" => serde_defaults: bool = front_end().serde_defaults,
            "Add the defaults of serde attributes to the schema";

        "allowOpaque" => allow_opaque: bool = front_end().allow_opaque,
            "Accept any value, with a warning, where only running code could determine the JSON";

        "compat" => compat: Compat = front_end().compat,
            "kube-derive follows the conventions of kube's derive, for a small first diff in a project that uses its CRDs";

        "deprecatedV1beta1CompatibilityPreserveUnknownFields" => preserve_unknown_fields: Option<bool> = None,
            "Write spec.preserveUnknownFields with this value";

        "ignoreUnexportedFields" => ignore_unexported_fields: Ignored = Ignored::by_default(false),
            "No effect, because serde also writes private fields; accepted for compatibility with controller-gen",
            has no effect: "hide a field with `#[serde(skip)]`; serde reads and writes private fields like public ones";

        "trivialVersions" => trivial_versions: Ignored = Ignored::by_default(true),
            "No effect; accepted for compatibility with older controller-gen",
            has no effect: "remove the option, as controller-gen did: `apiextensions.k8s.io/v1` has one schema per version";
        "preserveUnknownFields" => preserve_unknown_fields_v1beta1: Ignored = Ignored::by_default(false),
            "No effect, because unknown fields are always pruned; accepted for compatibility with older controller-gen",
            has no effect: "remove the option, as controller-gen did: `apiextensions.k8s.io/v1` always prunes unknown fields";
        "omitToolVersion" => omit_tool_version: Ignored = Ignored::by_default(true),
            "No effect, because CRDs never name the version of kgen; accepted for compatibility with controller-gen",
            has no effect: "remove the option: CRDs never name the version of kgen";
    }
}

/// Returns the defaults of the front end, which are those of the options that it reads.
fn front_end() -> kgen_frontend::Options {
    kgen_frontend::Options::default()
}

impl CrdOptions {
    /// Returns the options of the front end. `rust_types` says whether generated Rust needs the Rust side of the types.
    pub(crate) fn for_front_end(&self, rust_types: bool) -> kgen_frontend::Options {
        kgen_frontend::Options {
            allow_dangerous_types: self.allow_dangerous_types,
            generate_embedded_object_meta: self.generate_embedded_object_meta,
            serde_defaults: self.serde_defaults,
            allow_opaque: self.allow_opaque,
            compat: self.compat,
            rust_types,
            facts: false,
        }
    }

    /// Returns how strict a run is. All generators of a set see the same problems with the same severities.
    pub(crate) fn policy(&self) -> Policy {
        match self.compat {
            Compat::ControllerGen => Policy::STRICT,
            Compat::KubeDerive => kgen_check::KUBE_DERIVE,
        }
    }

    /// Returns the options of the generator.
    pub(crate) fn for_generator(&self, header: Option<String>) -> kgen_generators::crd::CrdOptions {
        kgen_generators::crd::CrdOptions {
            max_description_length: self.max_description_length,
            header,
            like_kube_derive: self.compat.is_kube_derive(),
            preserve_unknown_fields: self.preserve_unknown_fields,
        }
    }
}

/// A version of the CustomResourceDefinition API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrdVersion {
    /// `apiextensions.k8s.io/v1`.
    V1,
}

/// The word for [`CrdVersion::V1`].
const V1: &str = "v1";

impl Field for Vec<CrdVersion> {
    const TYPE: OptionType = OptionType::Words(&[V1]);

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Words(words) = value {
            let known = words.iter().filter(|word| *word == V1);
            *self = known.map(|_| CrdVersion::V1).collect();
        }
    }

    fn read(&self) -> Option<OptionValue> {
        let words = self.iter().map(|version| match version {
            CrdVersion::V1 => V1.to_owned(),
        });
        Some(OptionValue::Words(words.collect()))
    }
}

/// The word for [`Compat::KubeDerive`]. The conventions of controller-gen have none, because they are the default.
const KUBE_DERIVE: &str = "kube-derive";

impl Field for Compat {
    const TYPE: OptionType = OptionType::Word(&[KUBE_DERIVE]);

    fn write(&mut self, value: OptionValue) {
        if let OptionValue::Text(word) = value
            && word == KUBE_DERIVE
        {
            *self = Self::KubeDerive;
        }
    }

    fn read(&self) -> Option<OptionValue> {
        match self {
            Self::ControllerGen => None,
            Self::KubeDerive => Some(OptionValue::Text(KUBE_DERIVE.to_owned())),
        }
    }
}
