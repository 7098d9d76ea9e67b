//! Random writes to one object of the kind `Thing`.
//!
//! The same seed gives the same requests if the answers are the same.

use serde_json::{Value, json};

use crate::random::Random;

impl Random {
    /// Returns whether to wait for the next second before a request.
    pub fn is_pause(&mut self) -> bool {
        self.is(4)
    }

    /// Returns a request. `live` is the object, or null if it does not exist yet.
    pub fn request(&mut self, namespace: &str, live: &Value) -> Value {
        let version = if self.is(85) { "v1" } else { "v1beta1" };
        let collection = format!("/apis/example.org/{version}/namespaces/{namespace}/things");
        let path = format!("{collection}/a");
        let manager = self.of(&["m1", "m2", "m3", "m4"]);
        let object = |spec: Value| {
            json!({
                "apiVersion": format!("example.org/{version}"), "kind": "Thing",
                "metadata": {"name": "a"}, "spec": spec,
            })
        };
        if live.is_null() {
            let mut body = object(self.spec(50));
            self.add_metadata(&mut body);
            if self.is(50) {
                return request("POST", &collection, manager, "application/json", body);
            }
            return request("PATCH", &path, manager, "application/apply-patch+yaml", body);
        }
        match self.numbers.u32(0..100) {
            0..50 => {
                let percent = self.numbers.u32(5..50);
                let mut body = object(self.spec(percent));
                self.add_metadata(&mut body);
                if self.is(3) {
                    body["spec"]["unknown"] = json!(1);
                }
                let mut request = request("PATCH", &path, manager, "application/apply-patch+yaml", body);
                if self.is(60) {
                    request["query"]["force"] = json!("true");
                }
                request
            }
            50..72 => {
                let mut body = json!({"spec": self.spec(15)});
                self.add_metadata(&mut body);
                for (_, value) in body["spec"].as_object_mut().into_iter().flatten() {
                    if self.is(20) {
                        *value = Value::Null;
                    }
                }
                if self.is(4) {
                    body["metadata"]["managedFields"] = json!([{}]);
                }
                request("PATCH", &path, manager, "application/merge-patch+json", body)
            }
            72..84 => {
                let mut body = live.clone();
                body["apiVersion"] = json!(format!("example.org/{version}"));
                let percent = self.numbers.u32(5..60);
                let spec = self.spec(percent);
                if self.is(50) {
                    json_patch::merge(&mut body["spec"], &spec);
                } else {
                    body["spec"] = spec;
                }
                if self.is(50) {
                    body["metadata"].as_object_mut().unwrap().remove("managedFields");
                }
                request("PUT", &path, manager, "application/json", body)
            }
            84..90 => {
                let mut body = object(json!({}));
                body["status"] = self.status();
                if self.is(50) {
                    body.as_object_mut().unwrap().remove("spec");
                }
                let path = format!("{path}/status");
                let mut request = request("PATCH", &path, manager, "application/apply-patch+yaml", body);
                if self.is(60) {
                    request["query"]["force"] = json!("true");
                }
                request
            }
            90..95 => {
                let body = json!({"status": self.status(), "metadata": {"labels": {"from": "status"}}});
                let path = format!("{path}/status");
                request("PATCH", &path, manager, "application/merge-patch+json", body)
            }
            _ => {
                let body = json!({"spec": {"replicas": self.numbers.u32(1..5)}});
                let path = format!("{path}/scale");
                request("PATCH", &path, manager, "application/merge-patch+json", body)
            }
        }
    }

    fn status(&mut self) -> Value {
        let mut status = self.map(&["phase", "selector"], Self::text);
        if self.is(50) {
            status["replicas"] = self.small();
        }
        if self.is(60) {
            let word = self.text();
            status["conditions"] =
                self.list(&["Ready", "Synced"], |name| json!({"type": name, "status": word}));
        }
        status
    }
}

fn request(method: &str, path: &str, manager: &str, content_type: &str, body: Value) -> Value {
    json!({
        "method": method, "path": path, "query": {"fieldManager": manager}, "contentType": content_type,
        "body": body,
    })
}
