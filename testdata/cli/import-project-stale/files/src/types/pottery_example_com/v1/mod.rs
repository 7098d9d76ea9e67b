// Imported by kgen from kilns.pottery.example.com.

//! +versionName=v1

mod kiln;
mod wheel;

pub use kiln::*;
pub use wheel::*;
