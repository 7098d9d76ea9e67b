//! The admission webhooks of Admiralty objects.

use kgen_runtime::manager::Manager;
use kgen_runtime::webhook::{Defaulter, Request, Verdict};

use crate::api::ships::v1::admiralty::Admiralty;

/// Adds the webhooks to `manager`.
// +kubebuilder:webhook:mutating=true,failurePolicy=Fail,sideEffects=None,groups=ships.example.org,resources=admiraltys,verbs=CREATE;UPDATE,versions=v1,name=madmiralty-v1.kb.io,path="/mutate-ships-example-org-v1-admiralty",admissionReviewVersions=v1
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.defaulting(Defaults));
}

/// Sets defaults. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Defaults;

impl Defaulter for Defaults {
    type Object = Admiralty;

    async fn default(&self, _object: &mut Admiralty, _request: &Request) -> Verdict {
        Verdict::default()
    }
}
