//! Finds the parts of an operator in its manifests: the Deployment, its container, webhooks, metrics, leader election.
//!
//! Templates and values ask this module, so a value exists exactly if there is an object that it changes.

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_manifests::{Binding, Manifests, Object, WebhookService};
use serde_json::Value;

const RBAC: &str = "rbac.authorization.k8s.io";

/// The annotation with the Certificate whose CA cert-manager injects.
pub(crate) const INJECT: &str = "cert-manager.io/inject-ca-from";

/// The parts of an operator.
pub(crate) struct Operator<'a> {
    pub(crate) manifests: &'a Manifests,
    pub(crate) deployment: &'a Object,
    /// The index of the container of the operator.
    pub(crate) container: usize,
    pub(crate) webhooks: Option<Webhooks<'a>>,
    pub(crate) metrics: Option<Metrics<'a>>,
    /// Whether the operator elects a leader; `None` if none of its arguments says so.
    pub(crate) leader_election: Option<bool>,
}

/// The webhooks of an operator.
pub(crate) struct Webhooks<'a> {
    pub(crate) service: &'a Object,
    /// The port of the container; `None` if the service selects another Deployment.
    pub(crate) port: Option<i64>,
    /// The volume with the certificate, and its secret.
    pub(crate) volume: Option<(&'a str, &'a str)>,
    /// The Certificate that writes the secret.
    pub(crate) certificate: Option<&'a Object>,
}

/// The metrics of an operator.
pub(crate) struct Metrics<'a> {
    pub(crate) service: &'a Object,
    /// The name or number of the port of the service.
    pub(crate) port: &'a Value,
    /// The port of the container.
    pub(crate) container_port: Option<i64>,
    /// Whether clients use TLS.
    pub(crate) is_secured: bool,
}

/// The purpose of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RolePurpose {
    /// The operator's work.
    Work,
    LeaderElection,
    Metrics,
    /// A role for users, with the built-in role that it can be added to.
    Users(&'static str),
}

impl<'a> Operator<'a> {
    /// Finds the parts. Without a Deployment, there is nothing to configure.
    pub(crate) fn find(manifests: &'a Manifests, problems: &mut Problems) -> Option<Self> {
        let webhook_service = webhook_service(manifests);
        let behind_webhooks = webhook_service.and_then(|service| manifests.deployment_behind(service));
        let has_role = |deployment: &&Object| {
            let account = deployment.service_account();
            !manifests.bindings_of(deployment.namespace(), account).is_empty()
        };
        let Some(deployment) = behind_webhooks
            .or_else(|| manifests.deployments().find(has_role))
            .or_else(|| manifests.deployments().next())
        else {
            let message = "the manifests have no Deployment, which is the operator of the chart";
            problems.push(
                Problem::general(Code::HelmObject, message)
                    .help("name the manifests of the whole operator with `manifests`"),
            );
            return None;
        };
        let default = text(
            &deployment.value["spec"]["template"]["metadata"]["annotations"]["kubectl.kubernetes.io/default-container"],
        );
        let containers = deployment.containers();
        if containers.is_empty() {
            let message = format!("{deployment} has no containers");
            problems.push(Problem::error(Code::HelmObject, deployment.span(), message));
            return None;
        }
        let position = |name: &str| {
            containers
                .iter()
                .position(|container| text(&container["name"]) == name)
        };
        let container = position(default).or_else(|| position("manager")).unwrap_or(0);
        let mut operator = Self {
            manifests,
            deployment,
            container,
            webhooks: None,
            metrics: None,
            leader_election: None,
        };
        operator.webhooks = webhook_service.map(|service| operator.webhooks_of(service));
        operator.metrics = operator.find_metrics();
        operator.leader_election = operator.find_leader_election();
        Some(operator)
    }

