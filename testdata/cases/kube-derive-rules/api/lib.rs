use std::collections::BTreeMap;

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

pub const IMMUTABLE: &str = "self == oldSelf";

#[derive(CustomResource, KubeSchema, Clone, Debug, Serialize, Deserialize)]
#[kube(
    group = "court.example.org",
    version = "v1",
    kind = "Trial",
    namespaced,
    validation = "self.metadata.name.size() < 40",
    validation = ("self.spec.jurors.size() > 0", "somebody must judge"),
    validation = Rule::new("self.spec.year > 1900")
        .message(Message::Expression("self.spec.year > 1800 ? 'a little too early' : 'far too early'".into()))
        .reason(Reason::FieldValueInvalid)
        .field_path(".spec.year")
)]
#[x_kube(validation = Rule::new("has(self.verdict) || self.year > 2000").message("old trials have ended"))]
#[serde(rename_all = "camelCase")]
pub struct TrialSpec {
    #[x_kube(validation = Rule::new(IMMUTABLE).message("stays as it is"))]
    // +kubebuilder:validation:XValidation:rule="self < 3000"
    pub year: i32,
    #[x_kube(validation = Rule { rule: "self != ''".into(), message: Some("says something".into()), ..Default::default() })]
    #[x_kube(validation = Rule::new(concat!("oldSelf.hasValue() || ", "self != 'none'")).optional_old_self(true))]
    pub verdict: Option<String>,
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".to_string()]))]
    pub jurors: Vec<Juror>,
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub tags: Vec<String>,
    #[x_kube(merge_strategy = kube::core::ListMerge::Atomic)]
    pub pages: Vec<String>,
    #[x_kube(merge_strategy = MapMerge::Granular)]
    pub costs: BTreeMap<String, i32>,
    /// kube has a keyword for structs that the API server does not know.
    #[x_kube(merge_strategy = StructMerge::Atomic)]
    pub room: Room,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Juror {
    pub name: String,
}

#[derive(KubeSchema, Clone, Debug, Serialize, Deserialize)]
#[x_kube(validation = "self.rows > 0")]
pub struct Room {
    #[x_kube(validation = "self < 100")]
    pub rows: i32,
}
