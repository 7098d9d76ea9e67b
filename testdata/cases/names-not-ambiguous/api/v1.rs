//! Two globs that reach one type are not ambiguous, and an explicit import wins over a glob.
//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use self::a::*;
use self::b::*;
use self::b::Peel;

mod a {
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Tray {
        pub loaves: i32,
    }

    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Peel {
        pub wrong: i32,
    }
}

mod b {
    use serde::{Deserialize, Serialize};

    pub use super::a::Tray;

    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Peel {
        pub right: i32,
    }
}

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub tray: Tray,
    pub peel: Peel,
}
