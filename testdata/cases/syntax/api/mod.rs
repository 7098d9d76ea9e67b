pub mod broken;
pub mod v1;
