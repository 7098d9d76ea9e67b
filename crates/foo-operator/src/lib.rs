//! Kubernetes' sample-controller in Rust, on code that kgen generates from the types in [`api`].
//!
//! | module | what it holds | written by |
//! |---|---|---|
//! | [`api`] | the types, with markers | hand |
//! | [`generated`] | the objects, clients, listers, informers and apply configurations of these types | kgen |
//! | [`reconcile`] | what is to be done, as a pure function | hand |
//! | [`controller`] | what has changed, a queue, workers | hand |
//! | [`options`], [`run`] | flags, and everything put together | hand |

pub mod api;
pub mod controller;
#[rustfmt::skip]
pub mod generated;
pub mod options;
pub mod reconcile;
pub mod run;
