//! The admission webhooks of {{ kind }} objects.

use kgen_runtime::manager::Manager;
{%- if defaulting and validation %}
use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict, field};
{%- elif defaulting %}
use kgen_runtime::webhook::{Defaulter, Request, Verdict};
{%- else %}
use kgen_runtime::webhook::{Request, Validator, Verdict, field};
{%- endif %}

use crate::api::{{ group_module }}::{{ version }}::{{ module }}::{{ kind }};
use crate::api::{{ group_module }}::{{ version }}::{{ module }}::{{ kind }}Spec;

/// Adds the webhooks to `manager`.
{%- if defaulting %}
// +kubebuilder:webhook:path={{ mutating_path }},mutating=true,failurePolicy=fail,sideEffects=None,groups={{ group }},resources={{ plural }},verbs=create;update,versions={{ version }},name=m{{ kind_lower }}-{{ version }}.{{ group }},admissionReviewVersions=v1
{%- endif %}
{%- if validation %}
// +kubebuilder:webhook:path={{ validating_path }},mutating=false,failurePolicy=fail,sideEffects=None,groups={{ group }},resources={{ plural }},verbs=create;update,versions={{ version }},name=v{{ kind_lower }}-{{ version }}.{{ group }},admissionReviewVersions=v1
{%- endif %}
pub fn register(manager: &mut Manager) {
{%- if defaulting %}
    manager.webhooks(|server| server.defaulting(Defaults));
{%- endif %}
{%- if validation %}
    manager.webhooks(|server| server.validating(Rules));
{%- endif %}
}
{%- if defaulting %}

/// Sets defaults that the schema cannot express.
#[derive(Clone, Copy, Debug)]
pub struct Defaults;

impl Defaulter for Defaults {
    type Object = {{ kind }};
{% if kind|length > 25 %}
    async fn default(
        &self,
        object: &mut {{ kind }},
        _request: &Request,
    ) -> Verdict {
{%- else %}
    async fn default(&self, object: &mut {{ kind }}, _request: &Request) -> Verdict {
{%- endif %}
        fill_in(&mut object.spec);
        Verdict::default()
    }
}

/// An example of a default. Replace it with your own.
fn fill_in(spec: &mut {{ kind }}Spec) {
    spec.size.get_or_insert(1);
}
{%- endif %}
{%- if validation %}

/// Checks rules that the schema cannot express.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Validator for Rules {
    type Object = {{ kind }};
{% if kind|length > 24 %}
    async fn validate_create(
        &self,
        new: &{{ kind }},
        _request: &Request,
    ) -> Verdict {
{%- else %}
    async fn validate_create(&self, new: &{{ kind }}, _request: &Request) -> Verdict {
{%- endif %}
        check(&new.spec)
    }
{% if kind|length > 7 %}
    async fn validate_update(
        &self,
        _old: &{{ kind }},
        new: &{{ kind }},
        _request: &Request,
    ) -> Verdict {
{%- else %}
    async fn validate_update(&self, _old: &{{ kind }}, new: &{{ kind }}, _request: &Request) -> Verdict {
{%- endif %}
        check(&new.spec)
    }
}

/// An example of a rule. Replace it with your own.
fn check(spec: &{{ kind }}Spec) -> Verdict {
    let mut verdict = Verdict::default();
    if let Some(size) = spec.size.filter(|size| size % 2 == 0) {
        let path = field("spec").child("size");
        verdict.invalid(path, size, "must be odd, so that there is a majority");
    }
    verdict
}
{%- endif %}

#[cfg(test)]
mod tests {
    use super::*;
{%- if defaulting %}

    #[test]
    fn a_missing_size_gets_a_default() {
        let mut spec = {{ kind }}Spec::default();
        fill_in(&mut spec);
        assert_eq!(spec.size, Some(1));
        spec.size = Some(5);
        fill_in(&mut spec);
        assert_eq!(spec.size, Some(5), "a given size does not change");
    }
{%- endif %}
{%- if validation %}

    #[test]
    fn an_even_size_is_rejected() {
        let mut spec = {{ kind }}Spec::default();
        for (size, allowed) in [(3, true), (4, false)] {
            spec.size = Some(size);
            assert_eq!(check(&spec).is_allowed(), allowed, "{size}");
        }
    }
{%- endif %}
}
