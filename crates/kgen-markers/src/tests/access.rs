//! Access rules and webhooks.

use kgen_diagnostics::{Code, Files, Problems, SourceFile};
use kgen_model::Api;

use super::markers;
use crate::{Position, apply_to_api, read_api};

fn apply(texts: &[&str]) -> (Api, Vec<Code>) {
    let (mut api, mut problems) = (Api::default(), Problems::new());
    apply_to_api(&markers(texts, Position::Nothing), &mut api, &mut problems);
    (api, problems.iter().map(|problem| problem.code).collect())
}

#[test]
fn access_rules() {
    let (api, codes) = apply(&[
        "+kubebuilder:rbac:groups=apps;batch,resources=deployments;jobs/status,verbs=get;list,namespace=north,roleName=reader",
        "+kubebuilder:rbac:groups=,resources=pods,verbs=\"*\"",
        "+kubebuilder:rbac:groups=\"\",resources=pods,verbs=get;",
        "+kubebuilder:rbac:urls=/metrics,verbs=get",
        "+kubebuilder:rbac:resources=pods,verbs=get,groups=",
    ]);
    assert_eq!(codes, []);
    let rules = &api.access_rules;
    assert_eq!(rules[0].groups, ["apps", "batch"]);
    let resources: Vec<_> = rules[0]
        .resources
        .iter()
        .map(|found| found.value.as_str())
        .collect();
    assert_eq!(resources, ["deployments", "jobs/status"]);
    let text =
        |found: &Option<kgen_diagnostics::Spanned<String>>| found.as_ref().map(|found| found.value.clone());
    assert_eq!(
        (text(&rules[0].namespace), text(&rules[0].role_name)),
        (Some("north".to_owned()), Some("reader".to_owned()))
    );
    assert_eq!(rules[1].groups, [""]);
    assert_eq!(rules[1].verbs[0].value, "*");
    assert_eq!(rules[2].groups, [""]);
    assert_eq!(rules[2].verbs.len(), 1);
    assert_eq!((rules[3].groups.len(), rules[3].urls.len()), (0, 1));
    assert_eq!(rules[4].groups, [""]);
}

#[test]
fn a_star_is_allowed_by_the_marker_directly_above() {
    let allow = "+kgen:allow=rbac-wildcard";
    let rule = "+kubebuilder:rbac:groups=a,resources=*,verbs=get";
    let webhook = "+kubebuilder:webhookconfiguration:mutating=true";
    let (api, codes) = apply(&[allow, rule, rule, allow, rule]);
    assert_eq!(codes, []);
    assert_eq!(
        api.access_rules
            .iter()
            .map(|rule| rule.wildcard_allowed.is_some())
            .collect::<Vec<_>>(),
        [true, false, true]
    );
    assert_eq!(apply(&[allow]).1, [Code::DetachedMarker]);
    assert_eq!(apply(&[allow, webhook, rule]).1, [Code::DetachedMarker]);
    assert_eq!(apply(&[rule, allow]).1, [Code::DetachedMarker]);
}

#[test]
fn webhooks() {
    let (api, codes) = apply(&[
        "+kubebuilder:webhook:mutating=false,url=`https://a.example.org:8443/x,y`,failurePolicy=ignore,sideEffects=None,\
         groups=,resources=pods,verbs=create;update,versions=v1,name=a.example.org,admissionReviewVersions=v1;v1beta1,\
         namespaceSelector=\"a=b,c in (d,e)\",matchConditions={first: \"a, b\", second: c},timeoutSeconds=5,\
         patch=`{\"matchPolicy\": null}`,servicePort=443",
        "+kubebuilder:webhookconfiguration:mutating=true,name=x",
        "+kubebuilder:webhookconfiguration:mutating=false,name=",
    ]);
    assert_eq!(codes, []);
    let webhook = &api.webhooks[0];
    assert_eq!(
        webhook.url.as_ref().map(|url| url.value.as_str()),
        Some("https://a.example.org:8443/x,y")
    );
    assert_eq!(webhook.groups, [""]);
    let conditions = webhook.match_conditions.iter();
    assert_eq!(
        conditions
            .map(|found| (found.name.as_str(), found.expression.as_str()))
            .collect::<Vec<_>>(),
        [("first", "a, b"), ("second", "c")]
    );
    assert_eq!(
        webhook
            .patch
            .as_ref()
            .map(|patch| patch.value.to_string())
            .as_deref(),
        Some("{\"matchPolicy\":null}")
    );
    assert_eq!(
        webhook
            .namespace_selector
            .as_ref()
            .map(|found| found.value.as_str()),
        Some("a=b,c in (d,e)")
    );
    assert_eq!(webhook.timeout_seconds.as_ref().map(|found| found.value), Some(5));
    assert_eq!(
        api.webhook_configurations
            .iter()
            .map(|found| found.name.as_str())
            .collect::<Vec<_>>(),
        ["x", ""]
    );
}

#[test]
fn a_text_of_marker_lines() {
    let text = "\
Some words, and +no marker.
+kgen:allow=rbac-wildcard
+kubebuilder:rbac:groups=\"a,
b\",resources=*,verbs=get
+kubebuilder:rbac:groups=a,resources=r
 +othertool:something=1
+kubebuilder:rbac:verbs=list";
    let mut files = Files::default();
    let file = files.add(SourceFile::new("markers.txt", text));
    let (api, problems) = read_api(file, text);
    let problems: Vec<_> = problems
        .iter()
        .map(|problem| (problem.code, files.slice(problem.span.expect("a place"))))
        .collect();
    assert_eq!(problems, [(Code::MarkerArgument, "kubebuilder:rbac")]);
    let rules: Vec<_> = api
        .access_rules
        .iter()
        .map(|rule| (files.slice(rule.verbs[0].span), rule.wildcard_allowed.is_some()))
        .collect();
    assert_eq!(rules, [("get", true), ("list", false)]);
    assert_eq!(api.access_rules[0].groups, ["a,\nb"]);
}
