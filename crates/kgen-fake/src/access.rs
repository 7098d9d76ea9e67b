//! Authorization: the rules of roles, the requests that needed them, and the markers for rules that are missing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::status::{Failure, qualified};
use crate::store::Store;
use crate::verbs::{Call, User};

/// What a request asks for, in the words of roles.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asked {
    pub(crate) verb: String,
    pub(crate) group: String,
    /// The resource with its subresource.
    pub(crate) resource: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
}

impl Asked {
    pub(crate) fn of(call: &Call) -> Self {
        let target = &call.target;
        let name = if target.name.is_empty() {
            let fields = crate::selector::FieldSelector::parse(call.query.text("fieldSelector"));
            fields
                .ok()
                .and_then(|fields| fields.name().map(str::to_owned))
                .unwrap_or_default()
        } else {
            target.name.clone()
        };
        Self {
            verb: target.verb.as_str().to_owned(),
            group: target.group.clone(),
            resource: target.resource_path(),
            namespace: target.namespace.clone(),
            name,
        }
    }
}

/// A rule of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    groups: Vec<String>,
    resources: Vec<String>,
    verbs: Vec<String>,
    names: Vec<String>,
    /// The namespace of the role, `None` if it applies to all.
    namespace: Option<String>,
}

impl Rule {
    fn read(rule: &Value, namespace: Option<&str>) -> Self {
        let texts = |key: &str| {
            let items = rule.get(key).and_then(Value::as_array).into_iter().flatten();
            items.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Self {
            groups: texts("apiGroups"),
            resources: texts("resources"),
            verbs: texts("verbs"),
            names: texts("resourceNames"),
            namespace: namespace.map(str::to_owned),
        }
    }

    fn allows(&self, asked: &Asked) -> bool {
        let has = |items: &[String], wanted: &str| items.iter().any(|item| item == "*" || item == wanted);
        let (_, subresource) = asked.resource.split_once('/').unwrap_or((&asked.resource, ""));
        let any_of = format!("*/{subresource}");
        has(&self.groups, &asked.group)
            && (has(&self.resources, &asked.resource)
                || (!subresource.is_empty() && self.resources.contains(&any_of)))
            && has(&self.verbs, &asked.verb)
            && (self.names.is_empty() || self.names.contains(&asked.name))
            && self
                .namespace
                .as_ref()
                .is_none_or(|namespace| *namespace == asked.namespace)
    }
}

/// The mode of authorization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Mode {
    /// Everything is allowed, and nothing is recorded.
    #[default]
    Off,
    /// Requests are checked against the role.
    Enforced,
    /// Everything is allowed, and recorded as if it were checked.
    Recorded,
}

/// The access of the program under test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    mode: Mode,
    rules: Vec<Rule>,
    /// Requests of the program that no rule allows.
    missing: BTreeSet<Asked>,
    /// Requests of the program that a rule allows.
    used: BTreeSet<Asked>,
}

impl Access {
    /// Adds the rules of a Role or ClusterRole and checks requests against them.
    pub(crate) fn add_role(&mut self, role: &Value) {
        self.mode = Mode::Enforced;
        let namespace = match role.get("kind").and_then(Value::as_str) {
            Some("Role") => Some(match crate::meta::namespace(role) {
                "" => "default",
                namespace => namespace,
            }),
            _ => None,
        };
        let rules = role.get("rules").and_then(Value::as_array).into_iter().flatten();
        self.rules.extend(rules.map(|rule| Rule::read(rule, namespace)));
    }

    pub(crate) fn record(&mut self) {
        if self.mode == Mode::Off {
            self.mode = Mode::Recorded;
        }
    }

    /// Returns whether a user may do something. Users other than the program get their rules from the stored bindings.
    pub(crate) fn allows(&self, store: &Store, user: &User, asked: &Asked) -> bool {
        if user.groups.iter().any(|group| group == "system:masters") {
            return true;
        }
        match self.mode {
            Mode::Off | Mode::Recorded if user.name == crate::cluster::PROGRAM => true,
            Mode::Enforced if user.name == crate::cluster::PROGRAM => {
                self.rules.iter().any(|rule| rule.allows(asked))
            }
            _ => bound_rules(store, user).iter().any(|rule| rule.allows(asked)),
        }
    }

    /// Checks a request of the program and remembers it.
    pub(crate) fn check(&mut self, store: &Store, call: &Call) -> Result<(), Failure> {
        let user = &call.user;
        if !user.is_limited {
            return Ok(());
        }
        let asked = Asked::of(call);
        // Every user may ask what it may do.
        if crate::kind::is_review(&asked.group) {
            return Ok(());
        }
        if user.name != crate::cluster::PROGRAM {
            return if self.allows(store, user, &asked) {
                Ok(())
            } else {
                Err(refusal(&user.name, &asked))
            };
        }
        match self.mode {
            Mode::Off => Ok(()),
            Mode::Recorded => {
                self.missing.insert(asked);
                Ok(())
            }
            Mode::Enforced => {
                if self.rules.iter().any(|rule| rule.allows(&asked)) {
                    self.used.insert(asked);
                    return Ok(());
                }
                let failure = refusal(&user.name, &asked);
                self.missing.insert(asked);
                Err(failure)
            }
        }
    }

    /// Returns the markers of all rules that the program lacked.
    pub(crate) fn missing(&self) -> Vec<String> {
        markers(&self.missing)
    }

