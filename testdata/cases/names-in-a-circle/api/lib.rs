//! Every module takes all names of the root, which takes all names of every module.

mod routes;
mod shared;
mod targets;

pub use self::{routes::*, shared::*, targets::*};
