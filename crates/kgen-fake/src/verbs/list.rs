//! Reading collections, and the start of watches.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kgen_schema::{ErrorKind, FieldError};
use serde_json::{Map, Value, json};

use super::{Answer, Content, Request};
use crate::kind::Kind;
use crate::meta;
use crate::selector::{FieldSelector, LabelSelector};
use crate::state::State;
use crate::status::Failure;
use crate::store::Stored;
use crate::view::View;
use crate::watch::Event;

/// The conditions that objects of a collection meet.
#[derive(Clone)]
pub(crate) struct Filter {
    pub(crate) kind: Arc<Kind>,
    pub(crate) version: String,
    /// The beginning of all keys.
    pub(crate) prefix: String,
    labels: LabelSelector,
    fields: FieldSelector,
    /// The only name, for the watch of a single object.
    name: String,
}

impl Filter {
    fn read(request: &Request<'_>) -> Result<Self, Failure> {
        let query = &request.call.query;
        let labels = LabelSelector::parse(query.text("labelSelector")).map_err(Failure::bad_request)?;
        let fields = FieldSelector::parse(query.text("fieldSelector")).map_err(Failure::bad_request)?;
        for condition in fields.conditions() {
            if !request.kind.is_selectable(request.version(), &condition.field) {
                let field = &condition.field;
                let is_plain = request.kind.row().is_some_and(|row| row.selectable.is_empty());
                return Err(Failure::bad_request(if is_plain {
                    format!(
                        "\"{field}\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                    )
                } else {
                    format!("field label not supported: {field}")
                }));
            }
        }
        let prefix = match request.scope() {
            "" => String::new(),
            namespace => format!("{namespace}/"),
        };
        Ok(Self {
            kind: request.kind.clone(),
            version: request.version().to_owned(),
            prefix,
            labels,
            fields,
            name: request.name().to_owned(),
        })
    }

    pub(crate) fn matches(&self, object: &Value) -> bool {
        let is_named = self.name.is_empty() || self.name == meta::name(object);
        is_named && self.labels.matches(object) && self.fields.matches(|field| self.kind.field(object, field))
    }

    fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }
}

/// A watch that a request starts.
pub(crate) struct Follow {
    pub(crate) filter: Filter,
    /// Events that are sent first.
    pub(crate) initial: Vec<Event>,
    /// Changes after this revision are sent.
    pub(crate) after: u64,
    pub(crate) sends_bookmarks: bool,
    pub(crate) timeout: Option<std::time::Duration>,
    /// The watch ends with this failure.
    pub(crate) failure: Option<Failure>,
}

/// How the resource version of a list is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    Unset,
    Exact,
    NotOlderThan,
}

struct ListOptions {
    version: Option<u64>,
    version_text: String,
    matching: Match,
    limit: i64,
    token: String,
    timeout: Option<i64>,
}

impl ListOptions {
    fn read(request: &Request<'_>, is_watch: bool) -> Result<Self, Failure> {
        let query = &request.call.query;
        let number = |key: &str| match query.get(key) {
            None | Some("") => Ok(None),
            Some(text) => text.parse::<i64>().map(Some).map_err(|_| {
                Failure::bad_request(format!("strconv.ParseInt: parsing \"{text}\": invalid syntax"))
            }),
        };
        let limit = number("limit")?.unwrap_or(0);
        let timeout = number("timeoutSeconds")?;
        let version_text = query.text("resourceVersion").to_owned();
        let mut matching_text = query.text("resourceVersionMatch");
        let token = query.text("continue").to_owned();
        let initial = query.get("sendInitialEvents");
        let mut errors = Vec::new();
        let field = "resourceVersionMatch";
        let mut forbid = |detail: &str| errors.push(FieldError::new(ErrorKind::Forbidden, field, detail));
        if is_watch && initial.is_some() {
            if matching_text != "NotOlderThan" {
                forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
            }
        } else if is_watch && !matching_text.is_empty() {
            forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        }
        if is_watch {
            if !token.is_empty() {
                forbid("resourceVersionMatch is forbidden when continue is provided");
            }
            if !matching_text.is_empty() && matching_text != "NotOlderThan" {
                errors.push(FieldError::not_supported(field, matching_text, &["NotOlderThan"]));
            }
        } else {
            if initial.is_some() {
                let detail = "sendInitialEvents is forbidden for list";
                errors.push(FieldError::new(ErrorKind::Forbidden, "sendInitialEvents", detail));
                matching_text = "";
            }
            if !matching_text.is_empty() {
                let mut forbid =
                    |detail: &str| errors.push(FieldError::new(ErrorKind::Forbidden, field, detail));
                if version_text.is_empty() {
                    forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
                }
                if !token.is_empty() {
                    forbid("resourceVersionMatch is forbidden when continue is provided");
                }
                if !matches!(matching_text, "Exact" | "NotOlderThan") {
                    let supported = ["Exact", "NotOlderThan", ""];
                    errors.push(FieldError::not_supported(field, matching_text, &supported));
                } else if matching_text == "Exact" && version_text == "0" {
                    forbid_exact(&mut errors);
                }
            }
        }
        if !errors.is_empty() {
            return Err(Failure::invalid_options("ListOptions", &errors));
        }
        let version = match version_text.as_str() {
            "" => None,
            text => Some(text.parse::<u64>().map_err(|_| {
                let message = format!(
                    "resourceVersion: Invalid value: \"{text}\": strconv.ParseUint: parsing \"{text}\": invalid syntax"
                );
                if is_watch {
                    Failure::internal(message)
                } else {
                    Failure::bad_request(format!("invalid resource version: {message}"))
                }
            })?),
        };
        Ok(Self {
            version,
            version_text,
            matching: match matching_text {
                "Exact" => Match::Exact,
                "NotOlderThan" => Match::NotOlderThan,
                _ => Match::Unset,
            },
            limit,
            token,
            timeout,
        })
    }
}

