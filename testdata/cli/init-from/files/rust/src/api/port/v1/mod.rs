//! Version `v1` of the group `port.example.com`.

pub mod berth;
pub mod dock;
pub mod shared;
