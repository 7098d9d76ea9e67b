#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! ```text
//! tower::Service ─► wire ─► access ─► admission ─► verbs ─► kind: custom (a definition) or built in (a row) ─► store
//! ```
//!
//! 1. `wire/` knows HTTP; `verbs/` does not. A verb is one synchronous function on the state, under one mutex.
//! 2. `kind/` answers every question of the verbs about a kind. A built-in kind is one row of the table in `kind/built_in.rs`.
//!    Names, types and columns of built-in kinds are recorded from a server, in `kind/data`.
//! 3. `store.rs` has the objects and the log; `watch.rs` has watches, which are cursors into the log.
//!    `view.rs` writes the text of a stored object once, for all readers.
//! 4. `admission/` stops a verb with a question to a webhook; the verb is carried out again with the answer.
//! 5. `gc.rs` draws the consequences of changes: definitions, garbage, namespaces.
//! 6. `apply/` is server-side apply on JSON; `verbs/ownership.rs` is the only caller.
//! 7. `both/` (feature `both`) runs one test on the fake and on a control plane of `kgen-testenv`.
//!    There, `both/relay.rs` lets the real server answer behind the wire, which still records requests and injects faults.

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
mod go_word;
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
