//! A feature that the command line misspells.

pub mod v1 {
    //! +groupName=bakery.example.org

    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

    pub struct Oven {
        pub metadata: ObjectMeta,
        #[cfg(feature = "steam")]
        pub steam: Option<bool>,
    }
}
