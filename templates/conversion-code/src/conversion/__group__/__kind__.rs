//! The conversion between the versions of {{ kind }} objects.

use kgen_runtime::conversion::Conversion;
use kgen_runtime::manager::Manager;

use crate::{{ conversions }};
{%- if interface %}
use crate::{{ conversions }}::{{ interface }};
{%- endif %}

/// Serves the conversion at `/convert`, where the API server asks for it.
///
/// The access rules are those of a storage migration: `manager.migrate_storage::<{{ kind }}>()`.
// +kubebuilder:rbac:groups={{ group }},resources={{ plural }},verbs=get;list;patch
// +kubebuilder:rbac:groups=apiextensions.k8s.io,resources=customresourcedefinitions,resourceNames={{ plural }}.{{ group }},verbs=get
// +kubebuilder:rbac:groups=apiextensions.k8s.io,resources=customresourcedefinitions/status,resourceNames={{ plural }}.{{ group }},verbs=patch
pub fn register(manager: &mut Manager) {
    manager.webhooks(|server| server.converting(conversion()));
}

/// Returns the conversion between all versions.
pub fn conversion() -> Conversion {
{%- if interface %}
    {{ conversions_module }}::{{ function }}::<Rules>()
{%- else %}
    {{ conversions_module }}::{{ function }}()
{%- endif %}
}
{%- if interface %}

/// The translations that kgen cannot derive from the types.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

// The compiler names the methods that are missing.
impl {{ interface }} for Rules {}
{%- endif %}

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
