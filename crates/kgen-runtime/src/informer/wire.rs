//! The requests of an informer and the types of their responses. Objects stay JSON here, so that an unreadable object
//! does not affect a list or a watch. Every wait has a timeout, because a connection can die silently.

use std::borrow::Cow;
use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use futures::{AsyncBufRead, AsyncBufReadExt};
use kube::Client;
use kube::api::{ListParams, Request, VersionMatch, WatchParams};
use kube::core::Status;
use kube::runtime::watcher::{self, ListSemantic};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::timeout;

use crate::error::Causes;
use crate::reading::mismatch;

/// How long the server may keep a watch open, unless the user sets a timeout. The server sends a bookmark shortly
/// before it ends a watch, so a quiet watch can be resumed, and a watch that stays open for longer has a dead
/// connection.
const WATCH_SECONDS: u32 = 38;

/// How long the server may keep a watch open that starts with a list. The whole list must arrive in this time.
const STREAMED_LIST_SECONDS: u32 = 295;

/// How late a watch may end.
const LATENESS: Duration = Duration::from_secs(3);

/// How long the server may take to accept a watch. The sum of these three times is the time in which a dead connection
/// is noticed: less than a minute.
const ACCEPTANCE: Duration = Duration::from_secs(15);

/// How long it may take after a failure.
const LATER_ACCEPTANCE: Duration = Duration::from_secs(30);

/// How long the server may take to start the response to a list, which it prepares first. API servers have the same
/// timeout.
const LIST_ANSWER: Duration = Duration::from_secs(60);

/// How long the answer to a list may pause.
const LIST_PAUSE: Duration = Duration::from_secs(30);

/// The annotation of the bookmark that ends the list of a streaming list.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// An error between an informer and a server.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server rejected a request, or ended a watch with an error.
    Refused {
        doing: &'static str,
        status: Box<Status>,
    },
    /// There is no response, or it was incomplete.
    Broken { doing: &'static str, why: String },
    /// The response is invalid.
    Nonsense { doing: &'static str, why: String },
}

impl Failure {
    pub(super) fn broken(doing: &'static str, why: impl Into<String>) -> Self {
        Self::Broken {
            doing,
            why: why.into(),
        }
    }

    /// Returns whether the server does not have the kind.
    pub(super) fn is_missing_kind(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if status.code == 404)
    }

    pub(super) fn nonsense(doing: &'static str, why: impl Into<String>) -> Self {
        Self::Nonsense {
            doing,
            why: why.into(),
        }
    }

    fn of(doing: &'static str, error: kube::Error) -> Self {
        match error {
            kube::Error::Api(status) => Self::Refused { doing, status },
            other => Self::broken(doing, Causes(&other).to_string()),
        }
    }

    /// Returns whether a watch that failed like this can never be resumed from the same version.
    pub(super) fn needs_a_new_list(&self) -> bool {
        match self {
            // Permissions and load change by themselves; all other rejections are about the version.
            Self::Refused { status, .. } => !matches!(status.code, 401 | 403 | 429 | 500 | 502 | 503),
            Self::Broken { .. } => false,
            // The server would send the same again.
            Self::Nonsense { .. } => true,
        }
    }

    /// Returns whether the connection failed, and not the server.
    pub(super) fn is_broken(&self) -> bool {
        matches!(self, Self::Broken { .. })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { doing, status } => {
                let status: &Status = status;
                write!(formatter, "cannot {doing}: {}", Causes(status))
            }
            Self::Broken { doing, why } | Self::Nonsense { doing, why } => {
                write!(formatter, "cannot {doing}: {why}")
            }
        }
    }
}

/// The collection that one watch is about.
#[derive(Clone)]
pub(super) struct Collection {
    pub(super) client: Client,
    /// The path of the collection.
    pub(super) path: String,
    pub(super) config: watcher::Config,
    /// Whether only metadata are wanted.
    pub(super) metadata_only: bool,
}

type Reader = Pin<Box<dyn AsyncBufRead + Send>>;

impl Collection {
    /// Requests one page of the list.
    pub(super) async fn page(&self, continue_token: Option<String>) -> Result<Answer, Failure> {
        const DOING: &str = "list";
        let (resource_version, version_match) = match self.config.list_semantic {
            ListSemantic::Any => (Some("0".to_owned()), Some(VersionMatch::NotOlderThan)),
            ListSemantic::MostRecent => (None, None),
        };
        let params = ListParams {
            label_selector: self.config.label_selector.clone(),
            field_selector: self.config.field_selector.clone(),
            limit: self.config.page_size,
            resource_version,
            version_match,
            continue_token,
            ..ListParams::default()
        };
        let request = Request::new(&self.path);
        let request = if self.metadata_only {
            request.list_metadata(&params)
        } else {
            request.list(&params)
        };
        let reader = self.send(DOING, request, Some(LIST_ANSWER)).await?;
        Answer::read(DOING, reader).await
    }

