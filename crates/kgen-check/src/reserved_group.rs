//! Groups that Kubernetes keeps for itself: the API server takes them only with an approval.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{KindStyle, Resource};

use super::written_versions;

/// The annotation that shows where an API was approved.
const APPROVAL: &str = "api-approved.kubernetes.io";

/// Checks that a resource in such a group carries the annotation.
pub(super) fn check(resource: &Resource, problems: &mut Problems) {
    let Some(first) = written_versions(resource).next() else {
        return;
    };
    if !is_reserved(&resource.group) {
        return;
    }
    let approval = resource.annotations.get(APPROVAL).map_or("", String::as_str);
    if approval.starts_with("unapproved") || is_url(approval) {
        return;
    }
    let stated = resource.versions.iter().flat_map(|version| &version.annotations);
    let mut stated = stated
        .filter(|(key, _, _)| key == APPROVAL)
        .map(|(_, _, span)| *span);
    let problem = if approval.is_empty() {
        let message = format!("the group `{}` belongs to Kubernetes", resource.group);
        let problem = Problem::error(Code::ReservedGroup, first.group_span, message);
        if first.style == KindStyle::KubeDerive {
            problem
                .tolerated()
                .help("if it is a copy of a type from another project, exclude it with `+kubebuilder:skip`")
        } else {
            problem
        }
    } else {
        let message = format!("`{approval}` is neither a URL nor a reason that begins with `unapproved`");
        Problem::error(Code::ReservedGroup, stated.next().unwrap_or(first.span), message)
    };
    problems.push(
        problem
            .help("use a group in a domain of your own")
            .help(format!(
                "or state the approval with `+kubebuilder:metadata:annotations=\"{APPROVAL}=https://github.com/kubernetes/kubernetes/pull/…\"`"
            )),
    );
}

fn is_reserved(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"].iter().any(|domain| {
        group
            .strip_suffix(domain)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// Returns whether a text has a scheme and a host.
fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme_fits = scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'));
    scheme_fits && !host.is_empty() && !text.chars().any(|letter| letter.is_control() || letter == ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_domains() {
        assert!(is_reserved("k8s.io"));
        assert!(is_reserved("apps.k8s.io"));
        assert!(is_reserved("x.kubernetes.io"));
        assert!(!is_reserved("notk8s.io"));
        assert!(!is_reserved("k8s.io.example.com"));
    }

    #[test]
    fn addresses() {
        assert!(is_url("https://github.com/kubernetes/kubernetes/pull/78458"));
        assert!(!is_url("github.com/kubernetes"));
        assert!(!is_url("https://"));
        assert!(!is_url("https:///x"));
    }
}
