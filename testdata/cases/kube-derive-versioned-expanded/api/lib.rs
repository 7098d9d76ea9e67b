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
