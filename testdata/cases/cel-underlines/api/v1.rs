use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Tug {
    pub metadata: ObjectMeta,
    pub spec: TugSpec,
}

/// The faulty part is behind escapes, in back quotes, on a further line, and behind letters of several bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
// +kubebuilder:validation:XValidation:rule="self.name != \"a\\\"b\" && self.nam != 'c'",message="one"
// +kubebuilder:validation:XValidation:rule=`self.name != "größe" && self.pwer > 1`,message="two"
// +kubebuilder:validation:XValidation:rule="self.name != 'x' &&
//   self.power > 'one'",message="three"
// +kubebuilder:validation:XValidation:rule="self.name != '\u00e9' & true",message="four"
// +kubebuilder:validation:XValidation:rule="self.power > 0",messageExpression="\"Größe: \" + self.nmae"
// +kubebuilder:validation:XValidation:rule="self.name == \"x\\\"y",message="five"
pub struct TugSpec {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub power: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, CustomResource, JsonSchema)]
#[kube(group = "harbor.example.org", version = "v1", kind = "Crane")]
#[kube(validation = "self.spec.lft > 1")]
#[kube(validation = ("self.spec.name != \"a\" && \
    self.spec.lift > 'b'", "lift"))]
#[kube(validation = Rule::new(r#"self.spec.name == "x" && self.spec.nam"#).message("name"))]
pub struct CraneSpec {
    pub name: String,
    pub lift: i32,
}
