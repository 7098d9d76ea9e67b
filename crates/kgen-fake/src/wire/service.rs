//! Carries a request through the stages: faults, access, the verb, webhooks, and the answer.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderMap, Request, Response, StatusCode, header};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Body, Bytes, Frame};
use serde_json::Value;

use super::accept::{Accept, Form};
use super::order;
use super::query::Query;
use super::target::Target;
use crate::admission::{Draft, Stop};
use crate::discovery::{self, Document};
use crate::faults::Effect;
use crate::gc;
use crate::request::Request as Recorded;
use crate::state::Shared;
use crate::status::{self, Failure};
use crate::table;
use crate::verbs::{self, Answer, Call, Content, Shown, User};
use crate::view::View;
use crate::watch::{Event, Watch};

/// The body of an answer.
pub(crate) type AnswerBody = UnsyncBoxBody<Bytes, Infallible>;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The API server as a service for one user.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) shared: Arc<Shared>,
    pub(crate) user: User,
}

impl<B> tower::Service<Request<B>> for Service
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response<AnswerBody>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.map_err(Into::into)?.to_bytes();
            service.handle(head, body.to_vec()).await
        })
    }
}

/// Counts a request as long as it lives.
struct InFlight(Arc<Shared>);

impl InFlight {
    fn new(shared: &Arc<Shared>) -> Self {
        shared.lock().in_flight += 1;
        Self(shared.clone())
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.lock().in_flight -= 1;
    }
}

/// Counts a request as held back as long as it lives.
struct Held(Arc<Shared>);

impl Held {
    fn new(shared: &Arc<Shared>) -> Self {
        shared.lock().held += 1;
        Self(shared.clone())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.lock().held -= 1;
    }
}

/// A request without its body, and the representation of its answer.
struct Head {
    accept: Accept,
    include: String,
    is_head: bool,
}

