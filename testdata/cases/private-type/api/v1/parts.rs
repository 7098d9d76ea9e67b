use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Drawer {
    pub depth: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Color {
    Oak,
    Pine,
}
