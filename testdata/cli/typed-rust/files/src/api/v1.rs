//! +groupName=ceramics.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// Kiln burns pots.
// +genclient
pub struct Kiln {
    pub metadata: ObjectMeta,
}

/// Tile covers a wall.
pub struct Tile {
    pub metadata: ObjectMeta,
}
