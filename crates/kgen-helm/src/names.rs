//! Names of objects in the chart: the prefix that all manifests share is replaced by the name of the release.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_manifests::{Manifests, Object};

use crate::operator::text;
use crate::tree::{Expression, Node, Part};

/// The longest name of an object.
const LONGEST: usize = 63;

/// The characters of a name that the release must have: one of its own, a dash and six of a hash.
const ROOM: usize = 8;

/// Kinds whose names have a meaning outside of the chart.
const FIXED: &[&str] = &[
    "APIService",
    "CSIDriver",
    "CustomResourceDefinition",
    "IngressClass",
    "Namespace",
    "PriorityClass",
    "RuntimeClass",
    "StorageClass",
];

/// The names of all objects that the chart renames.
pub(crate) struct Names {
    /// The namespace of the operator.
    namespace: String,
    /// The part of all names that the release replaces, with its dash.
    prefix: String,
    /// Kind, namespace and name of each renamed object.
    known: Vec<(String, String, String)>,
}

impl Names {
    /// Collects the names. A name that leaves no room for a release is a problem.
    pub(crate) fn collect(
        manifests: &Manifests,
        namespace: &str,
        chart: &str,
        problems: &mut Problems,
    ) -> Self {
        let renamed: Vec<&Object> = manifests
            .objects
            .iter()
            .filter(|object| !FIXED.contains(&object.kind()))
            .collect();
        let mut known: Vec<_> = renamed
            .iter()
            .map(|object| {
                (
                    object.kind().to_owned(),
                    object.namespace().to_owned(),
                    object.name().to_owned(),
                )
            })
            .collect();
        let names: Vec<&str> = renamed.iter().map(|object| object.name()).collect();
        let prefix = common_prefix(&names, chart);
        // Secrets that cert-manager writes are objects of the chart, too.
        for certificate in manifests.certificates() {
            let secret = text(&certificate.value["spec"]["secretName"]);
            if !secret.is_empty() {
                known.push((
                    "Secret".to_owned(),
                    certificate.namespace().to_owned(),
                    secret.to_owned(),
                ));
            }
        }
        let names = Self {
            namespace: namespace.to_owned(),
            prefix,
            known,
        };
        for object in renamed {
            let suffix = names.suffix(object.name());
            let longest = LONGEST - ROOM - 1;
            if suffix.len() > longest {
                let message = format!(
                    "the name of {object} is too long: a release name needs more than {} of its {LONGEST} characters",
                    LONGEST.saturating_sub(suffix.len() + 1)
                );
                problems.push(
                    Problem::error(Code::HelmName, object.span(), message)
                        .help(format!("shorten `{suffix}` to at most {longest} characters")),
                );
            }
        }
        names
    }

    /// Returns the part of a name that the chart keeps. It is empty if the release replaces the whole name.
    fn suffix<'n>(&self, name: &'n str) -> &'n str {
        if self.prefix.strip_suffix('-') == Some(name) {
            return "";
        }
        match name.strip_prefix(&self.prefix) {
            Some("") | None => name,
            Some(rest) => rest,
        }
    }

    /// Returns the expression for a name of the manifests, for objects that the chart creates itself.
    pub(crate) fn expression(&self, name: &str) -> Expression {
        Expression::Name(self.suffix(name).to_owned())
    }

    /// Returns the node for the name of an object of the manifests; `None` if the chart does not have that object.
    pub(crate) fn name_of(&self, kind: &str, namespace: &str, name: &str) -> Option<Node> {
        let is_known = self
            .known
            .iter()
            .any(|known| known.0 == kind && known.1 == namespace && known.2 == name);
        is_known.then(|| Node::Quoted(self.expression(name)))
    }

    /// Returns whether a namespace is that of the operator.
    pub(crate) fn is_own_namespace(&self, namespace: &str) -> bool {
        !namespace.is_empty() && namespace == self.namespace
    }

    /// Returns the string for the DNS name of a service, such as `webhook-service.system.svc`; `None` if it is not one.
    pub(crate) fn host(&self, host: &str) -> Option<Node> {
        let (service, rest) = host.split_once('.')?;
        let (namespace, rest) = rest.split_once('.').unwrap_or((rest, ""));
        let known = self
            .known
            .iter()
            .any(|known| known.0 == "Service" && known.1 == namespace && known.2 == service);
        if !known {
            return None;
        }
        let mut parts = vec![
            Part::Expression(self.expression(service)),
            Part::Text(".".to_owned()),
            self.namespace_part(namespace),
        ];
        if !rest.is_empty() {
            parts.push(Part::Text(format!(".{rest}")));
        }
        Some(Node::Text(parts))
    }

    /// Returns the string for `namespace/name`; `None` if the object is not in the chart.
    pub(crate) fn qualified(&self, kind: &str, reference: &str) -> Option<Node> {
        let (namespace, name) = reference.split_once('/')?;
        self.name_of(kind, namespace, name)?;
        Some(Node::Text(vec![
            self.namespace_part(namespace),
            Part::Text("/".to_owned()),
            Part::Expression(self.expression(name)),
        ]))
    }

    /// Returns the string for an argument or the value of a variable that is the namespace of the operator, the name of an
    /// object, or the host of a service, also after `--flag=`. Returns `None` for other texts.
    pub(crate) fn argument(&self, text: &str) -> Option<Node> {
        let (flag, value) = match text.split_once('=') {
            Some((flag, value)) if flag.starts_with('-') => (text.get(..=flag.len())?, value),
            _ => ("", text),
        };
        let is_name = |name: &str| {
            // A name without a dash is an ordinary word.
            name.contains('-') && self.known.iter().any(|known| known.2 == name)
        };
        let mut parts = vec![Part::Text(flag.to_owned())];
        if self.is_own_namespace(value) {
            parts.push(Part::Expression(Expression::Namespace));
        } else if is_name(value) {
            parts.push(Part::Expression(self.expression(value)));
        } else if let Some(Node::Text(host)) = self.host(value) {
            parts.extend(host);
        } else if let Some((namespace, name)) = value.split_once('/')
            && self.is_own_namespace(namespace)
            && is_name(name)
        {
            parts.extend([
                self.namespace_part(namespace),
                Part::Text("/".to_owned()),
                Part::Expression(self.expression(name)),
            ]);
        } else {
            return None;
        }
        parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
        Some(Node::Text(parts))
    }

    fn namespace_part(&self, namespace: &str) -> Part {
        if self.is_own_namespace(namespace) {
            Part::Expression(Expression::Namespace)
        } else {
            Part::Text(namespace.to_owned())
        }
    }

    /// Returns whether a text mentions the namespace of the operator as a whole word.
    pub(crate) fn mentions_namespace(&self, text: &str) -> bool {
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
        let mut words = text.split(|sign| !is_part(sign));
        self.namespace.contains('-') && words.any(|word| word == self.namespace)
    }

    /// Returns the renamed object that a text mentions as a whole word.
    pub(crate) fn mentioned<'n>(&'n self, text: &str) -> Option<&'n str> {
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
        let words: Vec<&str> = text.split(|sign| !is_part(sign)).collect();
        self.known
            .iter()
            // A name without a dash is an ordinary word.
            .find(|known| known.2.contains('-') && words.contains(&known.2.as_str()))
            .map(|known| known.2.as_str())
    }
}

