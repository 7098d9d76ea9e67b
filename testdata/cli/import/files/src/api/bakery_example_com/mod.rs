// Imported by kgen from ovens.bakery.example.com.

//! +groupName=bakery.example.com

pub mod v1;
