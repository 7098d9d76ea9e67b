//! Reports RBAC rules that an API server would reject, or that are certainly not intended, at their markers.
//!
//! The rules are those of `pkg/apis/rbac/validation` in Kubernetes. Empty texts in lists are refused in addition,
//! because Kubernetes takes them and grants nothing for them.

mod never_match;
#[cfg(test)]
mod tests;
mod verbs;

use kgen_diagnostics::{Code, Problem, Problems, Span, Spanned, words};
use kgen_model::{AccessRule, group_name};

use crate::kubernetes_names;

/// Checks every access rule.
pub(super) fn check(rules: &[AccessRule], problems: &mut Problems) {
    for rule in rules {
        check_verbs(rule, problems);
        check_subject(rule, problems);
        check_elements(rule, problems);
        check_subresources(rule, problems);
        check_role(rule, problems);
        never_match::check(rule, problems);
        match rule.wildcard_allowed {
            None => check_wildcards(rule, problems),
            Some(allowance) => check_allowance(rule, allowance, problems),
        }
    }
}

/// Returns the problem of a role name that a user gives to the rules without one.
#[must_use]
pub fn role_name_problem(name: &str) -> Option<Problem> {
    (!kubernetes_names::is_path_segment(name)).then(|| {
        let message = format!("`{name}` cannot be the name of a role");
        Problem::general(Code::RbacRule, message).help(ROLE_NAME_HELP)
    })
}

const ROLE_NAME_HELP: &str = "a role name is not empty, not `.` or `..`, and has no `/` and no `%`";

/// Returns an error that is about the rule as a whole.
fn error(rule: &AccessRule, message: impl Into<String>) -> Problem {
    Problem::error(Code::RbacRule, rule.span, message)
}

/// Returns an error that is about one value.
fn at(value: &Spanned<String>, message: impl Into<String>) -> Problem {
    Problem::error(Code::RbacRule, value.span, message)
}

fn check_verbs(rule: &AccessRule, problems: &mut Problems) {
    if rule.verbs.is_empty() {
        problems.push(
            error(rule, "the RBAC rule has no verb").help("add the verbs, as in `verbs=get;list;watch`"),
        );
    }
    for verb in &rule.verbs {
        if verb.value.is_empty() {
            problems.push(
                Problem::error(Code::RbacRule, verb.span, "a verb is empty")
                    .help("remove it, or name a verb, as in `verbs=get;list;watch`"),
            );
        } else {
            problems.extend(verbs::check(
                verb,
                !rule.urls.is_empty() && rule.resources.is_empty(),
            ));
        }
    }
}

/// Returns the place from the first of several values to the last.
fn extent(values: &[Spanned<String>]) -> Option<Span> {
    let (first, last) = (values.first()?, values.last()?);
    Some(first.span.to(last.span))
}

