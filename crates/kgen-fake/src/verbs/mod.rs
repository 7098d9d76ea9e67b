//! The verbs of the API: each is one synchronous function on the state, so every history has a single order.
//!
//! `mod.rs` finds the kind and the function. The verbs do not know HTTP, and they know kinds only through
//! [`Kind`](crate::kind::Kind).

pub(crate) mod call;
mod create;
mod decode;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod options;
mod ownership;
mod patch;
mod plugins;
mod pods;
mod read;
mod review;
mod scale;
pub(crate) mod update;

use std::sync::Arc;

use serde_json::Value;

use crate::admission::{Draft, Stop};
use crate::kind::{Kind, Part};
use crate::state::State;
use crate::status::Failure;
use crate::view::View;
use crate::wire::target::Verb;

pub(crate) use call::{Call, User};
pub(crate) use list::Follow;

/// The answer to a request that succeeded.
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) content: Content,
    pub(crate) warnings: Vec<String>,
}

/// The body of an answer.
pub(crate) enum Content {
    /// An object or a list of a kind, which can be shown as a table.
    Resource { body: Value, shown: Shown },
    /// An object that was only read.
    Object { object: View, shown: Shown },
    /// A list, whose items are not yet in it.
    List {
        head: Value,
        items: Vec<View>,
        shown: Shown,
    },
    /// A `Scale`, which can be shown as a table.
    Scale { scale: Value, is_custom: bool },
    /// Any other JSON: a `Status`, a document.
    Json(Value),
    /// The changes of a collection.
    Watch(Box<Follow>),
}

/// The kind and version of a body, for tables.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) kind: Arc<Kind>,
    pub(crate) version: String,
    pub(crate) is_list: bool,
}

impl Answer {
    pub(crate) fn json(code: u16, body: Value) -> Self {
        Self {
            code,
            content: Content::Json(body),
            warnings: Vec::new(),
        }
    }
}

/// A request to a kind that exists.
pub(crate) struct Request<'r> {
    pub(crate) call: &'r Call,
    pub(crate) kind: Arc<Kind>,
}

impl Request<'_> {
    pub(crate) fn name(&self) -> &str {
        &self.call.target.name
    }

    pub(crate) fn namespace(&self) -> &str {
        &self.call.target.namespace
    }

    pub(crate) fn version(&self) -> &str {
        &self.call.target.version
    }

    /// Returns the namespace of stored objects: empty for kinds without namespaces.
    pub(crate) fn scope(&self) -> &str {
        if self.kind.is_namespaced {
            self.namespace()
        } else {
            ""
        }
    }

    pub(crate) fn key(&self) -> String {
        crate::store::key(self.scope(), self.name())
    }

    pub(crate) fn not_found(&self) -> Failure {
        self.kind.not_found(self.name())
    }

    /// Returns an answer with one object.
    pub(crate) fn answer(&self, code: u16, body: Value) -> Answer {
        Answer {
            code,
            content: Content::Resource {
                body,
                shown: self.shown(false),
            },
            warnings: Vec::new(),
        }
    }

    /// Returns the kind and version of the answer.
    pub(crate) fn shown(&self, is_list: bool) -> Shown {
        Shown {
            kind: self.kind.clone(),
            version: self.version().to_owned(),
            is_list,
        }
    }

    /// Returns whether the object of a request with a subresource is another one, such as a `Scale`.
    pub(crate) fn part(&self) -> Part {
        match self.call.target.subresource.as_str() {
            "status" => Part::Status,
            _ => Part::Main,
        }
    }
}

/// Carries out a request.
pub(crate) fn execute(state: &mut State, call: &Call, draft: &mut Draft) -> Result<Answer, Stop> {
    if crate::kind::is_review(&call.target.group) {
        return Ok(review::execute(state, call)?);
    }
    if let Some(request) = binding(state, call) {
        return Ok(pods::bind_unnamed(state, &request)?);
    }
    let request = find(state, call)?;
    let version = request.kind.version(request.version());
    let is_served = request.kind.is_custom() || call.target.subresource.is_empty();
    if let Some(warning) = version
        .and_then(|version| version.deprecation.clone())
        .filter(|_| is_served)
    {
        draft.warnings.push(warning);
    }
    dispatch(state, &request, draft)
}

/// Returns a request to `bindings`, an older path for `pods/binding`.
fn binding<'c>(state: &State, call: &'c Call) -> Option<Request<'c>> {
    let target = &call.target;
    let is_binding = target.verb == Verb::Create
        && target.group.is_empty()
        && target.version == "v1"
        && target.resource == "bindings"
        && !target.namespace.is_empty()
        && target.name.is_empty();
    let kind = state.kinds.get("", "pods").filter(|_| is_binding)?.clone();
    Some(Request { call, kind })
}

/// Refuses a request to a path that a server does not serve.
pub(crate) fn check_path(state: &State, call: &Call) -> Result<(), Failure> {
    if crate::kind::is_review(&call.target.group) {
        return Ok(());
    }
    find(state, call).map(drop)
}

