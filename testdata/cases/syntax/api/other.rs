pub struct Rudder {
    pub angle: i32,
