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
    pub a_i8: i8,
    pub b_i16: i16,
    pub c_i32: i32,
    pub d_i64: i64,
    pub e_isize: isize,
    pub f_u8: u8,
    pub g_u16: u16,
    pub h_u32: u32,
    pub i_u64: u64,
    pub j_usize: usize,
    pub k_non_zero: std::num::NonZeroU16,
}
