//! HTTP: reads requests, and writes answers as JSON, YAML, tables or a stream of events.
//!
//! This is the only module that knows HTTP. `service.rs` carries a request through faults, access and webhooks.

pub(crate) mod accept;
pub(crate) mod json;
pub(crate) mod order;
pub(crate) mod query;
pub(crate) mod service;
pub(crate) mod target;
