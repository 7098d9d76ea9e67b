// Imported by kgen from postgresqls.pottery.example.com.

//! +versionName=v1

mod postgresql;

pub use postgresql::*;