/// Finds the kind of a request, and refuses paths that a server does not serve.
fn find<'c>(state: &State, call: &'c Call) -> Result<Request<'c>, Failure> {
    let target = &call.target;
    let unknown = || {
        let mut kinds = state.kinds.all();
        if kinds.any(|kind| kind.group == target.group && !kind.is_custom()) {
            Failure::no_such_path()
        } else {
            Failure::page_not_found()
        }
    };
    let is_binding = target.group.is_empty() && target.version == "v1" && target.resource == "bindings";
    let Some(kind) = state.kinds.get(&target.group, &target.resource) else {
        if is_binding && target.name.is_empty() {
            return Err(Failure::method_not_allowed());
        }
        if crate::kind::is_left_out(&target.group, &target.resource) {
            let what = crate::status::qualified(&target.resource, &target.group);
            return Err(Failure::not_implemented(&what));
        }
        return Err(unknown());
    };
    if kind.served(&target.version).is_none() {
        if crate::kind::is_left_out_version(&target.group, &target.version, &target.resource) {
            let what = format!("{}/{} {}", target.group, target.version, target.resource);
            return Err(Failure::not_implemented(&what));
        }
        return Err(unknown());
    }
    let has_namespace = !target.namespace.is_empty() && target.resource != "namespaces";
    if !kind.is_namespaced && has_namespace {
        return Err(unknown());
    }
    let anywhere = matches!(target.verb, Verb::List | Verb::Watch);
    if kind.is_namespaced && !has_namespace && !anywhere {
        return Err(if kind.is_custom() {
            unknown()
        } else if target.name.is_empty() {
            Failure::method_not_allowed()
        } else {
            Failure::no_such_path()
        });
    }
    Ok(Request {
        call,
        kind: kind.clone(),
    })
}

fn dispatch(state: &mut State, request: &Request<'_>, draft: &mut Draft) -> Result<Answer, Stop> {
    let kind = &request.kind;
    let target = &request.call.target;
    let unsupported = || {
        if kind.is_custom() {
            Failure::verb_not_supported(target.verb.as_str(), &kind.plural, &kind.group)
        } else {
            Failure::method_not_allowed()
        }
    };
    let served = kind.version(request.version());
    let has_status = served.is_some_and(|version| version.has_status);
    let has_scale = served.is_some_and(|version| version.scale.is_some());
    match target.subresource.as_str() {
        "" => {}
        "status" if has_status => {
            return match target.verb {
                Verb::Get => read::get(state, request).map_err(Stop::from),
                Verb::Update => update::update(state, request, draft),
                Verb::Patch => patch::patch(state, request, draft),
                _ => Err(unsupported().into()),
            };
        }
        "scale" if has_scale => {
            return match target.verb {
                Verb::Get => scale::get(state, request).map_err(Stop::from),
                Verb::Update => scale::update(state, request, draft),
                Verb::Patch => scale::patch(state, request, draft),
                _ => Err(unsupported().into()),
            };
        }
        "finalize" if &*kind.resource == "namespaces" && target.verb == Verb::Update => {
            return Ok(delete::finalize_namespace(state, request)?);
        }
        "eviction" if &*kind.resource == "pods" && target.verb == Verb::Create => {
            return pods::evict(state, request, draft);
        }
        "binding" if &*kind.resource == "pods" && target.verb == Verb::Create => {
            return Ok(pods::bind(state, request)?);
        }
        "binding" | "eviction" if &*kind.resource == "pods" => {
            return Err(Failure::method_not_allowed().into());
        }
        _ if kind.is_custom() => return Err(request.not_found().into()),
        other if crate::kind::is_left_out_subresource(&kind.group, &kind.plural, other) => {
            let what = format!("{}/{other}", kind.resource);
            return Err(Failure::not_implemented(&what).into());
        }
        _ => return Err(Failure::no_such_path().into()),
    }
    let is_named = !target.name.is_empty();
    let needs_name = matches!(target.verb, Verb::Update | Verb::Patch);
    if !kind.is_custom() && ((needs_name && !is_named) || (target.verb == Verb::Create && is_named)) {
        return Err(Failure::method_not_allowed().into());
    }
    match target.verb {
        Verb::Get => Ok(read::get(state, request)?),
        Verb::List => Ok(list::list(state, request)?),
        Verb::Watch => Ok(list::watch(state, request)?),
        Verb::Create if kind.is_terminating => {
            let message = "create not allowed while custom resource definition is terminating";
            Err(Failure::new(405, "MethodNotAllowed", message).into())
        }
        Verb::Create => create::create(state, request, draft),
        Verb::Update => update::update(state, request, draft),
        Verb::Patch => patch::patch(state, request, draft),
        Verb::Delete => delete::delete(state, request, draft),
        Verb::DeleteCollection if &*kind.resource == "namespaces" => {
            Err(Failure::method_not_allowed().into())
        }
        Verb::DeleteCollection => delete::delete_collection(state, request, draft),
        Verb::Other => Err(unsupported().into()),
    }
}
