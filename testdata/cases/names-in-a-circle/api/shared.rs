use crate::Target;

#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
pub struct Link {
    pub to: Target,
}
