//! Serves connections that anyone may open: the part that the health, metrics and webhook servers share.
//!
//! A server has a fixed number of [`Slots`]. If all are taken, a new connection replaces the one that has kept the
//! server waiting longest, so clients that do nothing cannot keep others out. The bodies of requests share one
//! [`Budget`] in the same way. [`Acceptor`] is the loop around both; start reading there. The servers implement TLS,
//! HTTP versions and responses.

mod accept;
mod connection;
mod slots;

#[cfg(feature = "webhook")]
mod body;
#[cfg(feature = "webhook")]
mod budget;

pub(crate) use self::accept::Acceptor;
#[cfg(feature = "webhook")]
pub(crate) use self::body::{BodyError, Received, read_body};
#[cfg(feature = "webhook")]
pub(crate) use self::budget::Budget;
#[cfg(feature = "webhook")]
pub(crate) use self::connection::Graceful;
pub(crate) use self::connection::drive;
#[cfg(feature = "webhook")]
pub(crate) use self::slots::InRequest;
pub(crate) use self::slots::Slot;
