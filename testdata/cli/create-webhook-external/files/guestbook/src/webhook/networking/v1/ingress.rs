//! The admission webhooks of Ingress objects, a kind that this project does not define.

use k8s_openapi::api::networking::v1::Ingress;
use kgen_runtime::manager::Manager;
use kgen_runtime::webhook::{Request, Validator, Verdict, field};

/// Adds the webhooks to `manager`.
///
/// With `failurePolicy=ignore`, the cluster works without this operator. With `fail`, nobody can create
/// or update such objects while the operator is down.
// +kubebuilder:webhook:path=/validate-networking-k8s-io-v1-ingress,mutating=false,failurePolicy=ignore,sideEffects=None,groups=networking.k8s.io,resources=ingresses,verbs=create;update,versions=v1,name=vingress-v1.networking.k8s.io.example.com,admissionReviewVersions=v1
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.validating(Rules));
}

/// Checks objects.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Validator for Rules {
    type Object = Ingress;

    async fn validate_create(&self, new: &Ingress, _request: &Request) -> Verdict {
        check(new)
    }

    async fn validate_update(&self, _old: &Ingress, new: &Ingress, _request: &Request) -> Verdict {
        check(new)
    }
}

/// An example of a rule. Replace it with your own.
fn check(object: &Ingress) -> Verdict {
    let mut verdict = Verdict::default();
    let annotations = object.metadata.annotations.iter().flatten();
    for (name, value) in annotations {
        if name == "example.com/forbidden" {
            let path = field("metadata").child("annotations").key(name);
            verdict.invalid(path, value, "must not be set");
        }
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forbidden_annotation_is_rejected() {
        let mut object = Ingress::default();
        assert!(check(&object).is_allowed());
        let annotations = object.metadata.annotations.get_or_insert_default();
        annotations.insert("example.com/forbidden".to_owned(), "yes".to_owned());
        assert!(!check(&object).is_allowed());
    }
}
