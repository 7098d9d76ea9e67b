pub mod broken;
pub mod other;
pub mod v1;
