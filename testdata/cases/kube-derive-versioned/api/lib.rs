use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stackable_versioned::versioned;

/// The status is the same in all versions.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct KilnStatus {
    pub ready: bool,
}

fn five() -> i32 {
    5
}

#[versioned(version(name = "v1alpha1"), version(name = "v1beta1"), version(name = "v1"))]
pub mod versioned {
    /// Kiln burns pots.
    #[versioned(crd(
        group = "pottery.example.org",
        plural = "kilns",
        status = KilnStatus,
        shortname = "kl",
        namespaced,
        crates(kube_core = kube::core),
    ))]
    // +kgen:conversion:external
    // +kubebuilder:printcolumn:name=Heat,type=integer,JSONPath=".spec.heat"
    #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct KilnSpec {
        /// Degrees to reach.
        // +kubebuilder:validation:Minimum=0
        heat: i32,

        /// The number of shelves, which had another name and type.
        #[versioned(
            added(since = "v1beta1", default = "five"),
            changed(since = "v1", from_name = "boards", from_type = "u16")
        )]
        shelves: i32,

        /// The old kind of fuel.
        #[versioned(deprecated(since = "v1", note = "use glazes"))]
        #[serde(default)]
        deprecated_fuel: Option<String>,

        /// The glazes of this version.
        #[serde(default)]
        glazes: Vec<Glaze>,
    }

    /// Glaze covers a pot.
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct Glaze {
        pub color: Color,
        #[versioned(added(since = "v1"))]
        pub gloss: Option<bool>,
    }

    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub enum Color {
        Blue,
        #[versioned(added(since = "v1beta1"))]
        Green,
        #[versioned(deprecated(since = "v1"))]
        DeprecatedRed,
    }
}

pub mod standalone {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use stackable_versioned::versioned;

    /// Older releases of the macro take single types, and call the key `k8s`.
    #[versioned(
        version(name = "v1"),
        version(name = "v2alpha1"),
        k8s(group = "pottery.example.org", kind = "Tile")
    )]
    #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
    pub struct WallTileSpec {
        #[versioned(added(since = "v2alpha1"))]
        width: Option<i32>,
        depth: i32,
    }
}

/// What the macro's own crate declares for values that a version does not have.
pub mod tracked {
    use std::collections::BTreeMap;

    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct ChangedValues {
        /// List of values needed when upgrading to a particular version.
        pub upgrades: BTreeMap<String, Vec<String>>,
    }
}

/// The status of a vase.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct VaseStatus {
    pub whole: bool,
}

pub mod vases {
    use super::*;

    #[versioned(
        version(name = "v1alpha1", doc = "A first try."),
        version(name = "v1beta1"),
        version(name = "v1"),
        crates(versioned = crate::tracked),
        options(k8s(experimental_conversion_tracking))
    )]
    pub mod versioned {
        /// Vase holds flowers.
        #[versioned(crd(group = "pottery.example.org", status = VaseStatus))]
        // +kgen:conversion:external
        #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
        pub struct VaseSpec {
            /// How wide the neck is.
            #[versioned(changed(since = "v1beta1", from_name = "mouth", from_docs = "How wide the mouth is."))]
            #[versioned(changed(since = "v1", from_name = "opening"))]
            neck: u8,
            /// How it looks.
            form: Form,
        }

        /// Form is the outline.
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        pub struct Form {
            round: bool,
        }
    }
}
