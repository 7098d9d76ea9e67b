//! The file of one minor version: a line that says where the facts come from, then deflated text.
//!
//! The text has a line for every package, type and fact, each under the one that it belongs to:
//!
//! ```text
//! api.core.v1
//!  PodSpec
//!   list containers map name
//!   map nodeSelector atomic
//!  ContainerPort
//!   default protocol "TCP"
//!  ObjectReference atomic
//! ```
//!
//! `default!` is a default of a field that is required all the same.

use kgen_model::{ListType, MapType};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// The start of the first line of a file; the version of Kubernetes follows.
const HEADER: &str = "kgen facts 1, cut from Kubernetes ";

/// A limit that is larger than the facts of any version of Kubernetes.
const MAX_TEXT: usize = 4 << 20;

/// Everything that is known about one version.
#[derive(Debug, Default)]
pub(super) struct Facts {
    types: FxHashMap<String, TypeFacts>,
}

/// The facts about a type.
#[derive(Debug, Default)]
pub(super) struct TypeFacts {
    pub(super) map_type: Option<MapType>,
    /// By their names in JSON, each once.
    pub(super) properties: Vec<(String, Property)>,
}

/// The facts about a field.
#[derive(Debug, Default)]
pub(super) struct Property {
    pub(super) list_type: Option<ListType>,
    pub(super) list_map_keys: Vec<String>,
    pub(super) map_type: Option<MapType>,
    pub(super) default: Option<Value>,
    /// Only said of fields that have a default.
    pub(super) is_required: bool,
}

impl Facts {
    /// Parses a file. Returns `None` if any part of it is invalid.
    pub(super) fn unpack(file: &[u8]) -> Option<Self> {
        let end = file.iter().position(|byte| *byte == b'\n')?;
        let (header, packed) = file.split_at(end);
        if !header.starts_with(HEADER.as_bytes()) {
            return None;
        }
        let text = miniz_oxide::inflate::decompress_to_vec_with_limit(packed.get(1..)?, MAX_TEXT).ok()?;
        Self::parse(std::str::from_utf8(&text).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut facts = Self::default();
        let mut package = "";
        let mut current: Option<(String, TypeFacts)> = None;
        for line in text.lines() {
            if let Some(fact) = line.strip_prefix("  ") {
                current.as_mut()?.1.add(fact)?;
                continue;
            }
            facts.types.extend(current.take());
            if let Some(named) = line.strip_prefix(' ') {
                let (name, map_type) = match named.split_once(' ') {
                    Some((name, word)) => (name, Some(MapType::from_word(word)?)),
                    None => (named, None),
                };
                let known = TypeFacts {
                    map_type,
                    ..TypeFacts::default()
                };
                current = Some((format!("{package}.{name}"), known));
            } else {
                package = line;
            }
        }
        facts.types.extend(current);
        Some(facts)
    }

    /// Returns the facts about a type, by its modules and its name.
    pub(super) fn of(&self, package: &[&str], name: &str) -> Option<&TypeFacts> {
        self.types.get(&format!("{}.{name}", package.join(".")))
    }
}

impl TypeFacts {
    fn add(&mut self, fact: &str) -> Option<()> {
        let (what, rest) = fact.split_once(' ')?;
        let (name, value) = rest.split_once(' ')?;
        if self.properties.last().is_none_or(|(last, _)| last != name) {
            self.properties.push((name.to_owned(), Property::default()));
        }
        let (_, property) = self.properties.last_mut()?;
        match what {
            "list" => {
                let mut words = value.split(' ');
                property.list_type = Some(ListType::from_word(words.next()?)?);
                property.list_map_keys = words.map(str::to_owned).collect();
            }
            "map" => property.map_type = Some(MapType::from_word(value)?),
            "default" | "default!" => {
                property.default = Some(serde_json::from_str(value).ok()?);
                property.is_required = what.ends_with('!');
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
api.core.v1
 ContainerPort
  default protocol \"TCP\"
 ObjectReference atomic
api.apps.v1
 Odd
  list ports map containerPort protocol
  default! mode {\"a\":1}
  list mode set
";

    #[test]
    fn facts_are_found_by_type() {
        let facts = Facts::parse(TEXT).unwrap();
        let core = ["api", "core", "v1"];
        assert_eq!(
            facts.of(&core, "ObjectReference").unwrap().map_type,
            Some(MapType::Atomic)
        );
        assert!(facts.of(&core, "Odd").is_none());
        let odd = &facts.of(&["api", "apps", "v1"], "Odd").unwrap().properties;
        assert_eq!(odd.len(), 2);
        assert_eq!(odd[0].1.list_map_keys, ["containerPort", "protocol"]);
        assert!(odd[1].1.is_required && odd[1].1.list_type == Some(ListType::Set));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in [
            "a\n  list x set\n",
            "a\n T wrong\n",
            "a\n T\n  new x y\n",
            "a\n T\n  default x {\n",
        ] {
            assert!(Facts::parse(text).is_none(), "{text}");
        }
        assert!(Facts::unpack(b"").is_none());
        assert!(Facts::unpack(b"kgen facts 2, cut from Kubernetes v1.36.0\n").is_none());
    }
}
