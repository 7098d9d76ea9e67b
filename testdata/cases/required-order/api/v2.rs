//! Rule 5.
//! +groupName=mill.example.org
//! +kubebuilder:validation:Optional

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    /// +required
    pub spec: MillSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// +kubebuilder:default=4
    pub sails: i32,
    /// +kubebuilder:validation:Required
    pub name: String,
    pub stones: Option<i32>,
    /// The module of the struct counts, not that of its user.
    pub inner: Option<inner::Inner>,
}

pub mod inner {
    //! +kubebuilder:validation:Optional

    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Inner {
        pub a: Option<i32>,
    }
}
