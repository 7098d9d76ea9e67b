// Imported by kgen from kilns.pottery.example.com.

//! +groupName=pottery.example.com

pub mod v0;
pub mod v1;
pub mod v1alpha1;
