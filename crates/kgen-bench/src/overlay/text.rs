//! The file that the front end reads: a line that says where the facts come from, then deflated text.
//!
//! `kgen-frontend/src/shape/overlay/facts.rs` reads it, and shows what the text looks like.

use std::fmt::Write;

use miniz_oxide::deflate::compress_to_vec;

use super::documents::Facts;

/// The strongest compression: the file is packed once and never changes.
const LEVEL: u8 = 10;

/// Returns the facts as text, in the order of their names.
pub fn render(facts: &Facts) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for (package, types) in facts {
        let _ = writeln!(text, "{package}");
        for (name, known) in types {
            let _ = match &known.map_type {
                Some(map_type) => writeln!(text, " {name} {map_type}"),
                None => writeln!(text, " {name}"),
            };
            for (property, known) in &known.properties {
                if let Some((list_type, keys)) = &known.list {
                    let words: Vec<_> = std::iter::once(list_type)
                        .chain(keys)
                        .map(String::as_str)
                        .collect();
                    let _ = writeln!(text, "  list {property} {}", words.join(" "));
                }
                if let Some(map_type) = &known.map_type {
                    let _ = writeln!(text, "  map {property} {map_type}");
                }
                if let Some((value, is_required)) = &known.default {
                    let word = if *is_required { "default!" } else { "default" };
                    let _ = writeln!(text, "  {word} {property} {value}");
                }
            }
        }
    }
    text
}

/// Returns the whole file.
pub fn pack(version: &str, facts: &str) -> Vec<u8> {
    let mut file = format!("kgen facts 1, cut from Kubernetes {version}\n").into_bytes();
    file.extend(compress_to_vec(facts.as_bytes(), LEVEL));
    file
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::documents::{PropertyFacts, TypeFacts};
    use super::*;

    #[test]
    fn a_line_for_every_fact() {
        let port = PropertyFacts {
            list: Some(("map".to_owned(), vec!["port".to_owned(), "protocol".to_owned()])),
            ..PropertyFacts::default()
        };
        let mode = PropertyFacts {
            map_type: Some("granular".to_owned()),
            default: Some((json!({"single": {}}), true)),
            ..PropertyFacts::default()
        };
        let known = TypeFacts {
            map_type: Some("atomic".to_owned()),
            properties: [("ports".to_owned(), port), ("mode".to_owned(), mode)].into(),
        };
        let facts = Facts::from([("api.core.v1".to_owned(), [("Service".to_owned(), known)].into())]);
        let expected = "\
api.core.v1
 Service atomic
  map mode granular
  default! mode {\"single\":{}}
  list ports map port protocol
";
        assert_eq!(render(&facts), expected);
        let file = pack("v1.99.0", expected);
        assert!(file.starts_with(b"kgen facts 1, cut from Kubernetes v1.99.0\n"));
        assert_eq!(file, pack("v1.99.0", expected));
    }
}
