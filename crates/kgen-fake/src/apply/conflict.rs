//! The errors of an apply: conflicts with other managers, and objects that cannot be applied.

use std::fmt;

use serde_json::{Value, json};

use super::managed::{Identity, Operation};
use super::set::{Path, Set};

/// A path that another manager owns and that the apply would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The other manager.
    pub owner: Identity,
    /// The path.
    pub path: Path,
}

/// The reason why an apply failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApplyError {
    /// Other managers own fields that the apply would change: 409.
    Conflicts(Vec<Conflict>),
    /// The request is wrong: 400.
    BadRequest(String),
    /// The object does not fit its schema, or cannot be converted: 500 without a reason.
    Internal(String),
}

impl ApplyError {
    pub(crate) fn conflicts(mut sets: Vec<(Identity, Set)>) -> Self {
        sets.sort_by(|left, right| left.0.cmp(&right.0));
        let conflicts = sets.into_iter().flat_map(|(owner, set)| {
            let paths = set.paths().into_iter();
            paths.map(move |path| Conflict {
                owner: owner.clone(),
                path,
            })
        });
        Self::Conflicts(conflicts.collect())
    }

    /// Returns the `Status` of the answer.
    pub fn to_status(&self) -> Value {
        let mut status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": self.to_string(),
        });
        let (code, reason) = match self {
            Self::Conflicts(conflicts) => {
                let causes = conflicts.iter().map(|conflict| {
                    json!({
                        "reason": "FieldManagerConflict",
                        "message": format!("conflict with {}", shown(&conflict.owner)),
                        "field": conflict.path.to_string(),
                    })
                });
                set(
                    &mut status,
                    "details",
                    json!({"causes": causes.collect::<Vec<_>>()}),
                );
                (409, Some("Conflict"))
            }
            Self::BadRequest(_) => (400, Some("BadRequest")),
            Self::Internal(_) => (500, None),
        };
        if let Some(reason) = reason {
            set(&mut status, "reason", Value::from(reason));
        }
        set(&mut status, "code", Value::from(code));
        status
    }
}

fn set(status: &mut Value, key: &str, value: Value) {
    if let Value::Object(status) = status {
        status.insert(key.to_owned(), value);
    }
}

/// Returns a manager as messages show it.
fn shown(identity: &Identity) -> String {
    let mut text = kgen_schema::quoted(&identity.manager);
    if !identity.subresource.is_empty() {
        text.push_str(" with subresource ");
        text.push_str(&kgen_schema::quoted(&identity.subresource));
    }
    if identity.operation == Operation::Update {
        text.push_str(" using ");
        text.push_str(&identity.api_version);
    }
    text
}

impl fmt::Display for ApplyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflicts(conflicts) => {
                if let [conflict] = &**conflicts {
                    let (owner, path) = (shown(&conflict.owner), &conflict.path);
                    return write!(
                        formatter,
                        "Apply failed with 1 conflict: conflict with {owner}: {path}"
                    );
                }
                write!(formatter, "Apply failed with {} conflicts: ", conflicts.len())?;
                let mut owner = None;
                for conflict in conflicts {
                    if owner != Some(&conflict.owner) {
                        let newline = if owner.is_some() { "\n" } else { "" };
                        owner = Some(&conflict.owner);
                        write!(formatter, "{newline}conflicts with {}:", shown(&conflict.owner))?;
                    }
                    write!(formatter, "\n- {}", conflict.path)?;
                }
                Ok(())
            }
            Self::BadRequest(message) | Self::Internal(message) => formatter.write_str(message),
        }
    }
}

impl std::error::Error for ApplyError {}
