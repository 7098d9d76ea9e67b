//! The cells of built-in kinds, in the order of the columns in `kind/data/columns.json`.
//!
//! Mirrors the behavior of the API server's printers in wide format, which it always sends.

use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};

use super::{age, pods};
use crate::meta;

/// Returns the cells of an object, `None` if the kind has no printer of its own.
pub(super) fn cells(group: &str, kind: &str, object: &Value, now: Timestamp) -> Option<Vec<Value>> {
    let of = Reader { object, now };
    let name = Value::from(meta::name(object));
    let created = of.since("/metadata/creationTimestamp");
    Some(match (group, kind) {
        ("", "Pod") => pods::cells(object, now),
        ("", "ConfigMap") => {
            let count = of.count("/data") + of.count("/binaryData");
            vec![name, json!(count), created]
        }
        ("", "Secret") => vec![name, of.string("/type"), json!(of.count("/data")), created],
        ("", "ServiceAccount") => vec![name, created],
        ("", "Namespace") => vec![name, of.string("/status/phase"), created],
        ("", "Service") => {
            let address = of.text_or("/spec/clusterIPs/0", "<none>");
            let ports = service_ports(&of);
            let selector = labels(object.pointer("/spec/selector"));
            vec![
                name,
                of.string("/spec/type"),
                json!(address),
                json!(external_address(&of)),
                json!(ports),
                created,
                json!(selector),
            ]
        }
        ("", "Endpoints") => vec![name, json!(endpoints(&of)), created],
        ("", "Event") => event(&of, name),
        ("events.k8s.io", "Event") => {
            let object = &crate::kind::core_event(object);
            event(&Reader { object, now }, name)
        }
        ("", "Node") => node(&of, name, created),
        ("", "PersistentVolumeClaim") => claim(&of, name, created),
        ("", "PersistentVolume") => volume(&of, name, created),
        ("", "PodTemplate") => {
            let (names, images) = of.containers("/template/spec/containers");
            let labels = labels(object.pointer("/template/metadata/labels"));
            vec![name, json!(names), json!(images), json!(labels)]
        }
        ("", "ReplicationController") => {
            let (names, images) = of.containers("/spec/template/spec/containers");
            let selector = labels(object.pointer("/spec/selector"));
            vec![
                name,
                json!(of.number("/spec/replicas")),
                json!(of.number("/status/replicas")),
                json!(of.number("/status/readyReplicas")),
                created,
                json!(names),
                json!(images),
                json!(selector),
            ]
        }
        ("apps", "ReplicaSet") => {
            let (names, images) = of.containers("/spec/template/spec/containers");
            vec![
                name,
                json!(of.number("/spec/replicas")),
                json!(of.number("/status/replicas")),
                json!(of.number("/status/readyReplicas")),
                created,
                json!(names),
                json!(images),
                json!(selector(object.pointer("/spec/selector"))),
            ]
        }
        ("apps", "Deployment") => {
            let (names, images) = of.containers("/spec/template/spec/containers");
            vec![
                name,
                json!(of.ready()),
                json!(of.number("/status/updatedReplicas")),
                json!(of.number("/status/availableReplicas")),
                created,
                json!(names),
                json!(images),
                json!(selector_text(object.pointer("/spec/selector"))),
            ]
        }
        ("apps", "StatefulSet") => {
            let (names, images) = of.containers("/spec/template/spec/containers");
            vec![name, json!(of.ready()), created, json!(names), json!(images)]
        }
        ("apps", "DaemonSet") => {
            let (names, images) = of.containers("/spec/template/spec/containers");
            let mut cells = vec![name];
            for key in [
                "desiredNumberScheduled",
                "currentNumberScheduled",
                "numberReady",
                "updatedNumberScheduled",
                "numberAvailable",
            ] {
                cells.push(json!(of.number(&format!("/status/{key}"))));
            }
            cells.push(json!(labels(object.pointer("/spec/template/spec/nodeSelector"))));
            cells.extend([created, json!(names), json!(images)]);
            cells.push(json!(selector(object.pointer("/spec/selector"))));
            cells
        }
        ("apps", "ControllerRevision") => {
            let owner = meta::owners(object)
                .iter()
                .find(|owner| owner.get("controller") == Some(&Value::Bool(true)));
            let owner = owner.map_or_else(|| "<none>".to_owned(), controller);
            vec![name, json!(owner), json!(of.number("/revision")), created]
        }
        ("batch", "Job") => job(&of, name, created),
        ("batch", "CronJob") => {
            let (names, images) = of.containers("/spec/jobTemplate/spec/template/spec/containers");
            let last = match of.text("/status/lastScheduleTime") {
                "" => json!("<none>"),
                _ => of.since("/status/lastScheduleTime"),
            };
            vec![
                name,
                of.string("/spec/schedule"),
                json!(of.text_or("/spec/timeZone", "<none>")),
                json!(match object.pointer("/spec/suspend").and_then(Value::as_bool) {
                    Some(true) => "True",
                    Some(false) => "False",
                    None => "<unset>",
                }),
                json!(of.list("/status/active").len()),
                last,
                created,
                json!(names),
                json!(images),
                json!(selector(object.pointer("/spec/jobTemplate/spec/selector"))),
            ]
        }
        ("autoscaling", "HorizontalPodAutoscaler") => {
            let target = format!(
                "{}/{}",
                of.text("/spec/scaleTargetRef/kind"),
                of.text("/spec/scaleTargetRef/name")
            );
            let least = of
                .shown("/spec/minReplicas")
                .unwrap_or_else(|| "<unset>".to_owned());
            vec![
                name,
                json!(target),
                json!(metrics(&of)),
                json!(least),
                json!(of.number("/spec/maxReplicas")),
                json!(of.number("/status/currentReplicas")),
                created,
            ]
        }
        ("coordination.k8s.io", "Lease") => vec![name, of.string("/spec/holderIdentity"), created],
        ("networking.k8s.io", "Ingress") => {
            let class = of.text_or("/spec/ingressClassName", "<none>");
            let ports = if of.list("/spec/tls").is_empty() {
                "80"
            } else {
                "80, 443"
            };
            vec![
                name,
                json!(class),
                json!(hosts(&of)),
                json!(balancer(&of)),
                json!(ports),
                created,
            ]
        }
        ("networking.k8s.io", "IngressClass") => {
            let name = with_default(&of, "ingressclass.kubernetes.io/is-default-class");
            let parameters = match object.pointer("/spec/parameters") {
                None | Some(Value::Null) => "<none>".to_owned(),
                Some(_) => {
                    let mut text = of.text("/spec/parameters/kind").to_owned();
                    if let Some(group) = of.shown("/spec/parameters/apiGroup") {
                        text = format!("{text}.{group}");
                    }
                    format!("{text}/{}", of.text("/spec/parameters/name"))
                }
            };
            vec![name, of.string("/spec/controller"), json!(parameters), created]
        }
        ("networking.k8s.io", "NetworkPolicy") => {
            vec![
                name,
                json!(selector(object.pointer("/spec/podSelector"))),
                created,
            ]
        }
        ("discovery.k8s.io", "EndpointSlice") => {
            let ports = of.list("/ports").iter().map(|port| {
                let number = port.get("port").filter(|port| !port.is_null());
                let number = number.map(ToString::to_string);
                let named = || port.get("name").and_then(Value::as_str).map(str::to_owned);
                number.or_else(named).unwrap_or_else(|| "*".to_owned())
            });
            let addresses = of
                .list("/endpoints")
                .iter()
                .flat_map(|endpoint| endpoint.get("addresses").and_then(Value::as_array))
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned);
            vec![
                name,
                of.string("/addressType"),
                json!(or_unset(shortened(ports.collect(), 3, ","))),
                json!(or_unset(shortened(addresses.collect(), 3, ","))),
                created,
            ]
        }
        ("policy", "PodDisruptionBudget") => {
            let amount = |path: &str| of.shown(path).unwrap_or_else(|| "N/A".to_owned());
            vec![
                name,
                json!(amount("/spec/minAvailable")),
                json!(amount("/spec/maxUnavailable")),
                json!(of.number("/status/disruptionsAllowed")),
                created,
            ]
        }
        ("rbac.authorization.k8s.io", "RoleBinding" | "ClusterRoleBinding") => {
            let role = format!("{}/{}", of.text("/roleRef/kind"), of.text("/roleRef/name"));
            let mut cells = vec![name, json!(role), created];
            for kind in ["User", "Group", "ServiceAccount"] {
                cells.push(json!(subjects(&of, kind)));
            }
            cells
        }
        ("scheduling.k8s.io", "PriorityClass") => {
            let is_default = object.get("globalDefault") == Some(&Value::Bool(true));
            vec![
                name,
                json!(of.number("/value")),
                json!(is_default),
                created,
                of.string("/preemptionPolicy"),
            ]
        }
        ("storage.k8s.io", "StorageClass") => {
            let name = with_default(&of, "storageclass.kubernetes.io/is-default-class");
            let expands = object.get("allowVolumeExpansion") == Some(&Value::Bool(true));
            vec![
                name,
                of.string("/provisioner"),
                json!(of.text_or("/reclaimPolicy", "Delete")),
                json!(of.text_or("/volumeBindingMode", "Immediate")),
                json!(expands),
                created,
            ]
        }
        ("storage.k8s.io", "CSIDriver") => {
            let is_set = |key: &str, default: bool| {
                let value = object.pointer(&format!("/spec/{key}"));
                json!(value.and_then(Value::as_bool).unwrap_or(default))
            };
            let joined = |key: &str, none: &str, text: fn(&Value) -> Option<&str>| {
                let items = object.pointer(&format!("/spec/{key}")).and_then(Value::as_array);
                let items = items.map(|items| items.iter().filter_map(text).collect::<Vec<_>>().join(","));
                json!(items.unwrap_or_else(|| none.to_owned()))
            };
            vec![
                name,
                is_set("attachRequired", true),
                is_set("podInfoOnMount", false),
                is_set("storageCapacity", false),
                joined("tokenRequests", "<unset>", |request| {
                    request.get("audience")?.as_str()
                }),
                is_set("requiresRepublish", false),
                joined("volumeLifecycleModes", "<none>", Value::as_str),
                created,
            ]
        }
        ("storage.k8s.io", "VolumeAttachment") => vec![
            name,
            of.string("/spec/attacher"),
            of.string("/spec/source/persistentVolumeName"),
            of.string("/spec/nodeName"),
            json!(object.pointer("/status/attached") == Some(&Value::Bool(true))),
            created,
        ],
        ("storage.k8s.io", "VolumeAttributesClass") => vec![name, of.string("/driverName"), created],
        ("networking.k8s.io", "ServiceCIDR") => {
            let ranges: Vec<&str> = of.list("/spec/cidrs").iter().filter_map(Value::as_str).collect();
            vec![name, json!(ranges.join(",")), created]
        }
        ("resource.k8s.io", "DeviceClass" | "ResourceClaimTemplate") => vec![name, created],
        ("resource.k8s.io", "ResourceClaim") => {
            let mut states = Vec::new();
            if !of.text("/metadata/deletionTimestamp").is_empty() {
                states.push("deleted");
            }
            if object.pointer("/status/allocation").is_none() {
                states.push("pending");
            } else {
                states.push("allocated");
                if !of.list("/status/reservedFor").is_empty() {
                    states.push("reserved");
                }
            }
            vec![name, json!(states.join(",")), created]
        }
        ("storage.k8s.io", "CSINode") => vec![name, json!(of.list("/spec/drivers").len()), created],
        ("node.k8s.io", "RuntimeClass") => vec![name, of.string("/handler"), created],
        (
            "admissionregistration.k8s.io",
            "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration",
        ) => vec![name, json!(of.list("/webhooks").len()), created],
        ("", "ResourceQuota") => {
            let (mut requests, mut limits) = (Vec::new(), Vec::new());
            let hard = object.pointer("/status/hard").and_then(Value::as_object);
            for (resource, amount) in hard.into_iter().flatten() {
                let used = object
                    .pointer("/status/used")
                    .and_then(|used| used.get(resource))
                    .and_then(Value::as_str)
                    .unwrap_or("0");
                let text = format!("{resource}: {used}/{}", amount.as_str().unwrap_or_default());
                if resource.starts_with("limits.") {
                    limits.push(text);
                } else {
                    requests.push(text);
                }
            }
            vec![
                name,
                json!(requests.join(", ")),
                json!(limits.join(", ")),
                created,
            ]
        }
        _ => return None,
    })
}

