pub mod sizes;

pub const LABEL: usize = 2 * sizes::MOST;
pub static PATTERN: &str = "^[a-z]+$";
