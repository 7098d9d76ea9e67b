//! What is told, and the Event object that it becomes.

use std::fmt;

use k8s_openapi::api::core::v1::{Event, EventSource, ObjectReference};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use k8s_openapi::jiff::Timestamp;

use crate::random::uuid;

/// Whether an event is good news.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum EventType {
    /// Something went as it should.
    Normal,
    /// Something may need attention.
    Warning,
}

impl EventType {
    /// As Kubernetes writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}

/// Something that happened to an object. Shown as `Type Reason message`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Occurrence {
    /// The object.
    pub regarding: ObjectReference,
    /// Good news or not.
    pub event_type: EventType,
    /// Why, in one word of CamelCase for programs.
    pub reason: String,
    /// What, in a sentence for people.
    pub message: String,
    /// When.
    pub time: Timestamp,
}

impl fmt::Display for Occurrence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} {} {}",
            self.event_type.as_str(),
            self.reason,
            self.message
        )
    }
}

/// Who tells.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) component: String,
    pub(super) host: Option<String>,
}

/// What is known of an event that was written before.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) name: String,
    pub(super) count: i32,
    pub(super) first: Timestamp,
}

/// The namespace in which the event of an object lies. Objects without one have theirs in `default`.
pub(super) fn namespace_of(regarding: &ObjectReference) -> &str {
    regarding
        .namespace
        .as_deref()
        .filter(|namespace| !namespace.is_empty())
        .unwrap_or("default")
}

/// The Event object.
pub(super) fn event(occurrence: &Occurrence, message: &str, written: &Written, source: &Source) -> Event {
    Event {
        metadata: ObjectMeta {
            name: Some(written.name.clone()),
            namespace: Some(namespace_of(&occurrence.regarding).to_owned()),
            ..ObjectMeta::default()
        },
        involved_object: occurrence.regarding.clone(),
        type_: Some(occurrence.event_type.as_str().to_owned()),
        reason: Some(occurrence.reason.clone()),
        message: Some(message.to_owned()),
        count: Some(written.count),
        first_timestamp: Some(Time(written.first)),
        last_timestamp: Some(Time(occurrence.time)),
        source: Some(EventSource {
            component: Some(source.component.clone()),
            host: source.host.clone(),
        }),
        reporting_component: Some(source.component.clone()),
        reporting_instance: Some(source.host.clone().unwrap_or_default()),
        ..Event::default()
    }
}

/// The name of a new event: that of the object and the time; something random if that would not be a name.
pub(super) fn new_name(object: &str, nanosecond: i128) -> String {
    let name = format!("{object}.{nanosecond:x}");
    if is_subdomain(&name) { name } else { uuid() }
}

/// Whether the API accepts `name` as the name of an object: a DNS subdomain.
fn is_subdomain(name: &str) -> bool {
    let alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let label = |label: &str| {
        let bytes = label.as_bytes();
        bytes.first().copied().is_some_and(alphanumeric)
            && bytes.last().copied().is_some_and(alphanumeric)
            && bytes.iter().all(|byte| alphanumeric(*byte) || *byte == b'-')
    };
    name.len() <= 253 && name.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid() {
        assert_eq!(new_name("foo", 0x17ab), "foo.17ab");
        assert_eq!(new_name("system.foo-1", 1), "system.foo-1.1");
        let uuids =
            ["Foo", "", "system:role", "-a", "a..b", &"a".repeat(252)].map(|object| new_name(object, 1));
        for name in uuids {
            assert!(is_subdomain(&name), "{name}");
            assert_eq!(name.len(), 36, "{name}");
            assert_eq!(name.as_bytes()[14], b'4', "{name}");
            assert!(b"89ab".contains(&name.as_bytes()[19]), "{name}");
        }
    }
}
