use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
}

pub mod deeper {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

    #[derive(Clone, Debug)]
    pub struct Sail {
        pub metadata: ObjectMeta,
    }
}

pub mod inline {
    // +groupName=inline.example.org
    // +versionName=v2

    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

    #[derive(Clone, Debug)]
    pub struct Stone {
        pub metadata: ObjectMeta,
    }
}
