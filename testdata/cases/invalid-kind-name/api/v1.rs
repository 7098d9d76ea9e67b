//! The names that follow from the kind are not told as problems of their own.
//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct Mühle {
    pub metadata: ObjectMeta,
}
