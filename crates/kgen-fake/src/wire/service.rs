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
use super::query::Query;
use super::target::Target;
use crate::admission::{Draft, Stop};
use crate::discovery::{self, Document};
use crate::faults::Effect;
use crate::gc;
use crate::request::Request as Recorded;
use crate::state::Shared;
use crate::status::{self, Failure};
use crate::verbs::{self, Answer, Call, Content, Shown, User};
use crate::watch::Watch;

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
        let user = match impersonated(&head.headers) {
            Some(user) => user,
            None => self.user.clone(),
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
                None if path.starts_with("/api/") => failed(&Failure::no_such_path(), false),
                None => failed(&Failure::page_not_found(), false),
            });
        };
        let call = Call {
            user,
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
            if let Effect::Delay(duration) = effect {
                tokio::time::sleep(*duration).await;
            }
        }
        let injected = effects.iter().find_map(|effect| effect.failure(&call));
        let outcome = match injected {
            Some(failure) => Err(failure),
            None => {
                self.outcome(&call, &accept_text, head.method == http::Method::HEAD)
                    .await
            }
        };
        let is_lost = effects.contains(&Effect::LoseAnswer);
        let (code, response) = match outcome {
            Ok(response) => (response.status().as_u16(), response),
            Err(failure) => {
                if failure.code == 501 {
                    self.shared.lock().unsupported.push(failure.message());
                }
                (failure.code, failed(&failure, head.method == http::Method::HEAD))
            }
        };
        self.record(&call, &query_text, if is_lost { 0 } else { code });
        if is_lost {
            return Err("connection closed before the answer was complete".into());
        }
        Ok(response)
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
            state.access.check(&state.store, call)?;
        }
        let accept = Accept::read(accept)?;
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
                    let Some(handler) = &self.shared.webhooks else {
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
        let now = self.shared.lock().clock.now();
        let response = match answer.content {
            Content::Watch(follow) => self.stream(*follow, head),
            Content::Json(body) => respond(answer.code, &body, head.accept.is_yaml, head.is_head),
            Content::Resource { body, shown } => {
                let body = head.accept.present(body, &shown, &head.include, now)?;
                respond(answer.code, &body, head.accept.is_yaml, head.is_head)
            }
        };
        Ok(with_warnings(response, &answer.warnings))
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
                let event = presented(event, &accept, &include, &shown, &shared, first);
                let mut line = event.to_string();
                line.push('\n');
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
            body: call.body_json().unwrap_or_default(),
            code,
        };
        self.shared.lock().requests.push(recorded);
    }
}

/// Returns an event in the form that the client asked for.
fn presented(
    mut event: Value,
    accept: &Accept,
    include: &str,
    shown: &Shown,
    shared: &Shared,
    is_first: bool,
) -> Value {
    if accept.form == Form::Plain || event.get("type").and_then(Value::as_str) == Some("ERROR") {
        return event;
    }
    let object = event.get("object").cloned().unwrap_or_default();
    let now = shared.lock().clock.now();
    if let Ok(mut object) = accept.present(object, shown, include, now) {
        // Only the first table has the columns.
        if matches!(accept.form, Form::Table(_)) && !is_first {
            object["columnDefinitions"] = Value::Null;
        }
        event["object"] = object;
    }
    event
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
    let (text, content) = if is_yaml {
        (kgen_yaml::to_string(body), "application/yaml")
    } else {
        (format!("{body}\n"), "application/json")
    };
    let mut response = Response::new(body_of(if is_head { String::new() } else { text }));
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or_default();
    with_content(response, content)
}

fn plain(code: u16, text: &str) -> Response<AnswerBody> {
    let mut response = Response::new(body_of(text.to_owned()));
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or_default();
    with_content(response, "text/plain; charset=utf-8")
}

fn failed(failure: &Failure, is_head: bool) -> Response<AnswerBody> {
    let mut response = match &failure.body {
        status::Body::Status(body) => respond(failure.code, body, false, is_head),
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