    /// Returns the markers of the parts of rules that no request needed.
    pub(crate) fn unused(&self) -> Vec<String> {
        let mut unused = Vec::new();
        for rule in &self.rules {
            for group in &rule.groups {
                for resource in &rule.resources {
                    let is_used = |verb: &String| {
                        let single = Rule {
                            groups: vec![group.clone()],
                            resources: vec![resource.clone()],
                            verbs: vec![verb.clone()],
                            ..rule.clone()
                        };
                        self.used.iter().any(|asked| single.allows(asked))
                    };
                    let verbs: Vec<&str> = rule
                        .verbs
                        .iter()
                        .filter(|verb| !is_used(verb))
                        .map(String::as_str)
                        .collect();
                    if !verbs.is_empty() {
                        let names: Vec<&str> = rule.names.iter().map(String::as_str).collect();
                        unused.push(marker(group, resource, &verbs, &names, rule.namespace.as_deref()));
                    }
                }
            }
        }
        unused
    }
}

fn refusal(user: &str, asked: &Asked) -> Failure {
    let (plural, _) = asked.resource.split_once('/').unwrap_or((&asked.resource, ""));
    let scope = if asked.namespace.is_empty() || plural == "namespaces" {
        " at the cluster scope".to_owned()
    } else {
        format!(" in the namespace \"{}\"", asked.namespace)
    };
    let detail = format!(
        "User \"{user}\" cannot {} resource \"{}\" in API group \"{}\"{scope}",
        asked.verb, asked.resource, asked.group
    );
    let _ = qualified(plural, &asked.group);
    Failure::forbidden(&asked.name, plural, &asked.group, &detail)
}

/// Returns the rules that stored bindings give to a user.
fn bound_rules(store: &Store, user: &User) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (resource, is_namespaced) in [("clusterrolebindings", false), ("rolebindings", true)] {
        let resource = format!("{resource}.rbac.authorization.k8s.io");
        for (_, stored) in store.list(&resource, "") {
            let binding = &*stored.object;
            let subjects = binding
                .get("subjects")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            if !subjects.into_iter().any(|subject| names_user(subject, user)) {
                continue;
            }
            let namespace = crate::meta::namespace(binding);
            let role = |key: &str| {
                binding
                    .pointer(&format!("/roleRef/{key}"))
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            };
            let found = match role("kind") {
                "ClusterRole" => store.get("clusterroles.rbac.authorization.k8s.io", role("name")),
                _ => store.get(
                    "roles.rbac.authorization.k8s.io",
                    &crate::store::key(namespace, role("name")),
                ),
            };
            let namespace = is_namespaced.then_some(namespace);
            let listed = found.and_then(|found| found.object.get("rules").and_then(Value::as_array).cloned());
            rules.extend(
                listed
                    .into_iter()
                    .flatten()
                    .map(|rule| Rule::read(&rule, namespace)),
            );
        }
    }
    rules
}

fn names_user(subject: &Value, user: &User) -> bool {
    let text = |key: &str| subject.get(key).and_then(Value::as_str).unwrap_or_default();
    match text("kind") {
        "User" => text("name") == user.name,
        "Group" => user.groups.iter().any(|group| group == text("name")),
        "ServiceAccount" => {
            user.name == format!("system:serviceaccount:{}:{}", text("namespace"), text("name"))
        }
        _ => false,
    }
}

/// Verbs that can be limited to names.
fn is_named(verb: &str) -> bool {
    matches!(verb, "get" | "update" | "patch" | "delete")
}

/// Returns one marker per group, resource and set of names, with all verbs.
fn markers(asked: &BTreeSet<Asked>) -> Vec<String> {
    let mut by_resource: BTreeMap<(&str, &str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut namespaces: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut names: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut unnamed: BTreeSet<(&str, &str)> = BTreeSet::new();
    for one in asked {
        let resource = (one.group.as_str(), one.resource.as_str());
        by_resource
            .entry((resource.0, resource.1, ""))
            .or_default()
            .insert(&one.verb);
        namespaces.entry(resource).or_default().insert(&one.namespace);
        if one.name.is_empty() || !is_named(&one.verb) {
            unnamed.insert(resource);
        } else {
            names.entry(resource).or_default().insert(&one.name);
        }
    }
    let mut lines = Vec::new();
    for ((group, resource, _), verbs) in &by_resource {
        let verbs: Vec<&str> = verbs.iter().copied().collect();
        let key = (*group, *resource);
        let only: Vec<&str> = match names.get(&key) {
            Some(names) if names.len() == 1 && !unnamed.contains(&key) => names.iter().copied().collect(),
            _ => Vec::new(),
        };
        let namespace = match namespaces
            .get(&key)
            .map(|found| found.iter().copied().collect::<Vec<_>>())
        {
            Some(found) if found.len() == 1 => {
                found.first().copied().filter(|namespace| !namespace.is_empty())
            }
            _ => None,
        };
        lines.push(marker(group, resource, &verbs, &only, namespace));
    }
    lines
}

fn marker(group: &str, resource: &str, verbs: &[&str], names: &[&str], namespace: Option<&str>) -> String {
    let group = if group.is_empty() { "\"\"" } else { group };
    let mut line = format!(
        "// +kubebuilder:rbac:groups={group},resources={resource},verbs={}",
        verbs.join(";")
    );
    if !names.is_empty() {
        line.push_str(&format!(",resourceNames={}", names.join(";")));
    }
    if let Some(namespace) = namespace {
        line.push_str(&format!(",namespace={namespace}"));
    }
    line
}
