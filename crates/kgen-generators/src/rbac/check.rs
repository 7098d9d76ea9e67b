//! What an API server would refuse, and what nobody means: each problem at its marker.
//!
//! The rules are those of `pkg/apis/rbac/validation` in Kubernetes. Empty texts in lists are refused in addition,
//! because Kubernetes takes them and grants nothing for them.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::AccessRule;

use super::merge::effective_name;
use super::{names, never_match, verbs, words};

/// Checks all rules, and the name of the role that some of them go to.
pub(super) fn check(rules: &[AccessRule], default_name: &str, problems: &mut Problems) {
    for rule in rules {
        check_verbs(rule, problems);
        check_subject(rule, problems);
        check_elements(rule, problems);
        check_subresources(rule, problems);
        check_role(rule, problems);
        never_match::check(rule, problems);
        if !rule.wildcard_allowed {
            check_wildcards(rule, problems);
        }
    }
    let default_is_used = rules.iter().any(|rule| effective_name(rule, "").is_empty());
    if default_is_used && !names::is_path_segment(default_name) {
        let message = format!("`{default_name}` cannot be the name of a role");
        problems.push(Problem::general(Code::RbacRule, message).help(ROLE_NAME_HELP));
    }
}

const ROLE_NAME_HELP: &str = "a role name is not empty, not `.` or `..`, and has no `/` and no `%`";

fn error(rule: &AccessRule, message: impl Into<String>) -> Problem {
    Problem::error(Code::RbacRule, rule.span, message)
}

fn check_verbs(rule: &AccessRule, problems: &mut Problems) {
    if rule.verbs.is_empty() {
        problems.push(
            error(rule, "the rule has no verb").help("say what may be done, as in `verbs=get;list;watch`"),
        );
    }
    for verb in &rule.verbs {
        if verb.value.is_empty() {
            problems.push(
                Problem::error(Code::RbacRule, verb.span, "a verb is empty")
                    .help("remove it, or say what may be done, as in `verbs=get;list;watch`"),
            );
        } else {
            problems.extend(verbs::check(
                verb,
                !rule.urls.is_empty() && rule.resources.is_empty(),
            ));
        }
    }
}

/// A rule is about resources in groups, or about paths outside of them.
fn check_subject(rule: &AccessRule, problems: &mut Problems) {
    let (groups, resources) = (!rule.groups.is_empty(), !rule.resources.is_empty());
    if rule.urls.is_empty() {
        let problem = match (groups, resources) {
            (true, true) => return,
            (false, true) => error(rule, "the rule has `resources` but no `groups`")
                .help("name the API group of the resources; `groups=\"\"` is the core group"),
            (true, false) => error(rule, "the rule has `groups` but no `resources`")
                .help("name the resources, as in `resources=deployments`; `resources=*` means all of them"),
            (false, false) => error(rule, "the rule has neither `resources` nor `urls`")
                .help("say what it is about, as in `groups=apps,resources=deployments` or `urls=/metrics`"),
        };
        problems.push(problem);
        return;
    }
    let parts = [
        ("groups", groups),
        ("resources", resources),
        ("resourceNames", !rule.resource_names.is_empty()),
    ];
    let beside: Vec<&str> = parts
        .into_iter()
        .filter(|(_, given)| *given)
        .map(|(name, _)| name)
        .collect();
    if !beside.is_empty() {
        problems.push(
            error(
                rule,
                format!("the rule has `urls` together with {}", words::all_of(&beside)),
            )
            .help("a rule is about resources or about `urls`; write two markers"),
        );
    }
    if !namespace(rule).is_empty() {
        problems.push(
            error(rule, "the rule has `urls` together with `namespace`")
                .help("`urls` are in no namespace; write a marker of their own without `namespace`"),
        );
    }
}

fn namespace(rule: &AccessRule) -> &str {
    rule.namespace.as_deref().unwrap_or_default()
}

/// An empty group is the core group; everything else must have a text.
fn check_elements(rule: &AccessRule, problems: &mut Problems) {
    let lists = [
        ("a resource", &rule.resources),
        ("a resource name", &rule.resource_names),
        ("a path in `urls`", &rule.urls),
    ];
    for (what, values) in lists {
        if values.iter().any(String::is_empty) {
            problems.push(error(rule, format!("{what} is empty")).help("remove it, or write what is meant"));
        }
    }
}

/// A subresource has a name on both sides of its slash.
fn check_subresources(rule: &AccessRule, problems: &mut Problems) {
    for resource in &rule.resources {
        let halves = resource.split_once('/');
        if halves.is_some_and(|(resource, subresource)| resource.is_empty() || subresource.is_empty()) {
            problems.push(
                error(rule, format!("`{resource}` lacks a name beside its `/`"))
                    .help("write `deployments` for the resource, or `deployments/status` for a part of it"),
            );
        }
    }
}

fn check_role(rule: &AccessRule, problems: &mut Problems) {
    let namespace = namespace(rule);
    if !(namespace.is_empty() || names::is_dns_label(namespace)) {
        problems.push(
            error(rule, format!("`{namespace}` cannot be the name of a namespace")).help(
                "use at most 63 lower case letters, digits and `-`; begin and end with a letter or digit",
            ),
        );
    }
    let name = effective_name(rule, "");
    if !(name.is_empty() || names::is_path_segment(name)) {
        problems.push(error(rule, format!("`{name}` cannot be the name of a role")).help(ROLE_NAME_HELP));
    }
}

/// A star grants more than anybody can review, also what Kubernetes and other projects add later.
fn check_wildcards(rule: &AccessRule, problems: &mut Problems) {
    const ALLOW_HELP: &str = "if it is meant, write `+kgen:allow=rbac-wildcard` on the line above the marker";
    if let Some(star) = rule.verbs.iter().find(|verb| verb.value == "*") {
        let known = if rule.urls.is_empty() {
            "get;list;watch"
        } else {
            "get"
        };
        problems.push(
            Problem::warning(Code::RbacWildcard, star.span, "`*` grants every verb")
                .help(format!("name the verbs that are needed, such as `verbs={known}`"))
                .help(ALLOW_HELP),
        );
    }
    if let Some(star) = rule
        .resources
        .iter()
        .find(|resource| never_match::is_wildcard(resource))
    {
        let what = star
            .strip_prefix("*/")
            .map(|part| format!("`{part}` of "))
            .unwrap_or_default();
        let message = format!("`{star}` grants {what}every resource{}", shown_groups(rule));
        problems.push(
            Problem::warning(Code::RbacWildcard, rule.span, message)
                .help("name the resources that are needed, such as `resources=deployments`")
                .help(ALLOW_HELP),
        );
    }
}

/// Where a star reaches to, for its message.
fn shown_groups(rule: &AccessRule) -> String {
    if rule.groups.is_empty() {
        return String::new();
    }
    if rule.groups.iter().any(|group| group == "*") {
        return " of all groups".to_owned();
    }
    let shown = |group: &str| {
        if names::group_name(group).is_empty() {
            "the core group".to_owned()
        } else {
            format!("`{group}`")
        }
    };
    let groups: Vec<String> = rule.groups.iter().map(|group| shown(group)).collect();
    format!(" of {}", groups.join(" and "))
}
