pub mod prelude {
    pub use crate::Chart;
}

#[derive(Serialize, Deserialize)]
pub struct Chart {
    pub scale: i64,
}
