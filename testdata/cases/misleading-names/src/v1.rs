use chrono::TimeDelta;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

mod v1beta2;

#[derive(Clone, Debug)]
pub struct Kiln {
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KilnSpec {
    pub since: TimeDelta,
    pub until: chrono::WeekdaySet,
    pub door: v1beta2::Door,
}
