//! An event, and its Event object.

use std::fmt;

use k8s_openapi::api::core::v1::{Event, EventSource, ObjectReference};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use k8s_openapi::jiff::Timestamp;

use crate::random::uuid;

/// The type of an event.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum EventType {
    /// A normal operation.
    Normal,
    /// A problem that can need attention.
    Warning,
}

impl EventType {
    /// Returns the value in Kubernetes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}

/// A recorded event. It is printed as `Type Reason message`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Occurrence {
    /// The object.
    pub regarding: ObjectReference,
    /// The type.
    pub event_type: EventType,
    /// The reason: one word in CamelCase, for programs.
    pub reason: String,
    /// The message, for people.
    pub message: String,
    /// The time.
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

/// The component that reports the event.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) component: String,
    pub(super) host: Option<String>,
}

/// An event that was written before.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) name: String,
    pub(super) count: i32,
    pub(super) first: Timestamp,
}

/// Returns the namespace for the event of an object. Events of cluster-scoped objects are in `default`.
pub(super) fn namespace_of(regarding: &ObjectReference) -> &str {
    regarding
        .namespace
        .as_deref()
        .filter(|namespace| !namespace.is_empty())
        .unwrap_or("default")
}

/// Builds the Event object.
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

/// Returns the name of a new event: the name of the object and the time, or a random name if that is not valid.
pub(super) fn new_name(object: &str, nanosecond: i128) -> String {
    let name = format!("{object}.{nanosecond:x}");
    if is_subdomain(&name) { name } else { uuid() }
}

/// Returns whether `name` is valid as the name of an object: a DNS subdomain.
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
