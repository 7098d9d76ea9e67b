//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

use k8s_openapi::ByteString;
use k8s_openapi::api::core as _;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, Time};
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub quantity: Quantity,
    pub port: IntOrString,
    pub time: Time,
    pub micro: MicroTime,
    pub pause: kube::core::Duration,
    pub raw: RawExtension,
    pub json: JSON,
    pub value: serde_json::Value,
    pub object: serde_json::Map<String, serde_json::Value>,
    pub secret: ByteString,
}
