use crate::*;

#[derive(kube::CustomResource, Clone, Debug, serde::Deserialize, serde::Serialize)]
#[kube(group = "rail.example.org", version = "v1", kind = "Route", namespaced)]
pub struct RouteSpec {
    pub target: Target,
    pub link: Link,
}
