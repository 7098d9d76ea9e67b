pub const MOST: usize = 63;
pub const LEAST: i32 = 1;
pub const HOTTEST: i32 = 1300;
pub const SHORT: u32 = 12;
