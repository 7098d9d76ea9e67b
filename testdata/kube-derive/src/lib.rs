//! Kinds written with kube-derive: every part of its attributes, and every shape of serde that it can describe.
//!
//! The test compares, kind by kind, the definition that the derive makes when it runs with the one that kgen reads.

pub mod attributes;
pub mod checks;
pub mod choices;
pub mod computed;
pub mod corners;
pub mod defaults;
pub mod definitions;
pub mod expressions;
pub mod forms;
pub mod integers;
pub mod kubernetes;
pub mod oddities;
pub mod operators;
pub mod refused;
pub mod rules;
pub mod shapes;
pub mod stand_ins;
pub mod texts;
pub mod validation;
pub mod written;
