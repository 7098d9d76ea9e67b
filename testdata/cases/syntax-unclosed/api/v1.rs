pub struct Rudder {
    pub angle: i32,
    pub blades: Vec<Blade>,

pub struct Blade {
    pub metres: i32,
}
