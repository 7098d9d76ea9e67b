#[derive(kube::CustomResource, Clone, Debug, serde::Deserialize, serde::Serialize)]
#[kube(group = "mint.example.org", version = "v1", kind = "Note")]
pub struct NoteSpec {
    pub paper: Unknown,
}
