//! The rest of the API server, as far as the managed fields depend on it: verbs, subresources, pruning and defaults.

use std::collections::BTreeMap;

use kgen_fake::apply::{ApplyError, FieldManager, Kind, Managed, ScaleFields, keep_times};
use kgen_schema::Definition;
use serde_json::{Value, json};

/// The objects of a case, and their CRD.
pub struct Model {
    kind: String,
    versions: Kind,
    definition: Definition,
    scale: ScaleFields,
    has_status: bool,
    objects: BTreeMap<String, Value>,
}

/// A request, taken apart.
struct Request<'r> {
    method: &'r str,
    api_version: String,
    version: &'r str,
    name: &'r str,
    subresource: &'r str,
    manager: &'r str,
    force: bool,
    content_type: &'r str,
    body: &'r Value,
}

impl<'r> Request<'r> {
    fn of(json: &'r Value) -> Self {
        let parts: Vec<_> = json["path"].as_str().unwrap().split('/').collect();
        let text = |value: &'r Value| value.as_str().unwrap_or_default();
        let body = &json["body"];
        let name = parts
            .get(7)
            .copied()
            .unwrap_or_else(|| text(&body["metadata"]["name"]));
        Self {
            method: text(&json["method"]),
            api_version: format!("{}/{}", parts[2], parts[3]),
            version: parts[3],
            name,
            subresource: parts.get(8).copied().unwrap_or_default(),
            manager: text(&json["query"]["fieldManager"]),
            force: json["query"]["force"] == "true",
            content_type: text(&json["contentType"]),
            body,
        }
    }
}

impl Model {
    pub fn new(definition: &Value) -> Self {
        Self {
            kind: definition["spec"]["names"]["kind"].as_str().unwrap().to_owned(),
            versions: crate::case::versions(definition),
            definition: Definition::from_json(definition).unwrap(),
            scale: ScaleFields::of_definition(definition),
            has_status: !definition["spec"]["versions"][0]["subresources"]["status"].is_null(),
            objects: BTreeMap::new(),
        }
    }

    /// Compares the answer of the server with ours, and takes over the object of the server. Returns whether the answer
    /// depends on managed fields at all.
    ///
    /// # Errors
    ///
    /// Returns both answers if they differ.
    pub fn check(&mut self, step: &Value) -> Result<bool, String> {
        let request = Request::of(&step["request"]);
        let answer = &step["answer"];
        let code = answer["code"].as_u64().unwrap();
        let live = self.live(&request);
        let is_decided_here = code < 300 || is_apply_error(answer);
        let mut result = Ok(is_decided_here);
        if is_decided_here {
            let date = step["date"].as_str().unwrap();
            let times = times(step["sent"].as_str(), date);
            let mut expected = answer["body"].clone();
            tidy(&mut expected);
            let ours: Vec<_> = times
                .iter()
                .map(|time| {
                    let object = match self.answer(live.as_ref(), &request, time) {
                        Ok(object) => object,
                        Err(error) => error.to_status(),
                    };
                    // The next request shows the object that a write to the scale has changed.
                    let is_scaled = request.subresource == "scale" && object["kind"] != "Status";
                    let mut ours = if is_scaled && code < 300 {
                        expected.clone()
                    } else {
                        object.clone()
                    };
                    if ours["kind"] == self.kind.as_str() {
                        let version = self.definition.version(request.version).unwrap();
                        version.prune(&mut ours).unwrap();
                    }
                    tidy(&mut ours);
                    (ours, object)
                })
                .collect();
            match ours.iter().find(|(ours, _)| *ours == expected) {
                Some((_, object)) if code < 300 => {
                    self.objects.insert(request.name.to_owned(), object.clone());
                }
                Some(_) => {}
                None => {
                    result = Err(format!(
                        "request: {}\nserver:  {}\nours:    {}",
                        step["request"], expected, ours[0].0
                    ));
                }
            }
        }
        if code == 422 {
            // The object that the server refused is not in its answer, so ours must be invalid too.
            let version = self.definition.version(request.version).unwrap();
            let is_valid = match self.answer(live.as_ref(), &request, "2026-01-01T00:00:00Z") {
                Ok(ours) => version.validate_update(&ours, live.as_ref().unwrap()).is_valid(),
                Err(_) => true,
            };
            if is_valid {
                result = Err(format!(
                    "request: {}\nserver:  {answer}\nours:    is valid",
                    step["request"]
                ));
            }
        }
        if code < 300 && answer["body"]["kind"] == self.kind.as_str() {
            self.objects
                .insert(request.name.to_owned(), answer["body"].clone());
        }
        result
    }

    /// Returns the object of a request, in the version of the request.
    fn live(&self, request: &Request<'_>) -> Option<Value> {
        let mut live = self.objects.get(request.name)?.clone();
        live["apiVersion"] = json!(request.api_version);
        Some(live)
    }

