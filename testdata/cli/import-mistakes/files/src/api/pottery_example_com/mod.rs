// Imported by kgen from wheels.pottery.example.com.

//! +groupName=pottery.example.com

pub mod v1;
