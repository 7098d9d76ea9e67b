//! Proves claims: looks for an object that the old state accepts and the new state refuses.
//!
//! `judge.rs` asks `kgen-schema`, which has the API server's messages. `goals.rs` builds the objects. A finding that
//! cannot be proved within the limits is only risky.

mod goals;
mod judge;

use std::cell::OnceCell;

use kgen_generators::crd::{CrdOptions, definition};
use kgen_model::Resource;
use kgen_sample::{Step, literals};
use kgen_schema::{Definition, ListType, Schema};
use serde_json::Value;

use crate::compare::{Change, Goal};
use crate::finding::{Level, Reads, Witness};
use judge::Judge;

/// The most values that rules suggest.
const MOST_HINTS: usize = 40;

/// The result of an attempt to prove a change.
#[derive(Debug)]
pub(crate) struct Proof {
    pub(crate) level: Level,
    pub(crate) witness: Option<Witness>,
    pub(crate) says: Option<String>,
    pub(crate) reads: Option<Reads>,
    pub(crate) ratchets_at: Option<String>,
    pub(crate) unproved: bool,
}

impl Proof {
    fn of(level: Level) -> Self {
        Self {
            level,
            witness: None,
            says: None,
            reads: None,
            ratchets_at: None,
            unproved: false,
        }
    }
}

/// Proves the changes of one version of a kind.
pub(crate) struct Prover<'r> {
    old: &'r Resource,
    new: &'r Resource,
    version: String,
    states: OnceCell<Option<States>>,
}

/// Both states as the API server has them.
struct States {
    old: Definition,
    new: Definition,
    hints: Vec<Value>,
}

impl<'r> Prover<'r> {
    pub(crate) fn new(old: &'r Resource, new: &'r Resource, version: &str) -> Self {
        Self {
            old,
            new,
            version: version.to_owned(),
            states: OnceCell::new(),
        }
    }

    /// Tries to reach the goal of a change. Without a witness, a breaking change is only risky.
    pub(crate) fn prove(&mut self, change: &Change) -> Proof {
        if matches!(change.goal, Goal::None) {
            return Proof::of(change.level);
        }
        let found = self.states().and_then(|states| {
            let judge = Judge::new(
                states.old.version(&self.version)?,
                states.new.version(&self.version)?,
                &states.new,
                &self.version,
            );
            goals::reach(&judge, change, &states.hints)
        });
        let may_break = matches!(change.goal, Goal::AbsentRefused | Goal::NullRefused);
        match found {
            Some(proof) if may_break => proof,
            None if may_break => Proof::of(change.level),
            Some(proof) => Proof {
                level: change.level,
                ..proof
            },
            None => Proof {
                unproved: true,
                ..Proof::of(change.level.min(Level::Risky))
            },
        }
    }

    fn states(&self) -> Option<&States> {
        let read = |resource: &Resource| {
            let options = CrdOptions {
                max_description_length: Some(0),
                ..CrdOptions::default()
            };
            Definition::from_json(&definition(resource, &options, None)).ok()
        };
        let states = self.states.get_or_init(|| {
            let (old, mut new) = (read(self.old)?, self.new.clone());
            // Another kind under the same plural would refuse every object.
            new.kind.clone_from(&self.old.kind);
            let new = read(&new)?;
            let mut hints = Vec::new();
            for definition in [&old, &new] {
                if let Some(version) = definition.version(&self.version) {
                    collect_literals(version.schema(), &mut hints, 0);
                }
            }
            hints.truncate(MOST_HINTS);
            Some(States { old, new, hints })
        });
        states.as_ref()
    }
}

/// Collects the values that rules mention.
fn collect_literals(schema: &Schema, hints: &mut Vec<Value>, depth: usize) {
    if depth > 20 || hints.len() > MOST_HINTS {
        return;
    }
    for rule in &schema.rules {
        for value in literals(&rule.rule) {
            if !hints.contains(&value) {
                hints.push(value);
            }
        }
    }
    for part in schema.properties.values().chain(&schema.items) {
        collect_literals(part, hints, depth + 1);
    }
    if let Some(values) = schema.additional_schema() {
        collect_literals(values, hints, depth + 1);
    }
}

/// Returns the node that must stay as it is, so that the API server tolerates an invalid value at `path`. Items are
/// compared one by one only in lists with keys.
fn ratchet_node(schema: &Schema, path: &[Step]) -> String {
    let mut node = schema;
    for (index, step) in path.iter().enumerate() {
        if *step == Step::Item && node.list_type != ListType::Map {
            return crate::path::shown(path.get(..index).unwrap_or_default());
        }
        let next = match step {
            Step::Field(name) => node.property(name),
            Step::Item => node.items.as_deref(),
            Step::Entry => node.additional_schema(),
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    crate::path::shown(path)
}
