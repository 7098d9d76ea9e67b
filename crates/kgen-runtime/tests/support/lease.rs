//! A Lease as a real server stores it, with resource versions and conflicts, and faults on demand.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::{Answer, Seen, Server};

/// How the server treats one of its clients.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mood {
    Fine,
    /// Connections break.
    Down,
    /// Requests are not answered.
    Hangs,
    /// Requests are served immediately, and answered a second later.
    Slow,
    /// Requests are served, and then the connection breaks.
    LosesAnswers,
    /// Writes are refused, reads are answered.
    ReadOnly,
}

/// The Lease that several replicas share.
#[derive(Clone, Default)]
pub struct SharedLease {
    stored: Arc<Mutex<Stored>>,
}

#[derive(Default)]
struct Stored {
    lease: Option<Value>,
    version: u64,
}

/// The server as one replica sees it.
#[derive(Clone)]
pub struct View {
    pub server: Server,
    mood: Arc<Mutex<Mood>>,
}

impl View {
    pub fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// Returns the methods of the requests so far.
    pub fn methods(&self) -> Vec<String> {
        self.server
            .seen()
            .iter()
            .map(|seen| seen.method.to_string())
            .collect()
    }
}

impl SharedLease {
    /// Returns a client's access to the lease, with its own faults.
    pub fn view(&self) -> View {
        let mood = Arc::new(Mutex::new(Mood::Fine));
        let (shared, current) = (self.clone(), Arc::clone(&mood));
        let server = Server::new(move |seen| {
            let mood = *current.lock().unwrap();
            match mood {
                Mood::Fine => shared.answer(seen),
                Mood::Down => Answer::Broken,
                Mood::Hangs => Answer::Silence,
                Mood::Slow => Answer::Slow(Duration::from_secs(1), Box::new(shared.answer(seen))),
                Mood::LosesAnswers => {
                    shared.answer(seen);
                    Answer::Broken
                }
                Mood::ReadOnly if seen.method == Method::GET => shared.answer(seen),
                Mood::ReadOnly => Answer::error(403, "Forbidden"),
            }
        });
        View { server, mood }
    }

    /// Returns the spec as it is stored.
    pub fn spec(&self) -> Value {
        let stored = self.stored.lock().unwrap();
        stored
            .lease
            .as_ref()
            .map(|lease| lease["spec"].clone())
            .unwrap_or_default()
    }

    pub fn holder(&self) -> Option<String> {
        self.spec()["holderIdentity"].as_str().map(ToOwned::to_owned)
    }

    /// Writes the lease as somebody else would.
    pub fn put(&self, spec: Value) {
        self.edit(|lease| lease["spec"] = spec);
    }

    /// Changes the lease like another client; creates it if necessary.
    pub fn edit(&self, edit: impl FnOnce(&mut Value)) {
        let mut stored = self.stored.lock().unwrap();
        let mut lease = stored.lease.take().unwrap_or_else(|| {
            json!({
                "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                "metadata": { "name": "operator", "namespace": "system", "uid": "u" },
            })
        });
        edit(&mut lease);
        stored.store(lease);
    }

    pub fn delete(&self) {
        self.stored.lock().unwrap().lease = None;
    }

    fn answer(&self, seen: &Seen) -> Answer {
        const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/system/leases";
        let mut stored = self.stored.lock().unwrap();
        let stored_version = stored
            .lease
            .as_ref()
            .map(|lease| lease["metadata"]["resourceVersion"].clone());
        match (&seen.method, seen.path.strip_prefix(LEASES), stored_version) {
            (&Method::GET, Some("/operator"), Some(_)) => {
                Answer::ok(stored.lease.clone().unwrap_or_default())
            }
            (&Method::GET | &Method::PUT, Some("/operator"), None) => Answer::error(404, "NotFound"),
            (&Method::POST, Some(""), None) => stored.store(seen.body.clone()),
            (&Method::POST, Some(""), Some(_)) => Answer::error(409, "AlreadyExists"),
            (&Method::PUT, Some("/operator"), Some(version)) => {
                if seen.body["metadata"]["resourceVersion"] != version {
                    return Answer::error(409, "Conflict");
                }
                if seen.body["spec"]["holderIdentity"] == "" {
                    return Answer::error(422, "Invalid");
                }
                stored.store(seen.body.clone())
            }
            _ => Answer::error(405, "MethodNotAllowed"),
        }
    }
}

impl Stored {
    fn store(&mut self, mut lease: Value) -> Answer {
        self.version += 1;
        lease["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.lease = Some(lease.clone());
        Answer::ok(lease)
    }
}
