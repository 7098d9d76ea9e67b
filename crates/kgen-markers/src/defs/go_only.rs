//! Markers that only Go tools read. They are known, so that nobody is told of a misspelling, and they do nothing.

use crate::definition::markers;
use crate::value::{Error, Parser, Value, ValueType};

const CLONE: &str = "Rust types are copied with `Clone`";
const APPLY: &str = "`kgen applyconfiguration` writes apply configurations of every kind";
const GENERATOR: &str = "the generators of kgen are chosen on the command line or in `kgen.toml`";
const ITS_OWN: &str = "only Go tools read it";

markers! {
    family "go" "Markers that only Go tools read";

    /// Says whether a type is a root object; `true` shows that it is a kind.
    ///
    /// ```
    /// // +kubebuilder:object:root=true
    /// pub struct Foo {}
    /// ```
    "kubebuilder:object:root" on [Type] with [no_effect(CLONE)] => ObjectRoot {
        /// Whether it is one.
        "=" value: Option<bool>,
    }
    apply kind_sign |marker, sign| *sign = marker.value.unwrap_or(true);

    /// Asks for deep copies of a type or package.
    ///
    /// ```
    /// // +kubebuilder:object:generate=true
    /// pub struct Foo {}
    /// ```
    "kubebuilder:object:generate" on [Anywhere] with [no_effect(CLONE)] => ObjectGenerate {
        /// Whether they are written.
        "=" value: Option<bool>,
    }

    /// Asks for deep copies, in the old spelling.
    ///
    /// ```
    /// // +k8s:deepcopy-gen=package
    /// pub struct Foo {}
    /// ```
    "k8s:deepcopy-gen" on [Anywhere] with [no_effect(CLONE)] => DeepcopyGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Names the interface that deep copies return.
    ///
    /// ```
    /// // +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
    /// pub struct Foo {}
    /// ```
    "k8s:deepcopy-gen:interfaces" on [Anywhere] with [no_effect(CLONE)] => DeepcopyInterfaces {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Says how deep copies return interfaces.
    ///
    /// ```
    /// // +k8s:deepcopy-gen:nonpointer-interfaces=true
    /// pub struct Foo {}
    /// ```
    "k8s:deepcopy-gen:nonpointer-interfaces" on [Anywhere] with [no_effect(CLONE)] => DeepcopyNonPointer {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Asks for apply configurations of a type or package.
    ///
    /// ```
    /// // +kubebuilder:ac:generate=true
    /// pub struct Foo {}
    /// ```
    "kubebuilder:ac:generate" on [Anywhere] with [no_effect(APPLY)] => ApplyGenerate {
        /// Whether they are written.
        "=" value: Option<bool>,
    }

    /// Names the Go package of apply configurations.
    ///
    /// ```
    /// // +kubebuilder:ac:output:package=applyconfiguration
    /// pub struct Foo {}
    /// ```
    "kubebuilder:ac:output:package" on [Anywhere] with [no_effect(APPLY)] => ApplyPackage {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Asks for the help text of a marker of controller-gen.
    ///
    /// ```
    /// // +controllertools:marker:generateHelp:category=CRD
    /// pub struct Foo {}
    /// ```
    "controllertools:marker:generateHelp" on [Anywhere] with [no_effect(ITS_OWN)] => GenerateHelp {
        /// What Go tools read.
        "category" category: Option<Raw>,
    }

    /// Says that a Go type is an enumeration.
    ///
    /// ```
    /// // +enum
    /// pub struct Foo {}
    /// ```
    "enum" on [Anywhere] with [no_effect("a Rust enum is one without it")] => PlainEnum {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Says that a Go struct is a union.
    ///
    /// ```
    /// // +union
    /// pub struct Foo {}
    /// ```
    "union" on [Anywhere] with [no_effect("one-of markers and Rust enums say it")] => PlainUnion {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Names the discriminator of a Go union.
    ///
    /// ```
    /// // +unionDiscriminator
    /// pub name: String,
    /// ```
    "unionDiscriminator" on [Anywhere] with [no_effect("`+k8s:unionDiscriminator` is the marker that works")] => PlainUnionDiscriminator {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Names the gate of a field of a built-in type.
    ///
    /// ```
    /// // +featureGate=Foo
    /// pub name: String,
    /// ```
    "featureGate" on [Anywhere] with [no_effect(ITS_OWN)] => FeatureGate {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Says how strategic merge patches treat a field.
    ///
    /// ```
    /// // +patchStrategy=merge
    /// pub name: String,
    /// ```
    "patchStrategy" on [Anywhere] with [no_effect("custom resources have no strategic merge patch")] => PatchStrategy {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Names the key by which strategic merge patches merge.
    ///
    /// ```
    /// // +patchMergeKey=name
    /// pub name: String,
    /// ```
    "patchMergeKey" on [Anywhere] with [no_effect("custom resources have no strategic merge patch")] => PatchMergeKey {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `client-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:client-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:client-gen" on [Anywhere] with [no_effect(GENERATOR)] => ClientGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `lister-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:lister-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:lister-gen" on [Anywhere] with [no_effect(GENERATOR)] => ListerGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `informer-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:informer-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:informer-gen" on [Anywhere] with [no_effect(GENERATOR)] => InformerGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `applyconfiguration-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:applyconfiguration-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:applyconfiguration-gen" on [Anywhere] with [no_effect(GENERATOR)] => ApplyconfigurationGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `register-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:register-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:register-gen" on [Anywhere] with [no_effect(GENERATOR)] => RegisterGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `openapi-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:openapi-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:openapi-gen" on [Anywhere] with [no_effect(GENERATOR)] => OpenapiGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `openapi-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:openapi-model-package=true
    /// pub struct Foo {}
    /// ```
    "k8s:openapi-model-package" on [Anywhere] with [no_effect(GENERATOR)] => OpenapiModelPackage {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `protobuf-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:protobuf-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:protobuf-gen" on [Anywhere] with [no_effect(GENERATOR)] => ProtobufGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `defaulter-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:defaulter-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:defaulter-gen" on [Anywhere] with [no_effect(GENERATOR)] => DefaulterGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `defaulter-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:defaulter-gen-input=true
    /// pub struct Foo {}
    /// ```
    "k8s:defaulter-gen-input" on [Anywhere] with [no_effect(GENERATOR)] => DefaulterGenInput {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `conversion-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:conversion-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:conversion-gen" on [Anywhere] with [no_effect(GENERATOR)] => ConversionGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `conversion-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:conversion-gen:explicit-from=true
    /// pub struct Foo {}
    /// ```
    "k8s:conversion-gen:explicit-from" on [Anywhere] with [no_effect(GENERATOR)] => ConversionGenExplicitFrom {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `conversion-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:conversion-gen-external-types=true
    /// pub struct Foo {}
    /// ```
    "k8s:conversion-gen-external-types" on [Anywhere] with [no_effect(GENERATOR)] => ConversionGenExternalTypes {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `conversion-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:conversion-fn=true
    /// pub struct Foo {}
    /// ```
    "k8s:conversion-fn" on [Anywhere] with [no_effect(GENERATOR)] => ConversionFn {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `validation-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:validation-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `validation-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:validation-gen-input=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen-input" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGenInput {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `validation-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:validation-gen-scheme-registry=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen-scheme-registry" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGenSchemeRegistry {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `validation-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:validation-gen-test-fixture=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen-test-fixture" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGenTestFixture {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `validation-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:validation-gen-test-targets=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen-test-targets" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGenTestTargets {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `validation-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:validation-gen-nolint=true
    /// pub struct Foo {}
    /// ```
    "k8s:validation-gen-nolint" on [Anywhere] with [no_effect(GENERATOR)] => ValidationGenNolint {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `prerelease-lifecycle-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:prerelease-lifecycle-gen=true
    /// pub struct Foo {}
    /// ```
    "k8s:prerelease-lifecycle-gen" on [Anywhere] with [no_effect(GENERATOR)] => PrereleaseLifecycleGen {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `prerelease-lifecycle-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:prerelease-lifecycle-gen:introduced=true
    /// pub struct Foo {}
    /// ```
    "k8s:prerelease-lifecycle-gen:introduced" on [Anywhere] with [no_effect(GENERATOR)] => PrereleaseLifecycleGenIntroduced {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `prerelease-lifecycle-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:prerelease-lifecycle-gen:deprecated=true
    /// pub struct Foo {}
    /// ```
    "k8s:prerelease-lifecycle-gen:deprecated" on [Anywhere] with [no_effect(GENERATOR)] => PrereleaseLifecycleGenDeprecated {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `prerelease-lifecycle-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:prerelease-lifecycle-gen:removed=true
    /// pub struct Foo {}
    /// ```
    "k8s:prerelease-lifecycle-gen:removed" on [Anywhere] with [no_effect(GENERATOR)] => PrereleaseLifecycleGenRemoved {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }

    /// Steers `prerelease-lifecycle-gen` of Kubernetes.
    ///
    /// ```
    /// // +k8s:prerelease-lifecycle-gen:replacement=true
    /// pub struct Foo {}
    /// ```
    "k8s:prerelease-lifecycle-gen:replacement" on [Anywhere] with [no_effect(GENERATOR)] => PrereleaseLifecycleGenReplacement {
        /// What Go tools read.
        "=" value: Option<Raw>,
    }
}

/// Whatever stands behind the `=`.
#[derive(Clone, Debug)]
struct Raw;

impl Value for Raw {
    const TYPE: ValueType = ValueType::Raw;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        let _ = parser.take_rest();
        Ok(Self)
    }
}