    fn answer(&self, live: Option<&Value>, request: &Request<'_>, time: &str) -> Result<Value, ApplyError> {
        if request.method == "GET" {
            return Ok(live.unwrap().clone());
        }
        if request.subresource == "scale" {
            return self.scaled(live.unwrap(), request, time);
        }
        let fields = FieldManager::new(
            &self.versions,
            &request.api_version,
            &self.kind,
            request.subresource,
        );
        let mut new = match request.content_type {
            "application/apply-patch+yaml" => {
                fields.apply(live, request.body, request.manager, request.force, time)?
            }
            "application/merge-patch+json" => {
                let mut new = live.unwrap().clone();
                json_patch::merge(&mut new, request.body);
                new
            }
            _ => request.body.clone(),
        };
        let version = self.definition.version(request.version).unwrap();
        // Null in the result of an apply is not removed before the validation.
        if request.content_type != "application/apply-patch+yaml" {
            version.prune(&mut new).unwrap();
            version.default(&mut new);
            fields.update(live, &mut new, request.manager, time);
        }
        version.default(&mut new);
        let empty = json!({});
        let old = live.unwrap_or(&empty);
        if request.subresource == "status" {
            let mut kept = old.clone();
            put(&mut kept, "status", new.get("status"));
            let managed = new["metadata"].get("managedFields").cloned();
            put(&mut kept["metadata"], "managedFields", managed.as_ref());
            new = kept;
        } else if self.has_status {
            put(&mut new, "status", old.get("status"));
        }
        if let Some(live) = live {
            for key in [
                "uid",
                "resourceVersion",
                "creationTimestamp",
                "generation",
                "namespace",
            ] {
                put(&mut new["metadata"], key, live["metadata"].get(key));
            }
            keep_times(live, &mut new);
        }
        Ok(new)
    }

    fn scaled(&self, live: &Value, request: &Request<'_>, time: &str) -> Result<Value, ApplyError> {
        let managed = Managed::of_object(live).unwrap();
        let mut scale = json!({
            "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": live["metadata"],
            "spec": {"replicas": live["spec"]["size"]},
            "status": {"replicas": live["status"].get("replicas").cloned().unwrap_or(json!(0))},
        });
        self.scale.to_scale(&managed).write_to(&mut scale);
        let kind = Kind::scale_of_custom_resource();
        let fields = FieldManager::new(&kind, "autoscaling/v1", "Scale", "scale");
        let mut new = scale.clone();
        match request.content_type {
            "application/apply-patch+yaml" => {
                new = fields.apply(Some(&scale), request.body, request.manager, request.force, time)?;
            }
            "application/merge-patch+json" => json_patch::merge(&mut new, request.body),
            _ => new["spec"] = request.body["spec"].clone(),
        }
        if request.content_type != "application/apply-patch+yaml" {
            fields.update(Some(&scale), &mut new, request.manager, time);
        }
        let scaled = Managed::of_object(&new).unwrap();
        let mut object = live.clone();
        object["spec"]["size"] = new["spec"]["replicas"].clone();
        self.scale
            .to_object(&managed, &scaled, &request.api_version)
            .write_to(&mut object);
        keep_times(live, &mut object);
        Ok(object)
    }
}

/// Sets or removes a field.
fn put(object: &mut Value, key: &str, value: Option<&Value>) {
    let object = object.as_object_mut().unwrap();
    match value {
        Some(value) => object.insert(key.to_owned(), value.clone()),
        None => object.remove(key),
    };
}

/// Returns whether the apply itself was refused, and not the object that it produced.
fn is_apply_error(answer: &Value) -> bool {
    let message = answer["body"]["message"].as_str().unwrap_or_default();
    let beginnings = [
        "Apply failed",
        "failed to",
        "invalid object type",
        "metadata.managedFields",
    ];
    beginnings.iter().any(|beginning| message.starts_with(beginning))
}

/// Removes the fields that other parts of the server set, and the order of causes, which is random.
fn tidy(object: &mut Value) {
    kgen_schema::read_numbers(object);
    if let Some(metadata) = object["metadata"].as_object_mut() {
        for key in [
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "generation",
            "namespace",
        ] {
            metadata.remove(key);
        }
    }
    if let Some(causes) = object.pointer_mut("/details/causes") {
        let causes = causes.as_array_mut().unwrap();
        causes.sort_by_key(ToString::to_string);
    }
    for key in ["details", "status"] {
        if object[key].is_null() {
            object.as_object_mut().unwrap().remove(key);
        }
    }
}

/// Returns the seconds in which a request may have been carried out, the last one first. `date` is that of the answer, which may
/// have been sent a second later, or much later on a busy machine: then only the time of the request is certain.
fn times(sent: Option<&str>, date: &str) -> Vec<String> {
    let date: jiff::Timestamp = date.parse().unwrap();
    let sent = sent.map_or(date - jiff::SignedDuration::from_secs(1), |sent| {
        sent.parse().unwrap()
    });
    (sent.as_second()..=date.as_second())
        .rev()
        .map(|second| jiff::Timestamp::from_second(second).unwrap().to_string())
        .collect()
}
