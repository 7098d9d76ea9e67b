#[cfg(feature = "data")]
pub mod data {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Data {
        pub size: i32,
        #[cfg(feature = "usual")]
        pub usual: i32,
    }
}

#[cfg(feature = "deep")]
pub mod deep {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Deep {
        pub size: i32,
    }
}

#[cfg(feature = "weak")]
pub mod weak {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Weak {
        pub size: i32,
    }
}
