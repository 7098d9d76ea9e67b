//! Two versions: kube-derive stores every version of which nothing says that it is not stored.

pub mod v1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// The first version.
    #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
    #[kube(group = "pottery.example.org", version = "v1", kind = "Kiln", namespaced)]
    pub struct KilnSpec {
        /// How hot it gets.
        pub degrees: i32,
    }
}

pub mod v2 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// The next version.
    #[derive(Clone, Debug, CustomResource, Deserialize, Serialize, JsonSchema)]
    #[kube(group = "pottery.example.org", version = "v2", kind = "Kiln", namespaced, storage = false)]
    pub struct KilnSpec {
        /// How hot it gets.
        pub degrees: i64,
    }
}