/// Reads the fields of an object.
struct Reader<'o> {
    object: &'o Value,
    now: Timestamp,
}

impl<'o> Reader<'o> {
    fn text(&self, path: &str) -> &'o str {
        self.object
            .pointer(path)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    fn string(&self, path: &str) -> Value {
        Value::from(self.text(path))
    }

    fn text_or(&self, path: &str, default: &'o str) -> &'o str {
        match self.text(path) {
            "" => default,
            text => text,
        }
    }

    /// Returns a text or number as text.
    fn shown(&self, path: &str) -> Option<String> {
        match self.object.pointer(path) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => Some(other.to_string()),
        }
    }

    fn number(&self, path: &str) -> i64 {
        self.object.pointer(path).and_then(Value::as_i64).unwrap_or(0)
    }

    fn list(&self, path: &str) -> &'o [Value] {
        let list = self.object.pointer(path).and_then(Value::as_array);
        list.map(Vec::as_slice).unwrap_or_default()
    }

    fn count(&self, path: &str) -> usize {
        let entries = self.object.pointer(path).and_then(Value::as_object);
        entries.map_or(0, serde_json::Map::len)
    }

    fn since(&self, path: &str) -> Value {
        match self.text(path).parse::<Timestamp>() {
            Ok(time) => Value::from(age(self.now, time)),
            Err(_) => Value::from("<unknown>"),
        }
    }

    fn ready(&self) -> String {
        format!(
            "{}/{}",
            self.number("/status/readyReplicas"),
            self.number("/spec/replicas")
        )
    }

    /// Returns the names and images of containers.
    fn containers(&self, path: &str) -> (String, String) {
        let joined = |key: &str| {
            let texts = self
                .list(path)
                .iter()
                .map(|container| container.get(key).and_then(Value::as_str).unwrap_or_default());
            texts.collect::<Vec<_>>().join(",")
        };
        (joined("name"), joined("image"))
    }
}

