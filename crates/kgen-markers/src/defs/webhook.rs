//! Markers of admission webhooks, in any comment of any file.

use kgen_diagnostics::Spanned;
use kgen_model::{MatchCondition, Webhook as WebhookModel, WebhookConfiguration as ConfigurationModel};
use serde_json::Value as JsonValue;

use super::access::Groups;
use crate::definition::markers;
use crate::value::{Error, Located, Map, MaybeEmpty, Parser, Value, ValueType};

markers! {
    family "webhook" "Webhooks";

    /// An admission webhook that the operator serves.
    ///
    /// Set exactly one of `path` and `url`. Selectors have the syntax of `kubectl -l`.
    ///
    /// ```
    /// // +kubebuilder:webhook:path=/validate,mutating=false,failurePolicy=fail,sideEffects=None,groups=example.com,resources=foos,verbs=create;update,versions=v1,name=foos.example.com,admissionReviewVersions=v1
    /// pub fn validate() {}
    /// ```
    "kubebuilder:webhook" on [Anywhere] with [repeatable] => Webhook {
        /// Whether it may change objects, or only reject them.
        "mutating" mutating: bool,
        /// The reaction of the API server if the webhook is unreachable: `fail` or `ignore`.
        "failurePolicy" failure_policy: Located<String>,
        /// How rules match: `exact` or `equivalent`.
        "matchPolicy" match_policy: Option<Located<String>>,
        /// Side effects: `None` or `NoneOnDryRun`.
        "sideEffects" side_effects: Option<Located<String>>,
        /// Time limit in seconds, from 1 to 30.
        "timeoutSeconds" timeout_seconds: Option<Located<i64>>,
        /// API groups; an empty value is the core group.
        "groups" groups: Groups,
        /// Resources.
        "resources" resources: Vec<String>,
        /// Operations: `create`, `update`, `delete`, `connect` or `*`.
        "verbs" verbs: Vec<Located<String>>,
        /// API versions.
        "versions" versions: Vec<String>,
        /// Unique DNS name of the webhook.
        "name" name: Located<String>,
        /// Name of the service; the default is `webhook-service`.
        "serviceName" service_name: Option<String>,
        /// Namespace of the service; the default is `system`.
        "serviceNamespace" service_namespace: Option<String>,
        /// Path on the service.
        "path" path: Option<Located<String>>,
        /// Port of the service.
        "servicePort" service_port: Option<i64>,
        /// Versions of the configuration to write; only `v1` exists.
        "webhookVersions" webhook_versions: Option<Vec<Located<String>>>,
        /// Versions of `AdmissionReview` that it supports.
        "admissionReviewVersions" admission_review_versions: Vec<String>,
        /// Whether it is called again after later webhooks: `Never` or `IfNeeded`.
        "reinvocationPolicy" reinvocation_policy: Option<Located<String>>,
        /// URL, for a webhook outside of the cluster.
        "url" url: Option<Located<String>>,
        /// JSON that is merged into the finished entry; `null` removes a key.
        "patch" patch: Option<Located<PatchText>>,
        /// Label selector of the namespaces whose objects it receives.
        "namespaceSelector" namespace_selector: Option<Located<String>>,
        /// Label selector of the objects that it receives.
        "objectSelector" object_selector: Option<Located<String>>,
        /// Conditions by name, each a CEL expression.
        "matchConditions" match_conditions: Option<Map<Located<String>>>,
    }
    apply api |marker, node| {
        node.used = true;
        let place = &marker.place;
        let optional = |found: &Option<Located<String>>| found.as_ref().map(|found| place.spanned(found));
        let conditions = marker.match_conditions.iter().flat_map(|map| &map.0);
        node.api.webhooks.push(WebhookModel {
            mutating: marker.mutating,
            name: place.spanned(&marker.name),
            path: optional(&marker.path),
            url: optional(&marker.url),
            service_name: marker.service_name.clone(),
            service_namespace: marker.service_namespace.clone(),
            service_port: marker.service_port,
            groups: marker.groups.0.clone(),
            versions: marker.versions.clone(),
            resources: marker.resources.clone(),
            verbs: place.spanned_all(&marker.verbs),
            failure_policy: place.spanned(&marker.failure_policy),
            match_policy: optional(&marker.match_policy),
            side_effects: optional(&marker.side_effects),
            timeout_seconds: marker.timeout_seconds.as_ref().map(|found| place.spanned(found)),
            admission_review_versions: marker.admission_review_versions.clone(),
            reinvocation_policy: optional(&marker.reinvocation_policy),
            webhook_versions: place.spanned_all(marker.webhook_versions.as_deref().unwrap_or_default()),
            namespace_selector: optional(&marker.namespace_selector),
            object_selector: optional(&marker.object_selector),
            match_conditions: conditions
                .map(|(name, expression)| MatchCondition {
                    name: name.value.clone(),
                    expression: expression.value.clone(),
                    origin: place.origin(expression),
                })
                .collect(),
            patch: marker.patch.as_ref().map(|patch| {
                place.spanned(&Located { value: patch.value.0.clone(), range: patch.range.clone() })
            }),
            arguments: place.argument_spans(),
            span: place.span(),
        });
    };
    write webhook |webhook| {
        let optional = |found: &Option<Spanned<String>>| found.as_ref().map(|found| found.value.clone().into());
        let list = |values: &[Spanned<String>]| -> Vec<Located<String>> {
            values.iter().map(|value| value.value.clone().into()).collect()
        };
        let conditions: Vec<(Located<String>, Located<String>)> = webhook
            .match_conditions
            .iter()
            .map(|condition| (condition.name.clone().into(), condition.expression.clone().into()))
            .collect();
        [(
            webhook.mutating,
            webhook.failure_policy.value.clone().into(),
            optional(&webhook.match_policy),
            optional(&webhook.side_effects),
            webhook.timeout_seconds.as_ref().map(|seconds| seconds.value.into()),
            Groups(webhook.groups.clone()),
            webhook.resources.clone(),
            list(&webhook.verbs),
            webhook.versions.clone(),
            webhook.name.value.clone().into(),
            webhook.service_name.clone(),
            webhook.service_namespace.clone(),
            optional(&webhook.path),
            webhook.service_port,
            (!webhook.webhook_versions.is_empty()).then(|| list(&webhook.webhook_versions)),
            webhook.admission_review_versions.clone(),
            optional(&webhook.reinvocation_policy),
            optional(&webhook.url),
            webhook.patch.as_ref().map(|patch| PatchText(patch.value.clone()).into()),
            optional(&webhook.namespace_selector),
            optional(&webhook.object_selector),
            (!conditions.is_empty()).then_some(Map(conditions)),
        )]
    };

    /// Name of the configuration object of the mutating or the validating webhooks.
    ///
    /// ```
    /// // +kubebuilder:webhookconfiguration:mutating=false,name=foo-validators
    /// pub fn main() {}
    /// ```
    "kubebuilder:webhookconfiguration" on [Anywhere] with [repeatable] => WebhookConfiguration {
        /// Whether it is the configuration of the mutating webhooks.
        "mutating" mutating: bool,
        /// The name; an empty name is the default one.
        "name" name: Option<MaybeEmpty>,
    }
    apply api |marker, node| {
        node.used = true;
        node.api.webhook_configurations.push(ConfigurationModel {
            mutating: marker.mutating,
            name: marker.name.clone().map(|name| name.0).unwrap_or_default(),
            span: marker.place.span(),
        });
    };
    write configuration |configuration| [(
        configuration.mutating,
        Some(MaybeEmpty(configuration.name.clone())),
    )];
}

/// JSON in quotes, or as it is.
#[derive(Clone, Debug)]
struct PatchText(JsonValue);

impl Value for PatchText {
    const TYPE: ValueType = ValueType::Json;

    fn read(parser: &mut Parser<'_>) -> Result<Self, Error> {
        parser.skip_blanks();
        if parser.peek() == Some('{') {
            return parser.json_with_nulls().map(|found| Self(found.value));
        }
        let found = Located::<String>::read(parser)?;
        let value: JsonValue = serde_json::from_str(&found.value)
            .map_err(|error| Error::value(found.range.clone(), format!("this is not valid JSON: {error}")))?;
        if !value.is_object() {
            return Err(Error::value(found.range, "write a JSON object"));
        }
        Ok(Self(value))
    }

    fn write(&self) -> Option<String> {
        Some(crate::value::written::json(&self.0))
    }
}
