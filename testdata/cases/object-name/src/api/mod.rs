//! +groupName=roads.example.org
//! +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

pub struct HTTPRoute {
    pub metadata: ObjectMeta,
}

/// +kubebuilder:resource:path=roads,singular=road
pub struct HttpRoute {
    pub metadata: ObjectMeta,
}

/// Its client would be called `AllKilns`, like that of all kilns; neither of the two has a client.
/// +kubebuilder:resource:path=allkilns
pub struct AllKiln {
    pub metadata: ObjectMeta,
}

pub struct Kiln {
    pub metadata: ObjectMeta,
}