    /// Opens a watch from `version`. With `initial`, it starts with the existing objects. `is_tried` means that earlier
    /// attempts have failed, and that the server may need more time.
    pub(super) async fn watch(&self, version: &str, initial: bool, is_tried: bool) -> Result<Lines, Failure> {
        let seconds = self.config.timeout.unwrap_or(WATCH_SECONDS);
        let announced = match seconds {
            // Zero means a watch without a timeout.
            1.. if initial => seconds.max(STREAMED_LIST_SECONDS),
            _ => seconds,
        };
        let params = WatchParams {
            label_selector: self.config.label_selector.clone(),
            field_selector: self.config.field_selector.clone(),
            timeout: Some(announced),
            bookmarks: self.config.bookmarks,
            send_initial_events: initial,
        };
        let request = Request::new(&self.path);
        let request = if self.metadata_only {
            request.watch_metadata(&params, version)
        } else {
            request.watch(&params, version)
        };
        let mut request = request;
        if let Ok(request) = &mut request {
            // As in kube: servers compress each event separately, and the client reads only the first.
            let identity = http::HeaderValue::from_static("identity");
            request
                .headers_mut()
                .insert(http::header::ACCEPT_ENCODING, identity);
        }
        let acceptance = if is_tried { LATER_ACCEPTANCE } else { ACCEPTANCE };
        Ok(Lines {
            reader: self.send("watch", request, Some(acceptance)).await?,
            // A streamed list takes longer than a watch, but does not pause for longer.
            limit: (seconds > 0).then(|| Duration::from_secs(seconds.into()) + LATENESS),
            may_be_silent: false,
            line: Vec::new(),
        })
    }

    /// Asks the server whether the objects of `plural` are namespaced; `path` is that of their group and version.
    pub(super) async fn is_namespaced(&self, path: &str, plural: &str) -> Result<bool, Failure> {
        const DOING: &str = "discover the scope";
        let request = http::Request::get(path).body(Vec::new());
        let request = request.map_err(kube::core::request::Error::BuildRequest);
        let reader = self.send(DOING, request, Some(LIST_ANSWER)).await?;
        let answer = Answer::read(DOING, reader).await?;
        let resources: Resources<'_> = serde_json::from_str(answer.text()?)
            .map_err(|_| Failure::nonsense(DOING, "the answer is not a list of resources"))?;
        let found = resources.resources.iter().find(|found| found.name == plural);
        found
            .map(|found| found.namespaced)
            .ok_or_else(|| Failure::broken(DOING, format!("the server has no `{plural}` at {path}")))
    }

    async fn send(
        &self,
        doing: &'static str,
        request: Result<http::Request<Vec<u8>>, kube::core::request::Error>,
        limit: Option<Duration>,
    ) -> Result<Reader, Failure> {
        let failed = |error| Failure::of(doing, error);
        let mut request = request.map_err(kube::Error::BuildRequest).map_err(failed)?;
        request.extensions_mut().insert(doing);
        let answer = self.client.request_stream(request);
        let answer = match limit {
            Some(limit) => timeout(limit, answer)
                .await
                .map_err(|_| Failure::broken(doing, format!("no answer within {limit:?}")))?,
            None => answer.await,
        };
        Ok(Box::pin(answer.map_err(failed)?))
    }
}

/// The complete answer to a request.
pub(super) struct Answer {
    doing: &'static str,
    body: Vec<u8>,
}

impl Answer {
    async fn read(doing: &'static str, mut reader: Reader) -> Result<Self, Failure> {
        let mut body = Vec::new();
        loop {
            let chunk = timeout(LIST_PAUSE, reader.fill_buf())
                .await
                .map_err(|_| Failure::broken(doing, format!("the answer has stopped for {LIST_PAUSE:?}")))?
                .map_err(|error| Failure::broken(doing, Causes(&error).to_string()))?;
            if chunk.is_empty() {
                return Ok(Self { doing, body });
            }
            body.extend_from_slice(chunk);
            let length = chunk.len();
            reader.as_mut().consume(length);
        }
    }

    fn text(&self) -> Result<&str, Failure> {
        std::str::from_utf8(&self.body).map_err(|_| Failure::nonsense(self.doing, "the answer is not UTF-8"))
    }