/// Returns labels as `a=b,c=d`.
fn labels(labels: Option<&Value>) -> String {
    let entries = labels.and_then(Value::as_object).into_iter().flatten();
    let texts: Vec<String> = entries
        .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
        .collect();
    if texts.is_empty() {
        "<none>".to_owned()
    } else {
        texts.join(",")
    }
}

/// Returns a label selector as text, `<none>` if it is missing or empty.
fn selector(selector: Option<&Value>) -> String {
    match selector_text(selector) {
        text if text.is_empty() => "<none>".to_owned(),
        text => text,
    }
}

/// Returns a label selector as text; its parts are sorted by key.
pub(crate) fn selector_text(selector: Option<&Value>) -> String {
    let Some(selector) = selector else {
        return String::new();
    };
    let mut parts: Vec<(String, String)> = Vec::new();
    let labels = selector.get("matchLabels").and_then(Value::as_object);
    for (key, value) in labels.into_iter().flatten() {
        parts.push((
            key.clone(),
            format!("{key}={}", value.as_str().unwrap_or_default()),
        ));
    }
    let expressions = selector.get("matchExpressions").and_then(Value::as_array);
    for expression in expressions.into_iter().flatten() {
        let text = |key: &str| expression.get(key).and_then(Value::as_str).unwrap_or_default();
        let values = expression.get("values").and_then(Value::as_array);
        let mut values: Vec<&str> = values.into_iter().flatten().filter_map(Value::as_str).collect();
        values.sort_unstable();
        let (key, values) = (text("key"), values.join(","));
        let shown = match text("operator") {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "Exists" => key.to_owned(),
            _ => format!("!{key}"),
        };
        parts.push((key.to_owned(), shown));
    }
    parts.sort_by(|left, right| left.0.cmp(&right.0));
    let texts: Vec<String> = parts.into_iter().map(|(_, text)| text).collect();
    texts.join(",")
}

