//! The admission webhooks of Tug objects.

use kgen_runtime::manager::Manager;
use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict};

use crate::api::ships::v1::tug::Tug;

/// Adds the webhooks to `manager`.
// +kubebuilder:webhook:mutating=true,failurePolicy=Fail,sideEffects=None,groups=ships.example.org,resources=tugs,verbs=CREATE;UPDATE,versions=v1,name=mtug-v1.kb.io,path="/mutate-ships-example-org-v1-tug",admissionReviewVersions=v1
// +kubebuilder:webhook:mutating=false,failurePolicy=Fail,sideEffects=None,groups=ships.example.org,resources=tugs,verbs=CREATE;UPDATE,versions=v1,name=vtug-v1.kb.io,path="/validate-ships-example-org-v1-tug",admissionReviewVersions=v1
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.defaulting(Defaults));
    manager.webhooks(|server| server.validating(Rules));
}

/// Sets defaults. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Defaults;

impl Defaulter for Defaults {
    type Object = Tug;

    async fn default(&self, _object: &mut Tug, _request: &Request) -> Verdict {
        Verdict::default()
    }
}

/// Checks objects. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Validator for Rules {
    type Object = Tug;

    async fn validate_create(&self, _new: &Tug, _request: &Request) -> Verdict {
        Verdict::default()
    }

    async fn validate_update(&self, _old: &Tug, _new: &Tug, _request: &Request) -> Verdict {
        Verdict::default()
    }
}
