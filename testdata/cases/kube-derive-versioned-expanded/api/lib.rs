//! The types of the case `kube-derive-versioned`, written as the macro expands them.
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The status is the same in all versions.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct KilnStatus {
    pub ready: bool,
}

pub mod v1alpha1 {
    use super::*;

    /// Kiln burns pots.
    #[kube(
        group = "pottery.example.org",
        version = "v1alpha1",
        kind = "Kiln",
        plural = "kilns",
        namespaced,
        status = KilnStatus,
        shortname = "kl",
        storage = false
    )]
    // +kgen:conversion:external
    // +kubebuilder:printcolumn:name=Heat,type=integer,JSONPath=".spec.heat"
    #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct KilnSpec {
        /// Degrees to reach.
        // +kubebuilder:validation:Minimum=0
        pub heat: i32,
        /// The old kind of fuel.
        #[serde(default)]
        pub fuel: Option<String>,
        /// The glazes of this version.
        #[serde(default)]
        pub glazes: Vec<Glaze>,
    }

    /// Glaze covers a pot.
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct Glaze {
        pub color: Color,
    }

    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub enum Color {
        Blue,
        Red,
    }
}

pub mod v1beta1 {
    use super::*;

    /// Kiln burns pots.
    #[kube(
        group = "pottery.example.org",
        version = "v1beta1",
        kind = "Kiln",
        plural = "kilns",
        namespaced,
        status = KilnStatus,
        shortname = "kl",
        storage = false
    )]
    // +kgen:conversion:external
    // +kubebuilder:printcolumn:name=Heat,type=integer,JSONPath=".spec.heat"
    #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct KilnSpec {
        /// Degrees to reach.
        // +kubebuilder:validation:Minimum=0
        pub heat: i32,
        /// The number of shelves, which had another name and type.
        pub boards: u16,
        /// The old kind of fuel.
        #[serde(default)]
        pub fuel: Option<String>,
        /// The glazes of this version.
        #[serde(default)]
        pub glazes: Vec<Glaze>,
    }

    /// Glaze covers a pot.
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct Glaze {
        pub color: Color,
    }

    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub enum Color {
        Blue,
        Green,
        Red,
    }
}

pub mod v1 {
    use super::*;

    /// Kiln burns pots.
    #[kube(
        group = "pottery.example.org",
        version = "v1",
        kind = "Kiln",
        plural = "kilns",
        namespaced,
        status = KilnStatus,
        shortname = "kl"
    )]
    // +kgen:conversion:external
    // +kubebuilder:printcolumn:name=Heat,type=integer,JSONPath=".spec.heat"
    #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct KilnSpec {
        /// Degrees to reach.
        // +kubebuilder:validation:Minimum=0
        pub heat: i32,
        /// The number of shelves, which had another name and type.
        pub shelves: i32,
        /// The old kind of fuel.
        #[serde(default)]
        #[deprecated = "use glazes"]
        pub deprecated_fuel: Option<String>,
        /// The glazes of this version.
        #[serde(default)]
        pub glazes: Vec<Glaze>,
    }

    /// Glaze covers a pot.
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct Glaze {
        pub color: Color,
        pub gloss: Option<bool>,
    }

    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub enum Color {
        Blue,
        Green,
        #[deprecated]
        DeprecatedRed,
    }
}

pub mod standalone {
    pub mod v1 {
        use kube::CustomResource;
        use schemars::JsonSchema;
        use serde::{Deserialize, Serialize};

        /// Older releases of the macro take single types, and call the key `k8s`.
        #[kube(group = "pottery.example.org", version = "v1", kind = "Tile")]
        #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
        pub struct WallTileSpec {
            pub depth: i32,
        }
    }

    pub mod v2alpha1 {
        use kube::CustomResource;
        use schemars::JsonSchema;
        use serde::{Deserialize, Serialize};

        /// Older releases of the macro take single types, and call the key `k8s`.
        #[kube(group = "pottery.example.org", version = "v2alpha1", kind = "Tile", storage = false)]
        #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
        pub struct WallTileSpec {
            pub width: Option<i32>,
            pub depth: i32,
        }
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

    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct VaseStatusWithChangedValues {
        pub changed_values: crate::tracked::ChangedValues,
        #[serde(flatten)]
        pub status: VaseStatus,
    }

    pub mod v1alpha1 {
        use super::*;

        /// A first try.
        /// Vase holds flowers.
        #[kube(group = "pottery.example.org", version = "v1alpha1", kind = "Vase", status = VaseStatusWithChangedValues, storage = false)]
        // +kgen:conversion:external
        #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
        pub struct VaseSpec {
            /// How wide the mouth is.
            pub mouth: u8,
            /// How it looks.
            pub form: Form,
        }

        /// A first try.
        /// Form is the outline.
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        pub struct Form {
            pub round: bool,
        }
    }

    pub mod v1beta1 {
        use super::*;

        /// Vase holds flowers.
        #[kube(group = "pottery.example.org", version = "v1beta1", kind = "Vase", status = VaseStatusWithChangedValues, storage = false)]
        // +kgen:conversion:external
        #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
        pub struct VaseSpec {
            /// How wide the neck is.
            pub opening: u8,
            /// How it looks.
            pub form: Form,
        }

        /// Form is the outline.
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        pub struct Form {
            pub round: bool,
        }
    }

    pub mod v1 {
        use super::*;

        /// Vase holds flowers.
        #[kube(group = "pottery.example.org", version = "v1", kind = "Vase", status = VaseStatusWithChangedValues)]
        // +kgen:conversion:external
        #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
        pub struct VaseSpec {
            /// How wide the neck is.
            pub neck: u8,
            /// How it looks.
            pub form: Form,
        }

        /// Form is the outline.
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        pub struct Form {
            pub round: bool,
        }
    }
}
