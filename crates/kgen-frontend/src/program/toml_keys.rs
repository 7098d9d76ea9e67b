//! Reads single values of cargo's TOML files by their keys.
//!
//! A value of an unexpected type counts as absent: cargo itself reports such mistakes. `kgen.toml` has its own reader, which
//! reports them at their place.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml::de::{DeTable, DeValue};

/// Returns the string at a key.
pub(super) fn text(table: &DeTable<'_>, key: &str) -> Option<String> {
    table.get(key)?.get_ref().as_str().map(str::to_owned)
}

/// Returns the path at a key.
pub(super) fn path(table: &DeTable<'_>, key: &str) -> Option<PathBuf> {
    table.get(key)?.get_ref().as_str().map(PathBuf::from)
}

/// Returns the boolean at a key.
pub(super) fn boolean(table: &DeTable<'_>, key: &str) -> Option<bool> {
    table.get(key)?.get_ref().as_bool()
}

/// Returns the table at a key.
pub(super) fn table<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeTable<'i>> {
    table.get(key)?.get_ref().as_table()
}

/// Returns the strings of the array at a key.
pub(super) fn texts(table: &DeTable<'_>, key: &str) -> Vec<String> {
    table
        .get(key)
        .map(|value| texts_of(value.get_ref()))
        .unwrap_or_default()
}

/// Returns the strings of an array.
pub(super) fn texts_of(value: &DeValue<'_>) -> Vec<String> {
    let items = value.as_array().into_iter().flat_map(|array| array.iter());
    items
        .filter_map(|item| item.get_ref().as_str())
        .map(str::to_owned)
        .collect()
}

/// Reads every table of the array at a key.
pub(super) fn tables<T>(table: &DeTable<'_>, key: &str, read: impl Fn(&DeTable<'_>) -> Option<T>) -> Vec<T> {
    let array = table.get(key).and_then(|value| value.get_ref().as_array());
    let items = array.into_iter().flat_map(|array| array.iter());
    items
        .filter_map(|item| item.get_ref().as_table())
        .filter_map(read)
        .collect()
}

/// Reads every entry of the table at a key.
pub(super) fn entries<T>(
    table: &DeTable<'_>,
    key: &str,
    read: impl Fn(&DeValue<'_>) -> Option<T>,
) -> BTreeMap<String, T> {
    let found = table.get(key).and_then(|value| value.get_ref().as_table());
    let pairs = found.into_iter().flat_map(|table| table.iter());
    pairs
        .filter_map(|(name, value)| Some((name.get_ref().to_string(), read(value.get_ref())?)))
        .collect()
}
