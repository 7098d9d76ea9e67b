//! A small in-memory API server: a tower service below `kube::Client`. It lists and watches, creates, applies, replaces
//! and deletes, including finalizers; it can reject or delay the next request of a kind; and it records all writes. It
//! works with any kind, so the tests of the other sample operator use it as well.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use futures::channel::mpsc;
use http::{Request, Response};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use kube::client::Body;
use kube::{Client, Resource};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

/// An answer, with a body that may go on for long.
pub type Answer = Response<BoxBody<Bytes, std::io::Error>>;
type Lines = mpsc::UnboundedSender<Result<Frame<Bytes>, std::io::Error>>;

/// Clones are the same server.
#[derive(Clone, Default)]
pub struct Server {
    state: Arc<Mutex<State>>,
    changes: Arc<watch::Sender<()>>,
}

#[derive(Default)]
struct State {
    version: u64,
    objects: BTreeMap<Place, Value>,
    /// Every change there was, for watches that begin in the past.
    history: Vec<(u64, Place, &'static str, Value)>,
    watches: Vec<(Place, Lines)>,
    writes: Vec<Write>,
    /// The treatment of the next request of a kind.
    scripts: Vec<(String, Script)>,
}

enum Script {
    Refuse(u16, &'static str),
    Hold(oneshot::Sender<()>, oneshot::Receiver<()>),
}

/// A request that the server holds back.
pub struct Held {
    arrived: oneshot::Receiver<()>,
    release: oneshot::Sender<()>,
}

impl Held {
    /// Waits until the request is there.
    pub async fn arrived(&mut self) {
        (&mut self.arrived).await.unwrap();
    }

    /// Lets it go on.
    pub fn release(self) {
        self.release.send(()).unwrap();
    }
}

/// A write as the server saw it.
#[derive(Clone, Debug)]
pub struct Write {
    /// Method, resource and name: `PATCH foos/a/status`. The path of a creation does not contain a name.
    pub line: String,
    pub query: BTreeMap<String, String>,
    pub content_type: String,
    pub body: Value,
}

/// A path of the API, taken apart. Ordered as lists are.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
struct Place {
    api: String,
    plural: String,
    namespace: Option<String>,
    name: Option<String>,
    subresource: Option<String>,
}

impl Place {
    fn parse(path: &str) -> Self {
        let mut words = path.trim_start_matches('/').split('/').map(str::to_owned);
        let first = words.next().unwrap_or_default();
        let rest = if first == "api" { 1 } else { 2 };
        let api = [vec![first], words.by_ref().take(rest).collect()]
            .concat()
            .join("/");
        let mut words = words.peekable();
        let namespace = words.next_if_eq("namespaces").and_then(|_| words.next());
        Self {
            api,
            namespace,
            plural: words.next().unwrap_or_default(),
            name: words.next(),
            subresource: words.next(),
        }
    }

    /// Whether `object` is in this collection.
    fn holds(&self, object: &Self) -> bool {
        self.api == object.api
            && self.plural == object.plural
            && (self.namespace.is_none() || self.namespace == object.namespace)
    }

    fn words(&self) -> String {
        let words = [Some(&self.plural), self.name.as_ref(), self.subresource.as_ref()];
        words.into_iter().flatten().cloned().collect::<Vec<_>>().join("/")
    }
}

impl Server {
    pub fn client(&self) -> Client {
        let server = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move { Ok::<_, Infallible>(server.answer(request).await) }
        });
        Client::new(service, "default")
    }

    /// Stores an object as somebody else would: made if it is not there, otherwise replaced.
    pub fn put<K: Resource<DynamicType = ()> + Serialize>(&self, object: &K) {
        self.put_with(object, |_| ());
    }

    /// Stores `object` after a `change` of its JSON, which the type may then be unable to read.
    pub fn put_with<K: Resource<DynamicType = ()> + Serialize>(
        &self,
        object: &K,
        change: impl FnOnce(&mut Value),
    ) {
        let place = place_of(object);
        let mut value = serde_json::to_value(object).unwrap();
        change(&mut value);
        self.state().store(place, value);
        self.changes.send_replace(());
    }

    /// Deletes an object as somebody else would. One with finalizers is only marked.
    pub fn remove<K: Resource<DynamicType = ()>>(&self, object: &K) {
        let answer = self.state().serve("DELETE", place_of(object), Value::Null, false);
        assert!(answer.status().is_success(), "it is there");
        self.changes.send_replace(());
    }

    /// The object, if it is there.
    pub fn get<K>(&self, object: &K) -> Option<K>
    where
        K: Resource<DynamicType = ()> + serde::de::DeserializeOwned,
    {
        let found = self.state().objects.get(&place_of(object)).cloned();
        found.map(|found| serde_json::from_value(found).unwrap())
    }

    /// The objects of a resource, such as `events`.
    pub fn all(&self, plural: &str) -> Vec<Value> {
        let state = self.state();
        let objects = state.objects.iter();
        objects
            .filter(|(place, _)| place.plural == plural)
            .map(|(_, object)| object.clone())
            .collect()
    }

