//! Kubernetes' sample-controller in Rust. It uses code that kgen generates from the types in [`api`].
//!
//! | module | content | written by |
//! |---|---|---|
//! | [`api`] | the types, with markers | hand |
//! | [`generated`] | the objects, clients, listers, informers, apply configurations and conversions of these types | kgen |
//! | [`conversion`] | the translations between the versions | hand |
//! | [`reconcile`] | the decisions, as a pure function | hand |
//! | [`controller`] | handlers, a queue, workers | hand |
//! | [`options`], [`run`] | the flags, and the program that combines all parts | hand |

pub mod api;
pub mod controller;
pub mod conversion;
#[rustfmt::skip]
pub mod generated;
pub mod options;
pub mod reconcile;
pub mod run;
