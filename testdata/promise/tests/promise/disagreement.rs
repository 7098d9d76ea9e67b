//! Compares one type with its schema in both directions.

use kgen_model::Schema;
use promise_types::Kind;
use serde_json::Value;

use crate::schemas::Admission;
use crate::schemas::objects::{Objects, is_in_known_gap};

/// How many disagreements are shown.
const SHOWN: usize = 12;

/// A value that one side takes and the other does not.
pub struct Disagreement {
    kind: &'static Kind,
    what: &'static str,
    value: Value,
    reason: String,
}

/// What was compared so far.
pub struct Comparison<'a> {
    admission: &'a Admission,
    /// How many values the types have written.
    pub written: usize,
    /// How many objects were made from schemas and other objects.
    pub offered: usize,
    /// How many of them the schemas accept.
    pub accepted: usize,
    /// The first disagreement of each type.
    pub disagreements: Vec<Disagreement>,
}

impl<'a> Comparison<'a> {
    pub fn new(admission: &'a Admission) -> Self {
        Self {
            admission,
            written: 0,
            offered: 0,
            accepted: 0,
            disagreements: Vec::new(),
        }
    }

    /// Compares random values of one type, and random objects of its schema.
    pub fn compare(&mut self, kind: &'static Kind, schema: &Schema, values: usize) {
        if let Err(disagreement) = self.try_compare(kind, schema, values) {
            self.disagreements.push(disagreement);
        }
    }

    fn try_compare(
        &mut self,
        kind: &'static Kind,
        schema: &Schema,
        values: usize,
    ) -> Result<(), Disagreement> {
        let mut rng = fastrand::Rng::with_seed(0);
        let mut known = Vec::new();
        for _ in 0..values {
            let value = match (kind.write)(&mut rng) {
                Ok(value) => value,
                // A flattened `Value` that is not an object: serde refuses it, so it never reaches a server.
                Err(reason) if reason.contains("can only flatten structs and maps") => continue,
                Err(reason) => {
                    let what = "the type cannot write its value";
                    return Err(disagreement(kind, what, &Value::Null, reason));
                }
            };
            self.written += 1;
            let stored = self.must_accept(kind, &value)?;
            must_read(kind, &stored)?;
            known.push(value);
        }
        let mut objects = Objects::new(&mut rng, &known);
        for _ in 0..values {
            let value = objects.next(schema);
            self.offered += 1;
            let Ok(stored) = self.admission.admit(kind.name, &value) else {
                continue;
            };
            if is_in_known_gap(schema, &stored) {
                continue;
            }
            self.accepted += 1;
            let again = must_read(kind, &stored)?;
            self.must_accept(kind, &again)?;
        }
        Ok(())
    }

    fn must_accept(&self, kind: &'static Kind, value: &Value) -> Result<Value, Disagreement> {
        self.admission
            .admit(kind.name, value)
            .map_err(|reason| disagreement(kind, "the schema refuses what the type writes", value, reason))
    }

    /// The disagreements and the types.
    pub fn report(&self) -> String {
        let shown = self.disagreements.iter().take(SHOWN).map(|found| {
            let types = found
                .kind
                .source
                .split("pub spec: Spec,\n}\n")
                .nth(1)
                .unwrap_or_default();
            format!(
                "{}: {}\n{}\n{}\n{types}",
                found.kind.name, found.what, found.reason, found.value
            )
        });
        let shown = shown.collect::<Vec<_>>().join("\n----\n");
        let all = self
            .disagreements
            .iter()
            .map(|found| format!("{}: {}: {}\n", found.kind.name, found.what, found.reason));
        format!("{shown}\n{}", all.collect::<String>())
    }
}

fn must_read(kind: &'static Kind, value: &Value) -> Result<Value, Disagreement> {
    let read = (kind.read)(value).map_err(|reason| {
        disagreement(
            kind,
            "the type cannot read what the schema accepts",
            value,
            reason,
        )
    })?;
    read.map_err(|reason| disagreement(kind, "the type cannot write what it has read", value, reason))
}

fn disagreement(kind: &'static Kind, what: &'static str, value: &Value, reason: String) -> Disagreement {
    Disagreement {
        kind,
        what,
        value: value.clone(),
        reason,
    }
}
