//! The conversion of a kind: its versions, the steps between them, and the walk from one version to another.
//!
//! A conversion over several versions is the sequence of its steps, each with the values that it keeps. So the result does not
//! depend on the number of requests in which the API server asks for it.

use kgen_schema::{META_FIELDS, Version};
use serde_json::{Map, Value};

use super::apply::{Direction, Place, Run, Untranslated};
use super::aside::Aside;
use super::change::Change;
use super::error::ConversionError;
use super::keep::differences;
use super::path::Location;
use super::restore;
use crate::metrics::ConversionMetrics;

/// The limit of the API server for all annotations of an object, `TotalAnnotationSizeLimitB`.
const MAX_ANNOTATION_BYTES: usize = 256 * 1024;

/// The conversion between all versions of one kind. [The module](super) explains it.
#[derive(Debug)]
#[must_use]
pub struct Conversion {
    pub(super) group: String,
    pub(super) kind: String,
    /// The versions that have a schema and are not part of the chain yet.
    waiting: Vec<ChainedVersion>,
    /// The versions from the oldest to the newest.
    pub(super) chain: Vec<ChainedVersion>,
    /// The step after each version but the last one.
    pub(super) steps: Vec<Change>,
    problem: Option<String>,
    metrics: Option<ConversionMetrics>,
}

/// A version of the chain.
#[derive(Debug)]
pub(super) struct ChainedVersion {
    pub(super) version: Version,
    pub(super) api_version: String,
    /// The annotation with the values of this version that another one cannot represent.
    pub(super) annotation: String,
}

impl ChainedVersion {
    pub(super) fn name(&self) -> &str {
        self.version.name()
    }
}

/// The parts of an object that a conversion changes.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The object without `apiVersion`, `kind` and `metadata`.
    pub(super) body: Value,
    pub(super) annotations: Map<String, Value>,
}

/// The observations of a conversion.
#[derive(Debug, Default)]
pub(super) struct Observed {
    pub(super) untranslated: Vec<Untranslated>,
    /// Values that could not be restored.
    pub(super) dropped: Vec<String>,
    pub(super) kept_bytes: usize,
}

impl Conversion {
    /// Begins the conversion of a kind. `schemas` is JSON text: an object with the schema of each version, in the form that
    /// it has below `openAPIV3Schema`.
    ///
    /// A mistake in the schemas or the steps is reported when the conversion is used or served.
    pub fn new(group: &str, kind: &str, schemas: &str) -> Self {
        let mut conversion = Self {
            group: group.to_owned(),
            kind: kind.to_owned(),
            waiting: Vec::new(),
            chain: Vec::new(),
            steps: Vec::new(),
            problem: None,
            metrics: None,
        };
        match read_schemas(group, kind, schemas) {
            Ok(versions) => conversion.waiting = versions,
            Err(problem) => conversion.problem = Some(problem),
        }
        conversion
    }

    /// Adds the step from a version to the next one. Steps are added from the oldest to the newest.
    pub fn step(mut self, older: &str, newer: &str, change: Change) -> Self {
        if self.problem.is_none()
            && let Err(problem) = self.add_step(older, newer, change)
        {
            self.problem = Some(problem);
        }
        self
    }

    fn add_step(&mut self, older: &str, newer: &str, change: Change) -> Result<(), String> {
        match self.chain.last() {
            None => {
                let oldest = self.take_version(older)?;
                self.chain.push(oldest);
            }
            Some(last) if last.name() == older => {}
            Some(last) => {
                return Err(format!(
                    "the step from {older} must begin at {}, where the previous one ends",
                    last.name()
                ));
            }
        }
        let newer = self.take_version(newer)?;
        self.chain.push(newer);
        self.steps.push(change);
        Ok(())
    }

    fn take_version(&mut self, name: &str) -> Result<ChainedVersion, String> {
        if self.chain.iter().any(|known| known.name() == name) {
            return Err(format!("{name} is in the chain twice"));
        }
        match self.waiting.iter().position(|known| known.name() == name) {
            Some(index) => Ok(self.waiting.swap_remove(index)),
            None => Err(format!("{name} has no schema")),
        }
    }

