use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "bakery.example.org", version = "v1", kind = "Oven", namespace)]
#[kube(shortnames = "ov", unheard_of = "by kgen")]
#[serde(rename_al = "camelCase")]
pub struct OvenSpec {
    #[serde(defualt)]
    pub tray_count: i32,
    pub recipe: Recipe,
    pub shelf: Shelf,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum Recipe {
    #[serde(renam = "bread")]
    Bread,
    Cake,
}

/// A type parameter is missing where it is used, a choice can never be left out.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Shelf {
    pub sort: Sorted,
    // +k8s:unionMember
    pub tray: i32,
    // +k8s:unionMember
    pub rack: Option<i32>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Sorted<Item> {
    pub items: Vec<Item>,
}
