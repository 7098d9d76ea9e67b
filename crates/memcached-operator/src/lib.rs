//! operator-sdk's Memcached sample in Rust, written as authors who know kube write operators: the types derive
//! `CustomResource`, and kube's `Controller` calls the reconciler. kgen adds the manifests, and informers that serve the
//! controller and its listers with one watch for each kind.
//!
//! | module | what it holds |
//! |---|---|
//! | [`api`] | the types, with kube's attributes and kgen's markers |
//! | [`admission`] | what the webhooks fill in and refuse, as pure functions |
//! | [`reconcile`] | what is to be done, as a pure function |
//! | [`controller`] | kube's controller, fed by informers, and carrying out what was decided |
//! | [`options`], [`run`] | flags, and everything put together |

pub mod admission;
pub mod api;
pub mod controller;
pub mod options;
pub mod reconcile;
pub mod run;
