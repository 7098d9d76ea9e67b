//! The admission webhooks of Pod objects.

use k8s_openapi::api::core::v1::Pod;
use kgen_runtime::manager::Manager;
use kgen_runtime::webhook::{Defaulter, Request, Verdict};

/// Adds the webhooks to `manager`.
// +kubebuilder:webhook:mutating=true,failurePolicy=Fail,sideEffects=None,groups="",resources=pods,verbs=CREATE;UPDATE,versions=v1,name=mpod-v1.kb.io,path="/mutate--v1-pod",admissionReviewVersions=v1
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.defaulting(Defaults));
}

/// Sets defaults. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Defaults;

impl Defaulter for Defaults {
    type Object = Pod;

    async fn default(&self, _object: &mut Pod, _request: &Request) -> Verdict {
        Verdict::default()
    }
}
