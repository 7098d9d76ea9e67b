//! The admission webhooks of {{ kind }} objects.

{% for path in foreign %}use {{ path }};
{% endfor %}use kgen_runtime::manager::Manager;
{%- if defaulting and validation %}
use kgen_runtime::webhook::{Defaulter, Request, Validator, Verdict};
{%- elif defaulting %}
use kgen_runtime::webhook::{Defaulter, Request, Verdict};
{%- else %}
use kgen_runtime::webhook::{Request, Validator, Verdict};
{%- endif %}
{%- if own %}
{% for path in own %}
use {{ path }};
{%- endfor %}
{%- endif %}
{%- if mutating_path %}

/// The path of the webhook that sets defaults.
const MUTATING_PATH: &str = "{{ mutating_path }}";
{%- endif %}
{%- if validating_path %}

/// The path of the webhook that checks objects.
const VALIDATING_PATH: &str = "{{ validating_path }}";
{%- endif %}

/// Adds the webhooks to `manager`.
{%- for line in markers %}
// {{ line }}
{%- endfor %}
pub fn register(manager: &mut Manager) {
{%- if defaulting and mutating_path %}
    manager.webhooks(|server| server.defaulting_at(MUTATING_PATH, Defaults));
{%- elif defaulting %}
    manager.webhooks(|server| server.defaulting(Defaults));
{%- endif %}
{%- if validation and validating_path %}
    manager.webhooks(|server| server.validating_at(VALIDATING_PATH, Rules));
{%- elif validation %}
    manager.webhooks(|server| server.validating(Rules));
{%- endif %}
}
{%- if defaulting %}

/// Sets defaults. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Defaults;

impl Defaulter for Defaults {
    type Object = {{ kind }};
{% if kind|length > 24 %}
    async fn default(
        &self,
        _object: &mut {{ kind }},
        _request: &Request,
    ) -> Verdict {
{%- else %}
    async fn default(&self, _object: &mut {{ kind }}, _request: &Request) -> Verdict {
{%- endif %}
        Verdict::default()
    }
}
{%- endif %}
{%- if validation %}

/// Checks objects. This is a stub: move the logic of the Go webhook here.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Validator for Rules {
    type Object = {{ kind }};
{% if kind|length > 23 %}
    async fn validate_create(
        &self,
        _new: &{{ kind }},
        _request: &Request,
    ) -> Verdict {
{%- else %}
    async fn validate_create(&self, _new: &{{ kind }}, _request: &Request) -> Verdict {
{%- endif %}
        Verdict::default()
    }
{% if kind|length > 7 %}
    async fn validate_update(
        &self,
        _old: &{{ kind }},
        _new: &{{ kind }},
        _request: &Request,
    ) -> Verdict {
{%- else %}
    async fn validate_update(&self, _old: &{{ kind }}, _new: &{{ kind }}, _request: &Request) -> Verdict {
{%- endif %}
        Verdict::default()
    }
}
{%- endif %}