    /// Reads the answer as one page of a list.
    pub(super) fn page(&self) -> Result<Page<'_>, Failure> {
        let text = self.text()?;
        serde_json::from_str(text).map_err(|_| {
            let why = mismatch::<OwnedPage>(text);
            Failure::nonsense(self.doing, format!("the answer is not a list: {why}"))
        })
    }
}

/// One page of a list.
#[derive(Deserialize)]
pub(super) struct Page<'a> {
    #[serde(default)]
    pub(super) metadata: PageMeta,
    /// Go writes `null` for an empty list.
    #[serde(borrow, default)]
    pub(super) items: Option<Vec<&'a RawValue>>,
}

/// [`Page`], with only the fields that are needed to report an error.
#[derive(Deserialize)]
#[allow(dead_code, reason = "only read")]
struct OwnedPage {
    #[serde(default)]
    metadata: PageMeta,
    #[serde(default)]
    items: Option<Vec<serde::de::IgnoredAny>>,
}

/// The version of a list, and the token of the next page.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct PageMeta {
    pub(super) resource_version: Option<String>,
    #[serde(rename = "continue")]
    pub(super) continue_token: Option<String>,
}

#[derive(Deserialize)]
struct Resources<'a> {
    #[serde(borrow)]
    resources: Vec<DiscoveredResource<'a>>,
}

#[derive(Deserialize)]
struct DiscoveredResource<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    namespaced: bool,
}

/// The events of an open watch.
pub(super) struct Lines {
    reader: Reader,
    limit: Option<Duration>,
    /// Whether silence ends the watch without a failure.
    may_be_silent: bool,
    line: Vec<u8>,
}

/// One event of a watch.
pub(super) enum Line<'a> {
    /// An object is new or has changed.
    Changed(&'a RawValue),
    /// An object has been deleted.
    Deleted(&'a RawValue),
    /// A bookmark: there are no changes up to this version.
    Bookmark {
        version: String,
        /// Whether all existing objects have been sent.
        ends_list: bool,
    },
}

#[derive(Deserialize)]
struct RawLine<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    object: &'a RawValue,
}

impl Lines {
    /// Continues as a watch after a streamed list. The server keeps it open for longer than other watches and sends
    /// bookmarks too rarely to distinguish a quiet watch from a dead connection. So silence ends it, and another watch
    /// follows.
    pub(super) fn after_list(mut self) -> Self {
        self.may_be_silent = true;
        self
    }

    /// Returns the next event. Returns `None` if the watch has ended.
    pub(super) async fn next(&mut self) -> Result<Option<Line<'_>>, Failure> {
        const DOING: &str = "watch";
        self.line.clear();
        let read = self.reader.read_until(b'\n', &mut self.line);
        let read = match self.limit {
            Some(limit) => match timeout(limit, read).await {
                Ok(read) => read,
                Err(_) if self.may_be_silent => return Ok(None),
                Err(_) => {
                    let why = format!("the connection is silent for {limit:?}");
                    return Err(Failure::broken(DOING, why));
                }
            },
            None => read.await,
        };
        match read {
            Ok(_) if self.line.ends_with(b"\n") => {}
            // The rest of an incomplete line is useless.
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(Failure::broken(DOING, Causes(&error).to_string())),
        }
        let nonsense = || Failure::nonsense(DOING, "the server has sent a line that is not an event");
        let line = std::str::from_utf8(&self.line).map_err(|_| nonsense())?;
        let line: RawLine<'_> = match serde_json::from_str(line) {
            Ok(line) => line,
            // Some servers send the error as it is.
            Err(_) => return Err(refusal(line).unwrap_or_else(nonsense)),
        };
        match &*line.kind {
            "ADDED" | "MODIFIED" => Ok(Some(Line::Changed(line.object))),
            "DELETED" => Ok(Some(Line::Deleted(line.object))),
            "BOOKMARK" => {
                let metadata = super::unreadable::Head::of(line.object).metadata;
                let annotations = metadata.annotations.unwrap_or_default();
                Ok(Some(Line::Bookmark {
                    version: metadata.resource_version.ok_or_else(nonsense)?,
                    ends_list: annotations.contains_key(INITIAL_EVENTS_END),
                }))
            }
            "ERROR" => Err(refusal(line.object.get()).unwrap_or_else(nonsense)),
            _ => Err(nonsense()),
        }
    }
}

/// Parses an error that the server has sent in a watch.
fn refusal(text: &str) -> Option<Failure> {
    #[derive(Deserialize)]
    struct Kind {
        kind: String,
    }
    let kind: Kind = serde_json::from_str(text).ok()?;
    let status = (kind.kind == "Status").then(|| serde_json::from_str(text).ok())??;
    Some(Failure::Refused {
        doing: "watch",
        status: Box::new(status),
    })
}
