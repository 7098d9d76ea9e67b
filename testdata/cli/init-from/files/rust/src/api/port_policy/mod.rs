//! +groupName=port.policy.example.com
//! +groupGoName=port_policy
//! The kinds of `port.policy.example.com`.

pub mod v1alpha1;