/// Returns the part before a dash that all names share, such as kustomize's `namePrefix`.
fn common_prefix(names: &[&str], chart: &str) -> String {
    let own = format!("{chart}-");
    if !names.is_empty() && names.iter().all(|name| *name == chart || name.starts_with(&own)) {
        return own;
    }
    let Some((first, others)) = names.split_first() else {
        return String::new();
    };
    let mut shared = *first;
    for other in others {
        let length = shared
            .bytes()
            .zip(other.bytes())
            .take_while(|(left, right)| left == right)
            .count();
        shared = shared.get(..length).unwrap_or_default();
    }
    // With a single name, nothing tells a prefix from the name itself.
    if others.is_empty() {
        return String::new();
    }
    let end = shared.rfind('-').map_or(0, |dash| dash + 1);
    shared.get(..end).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_names_hosts_and_namespaces() {
        let names = Names {
            namespace: "shop-system".to_owned(),
            prefix: "shop-".to_owned(),
            known: vec![
                (
                    "Service".to_owned(),
                    "shop-system".to_owned(),
                    "shop-webhook".to_owned(),
                ),
                (
                    "Deployment".to_owned(),
                    "shop-system".to_owned(),
                    "manager".to_owned(),
                ),
            ],
        };
        let parts = |text: &str| match names.argument(text) {
            Some(Node::Text(parts)) => parts.len(),
            _ => 0,
        };
        assert_eq!(parts("--namespace=shop-system"), 2);
        assert_eq!(parts("shop-system"), 1);
        assert_eq!(parts("shop-webhook"), 1);
        assert_eq!(parts("--host=shop-webhook.shop-system.svc"), 5);
        assert_eq!(parts("shop-system/shop-webhook"), 3);
        for other in [
            "manager",
            "--x=shop",
            "shop-system,b",
            "other/shop-webhook",
            "a=shop-system",
        ] {
            assert_eq!(parts(other), 0, "{other}");
        }
        assert!(names.mentions_namespace("a,shop-system"));
        assert!(!names.mentions_namespace("shop-system-b"));
    }

    #[test]
    fn the_shared_prefix_ends_at_a_dash() {
        assert_eq!(
            common_prefix(&["guestbook-a", "guestbook-b"], "guestbook"),
            "guestbook-"
        );
        assert_eq!(common_prefix(&["foo-bar-a", "foo-bar-b", "foo-baz"], "x"), "foo-");
        assert_eq!(common_prefix(&["foo-a", "bar-a"], "foo"), "");
        assert_eq!(common_prefix(&["foo-a"], "x"), "");
        assert_eq!(
            common_prefix(&["foo-operator", "foo-operator-a"], "foo-operator"),
            "foo-operator-"
        );
        assert_eq!(common_prefix(&[], "x"), "");
    }
}
