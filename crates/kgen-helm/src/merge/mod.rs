//! Keeps the changes of users: hashes of what kgen wrote, and merging by key.
//!
//! A template that was edited is a problem. `Chart.yaml` and `values.yaml` are edited in place (`text`), so comments, order
//! and keys of the user stay.

mod text;

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Files, Problem, Problems};
use kgen_manifests::yaml;
use kgen_model::{GeneratedLine, Language, MergedLine};
use serde_json::Value;

use self::text::{Text, written};

/// The first line of files that are merged by key.
const MERGED: MergedLine<'_> = MergedLine {
    language: Language::Yaml,
    generator: "helm",
};

/// The start of the line with the hash of a template.
const TEMPLATE_HASH: &str = "{{- /* hash ";

/// The start of the lines with the hashes of values.
const VALUE_HASHES: &str = "# hash ";

/// The number of digits of the hash of a value.
const SHORT: usize = 8;

/// Returns the hash of a text (FNV-1a), in hexadecimal.
fn hash(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn short(value: &Value) -> String {
    let mut hash = hash(&value.to_string());
    hash.truncate(SHORT);
    hash
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

/// Returns whether a text is a file that is merged with the changes of the user.
fn is_merged(text: &str) -> bool {
    MergedLine::of_text(text) == Some(MERGED)
}

/// A value that kgen writes to a file that is merged.
pub(crate) struct Setting<'a> {
    /// The keys that lead to it.
    pub(crate) keys: Vec<&'a str>,
    /// A sentence about it.
    pub(crate) comment: Option<&'a str>,
    /// The value itself.
    pub(crate) value: &'a Value,
}

impl Setting<'_> {
    fn path(&self) -> String {
        self.keys.join(".")
    }

    fn groups(&self) -> &[&str] {
        self.keys
            .split_last()
            .map(|(_, groups)| groups)
            .unwrap_or_default()
    }

    /// Returns the lines of the value, with its comment.
    fn text(&self, indent: usize) -> String {
        let mut text = String::new();
        if let Some(comment) = self.comment {
            text.push_str(&format!("{}# {comment}\n", " ".repeat(indent)));
        }
        if let Some(key) = self.keys.last() {
            text.push_str(&written(key, self.value, indent));
        }
        text
    }
}

/// A file that was merged.
pub(crate) struct Merged {
    /// Its text.
    pub(crate) text: String,
    /// The keys at the top level that only the user has.
    pub(crate) own: Vec<String>,
}

