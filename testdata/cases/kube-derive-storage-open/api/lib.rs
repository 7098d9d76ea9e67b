//! Several versions, and code that is not run decides which is stored.

pub mod v1beta1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[kube(group = "tide.example.org", version = "v1beta1", kind = "Gauge")]
    pub struct GaugeSpec {
        pub place: String,
    }
}

pub mod v1 {
    use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[kube(group = "tide.example.org", version = "v1", kind = "Gauge")]
    pub struct GaugeSpec {
        pub place: String,
        #[serde(default = "volume")]
        pub volume: Quantity,
    }

    fn volume() -> Quantity {
        Quantity("8Gi".to_string())
    }
}
