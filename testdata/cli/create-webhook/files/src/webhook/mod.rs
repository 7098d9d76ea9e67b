//! What the API server asks before it takes an object.

pub mod webapp;
