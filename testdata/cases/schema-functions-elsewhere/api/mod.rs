pub mod clay;
pub mod v1;
