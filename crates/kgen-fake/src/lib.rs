#![doc = include_str!("../README.md")]

mod access;
mod admission;
pub mod apply;
#[cfg(feature = "both")]
pub mod both;
mod clock;
mod cluster;
mod discovery;
mod expiry;
mod faults;
mod gc;
mod kind;
mod manifests;
mod meta;
mod open_api;
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
mod view;
mod watch;
mod wire;
mod yaml;

pub use admission::{ByHandler, ByService, IntoWebhookHandler, WebhookFuture, WebhookHandler};
pub use cluster::{Cluster, ClusterBuilder};
pub use faults::{ArmFault, Faults, Held};
pub use kgen_access::Record as AccessRecord;
pub use players::Players;
pub use request::Request;
#[cfg(feature = "serve")]
pub use serve::Served;
pub use state::Garbage;
pub use wire::target::Verb;
