//! The operator as a library. `main.rs` is the program that runs it.

pub mod api;
pub mod controller;
pub mod generated;
pub mod webhook;

use kgen_runtime::manager::Manager;

/// Registers all controllers and webhooks with `manager`. `kgen create` adds a line for each of them.
// +kubebuilder:rbac:groups=cert-manager.cert-manager.io,resources=certificates,verbs=create;delete;get;list;patch;update;watch
// +kubebuilder:rbac:groups=cert-manager.cert-manager.io,resources=certificates/finalizers,verbs=update
// +kubebuilder:rbac:groups=cert-manager.cert-manager.io,resources=certificates/status,verbs=get;patch;update
pub fn register(manager: &mut Manager) {
    tracing::debug!(?manager, "registering controllers and webhooks");
    controller::ships::tug::register(manager);
    controller::ships::ship_mate::register(manager);
    controller::ships::admiralty::register(manager);
    webhook::ships::v1::tug::register(manager);
    webhook::ships::v1::admiralty::register(manager);
    webhook::core::v1::pod::register(manager);
    webhook::apps::v1::deployment::register(manager);
}
