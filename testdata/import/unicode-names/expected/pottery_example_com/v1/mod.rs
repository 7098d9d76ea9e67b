// Imported by kgen from kilns.pottery.example.com.

//! +versionName=v1

mod kiln;

pub use kiln::*;
