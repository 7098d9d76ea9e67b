//! Version `v2` of the group `port.example.com`.

pub mod berth;
