//! The runtime library of operators and of the code that kgen generates.
//!
//! Generated code declares kinds, verbs, scopes and names, and this crate implements them. Every part also works alone,
//! with any type that implements [`kube::Resource`], generated or not.
//!
//! | module | content |
//! |---|---|
//! | [`client`] | a connection with a default field manager, and the typed verbs of one kind |
//! | [`discovery`] | kinds that are known only at run time |
//! | [`apply`] | server-side apply: the trait of apply configurations, and their metadata |
//! | [`informer`] | one watch per kind, an indexed cache, listers, and events for any number of handlers |
//! | [`controller`] | streams that connect a [`kube::runtime::Controller`] to an informer |
//! | [`manager`] | runs controllers, leader election, probes, metrics and webhooks, and stops them in the right order |
//! | [`queue`] | a work queue: one worker per key at a time, retries with exponential backoff |
//! | [`election`] | leader election with a Lease |
//! | [`recorder`] | Kubernetes events, written in the background |
//! | [`create_or_update`] | creates an object or changes the existing one, and writes only differences |
//! | [`retry`] | retries after a conflict |
//! | [`owner`] | owner references |
//! | [`finalizer`] | finalizers: cleanup before an object is deleted |
//! | [`condition`] | status conditions |
//! | [`conversion`] | conversion of objects between the versions of a kind |
//! | [`migration`] | migration of stored objects to the stored version |
//! | [`shutdown`] | graceful shutdown on signals |
//! | [`metrics`] | metrics in Prometheus' text format |
//! | [`health`] | servers for `/healthz` and `/readyz`, and for `/metrics` |
//! | `secured` | a server for `/metrics` with TLS, authentication and authorization; with the feature `webhook` |
//! | `telemetry` | export of spans to OpenTelemetry; with the feature `otel` |
//! | `validate` | the errors that the API server would return for an object, before it is sent; with the feature `validate` |
//! | `webhook` | a server for admission webhooks, typed by kind; with the feature `webhook` |
//! | [`clock`] | the time of day, which tests can control |
//!
//! The program chooses the version of Kubernetes with a `v1_xx` feature of `k8s-openapi`; this crate does not choose one.
//!
//! # Inside
//!
//! ```text
//! wire ─JSON→ Follower ─objects→ Source ─changes→ Hub ─┬─ Cache and its indexes ←─reads─ listers
//!                                                      └─ one queue per handler → streams, handlers, a kube Controller
//! ```
//!
//! 1. `client/`: a `Handle` has every verb for one kind in one scope; generated types keep it private.
//!    `discovery/` finds kinds that are known only at run time, and `create_or_update/` writes differences.
//! 2. `informer/`: `wire.rs` reads answers as far as the JSON of each object, `follow.rs` lists, watches and recovers from failures, `source.rs` reads the objects and turns them into changes, `hub.rs` orders changes and handlers under one mutex, and `cache.rs` is a plain data structure without locks.
//!    `report.rs` reports the problems of single objects, `filter.rs` has views with fewer events, and `follow_kinds.rs` starts and stops informers with their kinds.
//! 3. `serve/` accepts connections for probes, metrics and webhooks: a new one replaces the longest idle one, and all bodies share one budget of memory.
//! 4. `webhook/` builds on it: TLS and HTTP, routing, the wire format, typed handlers.
//!    `secured/` serves metrics over TLS and asks the API server about their readers.
//! 5. `conversion/`: `change.rs` and `variants.rs` are the vocabulary of tables, `apply.rs` applies them to JSON, `keep.rs` and `restore.rs` keep the values that a version cannot represent, `table.rs` walks from version to version, and `review.rs` is the wire format.
//!    `aside.rs` saves time: parts that are copied, or that the reverse surely gives back, are neither copied nor compared.
//!    `check.rs` tests the four laws with the objects of `random.rs`.
//!    `migration/` rewrites stored objects.
//! 6. `manager/` fills the caches, acquires the lease, registers handlers, and ends everything in order (`work.rs`).
//!    Everything it does is also available without it.

pub mod apply;
pub mod client;
pub mod clock;
pub mod condition;
pub mod controller;
pub mod conversion;
pub mod create_or_update;
pub mod discovery;
pub mod election;
mod error;
pub mod finalizer;
mod generated_code;
pub mod health;
pub mod informer;
pub mod manager;
pub mod metrics;
pub mod migration;
mod own_writes;
pub mod owner;
pub mod queue;
mod random;
mod reading;
pub mod recorder;
pub mod retry;
#[cfg(feature = "webhook")]
pub mod secured;
mod serve;
pub mod shutdown;
#[cfg(feature = "otel")]
pub mod telemetry;
#[cfg(feature = "validate")]
pub mod validate;
#[cfg(feature = "webhook")]
pub mod webhook;

pub use apply::{ApplyConfiguration, ObjectMetaApply};
pub use client::{Connection, Handle, WriteOptions};
pub use error::{Causes, Error, Result};
pub use generated_code::Stream;
pub use informer::{
    Event, EventStream, HandlerOptions, Informer, InformerFactory, InformerFactoryBuilder, InformerOptions,
    Lister, NamespaceLister, Registration, SyncOutcome, SyncReport, Unreadable,
};
pub use own_writes::OwnWrites;

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