    /// Returns the kind and its group, such as `Widget.example.com`.
    pub(crate) fn full_name(&self) -> String {
        format!("{}.{}", self.kind, self.group)
    }

    /// Returns the versions, from the oldest to the newest.
    pub fn versions(&self) -> impl Iterator<Item = &str> {
        self.chain.iter().map(ChainedVersion::name)
    }

    /// Fails if the steps or schemas are wrong.
    pub(crate) fn checked(&self) -> Result<(), ConversionError> {
        let reason = match &self.problem {
            Some(problem) => problem,
            None if self.steps.is_empty() => "it has no steps",
            None => return Ok(()),
        };
        Err(ConversionError::Table {
            kind: self.full_name(),
            reason: reason.to_owned(),
        })
    }

    #[cfg(feature = "webhook")]
    pub(crate) fn observed_by(&mut self, metrics: &crate::metrics::Metrics) {
        let versions: Vec<&str> = self.chain.iter().map(ChainedVersion::name).collect();
        self.metrics = Some(metrics.conversion(&self.kind, &versions));
    }

    /// Returns the index of a version by its name.
    pub(super) fn index_of(&self, version: &str) -> Result<usize, ConversionError> {
        let index = self.chain.iter().position(|known| known.name() == version);
        index.ok_or_else(|| ConversionError::UnknownVersion {
            kind: self.full_name(),
            version: version.to_owned(),
            known: self.versions().collect::<Vec<_>>().join(", "),
        })
    }

    /// Converts the parts of an object, reports problems to the log, and counts. `name` returns the name of the object.
    pub(super) fn convert_parts(
        &self,
        parts: Parts,
        from: usize,
        to: usize,
        name: &dyn Fn() -> String,
    ) -> Result<Parts, ConversionError> {
        let mut observed = Observed::default();
        let result = self.convert_observed(parts, from, to, name, &mut observed);
        for Untranslated { field, reason } in &observed.untranslated {
            let object = name();
            tracing::error!(
                kind = self.kind,
                object,
                field,
                reason,
                "a value was not converted"
            );
        }
        for problem in &observed.dropped {
            tracing::warn!(
                kind = self.kind,
                object = name(),
                problem,
                "a kept value was dropped"
            );
        }
        if let Some(metrics) = &self.metrics {
            metrics.converted(from, to);
            if observed.kept_bytes > 0 {
                metrics.kept(observed.kept_bytes);
            }
            for Untranslated { field, .. } in &observed.untranslated {
                metrics.untranslated(field);
            }
        }
        result
    }

    /// Converts the parts of an object, step by step.
    pub(super) fn convert_observed(
        &self,
        mut parts: Parts,
        from: usize,
        to: usize,
        name: &dyn Fn() -> String,
        observed: &mut Observed,
    ) -> Result<Parts, ConversionError> {
        let mut at = from;
        while at != to {
            let (direction, next) = if at < to {
                (Direction::Forward, at + 1)
            } else {
                (Direction::Backward, at.saturating_sub(1))
            };
            let (Some(change), Some(source), Some(target)) = (
                self.steps.get(at.min(next)),
                self.chain.get(at),
                self.chain.get(next),
            ) else {
                break;
            };
            parts = self.convert_step(parts, (change, direction), source, target, name, observed)?;
            at = next;
        }
        Ok(parts)
    }

