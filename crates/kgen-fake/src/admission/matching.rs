//! Decides which webhooks a request concerns: rules, selectors, match conditions.

use kgen_cel::{Environment, EvaluateError, Expression};
use serde_json::{Value, json};

use super::Operation;
use crate::selector::LabelSelector;
use crate::state::State;
use crate::status::Failure;
use crate::verbs::Request;

/// One webhook of a configuration.
pub(super) struct Hook {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) fails_closed: bool,
    pub(super) has_no_side_effects: bool,
    pub(super) is_reinvoked: bool,
    json: Value,
}

/// Returns the webhooks of all configurations of a resource, ordered by the name of the configuration.
pub(super) fn hooks(state: &State, request: &Request<'_>, resource: &str) -> Vec<Hook> {
    // Webhooks are not asked about their own configurations.
    if request.kind.group == "admissionregistration.k8s.io" {
        return Vec::new();
    }
    let resource = format!("{resource}.admissionregistration.k8s.io");
    let configurations = state.store.list(&resource, "");
    let mut hooks = Vec::new();
    for (_, stored) in configurations {
        let webhooks = stored.object.get("webhooks").and_then(Value::as_array);
        for webhook in webhooks.into_iter().flatten() {
            hooks.push(Hook::read(webhook));
        }
    }
    hooks
}

impl Hook {
    fn read(json: &Value) -> Self {
        let text = |pointer: &str| json.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let path = match text("/clientConfig/service/path") {
            "" => {
                let url = text("/clientConfig/url");
                let after = url.split_once("://").map_or(url, |(_, rest)| rest);
                after
                    .find('/')
                    .and_then(|start| after.get(start..))
                    .unwrap_or("/")
                    .to_owned()
            }
            path => path.to_owned(),
        };
        Self {
            name: text("/name").to_owned(),
            path,
            fails_closed: text("/failurePolicy") != "Ignore",
            has_no_side_effects: matches!(text("/sideEffects"), "None" | "NoneOnDryRun"),
            is_reinvoked: text("/reinvocationPolicy") == "IfNeeded",
            json: json.clone(),
        }
    }

    /// Returns the version in which this webhook wants a request, if its rules match.
    ///
    /// With the policy `Equivalent`, a rule also matches requests in other versions of the kind. The webhook then gets the
    /// object in the version of its rule.
    pub(super) fn version<'k>(&self, request: &'k Request<'_>, operation: Operation) -> Option<&'k str> {
        let matches = |version: &str| {
            let rules = self.json.get("rules").and_then(Value::as_array);
            let mut rules = rules.into_iter().flatten();
            rules.any(|rule| rule_matches(rule, request, operation, version))
        };
        if matches(request.version()) {
            return Some(request.version());
        }
        if self.json.get("matchPolicy").and_then(Value::as_str) == Some("Exact") {
            return None;
        }
        let served = request.kind.versions.iter().filter(|version| version.is_served);
        served
            .map(|version| version.name.as_str())
            .find(|version| matches(version))
    }

    /// Returns whether the selectors and conditions select a request whose rules match.
    pub(super) fn selects(
        &self,
        state: &State,
        request: &Request<'_>,
        (operation, version): (Operation, &str),
        object: &Value,
        old: Option<&Value>,
    ) -> Result<bool, Failure> {
        let selector = |key: &str| LabelSelector::from_json(self.json.get(key).unwrap_or(&Value::Null));
        let objects = selector("objectSelector");
        let is_selected =
            objects.is_empty() || objects.matches(object) || old.is_some_and(|old| objects.matches(old));
        if !is_selected {
            return Ok(false);
        }
        let namespaces = selector("namespaceSelector");
        if !namespaces.is_empty() {
            let own = &*request.kind.resource == "namespaces";
            let namespace = state
                .store
                .get("namespaces", request.scope())
                .map(|found| found.object.clone());
            let labeled = if own { Some(object) } else { namespace.as_deref() };
            if labeled.is_some_and(|labeled| !namespaces.matches(labeled)) {
                return Ok(false);
            }
        }
        self.conditions_hold(request, (operation, version), object, old)
    }

