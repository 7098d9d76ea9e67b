#[derive(Serialize, Deserialize)]
pub struct Anchor {
    pub flukes: u8,
}
