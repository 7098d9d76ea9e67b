//! The admission webhooks of Guestbook objects.

use kgen_runtime::manager::Manager;
use kgen_runtime::webhook::{Defaulter, Request, Verdict};

use crate::api::webapp::v1::guestbook::Guestbook;
use crate::api::webapp::v1::guestbook::GuestbookSpec;

/// Adds the webhooks to `manager`.
// +kubebuilder:webhook:path=/mutate-webapp-example-com-v1-guestbook,mutating=true,failurePolicy=fail,sideEffects=None,groups=webapp.example.com,resources=guestbooks,verbs=create;update,versions=v1,name=mguestbook-v1.webapp.example.com,admissionReviewVersions=v1
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.defaulting(Defaults));
}

/// Sets defaults that the schema cannot express.
#[derive(Clone, Copy, Debug)]
pub struct Defaults;

impl Defaulter for Defaults {
    type Object = Guestbook;

    async fn default(&self, object: &mut Guestbook, _request: &Request) -> Verdict {
        fill_in(&mut object.spec);
        Verdict::default()
    }
}

/// An example of a default. Replace it with your own.
fn fill_in(spec: &mut GuestbookSpec) {
    spec.size.get_or_insert(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_size_gets_a_default() {
        let mut spec = GuestbookSpec::default();
        fill_in(&mut spec);
        assert_eq!(spec.size, Some(1));
        spec.size = Some(5);
        fill_in(&mut spec);
        assert_eq!(spec.size, Some(5), "a given size does not change");
    }
}