/// Checks that a rule is about resources in groups, or about non-resource URLs.
fn check_subject(rule: &AccessRule, problems: &mut Problems) {
    let (groups, resources) = (!rule.groups.is_empty(), !rule.resources.is_empty());
    if rule.urls.is_empty() {
        let problem = match (groups, resources) {
            (true, true) => return,
            (false, true) => Problem::error(
                Code::RbacRule,
                extent(&rule.resources).unwrap_or(rule.span),
                "the RBAC rule has `resources` but no `groups`",
            )
            .help("name the API group of the resources; `groups=\"\"` is the core group"),
            (true, false) => error(rule, "the RBAC rule has `groups` but no `resources`")
                .help("name the resources, as in `resources=deployments`; `resources=*` means all of them"),
            (false, false) => error(rule, "the RBAC rule has neither `resources` nor `urls`").help(
                "name its resources or URLs, as in `groups=apps,resources=deployments` or `urls=/metrics`",
            ),
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
    if let (false, Some(urls)) = (beside.is_empty(), extent(&rule.urls)) {
        problems.push(
            Problem::error(
                Code::RbacRule,
                urls,
                format!(
                    "the RBAC rule has `urls` together with {}",
                    words::all_of(beside.iter().copied())
                ),
            )
            .help("write two markers, one for the resources and one for the URLs"),
        );
    }
    if let Some(namespace) = namespace(rule) {
        problems.push(
            at(namespace, "the RBAC rule has `urls` together with `namespace`")
                .help("write a separate marker for `urls`, without `namespace`"),
        );
    }
}

/// Returns the namespace, unless it is empty and means none.
fn namespace(rule: &AccessRule) -> Option<&Spanned<String>> {
    rule.namespace.as_ref().filter(|name| !name.value.is_empty())
}

/// Checks that values are not empty. Only a group may be: that is the core group.
fn check_elements(rule: &AccessRule, problems: &mut Problems) {
    let lists = [
        ("a resource", &rule.resources),
        ("a resource name", &rule.resource_names),
        ("a path in `urls`", &rule.urls),
    ];
    for (what, values) in lists {
        if let Some(empty) = values.iter().find(|value| value.value.is_empty()) {
            problems.push(at(empty, format!("{what} is empty")).help("remove it, or replace it with a name"));
        }
    }
}

/// Checks that a subresource has a name on both sides of its slash.
fn check_subresources(rule: &AccessRule, problems: &mut Problems) {
    for resource in &rule.resources {
        let halves = resource.value.split_once('/');
        if halves.is_some_and(|(resource, subresource)| resource.is_empty() || subresource.is_empty()) {
            problems.push(
                at(
                    resource,
                    format!("`{}` lacks a name next to its `/`", resource.value),
                )
                .help("write `deployments` for the resource, or `deployments/status` for a subresource"),
            );
        }
    }
}

fn check_role(rule: &AccessRule, problems: &mut Problems) {
    if let Some(namespace) = namespace(rule).filter(|name| !kubernetes_names::is_dns_label(&name.value)) {
        problems.push(
            at(
                namespace,
                format!("`{}` cannot be the name of a namespace", namespace.value),
            )
            .help("use at most 63 lowercase letters, digits and `-`; begin and end with a letter or digit"),
        );
    }
    if let Some(name) = rule
        .own_role_name()
        .filter(|name| !kubernetes_names::is_path_segment(&name.value))
    {
        problems
            .push(at(name, format!("`{}` cannot be the name of a role", name.value)).help(ROLE_NAME_HELP));
    }
}

/// Reports an allowance that the rule does not need. It would hide a star that somebody adds later.
fn check_allowance(rule: &AccessRule, allowance: Span, problems: &mut Problems) {
    let has_star = rule.verbs.iter().any(|verb| verb.value == "*")
        || rule
            .resources
            .iter()
            .any(|resource| never_match::is_wildcard(&resource.value));
    if !has_star {
        problems.push(
            Problem::warning(
                Code::RbacWildcard,
                allowance,
                "`kgen:allow` is not needed: the RBAC rule has no `*`",
            )
            .related(rule.span, "this rule")
            .help("remove the marker"),
        );
    }
}

/// Reports a star: it grants more than can be reviewed, including resources that other projects add later.
fn check_wildcards(rule: &AccessRule, problems: &mut Problems) {
    const ALLOW_HELP: &str =
        "if this is intended, write `+kgen:allow=rbac-wildcard` on the line above the marker";
    if let Some(star) = rule.verbs.iter().find(|verb| verb.value == "*") {
        let known = if rule.urls.is_empty() {
            "get;list;watch"
        } else {
            "get"
        };
        problems.push(
            Problem::warning(Code::RbacWildcard, star.span, "`*` grants every verb")
                .help(format!(
                    "list only the verbs that the operator needs, such as `verbs={known}`"
                ))
                .help(ALLOW_HELP),
        );
    }
    if let Some(star) = rule
        .resources
        .iter()
        .find(|resource| never_match::is_wildcard(&resource.value))
    {
        let what = star
            .value
            .strip_prefix("*/")
            .map(|part| format!("`{part}` of "))
            .unwrap_or_default();
        let message = format!(
            "`{}` grants {what}every resource{}",
            star.value,
            shown_groups(rule)
        );
        problems.push(
            Problem::warning(Code::RbacWildcard, star.span, message)
                .help("list only the resources that the operator needs, such as `resources=deployments`")
                .help(ALLOW_HELP),
        );
    }
}

/// Returns the groups that a star reaches, for its message.
fn shown_groups(rule: &AccessRule) -> String {
    if rule.groups.is_empty() {
        return String::new();
    }
    if rule.groups.iter().any(|group| group == "*") {
        return " of all groups".to_owned();
    }
    let shown = |group: &str| {
        if group_name(group).is_empty() {
            "the core group".to_owned()
        } else {
            format!("`{group}`")
        }
    };
    let groups: Vec<String> = rule.groups.iter().map(|group| shown(group)).collect();
    format!(" of {}", groups.join(" and "))
}
