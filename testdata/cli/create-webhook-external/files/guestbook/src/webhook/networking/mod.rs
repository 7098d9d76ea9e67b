//! The webhooks of `networking.k8s.io`.

pub mod v1;