fn forbid_exact(errors: &mut Vec<FieldError>) {
    let detail = "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"";
    errors.push(FieldError::new(
        ErrorKind::Forbidden,
        "resourceVersionMatch",
        detail,
    ));
}

/// Objects of a collection, with the metadata of the list.
#[derive(Clone)]
pub(crate) struct Listed {
    pub(super) items: Vec<View>,
    version: u64,
    token: Option<String>,
    remaining: Option<usize>,
}

impl Listed {
    pub(super) fn into_answer(self, request: &Request<'_>) -> Answer {
        let kind = &request.kind;
        let mut metadata = Map::new();
        metadata.insert(
            "resourceVersion".to_owned(),
            Value::from(self.version.to_string()),
        );
        match &self.token {
            Some(token) => {
                metadata.insert("continue".to_owned(), Value::from(token.as_str()));
            }
            None if kind.is_custom() => {
                metadata.insert("continue".to_owned(), Value::from(""));
            }
            None => {}
        }
        if let Some(remaining) = self.remaining {
            metadata.insert("remainingItemCount".to_owned(), Value::from(remaining));
        }
        let head = json!({
            "kind": kind.list_kind,
            "apiVersion": kind.api_version(request.version()),
            "metadata": metadata,
        });
        Answer {
            code: 200,
            content: Content::List {
                head,
                items: self.items,
                shown: request.shown(true),
            },
            warnings: Vec::new(),
        }
    }
}

pub(super) fn list(state: &State, request: &Request<'_>) -> Result<Answer, Failure> {
    Ok(collection(state, request)?.into_answer(request))
}

/// The objects that a request asks for.
pub(super) fn collection(state: &State, request: &Request<'_>) -> Result<Listed, Failure> {
    let filter = Filter::read(request)?;
    let options = ListOptions::read(request, false)?;
    let current = state.store.revision();
    if let Some(version) = options.version
        && version > current
        && options.token.is_empty()
    {
        return Err(Failure::too_large_version(version, current));
    }
    let resource = &*filter.kind.resource;
    // A list at version 0 comes from the cache, which has no pages.
    let limit = if options.version_text == "0" {
        0
    } else {
        options.limit
    };
    let limit = usize::try_from(limit).unwrap_or(0);
    let mut start = None;
    let mut at = None;
    if !options.token.is_empty() {
        if options.version.is_some_and(|version| version != 0) {
            return Err(Failure::bad_request(
                "specifying resource version is not allowed when using continue",
            ));
        }
        let (version, key) = read_token(&options.token, &filter.prefix)?;
        start = Some(key);
        at = version;
    } else if options.matching == Match::Exact
        || (options.matching == Match::Unset
            && limit > 0
            && options.version.is_some_and(|version| version > 0))
    {
        at = options.version;
    }
    let objects: Vec<(String, Stored)> = match at.filter(|version| *version < current) {
        Some(version) => match state.store.list_at(resource, &filter.prefix, version) {
            Some(objects) => objects.into_iter().collect(),
            None if start.is_some() => {
                let message = "The provided continue parameter is too old to display a consistent list result. You can \
                               start a new list without the continue parameter, or use the continue token in this response \
                               to retrieve the remainder of the results. Continuing with the provided token results in an \
                               inconsistent list - objects that were created, modified, or deleted between the time the \
                               first chunk was returned and now may show up in the list.";
                let token = write_token(None, start.as_deref().unwrap_or_default(), &filter.prefix);
                return Err(Failure::expired(message).with_continue(token));
            }
            None => {
                return Err(Failure::expired(
                    "The resourceVersion for the provided list is too old.",
                ));
            }
        },
        None => state
            .store
            .list(resource, &filter.prefix)
            .map(|(key, stored)| (key.clone(), stored.clone()))
            .collect(),
    };
    let version = at.unwrap_or(current);
    let mut items = Vec::new();
    let mut token = None;
    let mut remaining = None;
    let after_start = |key: &String| start.as_ref().is_none_or(|start| key.as_str() >= start.as_str());
    let objects: Vec<&(String, Stored)> = objects.iter().filter(|(key, _)| after_start(key)).collect();
    for (index, (key, stored)) in objects.iter().enumerate() {
        let object = filter.kind.view(stored, &filter.version)?;
        if !filter.matches(object.value()) {
            continue;
        }
        if limit > 0 && items.len() == limit {
            let last: &str = items.last().map_or("", |(key, _): &(&String, View)| key.as_str());
            token = Some(write_token(Some(version), &format!("{last}\0"), &filter.prefix));
            remaining = filter.is_empty().then(|| objects.len() - index);
            break;
        }
        items.push((key, object));
    }
    Ok(Listed {
        items: items.into_iter().map(|(_, object)| object).collect(),
        version,
        token,
        remaining,
    })
}

