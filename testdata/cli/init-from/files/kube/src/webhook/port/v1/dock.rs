//! The admission webhooks of Dock objects.

use kgen_runtime::manager::Manager;
use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict};

use crate::api::port::v1::dock::Dock;

/// The path of the webhook that checks objects.
const VALIDATING_PATH: &str = "/check-dock";

/// Adds the webhooks to `manager`.
// +kubebuilder:webhook:mutating=true,failurePolicy=Fail,sideEffects=None,groups=port.example.com,resources=docks,verbs=CREATE;UPDATE,versions=v1,name=mdock-v1.kb.io,path="/mutate-port-example-com-v1-dock",admissionReviewVersions=v1
// +kubebuilder:webhook:mutating=false,failurePolicy=Fail,sideEffects=None,groups=port.example.com,resources=docks,verbs=CREATE;UPDATE,versions=v1,name=vdock-v1.kb.io,path="/check-dock",admissionReviewVersions=v1
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.defaulting(Defaults));
    manager.webhooks(|server| server.validating_at(VALIDATING_PATH, Rules));
}

/// Sets defaults. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Defaults;

impl Defaulter for Defaults {
    type Object = Dock;

    async fn default(&self, _object: &mut Dock, _request: &Request) -> Verdict {
        Verdict::default()
    }
}

/// Checks objects. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Validator for Rules {
    type Object = Dock;

    async fn validate_create(&self, _new: &Dock, _request: &Request) -> Verdict {
        Verdict::default()
    }

    async fn validate_update(&self, _old: &Dock, _new: &Dock, _request: &Request) -> Verdict {
        Verdict::default()
    }
}
