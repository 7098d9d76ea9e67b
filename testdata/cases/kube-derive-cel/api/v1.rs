use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Clone, Debug, Serialize, Deserialize)]
#[kube(
    group = "court.example.org",
    version = "v1",
    kind = "Trial",
    namespaced,
    validation = "self.spec.year > 'early'",
    validation = ("self.spec.jurors.all(a, self.spec.jurors.exists(b, a == b))", "all are there")
)]
#[x_kube(validation = Rule::new("self.year > 2000").message(Message::Expression("self.year".into())))]
pub struct TrialSpec {
    #[x_kube(validation = "self.size() > 0")]
    pub year: i32,
    pub jurors: Vec<String>,
}
