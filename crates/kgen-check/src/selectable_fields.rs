//! Fields that field selectors may name.
//!
//! Mirrors `ValidateCustomResourceSelectableFields` of the API server.

use std::collections::BTreeMap;

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{JsonType, KindVersion};
use kgen_schema::field_path::Notation;

use super::field_path;

/// How many fields of a version can be selected by.
const MOST_FIELDS: usize = 8;

/// Checks all selectable fields of a version.
pub(super) fn check(version: &KindVersion, problems: &mut Problems) {
    let mut seen = BTreeMap::new();
    for field in &version.selectable_fields {
        let path = field.value.as_str();
        let error = |message: String| Problem::error(Code::JsonPath, field.span, message);
        let leaf = match field_path::follow(&version.schema, true, path, Notation::Dots) {
            _ if path.is_empty() => Err("it is empty".into()),
            _ if path.split('.').nth(1) == Some("metadata") => {
                Err("metadata has its own field selectors".into())
            }
            found => found,
        };
        match leaf {
            Err(refusal) => {
                let message = format!(
                    "the path `{path}` cannot be a selectable field: {}",
                    refusal.message
                );
                problems.push(refusal.add_to(error(message), path, Some(field.span)));
                continue;
            }
            Ok(schema) => {
                if !matches!(
                    schema.json_type,
                    Some(JsonType::String | JsonType::Boolean | JsonType::Integer)
                ) {
                    let found = schema.json_type.map_or("has no single type".to_owned(), |found| {
                        format!("has type `{}`", found.word())
                    });
                    problems.push(
                        error(format!(
                            "the path `{path}` cannot be a selectable field: it {found}"
                        ))
                        .help("select a string, a boolean or an integer"),
                    );
                }
            }
        }
        if let Some(first) = seen.get(path) {
            let problem = error(format!("the path `{path}` is listed twice"));
            problems.push(problem.related(*first, "the first one"));
        } else {
            seen.insert(path, field.span);
            if seen.len() == MOST_FIELDS + 1 {
                let message = format!("there are more than {MOST_FIELDS} selectable fields");
                problems.push(error(message));
            }
        }
    }
}
