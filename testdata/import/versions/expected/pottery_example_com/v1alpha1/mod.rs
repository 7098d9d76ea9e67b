// Imported by kgen from kilns.pottery.example.com.

//! +versionName=v1alpha1

mod kiln;

pub use kiln::*;
