// Imported by kgen from wheels.pottery.example.com.

//! +versionName=v1

mod wheel;

pub use wheel::*;