/// Joins the first texts, and counts the others.
fn shortened(mut texts: Vec<String>, most: usize, separator: &str) -> String {
    let more = texts.len().saturating_sub(most);
    texts.truncate(most);
    let joined = texts.join(separator);
    if more == 0 {
        joined
    } else {
        format!("{joined} + {more} more...")
    }
}

fn or_unset(text: String) -> String {
    if text.is_empty() {
        "<unset>".to_owned()
    } else {
        text
    }
}

fn with_default(of: &Reader<'_>, annotation: &str) -> Value {
    let annotations = of.object.pointer("/metadata/annotations");
    let is_default = annotations
        .and_then(|annotations| annotations.get(annotation))
        .is_some_and(|value| value == "true");
    let name = meta::name(of.object);
    if is_default {
        Value::from(format!("{name} (default)"))
    } else {
        Value::from(name)
    }
}

fn controller(owner: &Value) -> String {
    let text = |key: &str| owner.get(key).and_then(Value::as_str).unwrap_or_default();
    let group = text("apiVersion").rsplit_once('/').map(|(group, _)| group);
    let kind = match group {
        Some(group) => format!("{}.{group}", text("kind")),
        None => text("kind").to_owned(),
    };
    format!("{}/{}", kind.to_lowercase(), text("name"))
}