impl Service {
    async fn handle(
        self,
        head: http::request::Parts,
        body: Vec<u8>,
    ) -> Result<Response<AnswerBody>, BoxError> {
        let _in_flight = InFlight::new(&self.shared);
        if self.shared.lock().is_unavailable() {
            return Err(unreachable_error());
        }
        let path = head.uri.path().to_owned();
        let query_text = head.uri.query().unwrap_or_default().to_owned();
        let query = Query::read(&query_text);
        let text = |name: header::HeaderName| {
            let value = head.headers.get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        let accept_text = text(header::ACCEPT);
        let (user, asker) = match impersonated(&head.headers) {
            Some(user) => (user, Some(self.user.clone())),
            None => (self.user.clone(), None),
        };
        let target = Target::read(&head.method, &path, &query);
        let Some(target) = target else {
            let document = discovery::document(&self.shared.lock(), &head.method, &path, &accept_text);
            return Ok(match document {
                Some(Document::Json(json)) => {
                    let content = if accept_text.contains("as=APIGroupDiscoveryList") {
                        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
                    } else {
                        "application/json"
                    };
                    with_content(
                        respond(200, &json, false, head.method == http::Method::HEAD),
                        content,
                    )
                }
                Some(Document::Text(text)) => plain(200, text),
                None if discovery::is_read_only(&self.shared.lock(), &head.method, &path) => {
                    failed(&Failure::method_not_allowed(), false, false)
                }
                None if path.starts_with("/api/") || discovery::has_group(&path) => {
                    failed(&Failure::no_such_path(), false, false)
                }
                None => failed(&Failure::page_not_found(), false, false),
            });
        };
        let call = Call {
            user,
            asker,
            target,
            query,
            content_type: text(header::CONTENT_TYPE)
                .split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned(),
            user_agent: text(header::USER_AGENT),
            body,
        };
        let effects = self.shared.lock().faults.effects(&call);
        for effect in &effects {
            match effect {
                Effect::Delay(duration) => tokio::time::sleep(*duration).await,
                Effect::Hold(gate) => {
                    let _held = Held::new(&self.shared);
                    gate.pass().await;
                }
                _ => {}
            }
        }
        let injected = effects.iter().find_map(|effect| effect.failure(&call));
        let outcome = match injected {
            Some(failure) => Err(failure),
            None => self.answer(&head, &call, &accept_text).await,
        };
        let is_lost = effects.iter().any(|effect| matches!(effect, Effect::LoseAnswer));
        let (code, response) = match outcome {
            Ok(response) => (response.status().as_u16(), response),
            Err(failure) => {
                if failure.code == 501 {
                    self.shared.lock().unsupported.push(failure.message());
                }
                let is_yaml = Accept::read(&accept_text).is_ok_and(|accept| accept.is_yaml);
                let is_head = head.method == http::Method::HEAD;
                (failure.code, failed(&failure, is_yaml, is_head))
            }
        };
        self.record(&call, &query_text, if is_lost { 0 } else { code });
        if is_lost {
            return Err("connection closed before the answer was complete".into());
        }
        let is_watch = call.target.verb == super::target::Verb::Watch;
        Ok(if is_watch {
            response
        } else {
            altered(response, &effects).await
        })
    }

    /// Lets the real server answer, if there is one, or else this cluster.
    async fn answer(
        &self,
        head: &http::request::Parts,
        call: &Call,
        accept: &str,
    ) -> Result<Response<AnswerBody>, Failure> {
        #[cfg(feature = "both")]
        if let Some(relay) = &self.shared.relay {
            return relay.answer(&self.shared, head, call).await;
        }
        self.outcome(call, accept, head.method == http::Method::HEAD)
            .await
    }

    /// Checks access, carries out the verb and writes the answer.
    async fn outcome(
        &self,
        call: &Call,
        accept: &str,
        is_head: bool,
    ) -> Result<Response<AnswerBody>, Failure> {
        {
            let mut state = self.shared.lock();
            let state = &mut *state;
            state.access.check_asker(&state.store, call)?;
            state.access.check(&state.store, call)?;
        }
        let accept = Accept::read(accept).map_err(|mut failure| {
            let state = self.shared.lock();
            if let Err(failure) = verbs::check_path(&state, call) {
                return failure;
            }
            match state.kinds.get(&call.target.group, &call.target.resource) {
                Some(kind) if kind.is_custom() => {
                    let version = kind.version(&call.target.version);
                    failure.warnings = version
                        .and_then(|version| version.deprecation.clone())
                        .into_iter()
                        .collect();
                    failure
                }
                Some(_) if !Accept::has_known_type(accept) => {
                    let message = "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, \
                                   application/vnd.kubernetes.protobuf";
                    Failure::not_acceptable(message).with_empty_details()
                }
                _ => failure,
            }
        })?;
        let head = Head {
            accept,
            include: call.query.text("includeObject").to_owned(),
            is_head,
        };
        let mut draft = Draft::default();
        let mut answer = loop {
            let stopped = {
                let mut state = self.shared.lock();
                let before = state.store.revision();
                let result = verbs::execute(&mut state, call, &mut draft);
                gc::settle(&mut state);
                let has_changed = state.store.revision() != before;
                drop(state);
                if has_changed {
                    self.shared.notify();
                }
                match result {
                    Ok(answer) => break answer,
                    Err(stop) => stop,
                }
            };
            match stopped {
                Stop::Failed(mut failure) => {
                    failure.warnings.append(&mut draft.warnings);
                    return Err(failure);
                }
                Stop::Review(review) => {
                    let Some(handler) = self.shared.webhooks.get() else {
                        return Err(Failure::not_implemented(
                            "a webhook without a server (`Cluster::webhooks`)",
                        ));
                    };
                    let answered = handler.call(review.path.clone(), review.body.clone()).await;
                    draft.answer(&review, answered);
                }
            }
        };
        draft.warnings.append(&mut answer.warnings);
        answer.warnings = draft.warnings;
        self.write(answer, &head)
    }

    fn write(&self, answer: Answer, head: &Head) -> Result<Response<AnswerBody>, Failure> {
        let is_text = head.accept.form == Form::Plain && !head.accept.is_yaml;
        let response = match answer.content {
            Content::Watch(follow) => self.stream(*follow, head),
            Content::Scale { scale, is_custom } => {
                let now = self.shared.lock().clock.now();
                let body = match &head.accept.form {
                    Form::Table(version) => table::scale(&scale, is_custom, version, now),
                    Form::Partial(version) => table::partial(&scale, version),
                    _ => scale,
                };
                respond(answer.code, &body, head.accept.is_yaml, head.is_head)
            }
            Content::Json(body) => respond(answer.code, &body, head.accept.is_yaml, head.is_head),
            Content::Object { object, shown } if is_text => {
                let text = object.text(shown.kind.is_custom());
                respond_with(answer.code, format!("{text}\n"), head.is_head)
            }
            Content::List {
                head: list,
                items,
                shown,
            } if is_text => respond_with(answer.code, list_text(&list, &items, &shown), head.is_head),
            Content::Object { object, shown } => {
                self.present(answer.code, &answer.warnings, object.into_value(), &shown, head)?
            }
            Content::List {
                head: mut list,
                items,
                shown,
            } => {
                list["items"] = items.into_iter().map(|item| list_item(item, &shown)).collect();
                self.present(answer.code, &answer.warnings, list, &shown, head)?
            }
            Content::Resource { body, shown } => {
                self.present(answer.code, &answer.warnings, body, &shown, head)?
            }
        };
        Ok(with_warnings(response, &answer.warnings))
    }

    /// Answers with an object or a list in the form that the client asked for.
    fn present(
        &self,
        code: u16,
        warnings: &[String],
        body: Value,
        shown: &Shown,
        head: &Head,
    ) -> Result<Response<AnswerBody>, Failure> {
        let now = self.shared.lock().clock.now();
        let body = head.accept.present(body, shown, &head.include, now);
        let body = body.map_err(|mut failure| {
            failure.warnings = warnings.to_vec();
            failure
        })?;
        let is_map = shown.kind.is_custom() && head.accept.form == Form::Plain;
        Ok(if is_map || head.accept.is_yaml {
            respond(code, &body, head.accept.is_yaml, head.is_head)
        } else {
            respond_with(code, order::text(&body) + "\n", head.is_head)
        })
    }

    /// Sends the events of a watch, one per line.
    fn stream(&self, follow: verbs::Follow, head: &Head) -> Response<AnswerBody> {
        let shown = Shown {
            kind: follow.filter.kind.clone(),
            version: follow.filter.version.clone(),
            is_list: false,
        };
        let watch = Watch::start(&self.shared, follow);
        let accept = head.accept.clone();
        let include = head.include.clone();
        let shared = self.shared.clone();
        let is_first = true;
        let start = (watch, accept, include, shown, shared, is_first);
        let lines = futures::stream::unfold(
            start,
            |(mut watch, accept, include, shown, shared, first)| async move {
                let event = watch.next().await?;
                let is_map = shown.kind.is_custom() && accept.form == Form::Plain;
                let event = presented(event, &accept, &include, &shown, &shared, first);
                let line = format!(
                    "{{\"type\":\"{}\",\"object\":{}}}\n",
                    event.kind,
                    event.object.text(is_map)
                );
                let frame = Ok::<_, Infallible>(Frame::data(Bytes::from(line)));
                Some((frame, (watch, accept, include, shown, shared, false)))
            },
        );
        let body = BodyExt::boxed_unsync(StreamBody::new(lines));
        let mut response = Response::new(body);
        set_header(&mut response, header::CONTENT_TYPE, "application/json");
        response
    }

    fn record(&self, call: &Call, query: &str, code: u16) {
        let target = &call.target;
        let recorded = Recorded {
            user: call.user.name.clone(),
            verb: target.verb,
            group: target.group.clone(),
            version: target.version.clone(),
            resource: target.resource_path(),
            namespace: target.namespace.clone(),
            name: target.name.clone(),
            query: query.to_owned(),
            content_type: call.content_type.clone(),
            body: Value::Null,
            code,
        };
        // Few tests look at bodies, so they are read when a test does.
        self.shared.lock().requests.push((recorded, call.body.clone()));
    }
}

/// Returns an event in the form that the client asked for.
fn presented(
    mut event: Event,
    accept: &Accept,
    include: &str,
    shown: &Shown,
    shared: &Shared,
    is_first: bool,
) -> Event {
    if accept.form == Form::Plain || event.kind == "ERROR" {
        return event;
    }
    let object = event.object.value().clone();
    let now = shared.lock().clock.now();
    if let Ok(mut object) = accept.present(object, shown, include, now) {
        // Only the first table has the columns.
        if matches!(accept.form, Form::Table(_)) && !is_first {
            object["columnDefinitions"] = Value::Null;
        }
        event.object = View::Json(object);
    }
    event
}

/// Returns an item of a list. Those of built-in kinds have no type.
fn list_item(item: View, shown: &Shown) -> Value {
    let mut item = item.into_value();
    if !shown.kind.is_custom() {
        for key in ["kind", "apiVersion"] {
            crate::kind::remove(&mut item, key);
        }
    }
    item
}

/// Writes a list.
fn list_text(head: &Value, items: &[View], shown: &Shown) -> String {
    let is_custom = shown.kind.is_custom();
    // The texts of built-in kinds begin with their type, which items do not have.
    let api_version = shown.kind.api_version(&shown.version);
    let typed = format!(
        "{{\"kind\":\"{}\",\"apiVersion\":\"{api_version}\",",
        shown.kind.kind
    );
    let mut text = order::text(head);
    text.truncate(text.len().saturating_sub(1));
    text.push_str(",\"items\":[");
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        let item = item.text(is_custom);
        match item.strip_prefix(typed.as_str()).filter(|_| !is_custom) {
            Some(rest) => {
                text.push('{');
                text.push_str(rest);
            }
            None => text.push_str(&item),
        }
    }
    text.push_str("]}\n");
    text
}

