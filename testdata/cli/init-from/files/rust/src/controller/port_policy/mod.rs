//! The controllers of the kinds of `port.policy.example.com`.

pub mod toll;
