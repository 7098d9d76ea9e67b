//! Tests of each check on its own. The case folders show complete problems.

use crate::Part;
use crate::tests::{check_with, markers};

/// Returns severity, code and message of all problems of some markers, which are given without their name.
fn problems(lines: &[&str]) -> Vec<String> {
    let text: String = lines
        .iter()
        .map(|line| match line.strip_prefix("allowed ") {
            Some(line) => format!("+kgen:allow=rbac-wildcard\n+kubebuilder:rbac:{line}\n"),
            None => format!("+kubebuilder:rbac:{line}\n"),
        })
        .collect();
    let (api, files) = markers::read(&text);
    let problems = check_with(&api, &[Part::AccessRules]);
    let shown = |problem: &kgen_diagnostics::Problem| {
        format!(
            "{} {}: {}",
            problem.severity.word(),
            problem.code,
            problem.message
        )
    };
    problems.sorted(&files).into_iter().map(shown).collect()
}

#[test]
fn what_everybody_writes_is_fine() {
    assert_eq!(
        problems(&[
            "groups=apps,resources=deployments;deployments/scale,verbs=get;list;watch;create;update;patch;delete;deletecollection",
            "groups=\"\",resources=secrets,resourceNames=tls,verbs=get,namespace=north-gate",
            "groups=*,resources=pods,verbs=get",
            "urls=/metrics;/healthz/*;*,verbs=get;head;post;put;patch;delete;options",
            "groups=certificates.k8s.io,resources=signers,verbs=approve;sign;attest",
            "groups=rbac.authorization.k8s.io,resources=clusterroles,verbs=bind;escalate",
            "groups=\"\",resources=users,verbs=impersonate;impersonate:user-info,roleName=system:thing",
        ]),
        [""; 0]
    );
}

#[test]
fn a_rule_is_about_resources_or_about_urls() {
    let only = |line| problems(&[line]);
    assert_eq!(
        only("groups=a,resources=r,urls=/m,verbs=get"),
        ["error rbac-rule: the RBAC rule has `urls` together with `groups` and `resources`"]
    );
    assert_eq!(
        only("resourceNames=x,urls=/m,verbs=get"),
        ["error rbac-rule: the RBAC rule has `urls` together with `resourceNames`"]
    );
    assert_eq!(
        only("urls=/m,verbs=get,namespace=north"),
        ["error rbac-rule: the RBAC rule has `urls` together with `namespace`"]
    );
    assert_eq!(
        only("resources=r,verbs=get"),
        ["error rbac-rule: the RBAC rule has `resources` but no `groups`"]
    );
    assert_eq!(
        only("groups=a,verbs=get"),
        ["error rbac-rule: the RBAC rule has `groups` but no `resources`"]
    );
    assert_eq!(
        only("verbs=get"),
        ["error rbac-rule: the RBAC rule has neither `resources` nor `urls`"]
    );
    assert_eq!(only("urls=/m,verbs=get,namespace=\"\""), [""; 0]);
}

#[test]
fn empty_texts_are_errors_but_for_the_core_group() {
    assert_eq!(
        problems(&["groups=\"\",resources=pods,verbs=\"\""]),
        ["error rbac-rule: a verb is empty"]
    );
    assert_eq!(
        problems(&["groups=\"\",resources=pods,verbs={}"]),
        ["error rbac-rule: the RBAC rule has no verb"]
    );
    assert_eq!(
        problems(&["groups=\"\",resources=pods;\"\",verbs=get"]),
        ["error rbac-rule: a resource is empty"]
    );
    assert_eq!(
        problems(&["groups=\"\",resources=pods,resourceNames=\"\",verbs=get"]),
        ["error rbac-rule: a resource name is empty"]
    );
    assert_eq!(
        problems(&["urls=\"\",verbs=get"]),
        ["error rbac-rule: a path in `urls` is empty"]
    );
}

#[test]
fn names_of_roles_and_namespaces_must_be_names() {
    assert_eq!(
        problems(&["groups=a,resources=r,verbs=get,namespace=North"]),
        ["error rbac-rule: `North` cannot be the name of a namespace"]
    );
    assert_eq!(
        problems(&["groups=a,resources=r,verbs=get,roleName=a/b"]),
        ["error rbac-rule: `a/b` cannot be the name of a role"]
    );
}

#[test]
fn unknown_verbs_are_warnings() {
    assert_eq!(
        problems(&["groups=a,resources=r,verbs=get;lst;POST;frobnicate"]),
        [
            "warning rbac-verb: `lst` is not a verb of the Kubernetes API",
            "warning rbac-verb: `POST` is not a verb of the Kubernetes API",
            "warning rbac-verb: `frobnicate` is not a verb of the Kubernetes API"
        ]
    );
    assert_eq!(
        problems(&["urls=/m,verbs=get;watch"]),
        ["warning rbac-verb: `watch` is not a verb of requests to `urls`"]
    );
}

#[test]
fn a_star_is_a_warning_unless_it_is_allowed() {
    let line = "groups=a;core,resources=*,verbs=*";
    assert_eq!(
        problems(&[line]),
        [
            "warning rbac-wildcard: `*` grants every resource of `a` and the core group",
            "warning rbac-wildcard: `*` grants every verb",
        ]
    );
    assert_eq!(
        problems(&[&format!("allowed {line}"), "groups=a,resources=r,verbs=get"]),
        [""; 0]
    );
    assert_eq!(
        problems(&["groups=*,resources=*/status,verbs=get"]),
        ["warning rbac-wildcard: `*/status` grants `status` of every resource of all groups"]
    );
}

#[test]
fn rules_that_never_match_are_warnings() {
    let found = problems(&[
        "groups=a,resources=pods/*,verbs=get",
        "groups=apps,resources=Deployment,verbs=get",
        "groups=apps/v1,resources=deployments,verbs=get",
        "urls=metrics,verbs=get",
        "urls=/a/*/b,verbs=get",
    ]);
    insta::assert_snapshot!(found.join("\n"), @"
    warning rbac-rule: `pods/*` does not match any resource, because a `*` always means all resources
    warning rbac-rule: `Deployment` does not match any resource, because resources are lowercase
    warning rbac-rule: `apps/v1` does not match any group, because RBAC rules have no versions
    warning rbac-rule: `metrics` does not match any path, because every path begins with `/`
    warning rbac-rule: `/a/*/b` does not match any path, because a `*` has a meaning only at the end
    ");
}

#[test]
fn all_problems_come_at_once() {
    let found = problems(&[
        "resources=\"\",verbs=\"\",namespace=X,roleName=..",
        "groups=a,resources=r,verbs=gett",
    ]);
    assert_eq!(found.len(), 6, "{found:#?}");
}

#[test]
fn a_subresource_has_two_names() {
    assert_eq!(
        problems(&["groups=apps,resources=deployments/;/scale;deployments/status,verbs=get"]),
        [
            "error rbac-rule: `deployments/` lacks a name next to its `/`",
            "error rbac-rule: `/scale` lacks a name next to its `/`",
        ]
    );
}
