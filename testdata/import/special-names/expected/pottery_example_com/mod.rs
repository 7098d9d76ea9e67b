// Imported by kgen from postgresqls.pottery.example.com.

//! +groupName=pottery.example.com

pub mod v1;
