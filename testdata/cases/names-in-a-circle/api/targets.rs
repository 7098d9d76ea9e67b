#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
pub struct Target {
    pub name: String,
}
