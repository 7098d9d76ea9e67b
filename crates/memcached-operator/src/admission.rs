//! What the webhooks do: fill in what was left out, and refuse what the schema cannot. Both are pure functions, and the
//! handlers around them decide when they are asked.

use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict, field};
use kube::ResourceExt;

use crate::api::v1alpha1::{DEFAULT_PORT, Memcached, MemcachedSpec};

/// Values of labels are no longer than this, names of objects may be.
const LONGEST_LABEL: usize = 63;

/// Writes down what the operator would take anyway, so that everybody can see it.
// +kubebuilder:webhook:path=/mutate-cache-example-com-v1alpha1-memcached,mutating=true,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds,verbs=create;update,versions=v1alpha1,name=mmemcached.cache.example.com,admissionReviewVersions=v1,serviceName=memcached-operator-webhook,serviceNamespace=memcached-system
// +kubebuilder:webhookconfiguration:mutating=true,name=memcached-operator
pub fn defaults(spec: &mut MemcachedSpec) {
    spec.container_port.get_or_insert(DEFAULT_PORT);
}

/// What is wrong with `memcached` that the schema does not say.
///
/// An even number of servers is refused as in operator-sdk's sample. A name that is too long for a label would be refused when
/// the Deployment is made, where nobody looks.
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

/// The webhooks of the kind.
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

    /// What was stored before there was a webhook must still get labels, and lose its finalizer: only a change of what the
    /// rules are about is judged.
    async fn validate_update(&self, old: &Memcached, new: &Memcached, _request: &Request) -> Verdict {
        if old.spec.size == new.spec.size {
            Verdict::default()
        } else {
            violations(new)
        }
    }
}
// ANCHOR_END: handlers
