//! Resources and URLs that no request can have. Kubernetes accepts them but never grants anything for them, so they are
//! warnings: a misplaced `*`, a kind instead of its resource, a group with its version, a path without its slash.

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::AccessRule;

/// Adds a warning for each part of the rule that matches nothing.
pub(super) fn check(rule: &AccessRule, problems: &mut Problems) {
    let groups = rule.groups.iter();
    problems.extend(groups.filter_map(|group| check_group(group, rule.span)));
    let resources = rule.resources.iter();
    problems.extend(resources.filter_map(|resource| check_resource(&resource.value, resource.span)));
    let urls = rule.urls.iter();
    problems.extend(urls.filter_map(|url| check_url(&url.value, url.span)));
}

/// Returns whether a `*` is in a place where Kubernetes supports it: alone, or before a subresource.
pub(super) fn is_wildcard(resource: &str) -> bool {
    resource == "*"
        || resource
            .strip_prefix("*/")
            .is_some_and(|subresource| !subresource.contains('*'))
}

fn check_group(group: &str, span: Span) -> Option<Problem> {
    let (name, version) = group.split_once('/')?;
    Some(
        Problem::warning(
            Code::RbacRule,
            span,
            format!("`{group}` does not match any group, because RBAC rules have no versions"),
        )
        .help(format!(
            "write `{name}`, which includes all versions, such as `{version}`"
        )),
    )
}

fn check_resource(resource: &str, span: Span) -> Option<Problem> {
    let warning = |reason: &str| {
        Problem::warning(
            Code::RbacRule,
            span,
            format!("`{resource}` does not match any resource, because {reason}"),
        )
    };
    let name = resource.split('/').next().unwrap_or_default();
    if resource.contains('*') && !is_wildcard(resource) {
        return Some(
            warning("a `*` always means all resources")
                .help("list each resource, or write `*/status` for the `status` of every resource"),
        );
    }
    if name.contains(|letter: char| letter.is_uppercase()) {
        return Some(
            warning("resources are lowercase").help(
                "write the plural that is used in URLs, such as `deployments` for the kind `Deployment`",
            ),
        );
    }
    None
}

fn check_url(url: &str, span: Span) -> Option<Problem> {
    let warning = |reason: &str| {
        Problem::warning(
            Code::RbacRule,
            span,
            format!("`{url}` does not match any path, because {reason}"),
        )
    };
    if url.is_empty() || url == "*" {
        return None;
    }
    if !url.starts_with('/') {
        return Some(warning("every path begins with `/`").help(format!("write `/{url}`")));
    }
    let before_the_last = url.strip_suffix('*').unwrap_or(url);
    before_the_last.contains('*').then(|| {
        warning("a `*` has a meaning only at the end").help("end the path with `*`, as in `/healthz/*`")
    })
}