    /// Returns the container of the operator.
    pub(crate) fn container(&self) -> &'a Value {
        self.deployment
            .containers()
            .get(self.container)
            .unwrap_or(&Value::Null)
    }

    /// Returns the namespace of the operator.
    pub(crate) fn namespace(&self) -> &'a str {
        self.deployment.namespace()
    }

    /// Returns the arguments of the container.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &'a str> {
        items(&self.container()["args"]).iter().map(text)
    }

    /// Returns whether an object is the operator's service account.
    pub(crate) fn is_account(&self, object: &Object) -> bool {
        object.is("", "ServiceAccount")
            && object.name() == self.deployment.service_account()
            && object.namespace() == self.namespace()
    }

    /// Returns the purpose of a role or a binding; `None` for other objects.
    pub(crate) fn role_purpose(&self, object: &Object) -> Option<RolePurpose> {
        if object.group() != RBAC {
            return None;
        }
        let role = match object.kind() {
            "Role" | "ClusterRole" => Some(object),
            _ => self
                .manifests
                .bindings()
                .find(|binding| std::ptr::eq(binding.object, object))
                .and_then(|binding| binding.role),
        };
        let Some(role) = role else {
            return Some(RolePurpose::Work);
        };
        let rules = items(&role.value["rules"]);
        let every = |test: &dyn Fn(&Value) -> bool| !rules.is_empty() && rules.iter().all(test);
        let only = |rule: &Value, resources: &[&str]| {
            let own = items(&rule["resources"]);
            !own.is_empty() && own.iter().all(|resource| resources.contains(&text(resource)))
        };
        let elects = |rule: &Value| only(rule, &["leases", "configmaps", "events"]);
        let has_leases = rules.iter().any(|rule| only(rule, &["leases"]));
        if role.kind() == "Role" && has_leases && every(&elects) {
            return Some(RolePurpose::LeaderElection);
        }
        let reviews = |rule: &Value| only(rule, &["tokenreviews", "subjectaccessreviews"]);
        let reads = |rule: &Value| {
            items(&rule["nonResourceURLs"])
                .iter()
                .any(|url| text(url) == "/metrics")
        };
        if every(&reviews) || every(&reads) {
            return Some(RolePurpose::Metrics);
        }
        if role.kind() == "ClusterRole" && !self.is_bound(role) && self.is_about_own_kinds(rules) {
            return Some(RolePurpose::Users(level(role)));
        }
        Some(RolePurpose::Work)
    }

    /// Returns whether a role is bound by any binding of the manifests.
    fn is_bound(&self, role: &Object) -> bool {
        self.manifests
            .bindings()
            .any(|binding| binding.role.is_some_and(|bound| std::ptr::eq(bound, role)))
    }

    fn is_about_own_kinds(&self, rules: &[Value]) -> bool {
        let groups: Vec<_> = self
            .manifests
            .definitions()
            .map(|definition| text(&definition.value["spec"]["group"]))
            .collect();
        let is_own = |rule: &Value| {
            let own = items(&rule["apiGroups"]);
            !own.is_empty() && own.iter().all(|group| groups.contains(&text(group)))
        };
        !rules.is_empty() && rules.iter().all(is_own)
    }

    fn webhooks_of(&self, service: &'a Object) -> Webhooks<'a> {
        let selects_operator = self
            .manifests
            .deployment_behind(service)
            .is_some_and(|found| std::ptr::eq(found, self.deployment));
        let ports = items(&service.value["spec"]["ports"]);
        let port = ports
            .first()
            .and_then(|port| port["port"].as_i64())
            .filter(|_| selects_operator)
            .and_then(|port| self.deployment.target_port(service, port));
        let volumes = items(&self.deployment.pod_spec()["volumes"]);
        let secret = |volume: &'a Value| {
            let secret = text(&volume["secret"]["secretName"]);
            (!secret.is_empty()).then(|| (text(&volume["name"]), secret))
        };
        let named = || {
            let mut volumes = volumes.iter().filter_map(secret);
            volumes.find(|(name, secret)| name.contains("webhook") || secret.contains("webhook"))
        };
        let certificate = self.certificate_of(service).or_else(|| {
            let (_, secret) = named()?;
            self.certificates().find(|own| secret_of(own) == secret)
        });
        let volume = match certificate {
            Some(certificate) => volumes
                .iter()
                .filter_map(secret)
                .find(|(_, secret)| *secret == secret_of(certificate)),
            None => named(),
        };
        Webhooks {
            service,
            port,
            volume,
            certificate,
        }
    }

    /// Returns the Certificates in the namespace of the operator.
    fn certificates(&self) -> impl Iterator<Item = &'a Object> {
        let namespace = self.namespace();
        let all = self.manifests.certificates();
        all.filter(move |certificate| certificate.namespace() == namespace)
    }

    /// Returns the Certificate for a service of webhooks: it has the name of the service, or cert-manager injects its CA.
    fn certificate_of(&self, service: &Object) -> Option<&'a Object> {
        let prefix = format!("{}.", service.name());
        let serves = |certificate: &&Object| {
            let hosts = items(&certificate.value["spec"]["dnsNames"]);
            hosts.iter().any(|host| text(host).starts_with(&prefix))
        };
        let injected: Vec<&str> = self
            .manifests
            .webhook_configurations()
            .chain(
                self.manifests
                    .conversion_webhooks()
                    .map(|(definition, _)| definition),
            )
            .map(|object| text(&object.value["metadata"]["annotations"][INJECT]))
            .collect();
        let is_injected = |certificate: &&Object| {
            let name = format!("{}/{}", certificate.namespace(), certificate.name());
            injected.contains(&name.as_str())
        };
        let own = self.certificates().find(serves);
        own.or_else(|| self.certificates().find(is_injected))
    }

    fn find_metrics(&self) -> Option<Metrics<'a>> {
        let services = self.manifests.of_kind("", "Service");
        let mut own = services.filter(|service| {
            self.manifests
                .deployment_behind(service)
                .is_some_and(|found| std::ptr::eq(found, self.deployment))
        });
        own.find_map(|service| {
            let ports = items(&service.value["spec"]["ports"]);
            let entry = ports.iter().find(|port| {
                text(&port["name"]).contains("metrics")
                    || text(&port["targetPort"]).contains("metrics")
                    || service.name().contains("metrics")
            })?;
            let number = entry["port"].as_i64().unwrap_or_default();
            let port = match &entry["name"] {
                Value::Null => &entry["port"],
                name => name,
            };
            Some(Metrics {
                service,
                port,
                container_port: self.deployment.target_port(service, number),
                is_secured: number == 8443 || number == 443 || text(port).contains("https"),
            })
        })
    }

    fn find_leader_election(&self) -> Option<bool> {
        // Without the argument, nothing tells whether the operator can do without the role.
        let mut given = self.arguments().filter_map(|argument| match argument {
            "--leader-elect=false" => Some(false),
            "--leader-elect" => Some(true),
            other => other.starts_with("--leader-elect=").then_some(true),
        });
        given.next()
    }

    /// Returns whether the manifests have an object of a kind.
    pub(crate) fn has(&self, group: &str, kind: &str) -> bool {
        self.manifests.of_kind(group, kind).next().is_some()
    }

    /// Returns the roles for users.
    pub(crate) fn user_roles(&self) -> impl Iterator<Item = &'a Object> {
        self.manifests
            .objects
            .iter()
            .filter(|object| matches!(object.kind(), "Role" | "ClusterRole"))
            .filter(|object| matches!(self.role_purpose(object), Some(RolePurpose::Users(_))))
    }

    /// Returns the bindings that give the operator its rules in its own namespace only. There are none if it has rules in the
    /// whole cluster: then those are about the namespaces that it watches.
    pub(crate) fn own_bindings(&self) -> Vec<Binding<'a>> {
        if !self.cluster_roles().is_empty() {
            return Vec::new();
        }
        let mut bindings = self
            .manifests
            .bindings_of(self.namespace(), self.deployment.service_account());
        bindings.retain(|binding| {
            binding.object.kind() == "RoleBinding"
                && binding.object.namespace() == self.namespace()
                && binding
                    .role
                    .is_some_and(|role| self.role_purpose(role) == Some(RolePurpose::Work))
        });
        bindings
    }

    /// Returns the roles of the operator that are bound in the whole cluster.
    pub(crate) fn cluster_roles(&self) -> Vec<&'a Object> {
        let mut roles: Vec<&Object> = Vec::new();
        for binding in self
            .manifests
            .bindings_of(self.namespace(), self.deployment.service_account())
        {
            if let Some(role) = binding.role
                && binding.object.kind() == "ClusterRoleBinding"
                && self.role_purpose(role) == Some(RolePurpose::Work)
                && !roles.iter().any(|known| std::ptr::eq(*known, role))
            {
                roles.push(role);
            }
        }
        roles
    }
}

