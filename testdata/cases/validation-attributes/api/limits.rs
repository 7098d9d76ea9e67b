pub const LONGEST: u32 = SHORT * 4;
pub const SHORT: u32 = 1 << 4;
