//! Authorization: requests are checked against the role of the program, or against the bindings of other users.

use kgen_access::{Asked, Record, Rule};
use serde_json::Value;

use crate::status::Failure;
use crate::store::Store;
use crate::verbs::{Call, User};

/// Returns what a request asks for, in the words of roles.
pub(crate) fn asked(call: &Call) -> Asked {
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
    Asked {
        verb: target.verb.as_str().to_owned(),
        group: target.group.clone(),
        resource: target.resource_path(),
        namespace: target.namespace.clone(),
        name,
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
    record: Record,
}

impl Access {
    /// Adds the rules of a Role or ClusterRole and checks requests against them.
    pub(crate) fn add_role(&mut self, role: &Value) {
        self.mode = Mode::Enforced;
        self.record.add_role(role);
    }

    pub(crate) fn record(&mut self) {
        if self.mode == Mode::Off {
            self.mode = Mode::Recorded;
        }
    }

    /// Returns whether a user may do something. Users other than the program get their rules from the stored bindings.
    pub(crate) fn allows(&self, store: &Store, user: &User, asked: &Asked) -> bool {
        let is_master = user.groups.iter().any(|group| group == "system:masters");
        if is_master || asked.is_for_everybody() {
            return true;
        }
        match self.mode {
            Mode::Off | Mode::Recorded if user.name == crate::cluster::PROGRAM => true,
            Mode::Enforced if user.name == crate::cluster::PROGRAM => self.record.allows(asked),
            _ => bound_rules(store, user).iter().any(|rule| rule.allows(asked)),
        }
    }

    /// Checks that a user may impersonate the user and the groups of a request.
    pub(crate) fn check_asker(&mut self, store: &Store, call: &Call) -> Result<(), Failure> {
        let Some(asker) = call.asker.as_ref().filter(|asker| asker.is_limited) else {
            return Ok(());
        };
        for asked in impersonations(&call.user) {
            let is_program = asker.name == crate::cluster::PROGRAM;
            let is_allowed = match (is_program, self.mode) {
                (true, Mode::Off) => true,
                (true, mode) => self.record.ask(asked.clone()) || mode == Mode::Recorded,
                (false, _) => self.allows(store, asker, &asked),
            };
            if !is_allowed {
                return Err(refusal(&asker.name, &asked));
            }
        }
        Ok(())
    }

    /// Checks a request of the program and remembers it.
    pub(crate) fn check(&mut self, store: &Store, call: &Call) -> Result<(), Failure> {
        let user = &call.user;
        if !user.is_limited {
            return Ok(());
        }
        let asked = asked(call);
        if asked.is_for_everybody() {
            return Ok(());
        }
        if user.name != crate::cluster::PROGRAM {
            return if self.allows(store, user, &asked) {
                Ok(())
            } else {
                Err(refusal(&user.name, &asked))
            };
        }
        if self.mode == Mode::Off {
            return Ok(());
        }
        if let Some(body) = call.body_json() {
            self.record.wrote(&body);
        }
        let refusal = refusal(&user.name, &asked);
        if self.record.ask(asked) || self.mode == Mode::Recorded {
            Ok(())
        } else {
            Err(refusal)
        }
    }

    /// Returns the requests so far.
    pub(crate) fn report(&self) -> Record {
        self.record.clone()
    }
}

/// Returns what somebody asks for who impersonates a user.
fn impersonations(user: &User) -> Vec<Asked> {
    let asked = |resource: &str, namespace: &str, name: &str| Asked {
        verb: "impersonate".to_owned(),
        group: String::new(),
        resource: resource.to_owned(),
        namespace: namespace.to_owned(),
        name: name.to_owned(),
    };
    let account = user.name.strip_prefix("system:serviceaccount:");
    let mut all = vec![match account.and_then(|account| account.split_once(':')) {
        Some((namespace, name)) => asked("serviceaccounts", namespace, name),
        None => asked("users", "", &user.name),
    }];
    // The server adds these itself.
    let groups = user.groups.iter();
    let groups = groups.filter(|group| {
        *group != "system:authenticated"
            && (account.is_none() || !group.starts_with("system:serviceaccounts"))
    });
    all.extend(groups.map(|group| asked("groups", "", group)));
    all
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
