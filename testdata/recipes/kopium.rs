// Written by kopium 0.24.1 for `testdata/import/kube-style/crd.yaml`, with `--docs`; its first lines are left out.

/// The desired state.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "pottery.example.com", version = "v1", kind = "Kiln", plural = "kilns")]
#[kube(namespaced)]
#[kube(status = "KilnStatus")]
#[kube(schema = "disabled")]
#[kube(selectable = ".spec.name")]
pub struct KilnSpec {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct KilnStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i32>,
}
