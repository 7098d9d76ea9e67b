//! The admission webhooks of Guestbook objects.

use kgen_runtime::manager::Manager;
use kgen_runtime::webhook::{Request, Validator, Verdict, field};

use crate::api::webapp::v2::guestbook::Guestbook;
use crate::api::webapp::v2::guestbook::GuestbookSpec;

/// Adds the webhooks to `manager`.
// +kubebuilder:webhook:path=/validate-webapp-example-com-v2-guestbook,mutating=false,failurePolicy=fail,sideEffects=None,groups=webapp.example.com,resources=guestbooks,verbs=create;update,versions=v2,name=vguestbook-v2.webapp.example.com,admissionReviewVersions=v1
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.validating(Rules));
}

/// Checks rules that the schema cannot express.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Validator for Rules {
    type Object = Guestbook;

    async fn validate_create(&self, new: &Guestbook, _request: &Request) -> Verdict {
        check(&new.spec)
    }

    async fn validate_update(
        &self,
        _old: &Guestbook,
        new: &Guestbook,
        _request: &Request,
    ) -> Verdict {
        check(&new.spec)
    }
}

/// An example of a rule. Replace it with your own.
fn check(spec: &GuestbookSpec) -> Verdict {
    let mut verdict = Verdict::default();
    if let Some(size) = spec.size.filter(|size| size % 2 == 0) {
        let path = field("spec").child("size");
        verdict.invalid(path, size, "must be odd, so that there is a majority");
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_size_is_rejected() {
        let mut spec = GuestbookSpec::default();
        for (size, allowed) in [(3, true), (4, false)] {
            spec.size = Some(size);
            assert_eq!(check(&spec).is_allowed(), allowed, "{size}");
        }
    }
}
