// +groupName=other.example.org
// +versionName=v1alpha3

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct Dam {
    pub metadata: ObjectMeta,
}
