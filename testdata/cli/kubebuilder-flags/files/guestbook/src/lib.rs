//! The parts of the operator; `main.rs` makes a program of them.

pub mod api;
pub mod controller;
pub mod generated;

use kgen_runtime::manager::Manager;

/// Everything that the manager runs. `kgen create` adds a line for each controller and webhook.
// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
pub fn register(manager: &mut Manager) {
    tracing::debug!(?manager, "registering what there is");
}
