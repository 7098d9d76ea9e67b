#![doc = include_str!("../README.md")]

mod access;
mod admission;
pub mod apply;
mod clock;
mod cluster;
mod discovery;
mod expiry;
mod faults;
mod gc;
mod kind;
mod manifests;
mod meta;
mod patch;
mod players;
mod request;
mod seeding;
mod selector;
#[cfg(feature = "serve")]
mod serve;
mod sha256;
mod state;
mod status;
mod store;
mod table;
mod verbs;
mod watch;
mod wire;

pub use cluster::{AccessReport, Cluster, ClusterBuilder, WebhookFuture, WebhookHandler};
pub use faults::{ArmFault, Faults};
pub use players::Players;
pub use request::Request;
#[cfg(feature = "serve")]
pub use serve::Served;
pub use state::Garbage;
pub use wire::target::Verb;
