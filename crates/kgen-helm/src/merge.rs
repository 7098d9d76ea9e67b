//! Keeps the changes of users: hashes of what kgen wrote, and merging by key.

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Files, Problem, Problems};
use kgen_model::GeneratedLine;
use serde_json::Value;

use crate::values::get;

/// The start of the line with the hash of a template.
const TEMPLATE_HASH: &str = "{{- /* hash ";

/// The start of the lines with the hashes of values.
const VALUE_HASHES: &str = "# hash ";

/// Returns the hash of a text (FNV-1a), in hexadecimal.
fn hash(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// Returns the line with the hash of a template.
pub(crate) fn template_hash(text: &str) -> String {
    format!("{TEMPLATE_HASH}{} */ -}}}}", hash(text))
}

/// Returns whether kgen wrote a template and someone changed it since.
pub(crate) fn is_edited(old: &str) -> bool {
    let old = old.replace("\r\n", "\n");
    if GeneratedLine::of_text(&old).is_none() {
        return false;
    }
    let mut parts = old.splitn(3, '\n').skip(1);
    let (line, body) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    line != template_hash(body)
}

/// A file that is merged by key: the values to write, and the lines with their hashes.
pub(crate) struct Merged {
    /// The value of each path of kgen.
    pub(crate) values: BTreeMap<String, Value>,
    /// Keys at the top level that only the user has.
    pub(crate) own: BTreeMap<String, Value>,
    /// The lines of the header with the hashes.
    pub(crate) header: String,
}

/// Merges the values of kgen with the file that exists.
pub(crate) fn merge(
    file: &str,
    old: Option<&String>,
    ours: &[(String, Value)],
    problems: &mut Problems,
) -> Merged {
    let old = old.map(String::as_str).unwrap_or_default();
    let documents = kgen_manifests::yaml::read(old, Files::default().next_id()).unwrap_or_else(|_| {
        let message = format!("`{file}` of the chart is not valid YAML, so it cannot be merged");
        problems.push(Problem::general(Code::HelmMerge, message).help("correct the file, or delete it"));
        Vec::new()
    });
    let users = documents
        .first()
        .map(kgen_manifests::yaml::Node::to_json)
        .unwrap_or_default();
    let hashes: BTreeMap<&str, &str> = old
        .lines()
        .filter_map(|line| line.strip_prefix(VALUE_HASHES)?.split_once(' '))
        .map(|(hash, path)| (path, hash))
        .collect();
    let mut values = BTreeMap::new();
    let mut header = String::new();
    for (path, new) in ours {
        let new_hash = short(new);
        header.push_str(&format!("{VALUE_HASHES}{new_hash} {path}\n"));
        let kept = get(&users, path).filter(|user| {
            let before = hashes.get(path.as_str()).copied();
            before != Some(short(user).as_str()) && *user != new
        });
        if let Some(user) = kept
            && hashes.get(path.as_str()).copied() != Some(new_hash.as_str())
        {
            let message = format!(
                "`{path}` of `{file}` was changed, and so was its default: your value `{user}` is kept"
            );
            problems.push(
                Problem::general_warning(Code::HelmMerge, message)
                    .help(format!("the new default is `{new}`")),
            );
        }
        values.insert(path.clone(), kept.unwrap_or(new).clone());
    }
    let tops: Vec<&str> = ours
        .iter()
        .map(|(path, _)| path.split('.').next().unwrap_or(path))
        .collect();
    for (key, value) in users.as_object().into_iter().flatten() {
        if tops.contains(&key.as_str()) {
            refuse_unknown(file, key, value, ours, problems);
        }
    }
    let own = users
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| !tops.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    Merged { values, own, header }
}

/// Refuses keys of users inside a group of kgen: the chart would not use them, and they cannot be kept apart from kgen's.
fn refuse_unknown(file: &str, path: &str, value: &Value, ours: &[(String, Value)], problems: &mut Problems) {
    if ours.iter().any(|(known, _)| known == path) {
        return;
    }
    let group = format!("{path}.");
    if !ours.iter().any(|(known, _)| known.starts_with(&group)) {
        let message = format!("the chart has no value `{path}`, but `{file}` sets it");
        problems.push(
            Problem::general(Code::HelmMerge, message)
                .help("correct its name, or move it to a key of your own at the top level"),
        );
        return;
    }
    for (key, value) in value.as_object().into_iter().flatten() {
        refuse_unknown(file, &format!("{group}{key}"), value, ours, problems);
    }
}

fn short(value: &Value) -> String {
    let mut hash = hash(&value.to_string());
    hash.truncate(8);
    hash
}
