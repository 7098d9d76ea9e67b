//! The admission webhooks of Pod objects.

use k8s_openapi::api::core::v1::Pod;
use kgen_runtime::manager::Manager;
use kgen_runtime::webhook::{Request, Validator, Verdict};

/// Adds the webhooks to `manager`.
// +kubebuilder:webhook:mutating=false,failurePolicy=Ignore,sideEffects=None,groups="",resources=pods,verbs=CREATE;UPDATE,versions=v1,name=vpod-v1.kb.io,path="/validate--v1-pod",admissionReviewVersions=v1,patch={"namespaceSelector":{"matchLabels":{"harbor":"enabled"}}}
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.validating(Rules));
}

/// Checks objects. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Validator for Rules {
    type Object = Pod;

    async fn validate_create(&self, _new: &Pod, _request: &Request) -> Verdict {
        Verdict::default()
    }

    async fn validate_update(&self, _old: &Pod, _new: &Pod, _request: &Request) -> Verdict {
        Verdict::default()
    }
}
