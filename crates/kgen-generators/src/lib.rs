//! From the API model to artifacts: one module a product, and the checks that come before it.
//!
//! Nothing here knows about source text: every question is answered by the model. A generator takes the API and its
//! options and returns artifacts and problems; it reads and writes no files.

mod artifact;
mod check;
pub mod crd;
pub mod rbac;
pub mod rust;
pub mod webhook;
pub mod yaml;

pub use artifact::Artifact;
