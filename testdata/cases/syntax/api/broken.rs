pub struct Engine {
    pub rpm i32,
}
