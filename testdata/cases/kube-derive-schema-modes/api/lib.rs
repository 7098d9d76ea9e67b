use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Without `JsonSchema`; the API server wants a schema all the same.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize)]
#[kube(group = "inn.example.org", version = "v1", kind = "Guest", namespaced, schema = "disabled")]
pub struct GuestSpec {
    pub name: String,
}

/// The derive makes no schema, the source has one.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "inn.example.org", version = "v1", kind = "Room", schema = "manual")]
pub struct RoomSpec {
    pub number: u8,
}

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "inn.example.org", version = "v1", kind = "Meal", schema = "derived", singular = "dish")]
pub struct MealSpec {
    pub courses: u8,
}
