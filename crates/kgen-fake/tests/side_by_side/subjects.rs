//! The kinds that requests are about, and random objects of them.

use serde_json::{Map, Value, json};

use crate::random::Random;
use crate::values;

/// A kind, as a sequence of requests uses it.
#[derive(Clone)]
pub struct Subject {
    pub api_version: String,
    pub kind: String,
    pub plural: String,
    pub is_namespaced: bool,
    pub has_status: bool,
    pub is_custom: bool,
    /// The schema of a custom kind.
    pub schema: Value,
    /// Paths whose values the server chooses.
    pub ignored: &'static [&'static str],
}

impl Subject {
    /// Reads a version of a CRD.
    pub fn custom(crd: &Value, version: &str) -> Self {
        let spec = &crd["spec"];
        let versions = spec["versions"].as_array().unwrap();
        let found = versions.iter().find(|found| found["name"] == version).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            api_version: format!("{}/{version}", text(&spec["group"])),
            kind: text(&spec["names"]["kind"]),
            plural: text(&spec["names"]["plural"]),
            is_namespaced: spec["scope"] == "Namespaced",
            has_status: found["subresources"].get("status").is_some(),
            is_custom: true,
            schema: found["schema"]["openAPIV3Schema"].clone(),
            ignored: &[],
        }
    }

    /// Returns a built-in kind.
    pub fn built_in(kind: &str) -> Self {
        let (api_version, plural) = match kind {
            "ConfigMap" => ("v1", "configmaps"),
            "Secret" => ("v1", "secrets"),
            "Service" => ("v1", "services"),
            "Pod" => ("v1", "pods"),
            "ServiceAccount" => ("v1", "serviceaccounts"),
            "PersistentVolumeClaim" => ("v1", "persistentvolumeclaims"),
            "Event" => ("v1", "events"),
            "Deployment" => ("apps/v1", "deployments"),
            "ReplicaSet" => ("apps/v1", "replicasets"),
            "StatefulSet" => ("apps/v1", "statefulsets"),
            "DaemonSet" => ("apps/v1", "daemonsets"),
            "Job" => ("batch/v1", "jobs"),
            "CronJob" => ("batch/v1", "cronjobs"),
            "Lease" => ("coordination.k8s.io/v1", "leases"),
            "Role" => ("rbac.authorization.k8s.io/v1", "roles"),
            "RoleBinding" => ("rbac.authorization.k8s.io/v1", "rolebindings"),
            "ClusterRole" => ("rbac.authorization.k8s.io/v1", "clusterroles"),
            "Namespace" => ("v1", "namespaces"),
            "PodDisruptionBudget" => ("policy/v1", "poddisruptionbudgets"),
            "Ingress" => ("networking.k8s.io/v1", "ingresses"),
            "NetworkPolicy" => ("networking.k8s.io/v1", "networkpolicies"),
            "HorizontalPodAutoscaler" => ("autoscaling/v2", "horizontalpodautoscalers"),
            "Endpoints" => ("v1", "endpoints"),
            "LimitRange" => ("v1", "limitranges"),
            other => panic!("no kind {other}"),
        };
        Self {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            plural: plural.to_owned(),
            is_namespaced: !matches!(kind, "Namespace" | "ClusterRole"),
            has_status: !matches!(
                kind,
                "ConfigMap"
                    | "Secret"
                    | "ServiceAccount"
                    | "Event"
                    | "Lease"
                    | "Role"
                    | "RoleBinding"
                    | "ClusterRole"
                    | "NetworkPolicy"
                    | "Endpoints"
                    | "LimitRange"
            ),
            is_custom: false,
            schema: Value::Null,
            ignored: match kind {
                "Service" => &["spec.clusterIP", "spec.clusterIPs"],
                // They contain the UID.
                "Job" => &[
                    "spec.selector.matchLabels",
                    "spec.template.metadata.labels",
                    "metadata.labels",
                ],
                _ => &[],
            },
        }
    }

    /// Returns the path of the collection.
    pub fn collection(&self, namespace: &str) -> String {
        let root = if self.api_version.contains('/') {
            "apis"
        } else {
            "api"
        };
        let place = if self.is_namespaced {
            format!("/namespaces/{namespace}")
        } else {
            String::new()
        };
        format!("/{root}/{}{place}/{}", self.api_version, self.plural)
    }

    /// Returns the fields of a new object besides its type and metadata.
    pub fn content(&self, random: &mut Random) -> Map<String, Value> {
        let content = if self.is_custom {
            let mut content = values::object(random, &self.schema, 0);
            if self.schema["x-kubernetes-preserve-unknown-fields"] != true
                && random.chance(90)
                && !content["spec"].is_object()
            {
                content["spec"] = values::object(random, &self.schema["properties"]["spec"], 1);
            }
            content
        } else {
            built_in(&self.kind, random)
        };
        content.as_object().cloned().unwrap_or_default()
    }

    /// Returns a merge patch of everything but metadata.
    pub fn patch(&self, random: &mut Random) -> Value {
        if !self.is_custom {
            let mut patch = built_in(&self.kind, random);
            thin(&mut patch, random);
            return patch;
        }
        let mut patch = Map::new();
        for part in ["spec", "status"] {
            let schema = &self.schema["properties"][part];
            if schema.is_object() && random.chance(if part == "spec" { 85 } else { 15 }) {
                patch.insert(part.to_owned(), values::patch(random, schema));
            }
        }
        if patch.is_empty() {
            return values::patch(random, &self.schema);
        }
        Value::Object(patch)
    }
}

