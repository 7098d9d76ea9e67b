//! +groupName=names.example.com
//! +groupGoName=OtherNames
//! +versionName=v1
//! A group with the same first part as another one.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// A kind without a spec.
// +genclient
// +genclient:noVerbs
// +genclient:method=Type,verb=get
#[derive(Clone, Debug)]
pub struct Clientset {
    /// Names and labels.
    pub metadata: ObjectMeta,
    /// Whether it is on.
    pub on: bool,
}