/// Returns the addresses of a load balancer.
fn balancer(of: &Reader<'_>) -> String {
    let mut addresses: Vec<&str> = of
        .list("/status/loadBalancer/ingress")
        .iter()
        .filter_map(|ingress| {
            let text = |key: &str| {
                ingress
                    .get(key)
                    .and_then(Value::as_str)
                    .filter(|text| !text.is_empty())
            };
            text("ip").or_else(|| text("hostname"))
        })
        .collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses.join(",")
}

fn external_address(of: &Reader<'_>) -> String {
    let given: Vec<&str> = of
        .list("/spec/externalIPs")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    match of.text("/spec/type") {
        "ClusterIP" | "NodePort" if given.is_empty() => "<none>".to_owned(),
        "ClusterIP" | "NodePort" => given.join(","),
        "LoadBalancer" => {
            let balancer = balancer(of);
            let all: Vec<&str> = Some(balancer.as_str())
                .filter(|text| !text.is_empty())
                .into_iter()
                .chain(given)
                .collect();
            if all.is_empty() {
                "<pending>".to_owned()
            } else {
                all.join(",")
            }
        }
        "ExternalName" => of.text("/spec/externalName").to_owned(),
        _ => "<unknown>".to_owned(),
    }
}

fn service_ports(of: &Reader<'_>) -> String {
    let ports = of.list("/spec/ports").iter().map(|port| {
        let number = |key: &str| port.get(key).and_then(Value::as_i64).unwrap_or(0);
        let protocol = port.get("protocol").and_then(Value::as_str).unwrap_or_default();
        match number("nodePort") {
            0 => format!("{}/{protocol}", number("port")),
            node => format!("{}:{node}/{protocol}", number("port")),
        }
    });
    let ports: Vec<String> = ports.collect();
    if ports.is_empty() {
        "<none>".to_owned()
    } else {
        ports.join(",")
    }
}

