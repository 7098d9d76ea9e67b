// Imported by kgen from boxes.pottery.example.com and 7 more.

//! +groupName=pottery.example.com

pub mod v1;