    /// Refuses the next request of the sort `POST deployments` or `PATCH foos/a/status`.
    pub fn refuse_next(&self, line: &str, code: u16, reason: &'static str) {
        let script = Script::Refuse(code, reason);
        self.state().scripts.push((line.to_owned(), script));
    }

    /// Holds the next request of that sort back.
    pub fn hold_next(&self, line: &str) -> Held {
        let (arrived, here) = oneshot::channel();
        let (release, released) = oneshot::channel();
        let script = Script::Hold(arrived, released);
        self.state().scripts.push((line.to_owned(), script));
        Held {
            arrived: here,
            release,
        }
    }

    /// Ends every watch without a word, as a broken network does.
    pub fn break_watches(&self) {
        self.state().watches.clear();
    }

    /// Answers every watch from an old version with 410, so that clients list again.
    pub fn forget_history(&self) {
        self.state().history.clear();
        self.state().version += 1000;
    }

    /// How many watches are open.
    pub fn watch_count(&self) -> usize {
        self.state()
            .watches
            .iter()
            .filter(|(_, lines)| !lines.is_closed())
            .count()
    }

    /// Everything written so far, but events.
    pub fn writes(&self) -> Vec<Write> {
        let state = self.state();
        let writes = state.writes.iter();
        writes
            .filter(|write| !write.line.contains("events"))
            .cloned()
            .collect()
    }

    /// The same, one line each.
    pub fn lines(&self) -> Vec<String> {
        self.writes().into_iter().map(|write| write.line).collect()
    }

