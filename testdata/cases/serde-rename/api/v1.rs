//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub lower: Lower,
    pub upper: Upper,
    pub pascal: Pascal,
    pub camel: Camel,
    pub snake: Snake,
    pub screaming: Screaming,
    pub kebab: Kebab,
    pub train: Train,
    #[serde(rename = "x-y.z")]
    pub odd: String,
    pub r#type: String,
    pub r#in: i32,
    #[serde(rename(serialize = "both", deserialize = "both"))]
    pub same: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub struct Lower {
    pub baking_time: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct Upper {
    pub baking_time: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Pascal {
    pub baking_time: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Camel {
    pub baking_time_2_go: i32,
    pub r#where_is_it: i32,
    #[serde(rename = "as_written")]
    pub baking_hours: i32,
    pub __dunder: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct Snake {
    pub baking_time: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub struct Screaming {
    pub baking_time: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Kebab {
    pub baking_time: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all(serialize = "SCREAMING-KEBAB-CASE", deserialize = "SCREAMING-KEBAB-CASE"))]
pub struct Train {
    pub baking_time: i32,
}
