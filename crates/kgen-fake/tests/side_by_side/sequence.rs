//! Random sequences of requests, as cases in the format of the recordings.
//!
//! `@NS@` is the namespace of the case; names of objects without a namespace begin with it.

use serde_json::{Map, Value, json};

use crate::random::Random;
use crate::subjects::Subject;
use crate::values;

const NAMESPACE: &str = "@NS@";
/// The operation of steps that later ones need, although they do not refer to them.
pub const CATCH_UP: &str = "catch-up";

/// Sets a field of the metadata, unless the metadata is something odd.
fn set_metadata(body: &mut Value, key: &str, value: Value) {
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.insert(key.to_owned(), value);
    }
}

/// Builds a sequence.
pub struct Sequence<'r> {
    random: &'r mut Random,
    subject: Subject,
    steps: Vec<Value>,
    watches: usize,
    other_versions: Vec<Subject>,
}

impl<'r> Sequence<'r> {
    /// Returns the steps of a sequence about a kind. Some requests use another version of the kind.
    pub fn steps(
        random: &'r mut Random,
        subject: Subject,
        other_versions: Vec<Subject>,
        count: usize,
    ) -> Vec<Value> {
        let mut sequence = Self {
            random,
            subject,
            steps: Vec::new(),
            watches: 0,
            other_versions,
        };
        let path = sequence.collection();
        let is_alone = sequence.subject.is_namespaced;
        if is_alone {
            sequence
                .steps
                .push(json!({"request": {"method": "GET", "path": path}, "op": "list", "as": "begin"}));
        }
        while sequence.steps.len() < count {
            sequence.one();
        }
        if is_alone {
            sequence.finish();
        }
        sequence.steps
    }

    fn finish(&mut self) {
        let path = self.collection();
        let ignored: Vec<&str> = Vec::new();
        self.steps.push(
            json!({"request": {"method": "GET", "path": path}, "op": "list", "as": "end", "ignore": ignored}),
        );
        let mut query = json!({"watch": "true", "resourceVersion": "$(begin.metadata.resourceVersion)", "timeoutSeconds": "2"});
        if self.random.chance(25) {
            query["labelSelector"] = json!("l=x");
        }
        if self.random.chance(10) {
            query["fieldSelector"] = json!("metadata.name=a");
        }
        let headers = match self.random.below(8) {
            0 => json!({"Accept": "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"}),
            1 if self.subject.is_custom => json!({"Accept": "application/json;as=Table;g=meta.k8s.io;v=v1"}),
            _ => json!({}),
        };
        self.steps.push(json!({"open": {"path": path, "query": query, "headers": headers}, "op": "watch", "watch": "last"}));
        self.steps
            .push(json!({"read": "last", "seconds": 20, "op": "watch-history"}));
    }

    fn collection(&self) -> String {
        self.subject.collection(NAMESPACE)
    }

    fn name(&mut self) -> String {
        let name = *self.random.pick(&["a", "b", "c"]);
        if self.subject.is_namespaced {
            name.to_owned()
        } else {
            format!("{NAMESPACE}-{name}")
        }
    }

    fn object_path(&mut self) -> (String, String) {
        let name = self.name();
        (format!("{}/{name}", self.collection()), name)
    }

    fn add(&mut self, op: &str, request: Value) {
        let position = self.steps.len();
        let mut step = json!({"request": request, "op": op, "as": format!("s{position}")});
        if !self.subject.ignored.is_empty() {
            step["ignore"] = json!(self.subject.ignored);
        }
        self.steps.push(step);
    }

    /// Returns the name of an earlier step, preferably a recent one.
    fn earlier(&mut self) -> Option<String> {
        // The version of a list counts the writes of other sequences too, so it is never compared with that of an object.
        let collection = self.collection();
        let is_list = |step: &&Value| {
            let request = &step["request"];
            request["path"] == collection.as_str() && request["method"] != "POST"
        };
        let named: Vec<&str> = self
            .steps
            .iter()
            .filter(|step| !is_list(step))
            .filter_map(|step| step["as"].as_str())
            .filter(|name| name.starts_with('s'))
            .collect();
        if named.is_empty() {
            return None;
        }
        let recent = named.len().min(6);
        let index = named.len() - 1 - self.random.below(recent);
        Some(named[index].to_owned())
    }

    /// Returns the name of the last step that read or wrote an object.
    fn last_of(&mut self, name: &str) -> Option<String> {
        let path = format!("{}/{name}", self.collection());
        let found = self.steps.iter().rev().find(|step| {
            step["request"]["path"].as_str() == Some(path.as_str()) && step["request"]["method"] != "DELETE"
        });
        found.and_then(|step| step["as"].as_str()).map(str::to_owned)
    }

