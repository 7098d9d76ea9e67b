//! Versions that disagree. Programs merge their definitions into that of the stored version, which decides.

pub mod v1alpha1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[kube(group = "tide.example.org", version = "v1alpha1", kind = "Buoy", namespaced)]
    #[kube(shortname = "bu", category = "water", label("stage", "trial"), annotation("team", "tide"))]
    pub struct BuoySpec {
        pub place: String,
    }
}

pub mod v1 {
    use kube::CustomResource as Kind;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// `scale` without a status has no effect in kube-derive. The derive has another name here.
    #[derive(Kind, Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[kube(group = "tide.example.org", version = "v1", kind = "Buoy", namespaced)]
    #[kube(shortname = "b", annotation("team", "harbor"))]
    #[kube(scale(spec_replicas_path = ".spec.lamps", status_replicas_path = ".status.lamps"))]
    pub struct BuoySpec {
        pub place: String,
        #[serde(default)]
        pub lamps: i32,
    }
}