fn endpoints(of: &Reader<'_>) -> String {
    let subsets = of.list("/subsets");
    if subsets.is_empty() {
        return "<none>".to_owned();
    }
    let mut all = Vec::new();
    for subset in subsets {
        let list = |key: &str| {
            subset
                .get(key)
                .and_then(Value::as_array)
                .map(Vec::as_slice)
                .unwrap_or_default()
        };
        let addresses: Vec<&str> = list("addresses")
            .iter()
            .filter_map(|address| address.get("ip").and_then(Value::as_str))
            .collect();
        if list("ports").is_empty() {
            all.extend(addresses.iter().map(|address| (*address).to_owned()));
        }
        for port in list("ports") {
            let port = port.get("port").and_then(Value::as_i64).unwrap_or(0);
            all.extend(addresses.iter().map(|address| {
                if address.contains(':') {
                    format!("[{address}]:{port}")
                } else {
                    format!("{address}:{port}")
                }
            }));
        }
    }
    shortened(all, 3, ",")
}

fn event(of: &Reader<'_>, name: Value) -> Vec<Value> {
    let first = match of.text("/firstTimestamp") {
        "" => of.since("/eventTime"),
        _ => of.since("/firstTimestamp"),
    };
    let series = of.object.get("series").filter(|series| series.is_object());
    let last = match (series, of.text("/lastTimestamp")) {
        (Some(_), _) => of.since("/series/lastObservedTime"),
        (None, "") => first.clone(),
        (None, _) => of.since("/lastTimestamp"),
    };
    let count = match series {
        Some(_) => of.number("/series/count"),
        None => of.number("/count").max(1),
    };
    let kind = of.text("/involvedObject/kind").to_lowercase();
    let target = match of.text("/involvedObject/name") {
        "" => kind,
        name => format!("{kind}/{name}"),
    };
    let component = of.text_or("/source/component", of.text("/reportingComponent"));
    let source = match of.text_or("/source/host", of.text("/reportingInstance")) {
        "" => component.to_owned(),
        host => format!("{component}, {host}"),
    };
    vec![
        last,
        of.string("/type"),
        of.string("/reason"),
        json!(target),
        of.string("/involvedObject/fieldPath"),
        json!(source),
        json!(of.text("/message").trim()),
        first,
        json!(count),
        name,
    ]
}

fn node(of: &Reader<'_>, name: Value, created: Value) -> Vec<Value> {
    let ready = of
        .list("/status/conditions")
        .iter()
        .find(|condition| condition.get("type").is_some_and(|kind| kind == "Ready"));
    let mut status = match ready {
        None => "Unknown",
        Some(ready) if ready.get("status").is_some_and(|status| status == "True") => "Ready",
        Some(_) => "NotReady",
    }
    .to_owned();
    if of.object.pointer("/spec/unschedulable") == Some(&Value::Bool(true)) {
        status.push_str(",SchedulingDisabled");
    }
    let labels = of
        .object
        .pointer("/metadata/labels")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let mut roles: Vec<&str> = labels
        .filter_map(
            |(key, value)| match key.strip_prefix("node-role.kubernetes.io/") {
                Some(role) => Some(role),
                None if key == "kubernetes.io/role" => value.as_str(),
                None => None,
            },
        )
        .filter(|role| !role.is_empty())
        .collect();
    roles.sort_unstable();
    roles.dedup();
    let roles = if roles.is_empty() {
        "<none>".to_owned()
    } else {
        roles.join(",")
    };
    let address = |kind: &str| {
        let mut addresses = of.list("/status/addresses").iter();
        let found = addresses.find(|address| address.get("type").is_some_and(|found| found == kind));
        let text = found.and_then(|address| address.get("address").and_then(Value::as_str));
        json!(text.unwrap_or("<none>"))
    };
    let info = |key: &str| {
        of.text_or(&format!("/status/nodeInfo/{key}"), "<unknown>")
            .to_owned()
    };
    let kernel = match of.text("/status/nodeInfo/architecture") {
        "" => info("kernelVersion"),
        architecture => format!("{} ({architecture})", info("kernelVersion")),
    };
    vec![
        name,
        json!(status),
        json!(roles),
        created,
        of.string("/status/nodeInfo/kubeletVersion"),
        address("InternalIP"),
        address("ExternalIP"),
        json!(info("osImage")),
        json!(kernel),
        json!(info("containerRuntimeVersion")),
    ]
}

