// Imported by kgen from boxes.pottery.example.com and 7 more.

//! +versionName=v1

mod box_;
mod deserialize;
mod option;
mod result;
mod self_;
mod serialize;
mod shared;
mod string;
mod vec;

pub use box_::*;
pub use deserialize::*;
pub use option::*;
pub use result::*;
pub use self_::*;
pub use serialize::*;
pub use shared::*;
pub use string::*;
pub use vec::*;
