//! Values that are nested deeply. The API server accepts objects of 10,000 levels, and one object that does not convert makes every
//! list unreadable that contains it.
//!
//! All code that reads, converts, compares, writes and drops values is recursive. It runs on the stack of its caller for usual
//! values, and on a large stack for the others.

use std::io;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The limit of the API server: `maxNestingDepth` of `sigs.k8s.io/json`.
pub(super) const MAX_DEPTH: usize = 10_000;
/// The depth from which on a value is not read on a usual stack: the limit of `serde_json`, without the levels around an object.
pub(super) const USUAL_DEPTH: usize = 100;
/// A level needs about 6 KiB in a build without optimization. Only the used part of a stack takes memory.
const STACK_BYTES: usize = 256 * 1024 * 1024;

/// Limits the memory of deep values: they need much more of it than their text.
static LARGE_STACK: Mutex<()> = Mutex::new(());

/// Runs work on a large stack. Waits until other work on a large stack is done.
///
/// # Errors
///
/// Fails if no thread can be started.
pub(super) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    let _only = LARGE_STACK.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("deep-conversion".to_owned());
        let running = builder.stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        Ok(running.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// Returns whether a value was not read because it is nested deeply.
pub(super) fn is_recursion_limit(error: &serde_json::Error) -> bool {
    error.is_syntax() && error.to_string().starts_with("recursion limit exceeded")
}

/// Returns whether a JSON text is nested deeply.
pub(super) fn is_deep(text: &str) -> bool {
    has_more_levels(text, USUAL_DEPTH)
}

fn has_more_levels(text: &str, limit: usize) -> bool {
    let (mut depth, mut is_in_string, mut is_escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_in_string,
            b'"' => is_in_string = !is_in_string,
            _ if is_in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limit {
            return true;
        }
    }
    false
}

/// Returns whether a value has more levels than a limit.
pub(super) fn is_deeper(value: &Value, limit: usize) -> bool {
    let mut waiting = vec![(value, 0)];
    while let Some((value, depth)) = waiting.pop() {
        if depth > limit {
            return true;
        }
        match value {
            Value::Array(items) => waiting.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(entries) => waiting.extend(entries.values().map(|entry| (entry, depth + 1))),
            _ => {}
        }
    }
    false
}

/// Reads a value of any depth that the API server accepts. This needs a large stack.
pub(super) fn read(text: &str) -> serde_json::Result<Value> {
    if has_more_levels(text, MAX_DEPTH) {
        let message = format!("a value is nested more than {MAX_DEPTH} levels deep");
        return Err(serde_json::Error::custom(message));
    }
    read_all(text)
}

fn read_all(text: &str) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Level(0).deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// A value, with the number of levels above it. As `serde_json` has a limit for one text, a deep part is first taken as text.
#[derive(Clone, Copy)]
struct Level(usize);

impl Level {
    fn inner(self) -> Self {
        Self(self.0 + 1)
    }

    fn is_last(self) -> bool {
        self.0 == USUAL_DEPTH
    }
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Value;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = match self.is_last() {
                true => read_all(map.next_value::<&'de RawValue>()?.get()).map_err(A::Error::custom)?,
                false => map.next_value_seed(self.inner())?,
            };
            entries.insert(name, value);
        }
        Ok(Value::Object(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        loop {
            let value = match self.is_last() {
                true => match items.next_element::<&'de RawValue>()? {
                    Some(text) => Some(read_all(text.get()).map_err(A::Error::custom)?),
                    None => None,
                },
                false => items.next_element_seed(self.inner())?,
            };
            match value {
                Some(value) => values.push(value),
                None => return Ok(Value::Array(values)),
            }
        }
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }
}
