//! The admission webhooks: a default and a check that the schema cannot express. Both are pure functions, and the handlers
//! call them.

use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict, field};
use kube::ResourceExt;

use crate::api::v1alpha1::{DEFAULT_PORT, Memcached, MemcachedSpec};

/// The longest value of a label; names of objects can be longer.
const LONGEST_LABEL: usize = 63;

/// Sets the default port, so that it is visible in the object.
// +kubebuilder:webhook:path=/mutate-cache-example-com-v1alpha1-memcached,mutating=true,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds,verbs=create;update,versions=v1alpha1,name=mmemcached.cache.example.com,admissionReviewVersions=v1,serviceName=memcached-operator-webhook,serviceNamespace=memcached-system
// +kubebuilder:webhookconfiguration:mutating=true,name=memcached-operator
pub fn defaults(spec: &mut MemcachedSpec) {
    spec.container_port.get_or_insert(DEFAULT_PORT);
}

/// Checks rules that the schema cannot express.
///
/// It rejects an even number of servers, as operator-sdk's sample does. It also rejects a name that is too long for a label,
/// because the API server would otherwise reject the Deployment later, which users do not notice.
// +kubebuilder:webhook:path=/validate-cache-example-com-v1alpha1-memcached,mutating=false,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds,verbs=create;update,versions=v1alpha1,name=vmemcached.cache.example.com,admissionReviewVersions=v1,serviceName=memcached-operator-webhook,serviceNamespace=memcached-system
// +kubebuilder:webhookconfiguration:mutating=false,name=memcached-operator
// ANCHOR: rules
pub fn violations(memcached: &Memcached) -> Verdict {
    let mut verdict = Verdict::default();
    let size = memcached.spec.size;
    if size % 2 == 0 {
        verdict.invalid(field("spec").child("size"), size, "must be an odd number");
    }
    if size == 1 {
        verdict.warn("spec.size: what a single server holds is lost whenever it ends");
    }
    if memcached.name_any().len() > LONGEST_LABEL {
        verdict.too_long(field("metadata").child("name"), LONGEST_LABEL);
    }
    verdict
}
// ANCHOR_END: rules

/// The webhooks of the kind Memcached.
#[derive(Clone, Copy, Debug)]
pub struct MemcachedWebhook;

// ANCHOR: handlers
impl Defaulter for MemcachedWebhook {
    type Object = Memcached;

    async fn default(&self, memcached: &mut Memcached, _request: &Request) -> Verdict {
        defaults(&mut memcached.spec);
        Verdict::default()
    }
}

impl Validator for MemcachedWebhook {
    type Object = Memcached;

    async fn validate_create(&self, memcached: &Memcached, _request: &Request) -> Verdict {
        violations(memcached)
    }

    /// Checks only changes of the size. Objects that are older than the webhook can still be labeled, and their finalizer can
    /// be removed.
    async fn validate_update(&self, old: &Memcached, new: &Memcached, _request: &Request) -> Verdict {
        if old.spec.size == new.spec.size {
            Verdict::default()
        } else {
            violations(new)
        }
    }
}
// ANCHOR_END: handlers
