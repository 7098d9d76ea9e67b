//! +groupName=mill.example.org
//! +versionName=v1

pub mod skipped;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// +kubebuilder:skip
#[derive(Clone, Debug)]
pub struct Draft {
    pub metadata: ObjectMeta,
    pub broken: i128,
}

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
}

mod inline {
    //! +kubebuilder:skip

    pub struct Other {
        pub metadata: super::ObjectMeta,
    }
}
