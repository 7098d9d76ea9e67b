//! The admission webhooks of {{ kind }} objects, a kind that this project does not define.

{% if foreign -%}
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
{% else -%}
use {{ external }};
{% endif -%}
use kgen_runtime::manager::Manager;
{%- if defaulting and validation %}
use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict, field};
{%- elif defaulting %}
use kgen_runtime::webhook::{Defaulter, Request, Verdict};
{%- else %}
use kgen_runtime::webhook::{Request, Validator, Verdict, field};
{%- endif %}
{%- if foreign %}
use kube::Resource as _;

use {{ external }};
{%- endif %}

/// Adds the webhooks to `manager`.
///
/// With `failurePolicy=ignore`, the cluster works without this operator. With `fail`, nobody can create
/// or update such objects while the operator is down.
{%- if defaulting %}
// +kubebuilder:webhook:path={{ mutating_path }},mutating=true,failurePolicy=ignore,sideEffects=None,groups={{ group or '""' }},resources={{ plural }},verbs=create;update,versions={{ version }},name=m{{ kind_lower }}-{{ version }}.{{ webhook_domain }},admissionReviewVersions=v1
{%- endif %}
{%- if validation %}
// +kubebuilder:webhook:path={{ validating_path }},mutating=false,failurePolicy=ignore,sideEffects=None,groups={{ group or '""' }},resources={{ plural }},verbs=create;update,versions={{ version }},name=v{{ kind_lower }}-{{ version }}.{{ webhook_domain }},admissionReviewVersions=v1
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

/// Sets defaults.
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
        fill_in({% if foreign %}object.meta_mut(){% else %}object{% endif %});
        Verdict::default()
    }
}

/// An example of a default. Replace it with your own.
fn fill_in({% if foreign %}metadata: &mut ObjectMeta{% else %}object: &mut {{ kind }}{% endif %}) {
    let annotations = {% if not foreign %}object.{% endif %}metadata.annotations.get_or_insert_default();
    annotations
        .entry("example.com/defaulted".to_owned())
        .or_insert_with(|| "true".to_owned());
}
{%- endif %}
{%- if validation %}

/// Checks objects.
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
        check(new{% if foreign %}.meta(){% endif %})
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
        check(new{% if foreign %}.meta(){% endif %})
    }
}

/// An example of a rule. Replace it with your own.
fn check({% if foreign %}metadata: &ObjectMeta{% else %}object: &{{ kind }}{% endif %}) -> Verdict {
    let mut verdict = Verdict::default();
    let annotations = {% if not foreign %}object.{% endif %}metadata.annotations.iter().flatten();
    for (name, value) in annotations {
        if name == "example.com/forbidden" {
            let path = field("metadata").child("annotations").key(name);
            verdict.invalid(path, value, "must not be set");
        }
    }
    verdict
}
{%- endif %}

{% set checked = 'metadata' if foreign else 'object' -%}
#[cfg(test)]
mod tests {
    use super::*;
{%- if defaulting %}

    #[test]
    fn a_new_object_gets_an_annotation() {
        let mut {% if foreign %}metadata = ObjectMeta{% else %}object = {{ kind }}{% endif %}::default();
        fill_in(&mut {{ checked }});
        assert!({% if not foreign %}object.{% endif %}metadata.annotations.is_some());
        let defaulted = {{ checked }}.clone();
        fill_in(&mut {{ checked }});
        assert_eq!({{ checked }}, defaulted, "a second call changes nothing");
    }
{%- endif %}
{%- if validation %}

    #[test]
    fn a_forbidden_annotation_is_rejected() {
        let mut {% if foreign %}metadata = ObjectMeta{% else %}object = {{ kind }}{% endif %}::default();
        assert!(check(&{{ checked }}).is_allowed());
        let annotations = {% if not foreign %}object.{% endif %}metadata.annotations.get_or_insert_default();
        annotations.insert("example.com/forbidden".to_owned(), "yes".to_owned());
        assert!(!check(&{{ checked }}).is_allowed());
    }
{%- endif %}
}
