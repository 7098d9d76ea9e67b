//! What the webhooks do, as pure functions: fill in what was left out, and refuse what the schema cannot.

use kube::ResourceExt;

use crate::api::v1alpha1::{DEFAULT_PORT, Memcached, MemcachedSpec};

/// Values of labels are no longer than this, names of objects may be.
const LONGEST_LABEL: usize = 63;

/// Something that is wrong with a Memcached.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// The field, such as `spec.size`.
    pub field: &'static str,
    /// What is wrong with it.
    pub message: String,
}

/// Writes down what the operator would take anyway, so that everybody can see it.
// +kubebuilder:webhook:path=/mutate-cache-example-com-v1alpha1-memcached,mutating=true,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds,verbs=create;update,versions=v1alpha1,name=mmemcached.cache.example.com,admissionReviewVersions=v1,serviceName=memcached-operator-webhook,serviceNamespace=memcached-system
// +kubebuilder:webhookconfiguration:mutating=true,name=memcached-operator
pub fn defaults(spec: &mut MemcachedSpec) {
    spec.container_port.get_or_insert(DEFAULT_PORT);
}

/// What is wrong with `memcached` that the schema does not say.
///
/// An even number of servers is refused as in operator-sdk's sample. Other names than those of labels would be refused when
/// the Deployment is made, where nobody looks.
// +kubebuilder:webhook:path=/validate-cache-example-com-v1alpha1-memcached,mutating=false,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds,verbs=create;update,versions=v1alpha1,name=vmemcached.cache.example.com,admissionReviewVersions=v1,serviceName=memcached-operator-webhook,serviceNamespace=memcached-system
// +kubebuilder:webhookconfiguration:mutating=false,name=memcached-operator
#[must_use]
pub fn violations(memcached: &Memcached) -> Vec<Violation> {
    let mut found = Vec::new();
    // Whoever deletes it must not be held up by a rule that came later.
    if memcached.metadata.deletion_timestamp.is_some() {
        return found;
    }
    if memcached.spec.size % 2 == 0 {
        found.push(Violation {
            field: "spec.size",
            message: "must be an odd number".to_owned(),
        });
    }
    if memcached.name_any().len() > LONGEST_LABEL {
        found.push(Violation {
            field: "metadata.name",
            message: format!(
                "must be no longer than {LONGEST_LABEL} characters: the pods have it as a label"
            ),
        });
    }
    found
}
