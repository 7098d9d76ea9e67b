//! Version `v1alpha1` of the group `port.policy.example.com`.

pub mod toll;