/// Returns the service of the first webhook for admission or conversion.
fn webhook_service(manifests: &Manifests) -> Option<&Object> {
    let admission = manifests.webhooks().find_map(|webhook| {
        let service = webhook.service()?;
        manifests.service(service.namespace, service.name)
    });
    let conversion =
        |(_, service): (&Object, WebhookService<'_>)| manifests.service(service.namespace, service.name);
    admission.or_else(|| manifests.conversion_webhooks().find_map(conversion))
}

/// Returns the name of the secret that a Certificate writes.
fn secret_of(certificate: &Object) -> &str {
    text(&certificate.value["spec"]["secretName"])
}

/// Returns the built-in role that a role for users can be added to.
fn level(role: &Object) -> &'static str {
    let labels = &role.value["metadata"]["labels"];
    let levels = ["admin", "edit", "view"];
    let labeled = levels
        .into_iter()
        .find(|level| labels.get(aggregate_label(level)).is_some());
    let has = |verbs: &[&str]| {
        items(&role.value["rules"])
            .iter()
            .flat_map(|rule| items(&rule["verbs"]))
            .any(|verb| verbs.contains(&text(verb)))
    };
    labeled.unwrap_or_else(|| {
        if has(&["*"]) {
            "admin"
        } else if has(&["create", "update", "patch", "delete"]) {
            "edit"
        } else {
            "view"
        }
    })
}

/// Returns the label that adds a role to a built-in one.
pub(crate) fn aggregate_label(level: &str) -> String {
    format!("{RBAC}/aggregate-to-{level}")
}

/// Returns the text of a value; empty for other values.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns the items of a list; empty for other values.
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