    fn metadata(&mut self, name: &str) -> Map<String, Value> {
        let mut metadata = Map::new();
        metadata.insert("name".to_owned(), json!(name));
        if self.random.chance(45) {
            let labels = self
                .random
                .pick(&[
                    json!({"l": "x"}),
                    json!({"l": "y", "m": "1"}),
                    json!({"m": "2"}),
                    json!({}),
                    json!({"example.org/l": "z"}),
                ])
                .clone();
            metadata.insert("labels".to_owned(), labels);
        }
        if self.random.chance(20) {
            let notes = self
                .random
                .pick(&[
                    json!({"note": "1"}),
                    json!({"example.org/n": "two words"}),
                    json!({}),
                ])
                .clone();
            metadata.insert("annotations".to_owned(), notes);
        }
        if self.random.chance(7) {
            let finalizers = self
                .random
                .pick(&[
                    json!(["example.org/f"]),
                    json!(["example.org/f", "example.org/g"]),
                    json!([]),
                ])
                .clone();
            metadata.insert("finalizers".to_owned(), finalizers);
        }
        if self.random.chance(3) {
            let odd = self
                .random
                .pick(&[
                    ("labels", json!({"l": "not valid!"})),
                    ("labels", json!({"bad key!": "x"})),
                    ("annotations", json!({"bad key!": "x"})),
                    ("finalizers", json!(["plain"])),
                    ("finalizers", json!(["not valid!"])),
                    (
                        "ownerReferences",
                        json!([{"apiVersion": "v1", "kind": "ConfigMap", "name": "", "uid": ""}]),
                    ),
                    (
                        "ownerReferences",
                        json!([{"apiVersion": "v1", "kind": "ConfigMap", "name": "x"}]),
                    ),
                    ("namespace", json!("elsewhere")),
                    ("uid", json!("00000000-0000-0000-0000-000000000001")),
                    ("resourceVersion", json!("x")),
                    ("resourceVersion", json!("5")),
                    ("generation", json!(7)),
                    ("creationTimestamp", json!("2020-01-01T00:00:00Z")),
                    ("creationTimestamp", json!("yesterday")),
                    ("deletionTimestamp", json!("2020-01-01T00:00:00Z")),
                    ("deletionGracePeriodSeconds", json!(5)),
                    ("selfLink", json!("/x")),
                    ("managedFields", json!([])),
                    ("managedFields", json!([{}])),
                    ("labels", json!({"l": 1})),
                    ("labels", json!([])),
                    ("finalizers", json!("x")),
                    ("unknown", json!("x")),
                    ("annotations", Value::Null),
                    ("name", json!("Not Valid")),
                    ("name", json!("-")),
                    ("name", json!("")),
                    ("name", json!(5)),
                ])
                .clone();
            metadata.insert(odd.0.to_owned(), odd.1);
        }
        metadata
    }

    fn object(&mut self, name: &str) -> Value {
        let mut object = self.subject.content(self.random);
        object.insert("apiVersion".to_owned(), json!(self.subject.api_version));
        object.insert("kind".to_owned(), json!(self.subject.kind));
        object.insert("metadata".to_owned(), Value::Object(self.metadata(name)));
        if self.random.chance(1) {
            let key = *self.random.pick(&["apiVersion", "kind", "metadata"]);
            object.remove(key);
        }
        if self.random.chance(1) {
            let (key, value) = self
                .random
                .pick(&[
                    ("apiVersion", json!("example.org/v9")),
                    ("kind", json!("Other")),
                    ("apiVersion", json!("v1")),
                    ("kind", json!(1)),
                    ("metadata", json!("x")),
                ])
                .clone();
            object.insert(key.to_owned(), value);
        }
        Value::Object(object)
    }

    /// Returns the options that many writes have.
    fn options(&mut self) -> Map<String, Value> {
        let mut query = Map::new();
        if self.random.chance(12) {
            let value = *self.random.pick(&["Strict", "Warn", "Ignore", "Strict", "Other"]);
            query.insert("fieldValidation".to_owned(), json!(value));
        }
        if self.random.chance(10) {
            query.insert(
                "dryRun".to_owned(),
                json!(if self.random.chance(92) { "All" } else { "Some" }),
            );
        }
        if self.random.chance(20) {
            query.insert("fieldManager".to_owned(), json!(self.random.pick(&["m1", "m2"])));
        }
        query
    }

    fn status(&mut self) -> Value {
        if self.subject.is_custom {
            let schema = self.subject.schema["properties"]["status"].clone();
            return values::value(self.random, &schema, 1);
        }
        match self.subject.kind.as_str() {
            "Deployment" => self
                .random
                .pick(&[
                    json!({"replicas": 2, "readyReplicas": 1, "observedGeneration": 1}),
                    json!({"conditions": [{"type": "Available", "status": "True", "lastTransitionTime": "2020-01-01T00:00:00Z"}]}),
                    json!({"replicas": 1, "readyReplicas": 2}),
                    json!({}),
                ])
                .clone(),
            "ReplicaSet" | "StatefulSet" => self.random.pick(&[json!({"replicas": 1}), json!({"replicas": 2, "readyReplicas": 1})]).clone(),
            "Pod" => self
                .random
                .pick(&[
                    json!({"phase": "Running"}),
                    json!({"phase": "Succeeded", "podIP": "10.1.1.1", "podIPs": [{"ip": "10.1.1.1"}]}),
                    json!({"conditions": [{"type": "Ready", "status": "True"}]}),
                ])
                .clone(),
            "Job" => self.random.pick(&[json!({"active": 1}), json!({"active": 1, "ready": 0})]).clone(),
            _ => json!({}),
        }
    }

