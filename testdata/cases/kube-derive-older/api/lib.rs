//! As kube 0.98 and schemars 0.8 want it written.

use kube::{CELSchema, CustomResource};
use lazy_static::lazy_static;
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use validator::Validate;

lazy_static! {
    /// What a call sign looks like.
    static ref CALL_SIGN: Regex = Regex::new(r"^[A-Z]{2}[0-9]+$").unwrap();
    static ref LOCATOR: Regex = Regex::new("^[A-R]{2}[0-9]{2}$").unwrap();
}

#[derive(CustomResource, CELSchema, Clone, Debug, Serialize, Deserialize, Validate)]
#[kube(
    group = "radio.example.org",
    version = "v1beta1",
    kind = "Station",
    struct = "StationResource",
    namespaced,
    rule = Rule::new("self.metadata.name != 'x'").message("not x")
)]
#[cel_validate(rule = Rule::new("self.watts < 1500").message("too loud").reason(Reason::FieldValueInvalid))]
#[serde(rename_all = "camelCase")]
pub struct StationSpec {
    #[cel_validate(rule = Rule::new("self == oldSelf").message("stays as it is"))]
    pub watts: u16,
    #[validate(regex = "CALL_SIGN")]
    pub call_sign: String,
    #[validate(regex(path = "LOCATOR"))]
    pub locator: Option<String>,
    #[validate(length(min = 1, max = 12), rule = "does nothing")]
    pub operator: String,
    #[validate(range(min = "0", max = 30))]
    pub band: i32,
    #[cel_validate(rule = "self != ''".into())]
    #[schemars(default)]
    pub note: Option<String>,
}