/// Returns an answer after the changes of the test.
async fn altered(response: Response<AnswerBody>, effects: &[Effect]) -> Response<AnswerBody> {
    let changes: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Alter(change) => Some(change),
            _ => None,
        })
        .collect();
    if changes.is_empty() {
        return response;
    }
    let (head, body) = response.into_parts();
    let bytes = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
        .unwrap_or_default();
    let Ok(mut json) = serde_json::from_slice::<Value>(&bytes) else {
        return Response::from_parts(head, BodyExt::boxed_unsync(Full::new(bytes)));
    };
    for change in changes {
        change(&mut json);
    }
    Response::from_parts(head, body_of(format!("{json}\n")))
}

/// Reads the headers of a user who acts as another one.
fn impersonated(headers: &HeaderMap) -> Option<User> {
    let name = headers.get("impersonate-user")?.to_str().ok()?.to_owned();
    let mut groups: Vec<String> = headers
        .get_all("impersonate-group")
        .iter()
        .filter_map(|group| group.to_str().ok().map(str::to_owned))
        .collect();
    if let Some(account) = name.strip_prefix("system:serviceaccount:") {
        let namespace = account.split(':').next().unwrap_or_default();
        groups.push("system:serviceaccounts".to_owned());
        groups.push(format!("system:serviceaccounts:{namespace}"));
    }
    groups.push("system:authenticated".to_owned());
    Some(User {
        name,
        groups,
        is_limited: true,
    })
}

