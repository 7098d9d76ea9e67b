//! Every scalar.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Numbers and texts.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Scale", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct ScaleSpec {
    pub flag: bool,
    pub letter: char,
    pub text: String,
    pub tiny: i8,
    pub small: i16,
    pub medium: i32,
    pub large: i64,
    pub size: isize,
    pub byte: u8,
    pub port: u16,
    pub count: u32,
    pub total: u64,
    pub length: usize,
    pub optional_count: Option<u32>,
    pub counts: Vec<u16>,
    pub not_zero: std::num::NonZeroU16,
    pub not_zero_tiny: std::num::NonZeroI8,
    pub not_zero_small: std::num::NonZeroI16,
    pub not_zero_medium: std::num::NonZeroI32,
    pub not_zero_large: std::num::NonZeroI64,
    pub not_zero_size: std::num::NonZeroIsize,
    pub not_zero_length: std::num::NonZeroUsize,
    pub not_zero_generic: std::num::NonZero<i32>,
    pub address: std::net::Ipv4Addr,
    pub address6: std::net::Ipv6Addr,
    pub path: std::path::PathBuf,
}

/// Numbers that may be rounded.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Thermometer",
    namespaced
)]
pub struct ThermometerSpec {
    pub half: f32,
    pub whole: f64,
    pub maybe: Option<f64>,
}
