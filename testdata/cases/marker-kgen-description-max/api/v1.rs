//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// An oven for bread. This sentence stays.
#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    /// The desired state.
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    /// The plate. It is of stone, and this sentence is cut.
    // +kgen:description:max=20
    pub plate: Plate,
    /// All descriptions below are removed, too.
    // +kgen:description:max=0
    pub door: Plate,
    /// The text is here, and those of the items are removed.
    // +kgen:description:items:max=0
    pub plates: Vec<Plate>,
    pub heat: Heat,
    pub shelf: shelf::Shelf,
}

/// A plate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plate {
    /// The size in centimeters.
    pub size: i32,
}

/// The heat. The rest of the text is cut in all fields of the type.
// +kgen:description:max=12
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heat {
    /// The heat now. It is measured at the door.
    pub now: i32,
}

pub mod shelf {
    //! +kgen:description:max=0

    use serde::{Deserialize, Serialize};

    /// A shelf.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Shelf {
        /// The width in centimeters.
        pub width: i32,
    }
}
