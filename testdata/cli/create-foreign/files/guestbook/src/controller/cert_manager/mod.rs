//! The controllers of the kinds of `cert-manager.io`.

pub mod certificate;
