//! +groupName=apps.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

// +genclient
pub struct Tile {
    pub metadata: ObjectMeta,
}