fn access_modes(modes: &[Value]) -> String {
    let short = [
        ("ReadWriteOnce", "RWO"),
        ("ReadOnlyMany", "ROX"),
        ("ReadWriteMany", "RWX"),
        ("ReadWriteOncePod", "RWOP"),
    ];
    let found = short
        .iter()
        .filter(|(mode, _)| modes.iter().any(|given| given == mode));
    found.map(|(_, short)| *short).collect::<Vec<_>>().join(",")
}

fn claim(of: &Reader<'_>, name: Value, created: Value) -> Vec<Value> {
    let phase = if meta::is_being_deleted(of.object) {
        "Terminating"
    } else {
        of.text("/status/phase")
    };
    let is_bound = !of.text("/spec/volumeName").is_empty();
    let (capacity, modes) = if is_bound {
        (
            of.text_or("/status/capacity/storage", "0"),
            access_modes(of.list("/status/accessModes")),
        )
    } else {
        ("", String::new())
    };
    vec![
        name,
        json!(phase),
        of.string("/spec/volumeName"),
        json!(capacity),
        json!(modes),
        of.string("/spec/storageClassName"),
        json!(of.text_or("/spec/volumeAttributesClassName", "<unset>")),
        created,
        json!(of.text_or("/spec/volumeMode", "<unset>")),
    ]
}

fn volume(of: &Reader<'_>, name: Value, created: Value) -> Vec<Value> {
    let phase = if meta::is_being_deleted(of.object) {
        "Terminating"
    } else {
        of.text("/status/phase")
    };
    let claim = match of.object.pointer("/spec/claimRef") {
        None | Some(Value::Null) => String::new(),
        Some(_) => format!(
            "{}/{}",
            of.text("/spec/claimRef/namespace"),
            of.text("/spec/claimRef/name")
        ),
    };
    vec![
        name,
        json!(of.text_or("/spec/capacity/storage", "0")),
        json!(access_modes(of.list("/spec/accessModes"))),
        of.string("/spec/persistentVolumeReclaimPolicy"),
        json!(phase),
        json!(claim),
        of.string("/spec/storageClassName"),
        json!(of.text_or("/spec/volumeAttributesClassName", "<unset>")),
        of.string("/status/reason"),
        created,
        json!(of.text_or("/spec/volumeMode", "<unset>")),
    ]
}

fn job(of: &Reader<'_>, name: Value, created: Value) -> Vec<Value> {
    let succeeded = of.number("/status/succeeded");
    let completions = match of.shown("/spec/completions") {
        Some(completions) => format!("{succeeded}/{completions}"),
        None => match of.number("/spec/parallelism") {
            ..=1 => format!("{succeeded}/1"),
            parallelism => format!("{succeeded}/1 of {parallelism}"),
        },
    };
    let time = |path: &str| of.text(path).parse::<Timestamp>().ok();
    let duration = match (time("/status/startTime"), time("/status/completionTime")) {
        (None, _) => String::new(),
        (Some(start), end) => age(end.unwrap_or(of.now), start),
    };
    let has = |kind: &str| {
        let mut conditions = of.list("/status/conditions").iter();
        let found = conditions.find(|condition| condition.get("type").is_some_and(|found| found == kind));
        found.is_some_and(|condition| condition.get("status").is_some_and(|status| status == "True"))
    };
    let status = if has("Complete") {
        "Complete"
    } else if has("Failed") {
        "Failed"
    } else if meta::is_being_deleted(of.object) {
        "Terminating"
    } else {
        ["Suspended", "FailureTarget", "SuccessCriteriaMet"]
            .into_iter()
            .find(|kind| has(kind))
            .unwrap_or("Running")
    };
    let (names, images) = of.containers("/spec/template/spec/containers");
    vec![
        name,
        json!(status),
        json!(completions),
        json!(duration),
        created,
        json!(names),
        json!(images),
        json!(selector(of.object.pointer("/spec/selector"))),
    ]
}