    fn convert_step(
        &self,
        parts: Parts,
        (change, direction): (&Change, Direction),
        source: &ChainedVersion,
        target: &ChainedVersion,
        name: &dyn Fn() -> String,
        observed: &mut Observed,
    ) -> Result<Parts, ConversionError> {
        let Parts {
            body: mut original,
            mut annotations,
        } = parts;
        // An object cannot have kept values of its own version.
        annotations.remove(&source.annotation);
        let mut kept = Vec::new();
        if let Some(text) = annotations.remove(&target.annotation) {
            match restore::read(text.as_str().unwrap_or_default()) {
                Ok(found) => kept = found,
                Err(problem) => observed.dropped.push(problem),
            }
        }
        let schemas = (source.version.schema(), target.version.schema());
        let aside = match &mut original {
            Value::Object(entries) => Aside::take(change, direction, entries, schemas, &kept),
            _ => Aside::default(),
        };
        let mut run = Run::default();
        let (mut body, has_removed) = apply(change, direction, &original, &target.version, &mut run);
        observed.untranslated.append(&mut run.untranslated);
        let reversible = match has_removed {
            false => {
                let objects = (&mut original, &mut body);
                Aside::take_reversible(change, direction, objects, schemas, &kept, &run)
            }
            true => Aside::default(),
        };
        if !kept.is_empty() {
            let restored = restore::restore(&mut body, &target.version, kept);
            run.lost |= restored.is_changed;
            observed.dropped.extend(restored.problems);
        }
        if run.lost || source.version.schema().lacks_defaults(&original) {
            let mut quiet = Run::default();
            let (regained, _) = apply(change, direction.reversed(), &body, &source.version, &mut quiet);
            let kept = differences(&original, &regained, Location::Described(source.version.schema()));
            if !kept.is_empty() {
                // Strings, numbers, lists and objects can always be written.
                let text = serde_json::to_string(&kept).unwrap_or_default();
                observed.kept_bytes += text.len();
                annotations.insert(source.annotation.clone(), Value::String(text));
                let bytes = annotation_bytes(&annotations);
                if bytes > MAX_ANNOTATION_BYTES {
                    return Err(ConversionError::TooLarge {
                        object: format!("{} {:?}", self.full_name(), name()),
                        target: target.name().to_owned(),
                        bytes,
                        limit: MAX_ANNOTATION_BYTES,
                    });
                }
            }
        }
        if let Value::Object(entries) = &mut body {
            reversible.put_back(entries);
            aside.put_back(entries);
        }
        Ok(Parts { body, annotations })
    }
}

/// Applies a step, removes undeclared fields, and fills in defaults. Returns the result, and whether fields were removed.
fn apply(
    change: &Change,
    direction: Direction,
    body: &Value,
    target: &Version,
    run: &mut Run,
) -> (Value, bool) {
    let schema = target.schema();
    let entries = match body {
        Value::Object(entries) => change.apply(direction, entries, Some(schema), &Place::ROOT, run),
        _ => Map::new(),
    };
    let mut body = Value::Object(entries);
    let has_removed = schema.remove_unknown_fields(&mut body, false);
    run.lost |= has_removed;
    if schema.fill_in_defaults(&mut body) {
        run.lost = true;
        if let Value::Object(entries) = &mut body {
            META_FIELDS.iter().for_each(|name| drop(entries.remove(*name)));
        }
    }
    (body, has_removed)
}

fn annotation_bytes(annotations: &Map<String, Value>) -> usize {
    let size = |(name, value): (&String, &Value)| name.len() + value.as_str().map_or(0, str::len);
    annotations.iter().map(size).sum()
}

fn read_schemas(group: &str, kind: &str, text: &str) -> Result<Vec<ChainedVersion>, String> {
    let json: Value =
        serde_json::from_str(text).map_err(|error| format!("the schemas are not JSON: {error}"))?;
    let Value::Object(schemas) = json else {
        return Err("the schemas must be an object with one schema per version".to_owned());
    };
    let version = |(name, schema): (&String, &Value)| {
        let version = Version::from_schema(group, kind, name, schema);
        let version = version.map_err(|error| format!("the schema of {name} cannot be read: {error}"))?;
        Ok(ChainedVersion {
            version,
            api_version: format!("{group}/{name}"),
            annotation: format!("{group}/conversion-{name}"),
        })
    };
    schemas.iter().map(version).collect()
}
