//! +groupName=mill.example.org

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Mill {
    pub metadata: ObjectMeta,
    pub spec: MillSpec,
}

use std::collections::BTreeMap;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MillSpec {
    /// +kubebuilder:default=5
    pub a_number: i32,
    /// +kubebuilder:default:=5
    pub b_colon: i32,
    /// +kubebuilder:default=true
    pub c_bool: bool,
    /// +kubebuilder:default=plain text
    pub d_bare: String,
    /// +kubebuilder:default="quoted, text"
    pub e_quoted: String,
    /// +kubebuilder:default=`raw \d`
    pub f_raw: String,
    /// +kubebuilder:default={a,b}
    pub g_braces: Vec<String>,
    /// +kubebuilder:default=a;b
    pub h_legacy: Vec<String>,
    /// +kubebuilder:default=["a","b"]
    pub i_json: Vec<String>,
    /// +kubebuilder:default={}
    pub j_empty_list: Vec<String>,
    /// +kubebuilder:default={}
    pub k_empty_map: BTreeMap<String, String>,
    /// +kubebuilder:default={x: 1, "y z": 2}
    pub l_map: BTreeMap<String, i32>,
    /// +kubebuilder:default={name: "n", list: {1, 2}, inner: {deep: true}}
    pub m_object: Outer,
    /// +default={"name": "n", "list": [], "inner": {"deep": false}}
    pub n_json_object: Outer,
    /// +kubebuilder:default=100Mi
    pub o_quantity: String,
    /// +kubebuilder:default=2024-01-15
    pub p_date: String,
    /// +kubebuilder:default=1.2.3
    pub q_version: String,
    /// +kubebuilder:default="true"
    pub r_text_true: String,
    /// +kubebuilder:default=-3
    pub s_negative: i64,
    /// +kubebuilder:default=""
    pub t_empty: String,
    /// +kubebuilder:default=[]
    pub u_brackets: Vec<i32>,
    /// +kubebuilder:default=Wind
    pub v_enum: Drive,
    /// +kubebuilder:default={}
    pub w_alias: Names,
    /// +kubebuilder:default={{"a","b"},{"c"}}
    pub x_nested: Vec<Vec<String>>,
    /// +default=9007199254740993
    pub y_exact: i64,
}

pub type Names = Vec<String>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Drive {
    Wind,
    Water,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outer {
    pub name: String,
    pub list: Vec<i32>,
    pub inner: Inner,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Inner {
    pub deep: bool,
}
