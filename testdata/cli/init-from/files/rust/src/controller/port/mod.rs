//! The controllers of the kinds of `port.example.com`.

pub mod dock;