fn hosts(of: &Reader<'_>) -> String {
    const MOST: usize = 3;
    let rules = of.list("/spec/rules");
    let mut hosts = Vec::new();
    let mut has_more = false;
    for rule in rules {
        has_more |= hosts.len() == MOST;
        let host = rule.get("host").and_then(Value::as_str).unwrap_or_default();
        if !has_more && !host.is_empty() {
            hosts.push(host);
        }
    }
    if hosts.is_empty() {
        return "*".to_owned();
    }
    let joined = hosts.join(",");
    if has_more {
        format!("{joined} + {} more...", rules.len() - MOST)
    } else {
        joined
    }
}

fn subjects(of: &Reader<'_>, kind: &str) -> String {
    let found = of.list("/subjects").iter().filter_map(|subject| {
        let text = |key: &str| subject.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("kind") != kind {
            return None;
        }
        Some(if kind == "ServiceAccount" {
            format!("{}/{}", text("namespace"), text("name"))
        } else {
            text("name").to_owned()
        })
    });
    found.collect::<Vec<_>>().join(", ")
}

/// Returns the metrics of an autoscaler as `current/target`.
fn metrics(of: &Reader<'_>) -> String {
    let specs = of.list("/spec/metrics");
    if specs.is_empty() {
        return "<none>".to_owned();
    }
    let statuses = of.list("/status/currentMetrics");
    let texts = specs.iter().enumerate().map(|(index, spec)| {
        let (key, is_resource) = match spec.get("type").and_then(Value::as_str) {
            Some("External") => ("external", false),
            Some("Pods") => ("pods", false),
            Some("Object") => ("object", false),
            Some("Resource") => ("resource", true),
            Some("ContainerResource") => ("containerResource", true),
            _ => return "<unknown type>".to_owned(),
        };
        let shown = |value: Option<&Value>, percent: bool| match value {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(number) if percent => Some(format!("{number}%")),
            Some(number) => Some(number.to_string()),
        };
        let target = |field: &str| spec.pointer(&format!("/{key}/target/{field}"));
        let current = |field: &str| {
            let status = statuses.get(index);
            status.and_then(|status| status.pointer(&format!("/{key}/current/{field}")))
        };
        let pair = |field: &str, default: &str| {
            let percent = field == "averageUtilization";
            let current = shown(current(field), percent).unwrap_or_else(|| "<unknown>".to_owned());
            let target = shown(target(field), percent).unwrap_or_else(|| default.to_owned());
            format!("{current}/{target}")
        };
        if is_resource {
            let name = spec.pointer(&format!("/{key}/name")).and_then(Value::as_str);
            let name = name.unwrap_or_default();
            return match target("averageValue") {
                Some(_) => format!("{name}: {}", pair("averageValue", "")),
                None => format!("{name}: {}", pair("averageUtilization", "<auto>")),
            };
        }
        match (key, target("averageValue")) {
            ("pods", _) => pair("averageValue", ""),
            (_, Some(_)) => format!("{} (avg)", pair("averageValue", "")),
            _ => pair("value", ""),
        }
    });
    shortened(texts.collect(), 2, ", ")
}