    /// Adds one request.
    fn one(&mut self) {
        if !self.other_versions.is_empty() && self.random.chance(20) {
            let other = self.random.pick(&self.other_versions).clone();
            let own = std::mem::replace(&mut self.subject, other);
            self.request();
            self.subject = own;
        } else {
            self.request();
        }
    }

    fn request(&mut self) {
        match self.random.below(100) {
            0..14 => self.create(),
            14..18 => self.create_generated(),
            18..30 => self.update(),
            30..35 => self.update_status(),
            35..46 => self.merge(),
            46..54 => self.json_patch(),
            54..57 => self.strategic(),
            57..69 => self.apply(),
            69..72 => self.scale(),
            72..79 => self.delete(),
            79..80 => self.delete_collection(),
            80..83 => self.finalizers(),
            83..87 => self.read(),
            87..93 => self.list(),
            93..95 => self.watch(),
            95..97 => self.raw(),
            97..98 => self.yaml(),
            98..99 => self.strange(),
            _ => self.review(),
        }
    }

    fn create(&mut self) {
        let name = self.name();
        let body = self.object(&name);
        let query = self.options();
        let op = if query.contains_key("dryRun") {
            "create-dry"
        } else {
            "create"
        };
        let path = self.collection();
        self.add(
            op,
            json!({"method": "POST", "path": path, "query": query, "body": body}),
        );
    }

    fn create_generated(&mut self) {
        let mut body = self.object("x");
        if let Some(metadata) = body["metadata"].as_object_mut() {
            metadata.remove("name");
            let prefix = *self.random.pick(&[
                "g",
                "long-prefix-",
                "x.",
                "Bad-",
                "a-prefix-with-more-than-fifty-eight-characters-so-that-it-is-cut-off-",
            ]);
            // The order of two names with the same prefix is random.
            let number = self.steps.len();
            let prefix = if prefix == "g" {
                format!("g{number:02}-")
            } else {
                format!("p{number:02}-{prefix}")
            };
            metadata.insert("generateName".to_owned(), json!(prefix));
        }
        let query = self.options();
        let path = self.collection();
        self.add(
            "create-generated",
            json!({"method": "POST", "path": path, "query": query, "body": body}),
        );
    }

    fn update(&mut self) {
        let (path, name) = self.object_path();
        let mut body = self.object(&name);
        match self.random.below(10) {
            0..6 => {
                if let Some(step) = self.last_of(&name) {
                    set_metadata(
                        &mut body,
                        "resourceVersion",
                        json!(format!("$({step}.metadata.resourceVersion)")),
                    );
                }
            }
            6 => {
                if let Some(step) = self.earlier() {
                    set_metadata(
                        &mut body,
                        "resourceVersion",
                        json!(format!("$({step}.metadata.resourceVersion)")),
                    );
                }
            }
            7 => {
                if let Some(step) = self.last_of(&name) {
                    set_metadata(&mut body, "uid", json!(format!("$({step}.metadata.uid)")));
                    set_metadata(
                        &mut body,
                        "resourceVersion",
                        json!(format!("$({step}.metadata.resourceVersion)")),
                    );
                }
            }
            8 => {
                set_metadata(&mut body, "uid", json!("00000000-0000-0000-0000-000000000002"));
            }
            _ => {}
        }
        let query = self.options();
        self.add(
            "update",
            json!({"method": "PUT", "path": path, "query": query, "body": body}),
        );
    }

    fn update_status(&mut self) {
        let (path, name) = self.object_path();
        let status = self.status();
        let query = self.options();
        let path = format!("{path}/status");
        if self.random.chance(50) {
            let mut body = self.object(&name);
            body["status"] = status;
            if let Some(step) = self.last_of(&name)
                && self.random.chance(85)
            {
                set_metadata(
                    &mut body,
                    "resourceVersion",
                    json!(format!("$({step}.metadata.resourceVersion)")),
                );
            }
            self.add(
                "update-status",
                json!({"method": "PUT", "path": path, "query": query, "body": body}),
            );
        } else {
            let mut body = json!({"status": status});
            if self.random.chance(10) {
                body["spec"] = json!({"size": 9});
            }
            if self.random.chance(10) {
                body["metadata"] = json!({"labels": {"l": "status"}});
            }
            self.add(
                "merge-status",
                json!({"method": "PATCH", "path": path, "query": query, "contentType": "application/merge-patch+json", "body": body}),
            );
        }
    }

