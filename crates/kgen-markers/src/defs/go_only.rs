//! Markers that only Go tools read. They are known, so that they are not reported as typos, and they do nothing.

use crate::definition::markers;
use crate::value::{Error, Parser, Value, ValueType};

const CLONE: &str = "Rust types are copied with `Clone`";
const APPLY: &str = "`kgen applyconfiguration` generates apply configurations for every kind";
const GENERATOR: &str = "generators are selected on the command line or in `kgen.toml`";
const ITS_OWN: &str = "only Go tools read it";

markers! {
    family "go" "Markers that only Go tools read";

    /// Declares whether a type is a root object; `true` makes it a kind.
    ///
    /// ```
    /// // +kubebuilder:object:root=true
    /// pub struct Foo {}
    /// ```
    "kubebuilder:object:root" on [Type] with [no_effect(CLONE)] => ObjectRoot {
        /// Whether the type is a root object.
        "=" value: Option<bool>,
    }
    apply kind_sign |marker, sign| *sign = marker.value.unwrap_or(true);

    /// Generates deep copies for a type or package.
    ///
    /// ```
    /// // +kubebuilder:object:generate=true
    /// pub struct Foo {}
    /// ```
    "kubebuilder:object:generate" on [Anywhere] with [no_effect(CLONE)] => ObjectGenerate {
        /// Whether to generate them.
        "=" value: Option<bool>,
    }

    /// Old spelling of the marker that generates deep copies.
    ///
    /// ```
    /// // +k8s:deepcopy-gen=package
    /// pub struct Foo {}
    /// ```
    "k8s:deepcopy-gen" on [Anywhere] with [no_effect(CLONE)] => DeepcopyGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Names the interface that deep copies return.
    ///
    /// ```
    /// // +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
    /// pub struct Foo {}
    /// ```
    "k8s:deepcopy-gen:interfaces" on [Anywhere] with [no_effect(CLONE)] => DeepcopyInterfaces {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Selects how deep copies return interfaces.
    ///
    /// ```
    /// // +k8s:deepcopy-gen:nonpointer-interfaces=true
    /// pub struct Foo {}
    /// ```
    "k8s:deepcopy-gen:nonpointer-interfaces" on [Anywhere] with [no_effect(CLONE)] => DeepcopyNonPointer {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Generates apply configurations for a type or package.
    ///
    /// ```
    /// // +kubebuilder:ac:generate=true
    /// pub struct Foo {}
    /// ```
    "kubebuilder:ac:generate" on [Anywhere] with [no_effect(APPLY)] => ApplyGenerate {
        /// Whether to generate them.
        "=" value: Option<bool>,
    }

    /// Names the Go package of apply configurations.
    ///
    /// ```
    /// // +kubebuilder:ac:output:package=applyconfiguration
    /// pub struct Foo {}
    /// ```
    "kubebuilder:ac:output:package" on [Anywhere] with [no_effect(APPLY)] => ApplyPackage {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Generates the help text of a controller-gen marker.
    ///
    /// ```
    /// // +controllertools:marker:generateHelp:category=CRD
    /// pub struct Foo {}
    /// ```
    "controllertools:marker:generateHelp" on [Anywhere] with [no_effect(ITS_OWN)] => GenerateHelp {
        /// The value, which kgen ignores.
        "category" category: Option<Raw>,
    }

    /// Declares a Go type as an enumeration.
    ///
    /// ```
    /// // +enum
    /// pub struct Foo {}
    /// ```
    "enum" on [Anywhere] with [no_effect("a Rust enum does not need it")] => PlainEnum {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Declares a Go struct as a union.
    ///
    /// ```
    /// // +union
    /// pub struct Foo {}
    /// ```
    "union" on [Anywhere] with [no_effect("use one-of markers or a Rust enum")] => PlainUnion {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Names the discriminator of a Go union.
    ///
    /// ```
    /// // +unionDiscriminator
    /// pub name: String,
    /// ```
    "unionDiscriminator" on [Anywhere] with [no_effect("use `+k8s:unionDiscriminator`")] => PlainUnionDiscriminator {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Names the feature gate of a field of a built-in type.
    ///
    /// ```
    /// // +featureGate=Foo
    /// pub name: String,
    /// ```
    "featureGate" on [Anywhere] with [no_effect(ITS_OWN)] => FeatureGate {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Sets the strategic merge patch strategy of a field.
    ///
    /// ```
    /// // +patchStrategy=merge
    /// pub name: String,
    /// ```
    "patchStrategy" on [Anywhere] with [no_effect("custom resources do not support strategic merge patches")] => PatchStrategy {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Names the merge key of strategic merge patches.
    ///
    /// ```
    /// // +patchMergeKey=name
    /// pub name: String,
    /// ```
    "patchMergeKey" on [Anywhere] with [no_effect("custom resources do not support strategic merge patches")] => PatchMergeKey {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `client-gen`.
    ///
    /// ```
    /// // +k8s:client-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:client-gen" on [Anywhere] with [no_effect(GENERATOR)] => ClientGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `lister-gen`.
    ///
    /// ```
    /// // +k8s:lister-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:lister-gen" on [Anywhere] with [no_effect(GENERATOR)] => ListerGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `informer-gen`.
    ///
    /// ```
    /// // +k8s:informer-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:informer-gen" on [Anywhere] with [no_effect(GENERATOR)] => InformerGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `applyconfiguration-gen`.
    ///
    /// ```
    /// // +k8s:applyconfiguration-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:applyconfiguration-gen" on [Anywhere] with [no_effect(GENERATOR)] => ApplyconfigurationGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `register-gen`.
    ///
    /// ```
    /// // +k8s:register-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:register-gen" on [Anywhere] with [no_effect(GENERATOR)] => RegisterGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `openapi-gen`.
    ///
    /// ```
    /// // +k8s:openapi-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:openapi-gen" on [Anywhere] with [no_effect(GENERATOR)] => OpenapiGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `openapi-gen`.
    ///
    /// ```
    /// // +k8s:openapi-model-package=true
    /// pub struct Foo {}
    /// ```
    "k8s:openapi-model-package" on [Anywhere] with [no_effect(GENERATOR)] => OpenapiModelPackage {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `protobuf-gen`.
    ///
    /// ```
    /// // +k8s:protobuf-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:protobuf-gen" on [Anywhere] with [no_effect(GENERATOR)] => ProtobufGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `defaulter-gen`.
    ///
    /// ```
    /// // +k8s:defaulter-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:defaulter-gen" on [Anywhere] with [no_effect(GENERATOR)] => DefaulterGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `defaulter-gen`.
    ///
    /// ```
    /// // +k8s:defaulter-gen-input=true
    /// pub struct Foo {}
    /// ```
    "k8s:defaulter-gen-input" on [Anywhere] with [no_effect(GENERATOR)] => DefaulterGenInput {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `conversion-gen`.
    ///
    /// ```
    /// // +k8s:conversion-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:conversion-gen" on [Anywhere] with [no_effect(GENERATOR)] => ConversionGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `conversion-gen`.
    ///
    /// ```
    /// // +k8s:conversion-gen:explicit-from=true
    /// pub struct Foo {}
    /// ```
    "k8s:conversion-gen:explicit-from" on [Anywhere] with [no_effect(GENERATOR)] => ConversionGenExplicitFrom {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `conversion-gen`.
    ///
    /// ```
    /// // +k8s:conversion-gen-external-types=true
    /// pub struct Foo {}
    /// ```
    "k8s:conversion-gen-external-types" on [Anywhere] with [no_effect(GENERATOR)] => ConversionGenExternalTypes {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `conversion-gen`.
    ///
    /// ```
    /// // +k8s:conversion-fn=true
    /// pub struct Foo {}
    /// ```
    "k8s:conversion-fn" on [Anywhere] with [no_effect(GENERATOR)] => ConversionFn {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `validation-gen`.
    ///
    /// ```
    /// // +k8s:validation-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `validation-gen`.
    ///
    /// ```
    /// // +k8s:validation-gen-input=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen-input" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGenInput {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `validation-gen`.
    ///
    /// ```
    /// // +k8s:validation-gen-scheme-registry=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen-scheme-registry" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGenSchemeRegistry {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `validation-gen`.
    ///
    /// ```
    /// // +k8s:validation-gen-test-fixture=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen-test-fixture" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGenTestFixture {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `validation-gen`.
    ///
    /// ```
    /// // +k8s:validation-gen-test-targets=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen-test-targets" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGenTestTargets {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `validation-gen`.
    ///
    /// ```
    /// // +k8s:validation-gen-nolint=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen-nolint" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGenNolint {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `prerelease-lifecycle-gen`.
    ///
    /// ```
    /// // +k8s:prerelease-lifecycle-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:prerelease-lifecycle-gen" on [Anywhere] with [no_effect(GENERATOR)] => PrereleaseLifecycleGen {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `prerelease-lifecycle-gen`.
    ///
    /// ```
    /// // +k8s:prerelease-lifecycle-gen:introduced=true
    /// pub struct Foo {}
    /// ```
    "k8s:prerelease-lifecycle-gen:introduced" on [Anywhere] with [no_effect(GENERATOR)] => PrereleaseLifecycleGenIntroduced {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `prerelease-lifecycle-gen`.
    ///
    /// ```
    /// // +k8s:prerelease-lifecycle-gen:deprecated=true
    /// pub struct Foo {}
    /// ```
    "k8s:prerelease-lifecycle-gen:deprecated" on [Anywhere] with [no_effect(GENERATOR)] => PrereleaseLifecycleGenDeprecated {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `prerelease-lifecycle-gen`.
    ///
    /// ```
    /// // +k8s:prerelease-lifecycle-gen:removed=true
    /// pub struct Foo {}
    /// ```
    "k8s:prerelease-lifecycle-gen:removed" on [Anywhere] with [no_effect(GENERATOR)] => PrereleaseLifecycleGenRemoved {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }

    /// Configures Kubernetes' `prerelease-lifecycle-gen`.
    ///
    /// ```
    /// // +k8s:prerelease-lifecycle-gen:replacement=true
    /// pub struct Foo {}
    /// ```
    "k8s:prerelease-lifecycle-gen:replacement" on [Anywhere] with [no_effect(GENERATOR)] => PrereleaseLifecycleGenReplacement {
        /// The value, which kgen ignores.
        "=" value: Option<Raw>,
    }
}

/// The text after the `=`.
#[derive(Clone, Debug)]
struct Raw(String);

impl Value for Raw {
    const TYPE: ValueType = ValueType::Raw;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        Ok(Self(parser.take_rest().trim_end().to_owned()))
    }

    fn write(&self) -> Option<String> {
        Some(self.0.clone())
    }
}
