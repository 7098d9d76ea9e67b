//! The operator as a library. `main.rs` is the program that runs it.

pub mod api;
pub mod controller;
pub mod webhook;

use kgen_runtime::manager::Manager;

/// Registers all controllers and webhooks with `manager`. `kgen create` adds a line for each of them.
// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
// +kubebuilder:rbac:groups="",resources=pods;services,verbs=get;list;watch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=create;delete;get;list;patch;update;watch
// +kubebuilder:rbac:groups=cert-manager.io,resources=certificates,verbs=get;list;watch
// +kubebuilder:rbac:groups=port.example.com,resources=berths,verbs=create;delete;get;list;patch;update;watch
// +kubebuilder:webhook:mutating=false,failurePolicy=Ignore,sideEffects=None,groups="",resources=nodes,verbs=CREATE;UPDATE,versions=v1,name=vnodes-v1.kb.io,path="/tolls",admissionReviewVersions=v1
pub fn register(manager: &mut Manager) {
    tracing::debug!(?manager, "registering controllers and webhooks");
    controller::port::dock::register(manager);
    controller::port_policy::toll::register(manager);
    webhook::port::v1::dock::register(manager);
    webhook::core::v1::pod::register(manager);
}
