//! The conversion between the versions of Guestbook objects.

use kgen_runtime::conversion::Conversion;
use kgen_runtime::manager::Manager;

use crate::generated::conversion;

/// Serves the conversion at `/convert`, where the API server asks for it.
///
/// The access rules are those of a storage migration: `manager.migrate_storage::<Guestbook>()`.
// +kubebuilder:rbac:groups=webapp.example.com,resources=guestbooks,verbs=get;list;patch
// +kubebuilder:rbac:groups=apiextensions.k8s.io,resources=customresourcedefinitions,resourceNames=guestbooks.webapp.example.com,verbs=get
// +kubebuilder:rbac:groups=apiextensions.k8s.io,resources=customresourcedefinitions/status,resourceNames=guestbooks.webapp.example.com,verbs=patch
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.converting(conversion()));
}

/// Returns the conversion between all versions.
pub fn conversion() -> Conversion {
    conversion::guestbook()
}

#[cfg(test)]
mod tests {
    use kgen_runtime::conversion::Checks;

    use super::*;

    #[test]
    fn no_version_loses_a_value() {
        if let Err(failure) = conversion().check(Checks::default()) {
            panic!("{failure}");
        }
    }
}
