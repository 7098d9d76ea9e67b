//! An object as a request sees it. Most requests see an object exactly as it is stored, so its text is written only once,
//! however many clients list or watch it.

use std::borrow::Cow;

use serde_json::Value;

use crate::store::Stored;
use crate::wire::order;

/// An object in the version of a request.
#[derive(Clone)]
pub(crate) enum View {
    /// The stored object is shown as it is.
    Stored(Stored),
    /// The object was converted, or is not stored at all.
    Json(Value),
}

impl View {
    pub(crate) fn value(&self) -> &Value {
        match self {
            Self::Stored(stored) => &stored.object,
            Self::Json(value) => value,
        }
    }

    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Stored(stored) => std::sync::Arc::unwrap_or_clone(stored.object),
            Self::Json(value) => value,
        }
    }

    /// Returns the text of the object. Those of custom kinds are maps in Go, and have no order of their own.
    pub(crate) fn text(&self, is_custom: bool) -> Cow<'_, str> {
        let write = |value: &Value| {
            if is_custom {
                value.to_string()
            } else {
                order::text(value)
            }
        };
        match self {
            Self::Stored(stored) => Cow::Borrowed(stored.text.get_or_init(|| write(&stored.object))),
            Self::Json(value) => Cow::Owned(write(value)),
        }
    }
}
