// Imported by kgen from ovens.bakery.example.com.

//! +versionName=v1

mod oven;

pub use oven::*;
