//! +groupName=harbor.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TugSpec {
    pub engine: Engin,
    pub nothing: Zzyzx,
    pub list: Vec<crate::v1::Engines>,
    pub generic: Pair<String, Missing>,
    pub without_import: HashMap<String, String>,
    pub either: Option<Duration>,
    pub elsewhere: Vec<Rope>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Engine {
    pub rpm: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pair<A, B> {
    pub a: A,
    pub b: B,
}

pub mod parts {
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Rope {
        pub length: i32,
    }
}
