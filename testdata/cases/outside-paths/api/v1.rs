use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

use super::other::Part;

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: Part,
}
