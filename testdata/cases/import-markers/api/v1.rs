//! +groupName=pottery.example.com
//! +versionName=v0

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};

/// A kiln.
// +kgen:names:kind=kiln,listKind=kilnItems
// +kgen:allow=json-path
// +kubebuilder:printcolumn:name=Nothing,type=string,JSONPath=.spec.missing
// +kubebuilder:pruning:PreserveUnknownFields
pub struct Kiln {
    // +k8s:subfield(name)=+k8s:maxLength=63
    // +k8s:subfield(name)=+kubebuilder:validation:Pattern=`^[a-z]+$`
    pub metadata: ObjectMeta,
    pub spec: KilnSpec,
}

/// What the kiln is for.
// +kgen:validation:OneOf=[{"required": ["name"]}, {"required": ["size"]}]
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KilnSpec {
    /// The name.
    // +kgen:validation:AnyOf=[{"minLength": 5}, {"pattern": "^x"}]
    // +kgen:validation:AllOf=[{"pattern": "^a"}, {"pattern": "z$"}]
    // +kgen:validation:Not={"enum": ["root"]}
    // +kgen:description="The name.\n\n\nOf the kiln. "
    pub name: Option<String>,

    /// The size.
    // +kubebuilder:validation:Minimum=1
    // +kubebuilder:validation:Maximum=9.2e18
    // +kubebuilder:validation:MaxLength=5
    // +kubebuilder:validation:Enum=1;"large"
    pub size: Option<IntOrString>,

    /// The shelves.
    // +kgen:items:description="A shelf."
    // +kgen:validation:items:Not={"enum": ["top"]}
    pub shelves: Option<Vec<Option<String>>>,

    /// The labels.
    // +k8s:eachVal=+kgen:description="A label."
    // +k8s:eachVal=+kubebuilder:validation:XValidation:rule="self != 'a'"
    // +k8s:eachVal=+kubebuilder:validation:XValidation:rule="self != 'b'"
    // +k8s:eachVal=+kubebuilder:validation:MaxLength=8
    // +kubebuilder:validation:MaxProperties=8
    pub labels: Option<BTreeMap<String, String>>,

    /// The program.
    // +default={"steps": [null, "a"]}
    pub program: Option<Program>,

    // +kgen:allow=contradicting-bounds
    // +kubebuilder:validation:Maximum=9999999999
    pub count: Option<i32>,

    // +kgen:allow=invalid-example
    // +kubebuilder:example=5
    pub example: Option<String>,

    // +kgen:allow=invalid-enum-value
    // +kubebuilder:validation:MaxLength=1
    // +kubebuilder:validation:Enum=a;bcd
    pub choice: Option<String>,

    // +nullable
    // +kubebuilder:validation:Enum=a;null
    pub nothing: Option<String>,
}

/// A program.
#[derive(Serialize, Deserialize)]
pub struct Program {
    pub steps: Vec<Option<String>>,
}
