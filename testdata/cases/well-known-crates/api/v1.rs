//! +groupName=bakery.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Oven {
    pub metadata: ObjectMeta,
    pub spec: OvenSpec,
}

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use chrono::{DateTime, NaiveDate, Utc};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OvenSpec {
    pub at: DateTime<Utc>,
    pub day: NaiveDate,
    pub stamp: jiff::Timestamp,
    pub url: url::Url,
    pub id: uuid::Uuid,
    pub address: IpAddr,
    pub four: Ipv4Addr,
    pub six: Ipv6Addr,
    pub version: semver::Version,
    pub bytes: bytes::Bytes,
    pub map: indexmap::IndexMap<String, String>,
    pub set: indexmap::IndexSet<String>,
    pub price: rust_decimal::Decimal,
    pub timeout: std::time::Duration,
}
