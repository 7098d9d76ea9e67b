// Imported by kgen from kilns.pottery.example.com.

//! +versionName=v0

mod kiln;

pub use kiln::*;
