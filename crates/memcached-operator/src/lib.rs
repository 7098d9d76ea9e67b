//! operator-sdk's Memcached sample in Rust, in the style of kube: the types derive `CustomResource`, and kube's
//! `Controller` calls the reconciler. kgen adds the manifests, and informers with one watch per kind for the controller and
//! its listers.
//!
//! | module | content |
//! |---|---|
//! | [`api`] | the types, with kube's attributes and kgen's markers |
//! | [`admission`] | the defaults and checks of the webhooks, as pure functions |
//! | [`reconcile`] | the decisions, as a pure function |
//! | [`controller`] | kube's controller, connected to informers, which performs the actions |
//! | [`options`], [`run`] | the flags, and the program that combines all parts |

pub mod admission;
pub mod api;
pub mod controller;
pub mod options;
pub mod reconcile;
pub mod run;
