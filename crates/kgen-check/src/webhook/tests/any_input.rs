//! Property tests: every input is either refused or becomes part of a configuration, and none causes a panic.

use kgen_diagnostics::Spanned;
use kgen_model::Api;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::check;
use crate::tests::markers;

const MARKER: &str = "+kubebuilder:webhook:mutating=true,name=foos.example.com,path=/x,failurePolicy=fail,sideEffects=None,\
    groups=a,resources=r,verbs=create,versions=v1,admissionReviewVersions=v1,matchConditions={a: \"true\"}";

const KEYS: &[&str] = &[
    "name",
    "clientConfig",
    "service",
    "url",
    "port",
    "caBundle",
    "rules",
    "operations",
    "scope",
    "sideEffects",
    "timeoutSeconds",
    "admissionReviewVersions",
    "namespaceSelector",
    "matchLabels",
    "matchExpressions",
    "key",
    "operator",
    "values",
    "matchConditions",
    "expression",
    "$patch",
    "$retainKeys",
    "$setElementOrder/matchConditions",
    "$deleteFromPrimitiveList/admissionReviewVersions",
    "other",
];

/// Generates JSON that is often close to a valid patch.
fn patch() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(&["", "a", "v1", "replace", "delete", "None", "In", "aGk="][..]).prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let key = select(KEYS).prop_map(str::to_owned);
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(key, inner, 0..5).prop_map(|entries| json!(entries)),
        ]
    })
}

fn api() -> Api {
    markers::read(MARKER).0
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_patch(patch in patch()) {
        let mut api = api();
        let webhook = &mut api.webhooks[0];
        webhook.patch = Some(Spanned::new(patch, webhook.span));
        check(&api);
    }

    #[test]
    fn any_selector(text in "([a-z/.!=<>(), ü-]|in|notin){0,12}") {
        let mut api = api();
        let webhook = &mut api.webhooks[0];
        webhook.namespace_selector = Some(Spanned::new(text, webhook.span));
        check(&api);
    }

    #[test]
    fn any_address(text in "(https://)?[a-z0-9:/@?#%\\[\\]ü ]{0,12}") {
        let mut api = api();
        let webhook = &mut api.webhooks[0];
        webhook.url = Some(Spanned::new(text, webhook.span));
        webhook.path = None;
        check(&api);
    }

    #[test]
    fn any_texts(name in ".{0,9}", path in ".{0,9}", verb in ".{0,9}", version in ".{0,9}") {
        let mut api = api();
        let webhook = &mut api.webhooks[0];
        webhook.name.value = name;
        webhook.path = Some(Spanned::new(path, webhook.span));
        webhook.verbs = vec![Spanned::new(verb, webhook.span)];
        webhook.admission_review_versions = vec![version];
        check(&api);
    }
}
