//! Decides which webhooks a request concerns: rules, selectors, match conditions.

use kgen_cel::{Environment, Expression};
use serde_json::{Value, json};

use super::Operation;
use crate::meta;
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

    /// Whether a request concerns this webhook.
    pub(super) fn concerns(
        &self,
        state: &State,
        request: &Request<'_>,
        operation: Operation,
        object: &Value,
        old: Option<&Value>,
    ) -> Result<bool, Failure> {
        let rules = self.json.get("rules").and_then(Value::as_array);
        let is_ruled = |rule: &Value| rule_matches(rule, request, operation);
        if !rules.into_iter().flatten().any(is_ruled) {
            return Ok(false);
        }
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
        self.conditions_hold(request, operation, object, old)
    }

    fn conditions_hold(
        &self,
        request: &Request<'_>,
        operation: Operation,
        object: &Value,
        old: Option<&Value>,
    ) -> Result<bool, Failure> {
        let conditions = self.json.get("matchConditions").and_then(Value::as_array);
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
                "name": request.name(), "namespace": request.scope(),
                "dryRun": request.call.is_dry_run(),
                "subResource": request.call.target.subresource,
                "kind": {"group": request.kind.group, "version": request.version(), "kind": request.kind.kind},
                "resource": {"group": request.kind.group, "version": request.version(), "resource": request.kind.plural},
                "userInfo": {"username": request.call.user.name, "groups": request.call.user.groups},
            });
            let old = old.unwrap_or(&Value::Null);
            let bindings = environment.bind([("object", object), ("oldObject", old), ("request", &asked)]);
            match checked.evaluate(&bindings) {
                Ok(kgen_cel::Value::Bool(true)) => {}
                Ok(kgen_cel::Value::Bool(false)) => return Ok(false),
                _ => return Err(unsupported()),
            }
        }
        Ok(true)
    }
}

fn rule_matches(rule: &Value, request: &Request<'_>, operation: Operation) -> bool {
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
        && has("apiVersions", request.version())
        && names_resource
        && scope
        && !meta::name(&Value::Null).contains('/')
}
