// Imported by kgen from kilns.pottery.example.com.

//! +groupName=pottery.example.com

pub mod v1;