    fn merge(&mut self) {
        let (path, name) = self.object_path();
        let mut body = self.subject.patch(self.random);
        if self.random.chance(25) {
            let metadata = self
                .random
                .pick(&[
                    json!({"labels": {"l": "y"}}),
                    json!({"labels": null}),
                    json!({"labels": {"l": null}}),
                    json!({"annotations": {"note": "2"}}),
                    json!({"annotations": {"note": null}}),
                    json!({"finalizers": ["example.org/f"]}),
                    json!({"finalizers": null}),
                    json!({"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": "00000000-0000-0000-0000-000000000003"}]}),
                    json!({"name": "other"}),
                    json!({"uid": "00000000-0000-0000-0000-000000000004"}),
                    json!({"generation": 70}),
                    json!({"creationTimestamp": null}),
                    json!({"managedFields": null}),
                    json!({"resourceVersion": null}),
                    json!({"namespace": "other"}),
                    json!({"deletionTimestamp": null}),
                    json!({"deletionTimestamp": "2020-01-01T00:00:00Z"}),
                ])
                .clone();
            // An owner that does not exist is for the collector, which acts at its own time.
            if metadata.get("ownerReferences").is_none() && body.is_object() {
                body["metadata"] = metadata;
            }
        }
        if self.random.chance(12)
            && let Some(step) = self.last_of(&name)
        {
            let step = if self.random.chance(50) {
                self.earlier().unwrap_or(step)
            } else {
                step
            };
            if body.is_object() && !body["metadata"].is_object() {
                body["metadata"] = json!({});
            }
            set_metadata(
                &mut body,
                "resourceVersion",
                json!(format!("$({step}.metadata.resourceVersion)")),
            );
        }
        if self.random.chance(2) && body.is_object() {
            body["kind"] = json!("Other");
        }
        if self.random.chance(2) && body.is_object() {
            body["apiVersion"] = json!("example.org/v9");
        }
        if self.random.chance(2) {
            body = self
                .random
                .pick(&[json!([]), json!("x"), Value::Null, json!(5), json!({})])
                .clone();
        }
        let query = self.options();
        self.add(
            "merge",
            json!({"method": "PATCH", "path": path, "query": query, "contentType": "application/merge-patch+json", "body": body}),
        );
    }

    fn json_patch(&mut self) {
        let (path, _) = self.object_path();
        let mut operations = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            operations.push(self.operation());
        }
        let body = if self.random.chance(3) {
            json!({"op": "add"})
        } else {
            Value::Array(operations)
        };
        let query = self.options();
        self.add(
            "json-patch",
            json!({"method": "PATCH", "path": path, "query": query, "contentType": "application/json-patch+json", "body": body}),
        );
    }

    fn operation(&mut self) -> Value {
        let (place, value) = if self.random.chance(35) || !self.subject.is_custom {
            let metadata = self
                .random
                .pick(&[
                    ("/metadata/labels", json!({"l": "x"})),
                    ("/metadata/labels/l", json!("y")),
                    ("/metadata/annotations", json!({"note": "3"})),
                    ("/metadata/annotations/example.org~1n", json!("x")),
                    ("/metadata/labels/none", json!("x")),
                    ("/metadata/finalizers", json!(["example.org/f"])),
                    ("/metadata/finalizers/-", json!("example.org/g")),
                    ("/spec", json!({})),
                    ("/spec/replicas", json!(1)),
                    ("/data/a", json!("9")),
                    ("/data", json!({"q": "r"})),
                    ("/metadata/name", json!("other")),
                    ("/metadata/resourceVersion", json!("1")),
                    ("/kind", json!("Other")),
                    ("/none/x", json!(1)),
                    ("metadata", json!(1)),
                    ("/spec/containers/0/image", json!("nginx:2")),
                    ("/spec/template/spec/containers/0/image", json!("nginx:2")),
                    ("/rules/0/verbs/-", json!("watch")),
                ])
                .clone();
            (metadata.0.to_owned(), metadata.1)
        } else {
            let schema = self.subject.schema.clone();
            let (names, schema) = values::path(self.random, &schema);
            let value = values::value(self.random, &schema, 2);
            (format!("/{}", names.join("/")), value)
        };
        match self.random.below(20) {
            0..9 => json!({"op": "add", "path": place, "value": value}),
            9..13 => json!({"op": "replace", "path": place, "value": value}),
            13..16 => json!({"op": "remove", "path": place}),
            16 => json!({"op": "test", "path": place, "value": value}),
            17 => {
                let from = *self.random.pick(&[
                    "/metadata/labels",
                    "/spec/color",
                    "/metadata/name",
                    "/none",
                    "/metadata/annotations",
                ]);
                json!({"op": "copy", "from": from, "path": place})
            }
            18 => {
                let from =
                    *self
                        .random
                        .pick(&["/metadata/labels", "/spec/color", "/none", "/spec/nested/mode"]);
                json!({"op": "move", "from": from, "path": place})
            }
            _ => self
                .random
                .pick(&[
                    json!({"op": "other", "path": "/spec"}),
                    json!({"path": "/spec", "value": 1}),
                    json!({"op": "add", "path": "/metadata/labels/q"}),
                    json!({"op": "add", "value": 1}),
                    json!({"op": "test", "path": "/spec/none", "value": null}),
                    json!({"op": "test", "path": "/metadata/name", "value": "a"}),
                    json!({"op": "remove", "path": "/spec/tags/5"}),
                    json!({"op": "add", "path": "/spec/tags/9", "value": "x"}),
                    json!({"op": "replace", "path": "/spec/tags/-", "value": "x"}),
                ])
                .clone(),
        }
    }

    fn strategic(&mut self) {
        let (path, _) = self.object_path();
        let mut body = self.subject.patch(self.random);
        if !self.subject.is_custom && self.random.chance(50) {
            body = self
                .random
                .pick(&[
                    json!({"metadata": {"labels": {"l": null, "n": "1"}}}),
                    json!({"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "nginx:3"}]}}}}),
                    json!({"spec": {"template": {"spec": {"containers": [{"name": "extra", "image": "e"}]}}}}),
                    json!({"spec": {"template": {"spec": {"containers": [{"name": "side", "$patch": "delete"}]}}}}),
                    json!({"spec": {"template": {"spec": {"containers": [{"name": "main", "env": [{"name": "A", "value": "2"}]}]}}}}),
                    json!({"spec": {"template": {"spec": {"$setElementOrder/containers": [{"name": "side"}, {"name": "main"}]}}}}),
                    json!({"spec": {"template": {"spec": {"containers": [{"image": "no-name"}]}}}}),
                    json!({"spec": {"containers": [{"name": "main", "image": "nginx:4"}]}}),
                    json!({"data": {"$patch": "replace", "only": "1"}}),
                    json!({"data": {"a": null}}),
                    json!({"spec": {"ports": [{"port": 80, "$patch": "delete"}]}}),
                    json!({"spec": {"ports": [{"port": 443, "name": "https"}]}}),
                    json!({"metadata": {"finalizers": ["example.org/h"]}}),
                    json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["example.org/h"]}}),
                    json!({"spec": {"$retainKeys": ["type"], "strategy": {"type": "Recreate"}}}),
                    json!({"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}}),
                ])
                .clone();
        }
        let query = self.options();
        self.add(
            "strategic",
            json!({"method": "PATCH", "path": path, "query": query, "contentType": "application/strategic-merge-patch+json", "body": body}),
        );
    }

    fn apply(&mut self) {
        let (path, name) = self.object_path();
        let mut query = self.options();
        let manager = *self.random.pick(&["m1", "m2", "m3"]);
        if self.random.chance(97) {
            query.insert("fieldManager".to_owned(), json!(manager));
        }
        if self.random.chance(30) {
            query.insert(
                "force".to_owned(),
                json!(self.random.pick(&["true", "true", "false"])),
            );
        }
        if self.subject.has_status && self.random.chance(20) {
            let status = self.status();
            let mut body = json!({"apiVersion": self.subject.api_version, "kind": self.subject.kind, "metadata": {"name": name}, "status": status});
            if self.random.chance(10) {
                set_metadata(&mut body, "labels", json!({"l": "s"}));
            }
            self.add(
                "apply-status",
                json!({"method": "PATCH", "path": format!("{path}/status"), "query": query, "contentType": "application/apply-patch+yaml", "body": body}),
            );
            return;
        }
        let mut body = self.object(&name);
        if self.random.chance(10) {
            body["metadata"] = json!({});
        }
        self.add(
            "apply",
            json!({"method": "PATCH", "path": path, "query": query, "contentType": "application/apply-patch+yaml", "body": body}),
        );
    }

    fn scale(&mut self) {
        let (path, name) = self.object_path();
        let path = format!("{path}/scale");
        let count = *self.random.pick(&[1, 2, 5, 0, -1, 200]);
        let query = self.options();
        match self.random.below(4) {
            0 => self.add("get-scale", json!({"method": "GET", "path": path})),
            1 => {
                let mut body = json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": name, "namespace": NAMESPACE}, "spec": {"replicas": count}});
                if let Some(step) = self.last_of(&name)
                    && self.random.chance(30)
                {
                    set_metadata(&mut body, "resourceVersion", json!(format!("$({step}.metadata.resourceVersion)")));
                }
                if self.random.chance(5) {
                    body["kind"] = json!("Other");
                }
                self.add("update-scale", json!({"method": "PUT", "path": path, "query": query, "body": body}));
            }
            2 => self.add(
                "merge-scale",
                json!({"method": "PATCH", "path": path, "query": query, "contentType": "application/merge-patch+json", "body": {"spec": {"replicas": count}}}),
            ),
            _ => self.add(
                "json-scale",
                json!({"method": "PATCH", "path": path, "query": query, "contentType": "application/json-patch+json",
                    "body": [{"op": "replace", "path": "/spec/replicas", "value": count}]}),
            ),
        }
    }

    fn delete_body(&mut self, name: &str) -> Value {
        let mut body = Map::new();
        if self.random.chance(60) {
            body.insert("apiVersion".to_owned(), json!("v1"));
            body.insert("kind".to_owned(), json!("DeleteOptions"));
        }
        if self.random.chance(50) {
            let policy = *self
                .random
                .pick(&["Background", "Background", "Orphan", "Foreground", "Other"]);
            // The collector removes the finalizers of the last two at its own time.
            let policy = if matches!(policy, "Orphan" | "Foreground") {
                "Background"
            } else {
                policy
            };
            body.insert("propagationPolicy".to_owned(), json!(policy));
        }
        if self.random.chance(30)
            && let Some(step) = self.last_of(name)
        {
            let key = *self.random.pick(&["uid", "resourceVersion"]);
            let step = if self.random.chance(25) {
                self.earlier().unwrap_or(step)
            } else {
                step
            };
            body.insert(
                "preconditions".to_owned(),
                json!({key: format!("$({step}.metadata.{key})")}),
            );
        }
        if self.random.chance(10) {
            body.insert("gracePeriodSeconds".to_owned(), json!(0));
        }
        if self.random.chance(5) {
            body.insert("dryRun".to_owned(), json!(["All"]));
        }
        if self.random.chance(3) {
            body.insert("orphanDependents".to_owned(), json!(false));
        }
        Value::Object(body)
    }

    fn delete(&mut self) {
        let (path, name) = self.object_path();
        let mut request = json!({"method": "DELETE", "path": path});
        if self.random.chance(35) {
            request["body"] = self.delete_body(&name);
        } else if self.random.chance(10) {
            request["query"] = self
                .random
                .pick(&[
                    json!({"propagationPolicy": "Background"}),
                    json!({"dryRun": "All"}),
                    json!({"gracePeriodSeconds": "0"}),
                    json!({"dryRun": "Some"}),
                    json!({"gracePeriodSeconds": "x"}),
                    json!({"propagationPolicy": "Other"}),
                ])
                .clone();
        }
        self.add("delete", request);
    }

    fn delete_collection(&mut self) {
        if !self.subject.is_namespaced {
            return;
        }
        let path = self.collection();
        let mut request = json!({"method": "DELETE", "path": path});
        if self.random.chance(70) {
            request["query"] = self
                .random
                .pick(&[
                    json!({"labelSelector": "l=x"}),
                    json!({"fieldSelector": "metadata.name=a"}),
                    json!({"limit": "1"}),
                    json!({"dryRun": "All"}),
                ])
                .clone();
        }
        self.add("delete-collection", request);
    }

    fn finalizers(&mut self) {
        let (path, _) = self.object_path();
        let list = self
            .random
            .pick(&[
                json!(["example.org/f"]),
                json!([]),
                Value::Null,
                Value::Null,
                json!(["example.org/f", "example.org/f"]),
            ])
            .clone();
        self.add(
            "finalizers",
            json!({"method": "PATCH", "path": path, "contentType": "application/merge-patch+json", "body": {"metadata": {"finalizers": list}}}),
        );
    }

    fn accept(&mut self) -> Value {
        let is_table = self.subject.is_custom || self.random.chance(60);
        match self.random.below(12) {
            0 | 1 => json!({"Accept": "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"}),
            2 | 3 => json!({"Accept": "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"}),
            4 | 5 if is_table => json!({"Accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}),
            6 if is_table => {
                json!({"Accept": "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json"})
            }
            7 => json!({"Accept": "text/html"}),
            8 => json!({"Accept": "*/*"}),
            9 => json!({"Accept": "application/yaml"}),
            _ => json!({}),
        }
    }

    fn read(&mut self) {
        let (path, _) = self.object_path();
        let mut request = json!({"method": "GET", "path": path});
        let mut op = "get";
        match self.random.below(10) {
            0 | 1 => {
                request["path"] = json!(format!("{path}/status"));
                op = "get-status";
            }
            2 => {
                let other = *self.random.pick(&["scale", "other", "log"]);
                if other != "log" {
                    request["path"] = json!(format!("{path}/{other}"));
                }
                op = "get-subresource";
            }
            3..7 => {
                request["headers"] = self.accept();
                if self.random.chance(20) {
                    let include = *self.random.pick(&["None", "Object", "Metadata", "Other"]);
                    request["query"] = json!({"includeObject": include});
                }
                op = "get-as";
            }
            7 => {
                let query = self
                    .random
                    .pick(&[
                        // Not version 0: the cache of the real server may be a moment late.
                        json!({"resourceVersion": ""}),
                        json!({"resourceVersion": "x"}),
                        json!({"pretty": "true"}),
                    ])
                    .clone();
                request["query"] = query;
            }
            _ => {}
        }
        self.add(op, request);
    }

    fn list(&mut self) {
        if !self.subject.is_namespaced || !self.subject.ignored.is_empty() {
            return;
        }
        let path = self.collection();
        let mut query = Map::new();
        let mut op = "list";
        match self.random.below(12) {
            0..3 => {
                let selector = *self.random.pick(&[
                    "l=x",
                    "l==x",
                    "l!=x",
                    "l in (x,y)",
                    "l notin (x)",
                    "l",
                    "!l",
                    "l=x,m",
                    "m>0",
                    "m<2",
                    "l in ()",
                    "l=",
                    "=x",
                    "l=not valid!",
                    "l in (x",
                    "bad key!=1",
                    "l in (x),m notin (1,2)",
                    "example.org/l=z",
                    "l,",
                    "m>x",
                    "l=x=y",
                    "in",
                    "l in (,x)",
                    "!l!=x",
                    "(l)",
                    "l notin",
                    " l = x ",
                ]);
                query.insert("labelSelector".to_owned(), json!(selector));
                op = "list-labels";
            }
            3..5 => {
                let selector = *self.random.pick(&[
                    "metadata.name=a",
                    "metadata.name!=a",
                    "metadata.namespace=@NS@",
                    "metadata.namespace!=@NS@",
                    "spec.color=red",
                    "spec.color!=red",
                    "metadata.name=a,metadata.name!=b",
                    "metadata.uid=x",
                    "spec.none=1",
                    "metadata.name",
                    "=x",
                    "metadata.name=a\\,b",
                    "metadata.name==b",
                    "spec.choice=one",
                    "spec.number=1",
                    "spec.on=true",
                    "type=Opaque",
                    "status.phase=Running",
                    "spec.nodeName=",
                    "reason=Created",
                    "involvedObject.name=p",
                    "status.successful=1",
                    "metadata.labels.l=x",
                    "",
                ]);
                query.insert("fieldSelector".to_owned(), json!(selector));
                op = "list-fields";
            }
            5 | 6 => {
                let limit = *self.random.pick(&["1", "2", "0", "500", "-1", "x"]);
                query.insert("limit".to_owned(), json!(limit));
                op = "list-limit";
                if let Some(step) = self
                    .steps
                    .iter()
                    .rev()
                    .find(|step| step["op"] == "list-limit" && step["request"]["path"] == path)
                    && self.random.chance(50)
                {
                    let step = step["as"].as_str().unwrap();
                    query.insert(
                        "continue".to_owned(),
                        json!(format!("$({step}.metadata.continue)")),
                    );
                    op = "list-continue";
                }
            }
            7 => {
                self.catch_up();
                let version = match self.random.below(4) {
                    0 => json!("0"),
                    1 => json!("x"),
                    2 => json!("$(begin.metadata.resourceVersion)"),
                    _ => json!(""),
                };
                query.insert("resourceVersion".to_owned(), version);
                if self.random.chance(60) {
                    let matching = *self.random.pick(&["Exact", "NotOlderThan", "Other"]);
                    query.insert("resourceVersionMatch".to_owned(), json!(matching));
                }
                if self.random.chance(20) {
                    query.insert("limit".to_owned(), json!("1"));
                }
                op = "list-version";
            }
            8 | 9 => {
                let headers = self.accept();
                let mut request = json!({"method": "GET", "path": path, "headers": headers});
                if self.random.chance(20) {
                    let include = *self.random.pick(&["None", "Object", "Metadata", "Other"]);
                    request["query"] = json!({"includeObject": include});
                }
                self.add("list-as", request);
                return;
            }
            _ => {}
        }
        self.add(op, json!({"method": "GET", "path": path, "query": query}));
    }

    /// Waits until the cache of the real server has every write of this sequence.
    ///
    /// A read at any version, which lists at version 0 and watches without a version are, may be late otherwise.
    fn catch_up(&mut self) {
        let path = self.collection();
        let name = format!("fresh{}", self.steps.len());
        let version = format!("$({name}.metadata.resourceVersion)");
        let query = json!({"resourceVersion": version, "resourceVersionMatch": "NotOlderThan"});
        self.steps.push(
            json!({"request": {"method": "GET", "path": path}, "op": CATCH_UP, "as": name, "compare": "code"}),
        );
        self.steps.push(
            json!({"request": {"method": "GET", "path": path, "query": query}, "op": CATCH_UP, "compare": "code"}),
        );
    }

    /// Watches from the beginning, with an end after a second.
    fn watch(&mut self) {
        if !self.subject.is_namespaced || !self.subject.ignored.is_empty() {
            return;
        }
        self.watches += 1;
        let watch = format!("w{}", self.watches);
        let path = self.collection();
        let mut query = json!({"watch": "true", "timeoutSeconds": "1"});
        match self.random.below(9) {
            0 => {}
            1 => query["resourceVersion"] = json!("0"),
            2..5 => query["resourceVersion"] = json!("$(begin.metadata.resourceVersion)"),
            5 => {
                query["resourceVersion"] = json!("$(begin.metadata.resourceVersion)");
                query["labelSelector"] = json!(self.random.pick(&["l=x", "l!=x", "m", "l in (x"]));
            }
            6 => {
                query["sendInitialEvents"] = json!("true");
                query["allowWatchBookmarks"] = json!("true");
                query["resourceVersionMatch"] = json!("NotOlderThan");
                if self.random.chance(30) {
                    query["resourceVersion"] = json!("0");
                }
            }
            7 => {
                query["resourceVersion"] = json!("$(begin.metadata.resourceVersion)");
                query["fieldSelector"] = json!(self.random.pick(&[
                    "metadata.name=a",
                    "metadata.name!=a",
                    "spec.color=red",
                    "none=1"
                ]));
            }
            _ => {
                let odd = self
                    .random
                    .pick(&[
                        json!({"resourceVersion": "x"}),
                        json!({"sendInitialEvents": "true"}),
                        json!({"resourceVersionMatch": "Exact"}),
                        json!({"resourceVersionMatch": "NotOlderThan"}),
                        json!({"sendInitialEvents": "true", "resourceVersionMatch": "Exact"}),
                        json!({"allowWatchBookmarks": "true"}),
                        json!({"timeoutSeconds": "x"}),
                        json!({"resourceVersion": "1"}),
                    ])
                    .clone();
                for (key, value) in odd.as_object().unwrap() {
                    query[key] = value.clone();
                }
            }
        }
        // From a version, every event comes. From the state of the cache, only what it has.
        if query["resourceVersion"] != "$(begin.metadata.resourceVersion)" {
            self.catch_up();
        }
        self.steps
            .push(json!({"open": {"path": path, "query": query}, "op": "watch-open", "watch": watch}));
        self.steps
            .push(json!({"read": watch, "seconds": 20, "op": "watch"}));
    }

    /// Sends texts that are not objects.
    fn raw(&mut self) {
        let text = *self.random.pick(&[
            "", "{", "null", "[]", "\"x\"", "5", "{\"kind\":\"Widget\"}", "{\"apiVersion\":\"example.org/v1\"}", "not json", "{\"a\":1,}",
            "{\"apiVersion\":\"example.org/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\",\"name\":\"b\"},\"spec\":{\"size\":1,\"size\":2}}",
        ]);
        let (path, _) = self.object_path();
        let collection = self.collection();
        let types = [
            "application/json",
            "application/json",
            "application/json",
            "text/plain",
            "application/merge-patch+json",
            "application/json-patch+json",
            "application/apply-patch+yaml",
            "application/strategic-merge-patch+json",
            "application/yaml",
            "",
            "application/json; charset=utf-8",
            "application/octet-stream",
        ];
        let content = *self.random.pick(&types);
        let mut query = self.options();
        if content == "application/apply-patch+yaml" {
            query.insert("fieldManager".to_owned(), json!("m1"));
        }
        let (method, path) = match self.random.below(4) {
            0 => ("POST", collection),
            1 => ("PUT", path),
            2 => ("DELETE", path),
            _ => ("PATCH", path),
        };
        let mut step =
            json!({"method": method, "path": path, "query": query, "text": text, "contentType": content});
        if content.is_empty() {
            step.as_object_mut().unwrap().remove("contentType");
        }
        self.add("raw", step);
        // Messages of Go's own decoders differ between versions of Go.
        if let Some(step) = self.steps.last_mut() {
            step["compare"] = json!("code");
        }
    }

    fn yaml(&mut self) {
        let name = self.name();
        let text = *self.random.pick(&[
            "size: 3\n  color: blue",
            "note: y\n",
            "note: 'yes'",
            "note: off",
            "size: 0x10",
            "size: 1e1",
            "label: 1.0",
            "tags: [a, b]",
            "size: 010",
            "note: ~",
            "at: 2020-01-02T03:04:05Z",
            "label: 0o7",
            "note: 1_000",
            "color: red # x",
            "limits: {a: 1, b: '2'}",
            "size: 3\n  size: 4",
            "note: .5",
            "note: 2020-01-02",
            "note: null",
            "note: on",
            "free: {n: 1, yes: no}",
        ]);
        let text = format!(
            "apiVersion: {}\nkind: {}\nmetadata:\n  name: {name}\nspec:\n  {text}\n",
            self.subject.api_version, self.subject.kind
        );
        let path = self.collection();
        let query = self.options();
        let request = if self.random.chance(50) {
            json!({"method": "POST", "path": path, "query": query, "contentType": "application/yaml", "text": text})
        } else {
            let mut query = query;
            query.insert("fieldManager".to_owned(), json!("m1"));
            json!({"method": "PATCH", "path": format!("{path}/{name}"), "query": query, "contentType": "application/apply-patch+yaml", "text": text})
        };
        self.add("yaml", request);
    }

    /// Sends requests that a server does not know.
    fn strange(&mut self) {
        let (path, _) = self.object_path();
        let collection = self.collection();
        let body = self.object("a");
        let request = match self.random.below(9) {
            0 => json!({"method": "PUT", "path": collection, "body": body}),
            1 => json!({"method": "POST", "path": path, "body": body}),
            2 => {
                json!({"method": "PATCH", "path": collection, "contentType": "application/merge-patch+json", "body": {}})
            }
            3 => json!({"method": "DELETE", "path": format!("{path}/status")}),
            4 => json!({"method": "POST", "path": format!("{path}/status"), "body": body}),
            5 => json!({"method": "GET", "path": format!("{collection}x")}),
            6 => json!({"method": "PATCH", "path": path, "contentType": "application/json", "body": {}}),
            7 => json!({"method": "GET", "path": "/apis/none.example.org/v1/things"}),
            _ => json!({"method": "GET", "path": format!("{path}/status/more")}),
        };
        self.add("strange", request);
    }

    fn review(&mut self) {
        let verb = *self.random.pick(&["get", "list", "delete"]);
        let request = match self.random.below(3) {
            0 => {
                json!({"method": "POST", "path": "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "body": {"apiVersion": "authorization.k8s.io/v1",
                "kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes": {"verb": verb, "resource": "pods", "namespace": NAMESPACE}}}})
            }
            1 => {
                json!({"method": "POST", "path": "/apis/authorization.k8s.io/v1/subjectaccessreviews", "body": {"apiVersion": "authorization.k8s.io/v1",
                "kind": "SubjectAccessReview", "spec": {"user": "nobody", "resourceAttributes": {"verb": verb, "resource": "pods", "namespace": NAMESPACE}}}})
            }
            _ => {
                json!({"method": "POST", "path": format!("/apis/authorization.k8s.io/v1/namespaces/{NAMESPACE}/localsubjectaccessreviews"), "body": {"apiVersion": "authorization.k8s.io/v1",
                "kind": "LocalSubjectAccessReview", "metadata": {"namespace": NAMESPACE}, "spec": {"user": "nobody", "resourceAttributes": {"verb": verb, "resource": "pods", "namespace": NAMESPACE}}}})
            }
        };
        self.add("review", request);
    }
}