    /// Evaluates the match conditions. One that is false excludes the request, whatever the others are; a failure counts as
    /// the failure policy says.
    fn conditions_hold(
        &self,
        request: &Request<'_>,
        (operation, version): (Operation, &str),
        object: &Value,
        old: Option<&Value>,
    ) -> Result<bool, Failure> {
        let conditions = self.json.get("matchConditions").and_then(Value::as_array);
        let (kind, name) = (&request.kind, object_name(request, object, old));
        let mut failures = Vec::new();
        for condition in conditions.into_iter().flatten() {
            let text = condition
                .get("expression")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let environment = Environment::match_condition();
            let unsupported = || Failure::not_implemented(&format!("the match condition `{text}`"));
            let checked = Expression::parse(text).map_err(|_| unsupported())?;
            let checked = checked.check(&environment).map_err(|_| unsupported())?;
            let asked = json!({
                "operation": operation.as_str(),
                "name": name, "namespace": request.scope(),
                "dryRun": request.call.is_dry_run(),
                "subResource": request.call.target.subresource,
                "kind": {"group": kind.group, "version": version, "kind": kind.kind},
                "resource": {"group": kind.group, "version": version, "resource": kind.plural},
                "userInfo": {"username": request.call.user.name, "groups": request.call.user.groups},
            });
            let old = old.unwrap_or(&Value::Null);
            let bindings = environment.bind([("object", object), ("oldObject", old), ("request", &asked)]);
            match checked.evaluate(&bindings) {
                Ok(kgen_cel::Value::Bool(true)) => {}
                Ok(kgen_cel::Value::Bool(false)) => return Ok(false),
                Err(EvaluateError::Failed(failure)) => failures.push(format!(
                    "expression '{text}' resulted in error: {}",
                    failure.server_message()
                )),
                _ => return Err(unsupported()),
            }
        }
        if failures.is_empty() {
            return Ok(true);
        }
        if !self.fails_closed {
            return Ok(false);
        }
        let detail = match failures.as_slice() {
            [only] => only.clone(),
            several => format!("[{}]", several.join(", ")),
        };
        Err(Failure::forbidden(name, &kind.plural, &kind.group, &detail))
    }
}

/// Returns the name of the object of a request. A creation has it only in the object.
pub(super) fn object_name<'o>(
    request: &'o Request<'_>,
    object: &'o Value,
    old: Option<&'o Value>,
) -> &'o str {
    match request.name() {
        "" if object.is_null() => crate::meta::name(old.unwrap_or(object)),
        "" => crate::meta::name(object),
        name => name,
    }
}

fn rule_matches(rule: &Value, request: &Request<'_>, operation: Operation, version: &str) -> bool {
    let has = |key: &str, wanted: &str| {
        let items = rule.get(key).and_then(Value::as_array);
        items
            .into_iter()
            .flatten()
            .any(|item| item == "*" || item == wanted)
    };
    let target = &request.call.target;
    let resource = target.resource_path();
    let resources = rule.get("resources").and_then(Value::as_array);
    let names_resource = resources
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .any(|wanted| match wanted.split_once('/') {
            None => target.subresource.is_empty() && (wanted == "*" || wanted == target.resource),
            Some((resource, subresource)) => {
                (resource == "*" || resource == target.resource)
                    && (subresource == "*" || subresource == target.subresource)
                    && (subresource == "*" || !target.subresource.is_empty())
            }
        })
        || has("resources", &resource);
    let scope = match rule.get("scope").and_then(Value::as_str) {
        Some("Namespaced") => request.kind.is_namespaced,
        Some("Cluster") => !request.kind.is_namespaced,
        _ => true,
    };
    has("operations", operation.as_str())
        && has("apiGroups", &request.kind.group)
        && has("apiVersions", version)
        && names_resource
        && scope
}