/// Removes some fields, and makes others null.
fn thin(patch: &mut Value, random: &mut Random) {
    let Some(entries) = patch.as_object_mut() else {
        return;
    };
    let names: Vec<String> = entries.keys().cloned().collect();
    for name in names {
        match random.below(10) {
            0..3 => {
                entries.remove(&name);
            }
            3 => {
                entries.insert(name, Value::Null);
            }
            _ => thin(&mut entries[&name], random),
        }
    }
}

fn pod_spec(random: &mut Random) -> Value {
    let image = *random.pick(&[
        "nginx",
        "nginx:1.27",
        "registry.k8s.io/pause:latest",
        "a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    ]);
    let mut container = json!({"name": "main", "image": image});
    if random.chance(40) {
        container["ports"] = json!([{"containerPort": 80}]);
    }
    if random.chance(20) {
        container["ports"] =
            json!([{"containerPort": 80, "name": "http"}, {"containerPort": 81, "protocol": "UDP"}]);
    }
    if random.chance(30) {
        container["env"] = json!([{"name": "A", "value": "1"}, {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]);
    }
    if random.chance(30) {
        container["resources"] =
            json!({"requests": {"cpu": "100m"}, "limits": {"memory": "1Gi", "cpu": "1"}});
    }
    if random.chance(20) {
        container["livenessProbe"] = json!({"httpGet": {"path": "/healthz", "port": 80}});
    }
    if random.chance(20) {
        container["readinessProbe"] = json!({"exec": {"command": ["true"]}, "periodSeconds": 3});
    }
    if random.chance(20) {
        container["volumeMounts"] = json!([{"name": "data", "mountPath": "/data"}]);
    }
    let mut spec = json!({"containers": [container]});
    if random.chance(20) {
        spec["containers"] = json!([spec["containers"][0], {"name": "side", "image": "busybox"}]);
    }
    if random.chance(35) || spec["containers"][0].get("volumeMounts").is_some() {
        spec["volumes"] = random
            .pick(&[
                json!([{"name": "data", "emptyDir": {}}]),
                json!([{"name": "data", "configMap": {"name": "c"}}]),
                json!([{"name": "data", "secret": {"secretName": "s"}}]),
                json!([{"name": "data", "hostPath": {"path": "/x"}}]),
                json!([{"name": "data", "persistentVolumeClaim": {"claimName": "p"}}]),
                json!([{"name": "data", "projected": {"sources": [{"configMap": {"name": "c"}}]}}]),
                json!([{"name": "data", "downwardAPI": {"items": [{"path": "l", "fieldRef": {"fieldPath": "metadata.labels"}}]}}]),
            ])
            .clone();
    }
    if random.chance(10) {
        spec["initContainers"] = json!([{"name": "init", "image": "busybox"}]);
    }
    if random.chance(20) {
        spec["serviceAccountName"] = json!("default");
    }
    if random.chance(10) {
        spec["terminationGracePeriodSeconds"] = json!(5);
    }
    spec
}

fn template(random: &mut Random) -> Value {
    let labels = if random.chance(93) {
        json!({"app": "x"})
    } else {
        json!({"app": "other"})
    };
    json!({"metadata": {"labels": labels}, "spec": pod_spec(random)})
}

fn built_in(kind: &str, random: &mut Random) -> Value {
    let selector = json!({"matchLabels": {"app": "x"}});
    match kind {
        "ConfigMap" => {
            let mut map = json!({});
            if random.chance(85) {
                let keys = ["a", "b.txt", "c", "bad key"];
                let mut data = Map::new();
                for key in keys {
                    if random.chance(if key == "bad key" { 3 } else { 40 }) {
                        data.insert(key.to_owned(), json!(random.pick(&["1", "2", "", "three"])));
                    }
                }
                map["data"] = Value::Object(data);
            }
            if random.chance(12) {
                map["binaryData"] = random.pick(&[json!({"z": "aGk="}), json!({"a": "aGk="}), json!({"z": "?"})]).clone();
            }
            if random.chance(7) {
                map["immutable"] = json!(random.chance(70));
            }
            if random.chance(4) {
                map["data"] = random.pick(&[json!({"a": 1}), json!([]), json!("x"), Value::Null]).clone();
            }
            map
        }
        "Secret" => {
            let mut secret = json!({});
            if random.chance(60) {
                secret["data"] = random.pick(&[json!({"a": "aGk="}), json!({"b": "", "c": "eA=="}), json!({"a": "not base64"})]).clone();
            }
            if random.chance(40) {
                secret["stringData"] = random.pick(&[json!({"a": "text"}), json!({"d": ""})]).clone();
            }
            if random.chance(30) {
                secret["type"] = json!(random.pick(&["Opaque", "example.org/own"]));
            }
            if random.chance(6) {
                secret["immutable"] = json!(true);
            }
            secret
        }
        "Service" => {
            let mut spec = json!({"ports": [{"port": 80}], "selector": {"app": "x"}});
            match random.below(6) {
                0 => spec["clusterIP"] = json!("None"),
                1 => spec["ports"] = json!([{"port": 80, "name": "http", "targetPort": "web"}, {"port": 53, "name": "dns", "protocol": "UDP"}]),
                2 => spec = json!({"type": "ExternalName", "externalName": "example.org"}),
                3 => spec["sessionAffinity"] = json!("ClientIP"),
                4 => spec["ports"] = json!([{"port": 80, "targetPort": 8080}]),
                _ => {}
            }
            if random.chance(5) {
                spec["ports"] = random.pick(&[json!([]), json!([{"port": 0}]), json!([{"port": 80}, {"port": 81}]), json!([{"port": 80, "protocol": "X"}])]).clone();
            }
            json!({"spec": spec})
        }
        "Pod" => json!({"spec": pod_spec(random)}),
        "ServiceAccount" => random
            .pick(&[json!({}), json!({"automountServiceAccountToken": false}), json!({"imagePullSecrets": [{"name": "a"}]}), json!({"secrets": [{"name": "s"}]})])
            .clone(),
        "PersistentVolumeClaim" => {
            let size = *random.pick(&["1Gi", "500Mi", "2Gi"]);
            let mut spec = json!({"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}});
            if random.chance(20) {
                spec["storageClassName"] = json!("fast");
            }
            if random.chance(10) {
                spec["volumeMode"] = json!("Block");
            }
            json!({"spec": spec})
        }
        "Event" => {
            let mut event = json!({
                "involvedObject": {"kind": "Pod", "name": "p", "namespace": "@NS@", "apiVersion": "v1"},
                "reason": random.pick(&["Created", "Failed"]), "message": "a message", "type": random.pick(&["Normal", "Warning"]),
                "source": {"component": "test"}, "count": 1,
            });
            if random.chance(50) {
                event["firstTimestamp"] = json!("2020-01-02T03:04:05Z");
                event["lastTimestamp"] = json!("2020-01-02T03:04:06Z");
            }
            event
        }
        "Deployment" => {
            let mut spec = json!({"selector": selector, "template": template(random)});
            if random.chance(50) {
                spec["replicas"] = json!(random.below(4));
            }
            if random.chance(25) {
                spec["strategy"] = random
                    .pick(&[
                        json!({"type": "Recreate"}),
                        json!({"rollingUpdate": {"maxSurge": 1}}),
                        json!({"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": "50%"}}),
                    ])
                    .clone();
            }
            if random.chance(10) {
                spec["paused"] = json!(true);
            }
            if random.chance(10) {
                spec["minReadySeconds"] = json!(3);
            }
            json!({"spec": spec})
        }
        "ReplicaSet" => {
            let mut spec = json!({"selector": selector, "template": template(random)});
            if random.chance(50) {
                spec["replicas"] = json!(random.below(4));
            }
            json!({"spec": spec})
        }
        "StatefulSet" => {
            let mut spec = json!({"selector": selector, "template": template(random), "serviceName": "svc"});
            if random.chance(50) {
                spec["replicas"] = json!(random.below(4));
            }
            if random.chance(25) {
                spec["volumeClaimTemplates"] = json!([{"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]);
            }
            if random.chance(25) {
                spec["updateStrategy"] = random.pick(&[json!({"type": "OnDelete"}), json!({"rollingUpdate": {"partition": 2}})]).clone();
            }
            json!({"spec": spec})
        }
        "DaemonSet" => {
            let mut spec = json!({"selector": selector, "template": template(random)});
            if random.chance(25) {
                spec["updateStrategy"] = random.pick(&[json!({"type": "OnDelete"}), json!({"rollingUpdate": {"maxUnavailable": 2}})]).clone();
            }
            json!({"spec": spec})
        }
        "Job" => {
            let mut spec = pod_spec(random);
            spec["restartPolicy"] = json!(random.pick(&["Never", "OnFailure"]));
            let mut job = json!({"template": {"spec": spec}});
            for (key, value) in [("completions", 2), ("parallelism", 3), ("backoffLimit", 1), ("ttlSecondsAfterFinished", 60), ("activeDeadlineSeconds", 100)] {
                if random.chance(15) {
                    job[key] = json!(value);
                }
            }
            if random.chance(10) {
                job["suspend"] = json!(true);
            }
            json!({"spec": job})
        }
        "CronJob" => {
            let mut spec = pod_spec(random);
            spec["restartPolicy"] = json!("Never");
            let schedule = *random.pick(&["* * * * *", "@hourly", "0 5 * * 1"]);
            json!({"spec": {"schedule": schedule, "jobTemplate": {"spec": {"template": {"spec": spec}}}}})
        }
        "Lease" => {
            let mut spec = json!({});
            if random.chance(70) {
                spec["holderIdentity"] = json!(random.pick(&["a", "b"]));
            }
            if random.chance(60) {
                spec["leaseDurationSeconds"] = json!(random.pick(&[15, 30, 0]));
            }
            if random.chance(40) {
                spec["renewTime"] = json!("2020-01-02T03:04:05.000006Z");
            }
            if random.chance(30) {
                spec["leaseTransitions"] = json!(random.pick(&[0, 1]));
            }
            json!({"spec": spec})
        }
        "Role" | "ClusterRole" => random
            .pick(&[
                json!({"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]}]}),
                json!({"rules": []}),
                json!({}),
                json!({"rules": [{"apiGroups": ["apps"], "resources": ["deployments/scale"], "resourceNames": ["x"], "verbs": ["*"]}]}),
                json!({"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": []}]}),
            ])
            .clone(),
        "RoleBinding" => {
            let subjects = random
                .pick(&[
                    json!([{"kind": "User", "name": "ann"}]),
                    json!([{"kind": "ServiceAccount", "name": "default", "namespace": "@NS@"}]),
                    json!([{"kind": "Group", "name": "g", "apiGroup": "rbac.authorization.k8s.io"}]),
                ])
                .clone();
            let role = *random.pick(&["view", "edit"]);
            json!({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role}, "subjects": subjects})
        }
        "PodDisruptionBudget" => random
            .pick(&[
                json!({"spec": {"minAvailable": 1, "selector": selector}}),
                json!({"spec": {"minAvailable": "50%", "selector": selector}}),
            ])
            .clone(),
        "Ingress" => random
            .pick(&[
                json!({"spec": {"defaultBackend": {"service": {"name": "s", "port": {"number": 80}}}}}),
                json!({"spec": {"rules": [{"host": "e.org", "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": {"service": {"name": "s", "port": {"name": "http"}}}}]}}]}}),
            ])
            .clone(),
        "NetworkPolicy" => random
            .pick(&[
                json!({"spec": {"podSelector": {}}}),
                json!({"spec": {"podSelector": {"matchLabels": {"a": "b"}}, "ingress": [{"ports": [{"port": 80}]}]}}),
                json!({"spec": {"podSelector": {}, "egress": [{}], "policyTypes": ["Egress"]}}),
            ])
            .clone(),
        "HorizontalPodAutoscaler" => random
            .pick(&[
                json!({"spec": {"maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}}}),
                json!({"spec": {"minReplicas": 2, "maxReplicas": 5, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"},
                    "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}]}}),
            ])
            .clone(),
        "Endpoints" => random
            .pick(&[json!({}), json!({"subsets": [{"addresses": [{"ip": "10.1.2.3"}], "ports": [{"port": 80}]}]})])
            .clone(),
        "LimitRange" => json!({"spec": {"limits": [{"type": "PersistentVolumeClaim", "max": {"storage": "10Gi"}}]}}),
        _ => json!({}),
    }
}
