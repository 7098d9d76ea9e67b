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
    pub camel: Camel,
    pub snake: Snake,
    pub screaming: Screaming,
    pub kebab: Kebab,
    pub fields: Fields,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lower {
    DarkRye,
    HTTPBread,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Upper {
    DarkRye,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Camel {
    DarkRye,
    HTTPBread,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Snake {
    DarkRye,
    HTTPBread,
    Loaf2,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Screaming {
    DarkRye,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kebab {
    DarkRye,
    #[serde(rename = "Half & Half")]
    Mixed,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Fields {
    DarkRye { baking_time: i32 },
    #[serde(rename_all = "PascalCase")]
    LightRye { baking_time: i32 },
    WhiteBread {
        #[serde(rename = "t")]
        baking_time: i32,
    },
}