    /// Waits until `holds`.
    pub async fn until(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let mut changes = self.changes.subscribe();
        let wait = async {
            while !holds(self) {
                changes.changed().await.unwrap();
            }
        };
        // The clock of a test jumps when everything waits, so this is over at once if it never happens.
        if tokio::time::timeout(Duration::from_secs(3600), wait)
            .await
            .is_err()
        {
            panic!("never: {what}; writes: {:#?}", self.lines());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// The response to a client.
    pub async fn answer<B>(&self, request: Request<B>) -> Answer
    where
        B: hyper::body::Body<Data = Bytes>,
        B::Error: std::fmt::Debug,
    {
        let (head, body) = request.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or_default();
        let content_type = head.headers.get("content-type");
        let content_type = content_type.map_or_else(String::new, |value| value.to_str().unwrap().to_owned());
        let is_apply = content_type.contains("apply-patch");
        let place = Place::parse(head.uri.path());
        let query = query(head.uri.query().unwrap_or_default());
        let line = format!("{} {}", head.method, place.words());
        if query.contains_key("watch") {
            return self.state().watch(place, &query);
        }
        if head.method != http::Method::GET {
            self.state().writes.push(Write {
                line: line.clone(),
                query,
                content_type,
                body: Value::clone(&body),
            });
            self.changes.send_replace(());
        }
        let script = self.state().script(&line);
        match script {
            Some(Script::Refuse(code, reason)) => return refusal(code, reason),
            Some(Script::Hold(arrived, released)) => {
                arrived.send(()).unwrap();
                released.await.unwrap();
            }
            None => {}
        }
        let answer = self.state().serve(head.method.as_str(), place, body, is_apply);
        self.changes.send_replace(());
        answer
    }
}

impl State {
    fn script(&mut self, line: &str) -> Option<Script> {
        let position = self.scripts.iter().position(|(wanted, _)| wanted == line)?;
        Some(self.scripts.remove(position).1)
    }

    fn watch(&mut self, place: Place, query: &BTreeMap<String, String>) -> Answer {
        let since: u64 = query
            .get("resourceVersion")
            .map_or(0, |version| version.parse().unwrap());
        let (lines, stream) = mpsc::unbounded();
        if self.version >= since + 1000 {
            send(&lines, "ERROR", &status(410, "Expired"));
        } else {
            let missed = self.history.iter().filter(|(version, ..)| *version > since);
            for (_, _, change, object) in missed.filter(|(_, object, ..)| place.holds(object)) {
                send(&lines, change, object);
            }
            self.watches.push((place, lines));
        }
        Response::new(BodyExt::boxed(StreamBody::new(stream)))
    }

    fn serve(&mut self, method: &str, mut place: Place, body: Value, is_apply: bool) -> Answer {
        let subresource = place.subresource.take();
        let present = self.objects.get(&place).cloned();
        match (method, present) {
            ("GET", _) if place.name.is_none() => self.list(&place),
            ("GET", Some(present)) => answer(200, &present),
            ("POST", _) => {
                place.name = body["metadata"]["name"].as_str().map(str::to_owned);
                if self.objects.contains_key(&place) {
                    return refusal(409, "AlreadyExists");
                }
                answer(201, &self.store(place, body))
            }
            ("PATCH" | "PUT" | "DELETE", Some(present)) if !is_meant(&body, &present) => {
                refusal(409, "Conflict")
            }
            // An apply makes what is not there, but not if it is about a certain object.
            ("PATCH", None) if is_apply && subresource.is_none() => match body["metadata"]["uid"].is_null() {
                true => answer(201, &self.store(place, body)),
                false => refusal(409, "Conflict"),
            },
            ("DELETE", Some(mut present)) if has_finalizers(&present) => {
                present["metadata"]["deletionTimestamp"] = json!("2026-06-01T12:00:00Z");
                answer(200, &self.store(place, present))
            }
            ("DELETE", Some(present)) => {
                self.delete(&place);
                answer(200, &present)
            }
            ("PUT", Some(_)) => answer(200, &self.store(place, body)),
            ("PATCH", Some(mut present)) => {
                match subresource {
                    // A subresource leaves everything else as it is.
                    Some(part) => merge(&mut present[part.as_str()], &body[part.as_str()]),
                    None => merge(&mut present, &body),
                }
                let is_going = present["metadata"]["deletionTimestamp"].is_string();
                if is_going && !has_finalizers(&present) {
                    self.delete(&place);
                    return answer(200, &present);
                }
                answer(200, &self.store(place, present))
            }
            _ => refusal(404, "NotFound"),
        }
    }

    fn list(&self, place: &Place) -> Answer {
        let objects = self.objects.iter().filter(|(object, _)| place.holds(object));
        let items: Vec<&Value> = objects.map(|(_, object)| object).collect();
        let metadata = json!({ "resourceVersion": self.version.to_string() });
        answer(
            200,
            &json!({ "apiVersion": "v1", "kind": "List", "metadata": metadata, "items": items }),
        )
    }

    /// Stores an object with what a server gives it, and tells the watches.
    fn store(&mut self, place: Place, mut object: Value) -> Value {
        let before = self.objects.get(&place);
        self.version += 1;
        let uid = before.map_or_else(
            || json!(format!("uid-{}", self.version)),
            |before| before["metadata"]["uid"].clone(),
        );
        let generation = match before {
            None => 1,
            Some(before) => {
                let generation = before["metadata"]["generation"].as_i64().unwrap_or(1);
                generation + i64::from(before["spec"] != object["spec"])
            }
        };
        let metadata = &mut object["metadata"];
        metadata["resourceVersion"] = json!(self.version.to_string());
        metadata["generation"] = json!(generation);
        if before.is_some() || metadata["uid"].is_null() {
            metadata["uid"] = uid;
        }
        let change = if before.is_some() { "MODIFIED" } else { "ADDED" };
        self.objects.insert(place.clone(), object.clone());
        self.tell(place, change, object.clone());
        object
    }

    fn delete(&mut self, place: &Place) -> bool {
        let Some(mut object) = self.objects.remove(place) else {
            return false;
        };
        self.version += 1;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.tell(place.clone(), "DELETED", object);
        true
    }

    fn tell(&mut self, place: Place, change: &'static str, object: Value) {
        self.watches.retain(|(_, lines)| !lines.is_closed());
        for (_, lines) in self.watches.iter().filter(|(watched, _)| watched.holds(&place)) {
            send(lines, change, &object);
        }
        self.history.push((self.version, place, change, object));
    }
}

fn place_of<K: Resource<DynamicType = ()>>(object: &K) -> Place {
    let meta = object.meta();
    let path = K::url_path(&(), meta.namespace.as_deref());
    Place {
        name: meta.name.clone(),
        ..Place::parse(&path)
    }
}

fn query(text: &str) -> BTreeMap<String, String> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

/// Whether UID and version that a request states, in the object or as a precondition, are those of `present`.
fn is_meant(body: &Value, present: &Value) -> bool {
    let present = &present["metadata"];
    ["uid", "resourceVersion"].iter().all(|field| {
        let stated = [&body["metadata"][field], &body["preconditions"][field]];
        stated
            .iter()
            .all(|stated| stated.is_null() || **stated == present[field])
    })
}

fn has_finalizers(object: &Value) -> bool {
    let finalizers = object["metadata"]["finalizers"].as_array();
    finalizers.is_some_and(|finalizers| !finalizers.is_empty())
}

/// Server-side apply, as far as these tests need it: maps are merged, everything else is replaced.
fn merge(target: &mut Value, patch: &Value) {
    match (target, patch) {
        (Value::Object(target), Value::Object(patch)) => {
            for (key, value) in patch {
                merge(target.entry(key).or_insert(Value::Null), value);
            }
        }
        (target, patch) => *target = patch.clone(),
    }
}

fn send(lines: &Lines, change: &str, object: &Value) {
    let line = format!("{}\n", json!({ "type": change, "object": object }));
    lines.unbounded_send(Ok(Frame::data(Bytes::from(line)))).ok();
}

fn answer(code: u16, body: &Value) -> Answer {
    let body = Full::new(Bytes::from(body.to_string())).map_err(|never: Infallible| match never {});
    Response::builder().status(code).body(body.boxed()).unwrap()
}

fn refusal(code: u16, reason: &str) -> Answer {
    answer(code, &status(code, reason))
}

fn status(code: u16, reason: &str) -> Value {
    json!({ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": code,
            "reason": reason, "message": format!("refused: {reason}") })
}
