//! Admission webhooks: one per marker, as written.

use kgen_diagnostics::{Span, Spanned, TextOrigin};
use serde_json::Value;

/// One webhook of a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Webhook {
    /// Whether it may change objects, or only reject them.
    pub mutating: bool,
    /// Its name within the configuration.
    pub name: Spanned<String>,
    /// Path on the service, for a webhook behind a service.
    pub path: Option<Spanned<String>>,
    /// URL, for a webhook outside the cluster.
    pub url: Option<Spanned<String>>,
    /// Name of the service.
    pub service_name: Option<String>,
    /// Namespace of the service.
    pub service_namespace: Option<String>,
    /// Port of the service.
    pub service_port: Option<i64>,
    /// API groups; the empty name is the core group.
    pub groups: Vec<String>,
    /// Versions.
    pub versions: Vec<String>,
    /// Resources.
    pub resources: Vec<String>,
    /// Operations, as written.
    pub verbs: Vec<Spanned<String>>,
    /// The failure policy, as written.
    pub failure_policy: Spanned<String>,
    /// How rules match, as written.
    pub match_policy: Option<Spanned<String>>,
    /// Side effects, as written.
    pub side_effects: Option<Spanned<String>>,
    /// Time limit.
    pub timeout_seconds: Option<Spanned<i64>>,
    /// Versions of the review that the webhook understands.
    pub admission_review_versions: Vec<String>,
    /// The reinvocation policy, as written.
    pub reinvocation_policy: Option<Spanned<String>>,
    /// Versions of the configuration object to write, as written.
    pub webhook_versions: Vec<Spanned<String>>,
    /// The namespaces, as for `kubectl -l`.
    pub namespace_selector: Option<Spanned<String>>,
    /// The objects, as for `kubectl -l`.
    pub object_selector: Option<Spanned<String>>,
    /// Conditions that a request must fulfill.
    pub match_conditions: Vec<MatchCondition>,
    /// A patch for parts that do not have an argument.
    pub patch: Option<Spanned<Value>>,
    /// The places of the values of the arguments.
    pub arguments: Vec<(String, Span)>,
    /// Where the webhook is written.
    pub span: Span,
}

/// A condition in CEL that a request must fulfill before a webhook sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchCondition {
    /// Its name within the webhook.
    pub name: String,
    /// The CEL expression.
    pub expression: String,
    /// The places of the parts of the expression.
    pub origin: TextOrigin,
}

/// The name of one of the two configuration objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookConfiguration {
    /// Which of the two.
    pub mutating: bool,
    /// Its name; empty means the default.
    pub name: String,
    /// Where it is written.
    pub span: Span,
}
