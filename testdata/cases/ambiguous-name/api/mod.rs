pub mod engine;
pub mod rudder;
pub mod v1;
