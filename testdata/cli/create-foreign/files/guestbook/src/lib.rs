//! The operator as a library. `main.rs` is the program that runs it.

pub mod api;
pub mod controller;
pub mod external;

use kgen_runtime::manager::Manager;

/// Registers all controllers and webhooks with `manager`. `kgen create` adds a line for each of them.
// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
pub fn register(manager: &mut Manager) {
    tracing::debug!(?manager, "registering controllers and webhooks");
    controller::cert_manager::certificate::register(manager);
}
