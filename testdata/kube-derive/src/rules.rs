//! Rules in CEL, and how parts of an object merge.

use std::collections::BTreeMap;

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rules on the root, the spec, fields.
#[derive(CustomResource, KubeSchema, Clone, Debug, Serialize, Deserialize)]
#[kube(
    group = "pottery.example.com",
    version = "v1",
    kind = "Contract",
    namespaced,
    validation = "self.metadata.name.size() < 20",
    validation = ("self.spec.parties.size() > 0", "someone must sign"),
    validation = Rule::new("self.spec.amount > 0").message("costs something").reason(Reason::FieldValueInvalid)
)]
#[x_kube(validation = Rule::new("self.amount < 1000").message(Message::Expression("self.amount > 5000 ? 'far too much' : 'too much'".into())))]
#[x_kube(validation = ("has(self.note)", "needs a note"))]
#[serde(rename_all = "camelCase")]
pub struct ContractSpec {
    #[x_kube(validation = "self != 13")]
    #[x_kube(validation = Rule::new("self >= oldSelf").message("only grows"))]
    pub amount: i32,
    /// What it says.
    #[x_kube(validation = ("self.size() > 0", "must say something"))]
    pub note: Option<String>,
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".to_string()]))]
    pub parties: Vec<Party>,
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub tags: Vec<String>,
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub lines: Vec<String>,
    #[x_kube(merge_strategy = MapMerge::Granular)]
    pub prices: BTreeMap<String, i32>,
    #[x_kube(merge_strategy = MapMerge::Atomic)]
    pub totals: BTreeMap<String, i32>,
    pub inner: Inner,
}

/// Who signs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Party {
    pub name: String,
}

/// Rules further inside.
#[derive(KubeSchema, Clone, Debug, Serialize, Deserialize)]
#[x_kube(validation = Rule::new("self.low <= self.high").field_path(".high"))]
pub struct Inner {
    pub low: i32,
    #[x_kube(validation = Rule::new("self != 0"))]
    pub high: i32,
}