/// Writes a continue token. Without a version, the rest of the list is read as it is by then.
fn write_token(version: Option<u64>, key: &str, prefix: &str) -> String {
    let start = key.strip_prefix(prefix).unwrap_or(key);
    let version = version.map_or(-1, |version| i64::try_from(version).unwrap_or(i64::MAX));
    let token = json!({"v": "meta.k8s.io/v1", "rv": version, "start": start});
    URL_SAFE_NO_PAD.encode(token.to_string())
}

/// Reads a continue token. Returns the version, if it has one, and the first key.
fn read_token(token: &str, prefix: &str) -> Result<(Option<u64>, String), Failure> {
    let invalid = |message: String| {
        Failure::bad_request(format!(
            "invalid continue token: continue key is not valid: {message}"
        ))
    };
    let bytes = URL_SAFE_NO_PAD.decode(token).map_err(|error| {
        let place = match error {
            base64::DecodeError::InvalidByte(place, _) => place,
            _ => token.len().saturating_sub(1),
        };
        invalid(format!("illegal base64 data at input byte {place}"))
    })?;
    let json: Value = serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))?;
    if json.get("v").and_then(Value::as_str) != Some("meta.k8s.io/v1") {
        return Err(invalid(format!(
            "server does not recognize this encoded version \"{}\"",
            json.get("v").and_then(Value::as_str).unwrap_or_default()
        )));
    }
    let version = json.get("rv").and_then(Value::as_i64).unwrap_or(0);
    if version == 0 {
        return Err(invalid(
            "incorrect encoded start resourceVersion (version meta.k8s.io/v1)".to_owned(),
        ));
    }
    let start = json.get("start").and_then(Value::as_str).unwrap_or_default();
    if start.is_empty() {
        return Err(invalid(
            "encoded start key empty (version meta.k8s.io/v1)".to_owned(),
        ));
    }
    Ok((u64::try_from(version).ok(), format!("{prefix}{start}")))
}

/// Starts a watch.
pub(super) fn watch(state: &State, request: &Request<'_>) -> Result<Answer, Failure> {
    let filter = Filter::read(request)?;
    let options = ListOptions::read(request, true)?;
    let query = &request.call.query;
    let current = state.store.revision();
    let sends_bookmarks = query.flag("allowWatchBookmarks");
    let mut initial = Vec::new();
    let mut after = options.version.unwrap_or(0);
    let mut failure = None;
    // A watch from the beginning starts with all objects, even if it does not say so.
    let wants_initial = match query.get("sendInitialEvents") {
        Some(_) => query.flag("sendInitialEvents"),
        None => after == 0,
    };
    if wants_initial {
        for (_, stored) in state.store.list(&filter.kind.resource, &filter.prefix) {
            let object = filter.kind.view(stored, &filter.version)?;
            if filter.matches(object.value()) {
                initial.push(Event::new("ADDED", object));
            }
        }
        if sends_bookmarks {
            let mut bookmark = bookmark(&filter, after.max(current));
            let end = json!({"k8s.io/initial-events-end": "true"});
            meta::set(&mut bookmark, "annotations", end);
            initial.push(Event::new("BOOKMARK", View::Json(bookmark)));
        }
        after = after.max(current);
    } else if after == 0 {
        after = current;
    } else if after < filter.kind.floor.max(state.store.compacted()) {
        let oldest = filter.kind.floor.max(state.store.compacted());
        failure = Some(Failure::expired(format!(
            "too old resource version: {after} ({oldest})"
        )));
    }
    let timeout = options.timeout.filter(|seconds| *seconds > 0);
    Ok(Answer {
        code: 200,
        content: Content::Watch(Box::new(Follow {
            filter,
            initial,
            after,
            sends_bookmarks,
            timeout: timeout
                .and_then(|seconds| u64::try_from(seconds).ok())
                .map(std::time::Duration::from_secs),
            failure,
        })),
        warnings: Vec::new(),
    })
}

/// Returns the object of a bookmark.
pub(crate) fn bookmark(filter: &Filter, revision: u64) -> Value {
    json!({
        "kind": filter.kind.kind,
        "apiVersion": filter.kind.api_version(&filter.version),
        "metadata": {"resourceVersion": revision.to_string()},
    })
}
