//! Where the parts of a finished entry are written: in an argument of the marker, or in its patch.

use kgen_diagnostics::{Span, TextOrigin};
use kgen_model::Webhook;
use serde_json::Value;

/// The places of one webhook.
pub(super) struct Places<'a> {
    webhook: &'a Webhook,
    patch_failed: bool,
}

impl<'a> Places<'a> {
    pub(super) fn new(webhook: &'a Webhook) -> Self {
        Self {
            webhook,
            patch_failed: false,
        }
    }

    /// Records that the patch is invalid and was not applied. Parts that it would have changed are not reported.
    pub(super) fn patch_failed(&mut self) {
        self.patch_failed = true;
    }

    /// Returns the place of a part, to be underlined.
    pub(super) fn span(&self, path: &[&str]) -> Span {
        self.patch_span(path).unwrap_or_else(|| self.argument(path))
    }

    /// Returns the place to report a problem with a part; `None` if a broken patch would have changed it.
    pub(super) fn report(&self, path: &[&str]) -> Option<Span> {
        if self.patch_failed && self.patch_span(path).is_some() {
            return None;
        }
        Some(self.span(path))
    }

    /// Returns the same for an operation of a rule, counted from zero.
    pub(super) fn report_operation(&self, index: usize) -> Option<Span> {
        let path = ["rules", "operations"];
        let verb = self
            .webhook
            .verbs
            .get(index)
            .filter(|_| self.patch_span(&path).is_none());
        verb.map(|verb| verb.span).or_else(|| self.report(&path))
    }

    /// Returns where the parts of a condition are written, or `None` if the patch states it.
    pub(super) fn condition(&self, name: &str, expression: &str) -> Option<&'a TextOrigin> {
        let mut conditions = self.webhook.match_conditions.iter();
        let found = conditions.find(|known| known.name == name && known.expression == expression)?;
        Some(&found.origin)
    }

    /// Returns the patch, if it affects the part.
    fn patch_span(&self, path: &[&str]) -> Option<Span> {
        let patch = self.webhook.patch.as_ref()?;
        touches(&patch.value, path).then_some(patch.span)
    }

    /// Returns the value of the argument that determines a part; the marker if there is none.
    fn argument(&self, path: &[&str]) -> Span {
        let name = match path {
            ["clientConfig", "url"] => "url",
            ["clientConfig", "service", "name"] => "serviceName",
            ["clientConfig", "service", "namespace"] => "serviceNamespace",
            ["clientConfig", "service", "path"] => "path",
            ["clientConfig", "service", "port"] => "servicePort",
            ["rules", "apiGroups"] => "groups",
            ["rules", "apiVersions"] => "versions",
            ["rules", "operations"] => "verbs",
            ["rules", "resources"] => "resources",
            // All others have the name that they have in Kubernetes.
            [key, ..] => key,
            [] => "",
        };
        argument(self.webhook, name)
    }
}

/// Returns the place of the value of an argument; the marker if it does not have one.
pub(super) fn argument(webhook: &Webhook, name: &str) -> Span {
    let found = webhook.arguments.iter().find(|(known, _)| known == name);
    found.map_or(webhook.span, |(_, span)| *span)
}

/// Returns whether a patch can have changed the value at a path.
fn touches(patch: &Value, path: &[&str]) -> bool {
    let Some((key, rest)) = path.split_first() else {
        return true;
    };
    let Some(object) = patch.as_object() else {
        return true;
    };
    match object.get(*key) {
        Some(inner) => touches(inner, rest),
        None => object.keys().any(|directive| {
            // These change all keys beside them, those change the list that they name.
            matches!(directive.as_str(), "$patch" | "$retainKeys")
                || (directive.starts_with('$')
                    && directive.split_once('/').is_some_and(|(_, named)| named == *key))
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_patch_decides_what_it_names_and_what_lies_below() {
        let patch =
            json!({ "clientConfig": { "service": { "port": 1 } }, "rules": null, "timeoutSeconds": 3 });
        assert!(touches(&patch, &["timeoutSeconds"]));
        assert!(touches(&patch, &["rules", "operations"]));
        assert!(touches(&patch, &["clientConfig"]));
        assert!(touches(&patch, &["clientConfig", "service", "port"]));
        assert!(!touches(&patch, &["clientConfig", "service", "path"]));
        assert!(!touches(&patch, &["name"]));
    }

    #[test]
    fn directives_decide_too() {
        assert!(touches(&json!({ "$patch": "replace" }), &["name"]));
        assert!(touches(&json!({ "$retainKeys": ["name"] }), &["rules"]));
        let deletion = json!({ "$deleteFromPrimitiveList/admissionReviewVersions": ["v1"] });
        assert!(touches(&deletion, &["admissionReviewVersions"]));
        assert!(!touches(&deletion, &["name"]));
    }
}