fn unreachable_error() -> BoxError {
    std::io::Error::new(std::io::ErrorKind::ConnectionRefused, "connection refused").into()
}

fn set_header(response: &mut Response<AnswerBody>, name: header::HeaderName, value: &str) {
    if let Ok(value) = value.parse() {
        response.headers_mut().insert(name, value);
    }
}

fn with_content(mut response: Response<AnswerBody>, content: &str) -> Response<AnswerBody> {
    set_header(&mut response, header::CONTENT_TYPE, content);
    response
}

fn body_of(text: String) -> AnswerBody {
    BodyExt::boxed_unsync(Full::new(Bytes::from(text)))
}

fn respond(code: u16, body: &Value, is_yaml: bool, is_head: bool) -> Response<AnswerBody> {
    if !is_yaml {
        return respond_with(code, format!("{body}\n"), is_head);
    }
    let response = respond_with(code, kgen_yaml::to_string(body), is_head);
    with_content(response, "application/yaml")
}

/// Answers with a text of JSON.
fn respond_with(code: u16, text: String, is_head: bool) -> Response<AnswerBody> {
    let mut response = Response::new(body_of(if is_head { String::new() } else { text }));
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or_default();
    with_content(response, "application/json")
}

fn plain(code: u16, text: &str) -> Response<AnswerBody> {
    let mut response = Response::new(body_of(text.to_owned()));
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or_default();
    with_content(response, "text/plain; charset=utf-8")
}

fn failed(failure: &Failure, is_yaml: bool, is_head: bool) -> Response<AnswerBody> {
    let mut response = match &failure.body {
        status::Body::Status(body) => respond(failure.code, body, is_yaml, is_head),
        status::Body::Text(text) => plain(failure.code, text),
    };
    if let Some(seconds) = failure.retry_after {
        set_header(&mut response, header::RETRY_AFTER, &seconds.to_string());
    }
    with_warnings(response, &failure.warnings)
}

fn with_warnings(mut response: Response<AnswerBody>, warnings: &[String]) -> Response<AnswerBody> {
    let mut sent: Vec<&String> = Vec::new();
    for warning in warnings {
        if sent.contains(&warning) {
            continue;
        }
        sent.push(warning);
        let quoted = warning.replace('\\', "\\\\").replace('"', "\\\"");
        if let Ok(value) = format!("299 - \"{quoted}\"").parse() {
            response.headers_mut().append(header::WARNING, value);
        }
    }
    response
}
