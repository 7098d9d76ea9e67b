//! The admission webhooks of Deployment objects.

use k8s_openapi::api::apps::v1::Deployment;
use kgen_runtime::manager::Manager;
use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict};

/// Adds the webhooks to `manager`.
// +kubebuilder:webhook:mutating=true,failurePolicy=Fail,sideEffects=None,groups=apps,resources=deployments,verbs=CREATE;UPDATE,versions=v1,name=mdeployment-v1.kb.io,path="/mutate-apps-v1-deployment",admissionReviewVersions=v1
// +kubebuilder:webhook:mutating=false,failurePolicy=Fail,sideEffects=None,groups=apps,resources=deployments,verbs=CREATE;UPDATE,versions=v1,name=vdeployment-v1.kb.io,path="/validate-apps-v1-deployment",admissionReviewVersions=v1
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.defaulting(Defaults));
    manager.webhooks(|server| server.validating(Rules));
}

/// Sets defaults. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Defaults;

impl Defaulter for Defaults {
    type Object = Deployment;

    async fn default(&self, _object: &mut Deployment, _request: &Request) -> Verdict {
        Verdict::default()
    }
}

/// Checks objects. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Validator for Rules {
    type Object = Deployment;

    async fn validate_create(&self, _new: &Deployment, _request: &Request) -> Verdict {
        Verdict::default()
    }

    async fn validate_update(
        &self,
        _old: &Deployment,
        _new: &Deployment,
        _request: &Request,
    ) -> Verdict {
        Verdict::default()
    }
}
