use serde::{Deserialize, Serialize};

pub mod metal {
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Iron {
        pub iron: i32,
    }

    pub mod deep {
        pub use super::Iron as Steel;
        pub use super::super::Clay as Loam;
    }
}

pub mod prelude {
    pub use super::metal::*;
    pub use super::Clay;
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clay {
    pub clay: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Brick {
    pub brick: i32,
}

/// Shadowed by what is declared where it is used.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Door {
    pub wrong: i32,
}