/// Merges the values of kgen with the file that exists. A file that kgen did not write has no influence: it will not be
/// replaced.
pub(crate) fn merge(
    file: &str,
    old: Option<&String>,
    ours: &[Setting<'_>],
    problems: &mut Problems,
) -> Merged {
    let Some(old) = old.filter(|old| is_merged(old)) else {
        return Merged {
            text: header(ours) + &fresh(ours),
            own: Vec::new(),
        };
    };
    let has_returns = old.contains("\r\n");
    let old = old.replace("\r\n", "\n");
    if let Err(problem) = yaml::read(&old, Files::default().next_id()) {
        let message = format!("`{file}` of the chart cannot be merged: {}", problem.message);
        problems.push(Problem::general(Code::HelmMerge, message).help("correct the file, or delete it"));
        return Merged {
            text: old,
            own: Vec::new(),
        };
    }
    let (hashes, body) = without_hashes(&old);
    let merged = Merge {
        file,
        ours,
        users: Text(body.clone()).value(),
        hashes,
        text: Text(body),
    }
    .run(problems);
    let text = header(ours) + &merged.text;
    Merged {
        text: if has_returns {
            text.replace('\n', "\r\n")
        } else {
            text
        },
        own: merged.own,
    }
}

fn header(ours: &[Setting<'_>]) -> String {
    let mut header = format!("{MERGED}\n");
    for setting in ours {
        header.push_str(&format!(
            "{VALUE_HASHES}{} {}\n",
            short(setting.value),
            setting.path()
        ));
    }
    header
}

/// Returns the text of a new file, without its header.
fn fresh(ours: &[Setting<'_>]) -> String {
    let mut text = String::new();
    let mut open: &[&str] = &[];
    for setting in ours {
        let groups = setting.groups();
        for (depth, group) in groups.iter().enumerate() {
            if open.get(..=depth) != groups.get(..=depth) {
                text.push_str(&format!("{}{group}:\n", "  ".repeat(depth)));
            }
        }
        open = groups;
        text.push_str(&setting.text(2 * groups.len()));
    }
    text
}

/// Takes the header off a file: returns the hash of each path, and the rest of the text.
fn without_hashes(old: &str) -> (BTreeMap<String, String>, String) {
    let mut hashes = BTreeMap::new();
    let mut body = String::new();
    for line in old.lines().skip(1) {
        let hash = line
            .strip_prefix(VALUE_HASHES)
            .and_then(|rest| rest.split_once(' '))
            .filter(|(hash, _)| hash.len() == SHORT && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if let Some((hash, path)) = hash {
            hashes.insert(path.to_owned(), hash.to_owned());
        } else {
            body.push_str(line);
            body.push('\n');
        }
    }
    (hashes, body)
}

struct Merge<'a> {
    file: &'a str,
    ours: &'a [Setting<'a>],
    /// The values of the user.
    users: Value,
    /// The hash of each value that kgen wrote in the last run.
    hashes: BTreeMap<String, String>,
    text: Text,
}

impl Merge<'_> {
    fn run(mut self, problems: &mut Problems) -> Merged {
        self.remove_former();
        for (index, setting) in self.ours.iter().enumerate() {
            let expected = self.apply(setting, index, problems);
            if get(&self.text.value(), &setting.keys) != Some(&expected) {
                let message = format!(
                    "kgen cannot find a place for `{}` in `{}` of the chart",
                    setting.path(),
                    self.file
                );
                problems.push(Problem::general(Code::HelmMerge, message).help(
                    "write the groups of the file in block style, one key per line, or delete the file",
                ));
                break;
            }
        }
        let merged = self.text.value();
        let mut own = Vec::new();
        for (key, value) in merged.as_object().into_iter().flatten() {
            if self
                .ours
                .iter()
                .any(|setting| setting.keys.first() == Some(&key.as_str()))
            {
                self.refuse_unknown(&mut vec![key], value, problems);
            } else {
                own.push(key.clone());
            }
        }
        Merged {
            text: self.text.0,
            own,
        }
    }

    /// Removes values that kgen wrote, no longer writes, and nobody changed.
    fn remove_former(&mut self) {
        let former: Vec<&String> = self
            .hashes
            .iter()
            .filter(|(path, hash)| {
                let keys: Vec<&str> = path.split('.').collect();
                let is_ours = self.ours.iter().any(|setting| setting.path() == **path);
                !is_ours && get(&self.users, &keys).is_some_and(|value| short(value) == **hash)
            })
            .map(|(path, _)| path)
            .collect();
        for path in former {
            let keys: Vec<&str> = path.split('.').collect();
            // A value that stays is reported like any other that kgen does not know.
            let _ = self.text.remove(&keys);
        }
    }

    /// Puts one value into the text, unless the user changed it. Returns the value that the text then has.
    fn apply(&mut self, setting: &Setting<'_>, index: usize, problems: &mut Problems) -> Value {
        let new = setting.value;
        let Some(user) = get(&self.users, &setting.keys) else {
            let before = self.ours.get(..index).unwrap_or_default();
            let _ = self.text.insert(setting, before);
            return new.clone();
        };
        if user == new {
            return new.clone();
        }
        let before = self.hashes.get(&setting.path());
        if before == Some(&short(user)) {
            let _ = self.text.replace(&setting.keys, new);
            return new.clone();
        }
        if before != Some(&short(new)) {
            let message = format!(
                "`{}` of `{}` was changed, and so was its default: your value `{user}` is kept",
                setting.path(),
                self.file
            );
            problems.push(
                Problem::general_warning(Code::HelmMerge, message)
                    .help(format!("the new default is `{new}`")),
            );
        }
        user.clone()
    }

    /// Refuses keys of users inside a group of kgen: the chart would not use them.
    fn refuse_unknown<'v>(&self, path: &mut Vec<&'v str>, value: &'v Value, problems: &mut Problems) {
        let mut settings = self.ours.iter().map(|setting| setting.keys.as_slice());
        if settings.clone().any(|known| known == path.as_slice()) {
            return;
        }
        if !settings.any(|known| known.starts_with(path)) {
            let message = format!(
                "the chart has no value `{}`, but `{}` sets it",
                path.join("."),
                self.file
            );
            problems.push(
                Problem::general(Code::HelmMerge, message)
                    .help("correct its name, or move it to a key of your own at the top level"),
            );
            return;
        }
        for (key, value) in value.as_object().into_iter().flatten() {
            path.push(key);
            self.refuse_unknown(path, value, problems);
            path.pop();
        }
    }
}

fn get<'v>(root: &'v Value, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().try_fold(root, |node, key| node.get(key))
}

#[cfg(test)]
mod tests;
