//! The controllers of the kinds of the core group.

pub mod pod;
