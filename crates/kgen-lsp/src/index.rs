//! The nodes of all APIs by their places in the source: JSON paths, schemas, kinds and costs of rules.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kgen_build::rule_costs;
use kgen_diagnostics::{FileId, Span};
use kgen_model::{Keyword, KindVersion, Schema};
use serde_json::Value;

use crate::analysis::Inspected;
use crate::problems::Places;
use crate::text::Encoding;

/// The most nodes that are kept; a larger API loses hovers, not problems.
const MOST_NODES: usize = 200_000;

/// The bounds whose places are shown.
const BOUNDS: &[(Keyword, &str)] = &[
    (Keyword::Default, "default"),
    (Keyword::Enum, "enum"),
    (Keyword::Format, "format"),
    (Keyword::Maximum, "maximum"),
    (Keyword::MaxItems, "maxItems"),
    (Keyword::MaxLength, "maxLength"),
    (Keyword::MaxProperties, "maxProperties"),
    (Keyword::Minimum, "minimum"),
    (Keyword::MinItems, "minItems"),
    (Keyword::MinLength, "minLength"),
    (Keyword::MinProperties, "minProperties"),
    (Keyword::MultipleOf, "multipleOf"),
    (Keyword::Pattern, "pattern"),
    (Keyword::ListType, "x-kubernetes-list-type"),
    (Keyword::ListMapKeys, "x-kubernetes-list-map-keys"),
];

/// A place in a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Range<usize>,
    /// As the protocol has it.
    pub(crate) range: Value,
}

/// A value of a kind.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The index of its kind.
    pub(crate) kind: usize,
    /// The field that it comes from.
    pub(crate) place: Option<Place>,
    /// The declaration of its type, if it is a type of the user.
    declared: Option<Place>,
    /// The path from the object, such as `.spec.size`; the object itself has an empty one.
    pub(crate) path: String,
    pub(crate) schema: Arc<Schema>,
    /// Where its bounds are stated.
    pub(crate) bounds: Vec<(&'static str, Place)>,
}

/// One version of a kind.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) kind: String,
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) plural: String,
    /// Its declaration, if that is in a wanted file.
    pub(crate) place: Option<Place>,
    /// How many rules it has.
    pub(crate) rules: usize,
    /// The name of its CRD's file.
    pub(crate) definition: String,
    /// The schema of the object.
    pub(crate) schema: Arc<Schema>,
}

/// A rule and its cost.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) place: Place,
    pub(crate) result_type: String,
    pub(crate) cost: u64,
}

/// The files whose nodes are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    File(FileId),
}

impl Wanted {
    fn includes(self, span: Span) -> bool {
        match self {
            Self::All => true,
            Self::File(file) => span.file == file,
        }
    }
}

/// Visits a schema and everything in it, each with its path.
pub(crate) fn walk(schema: &Arc<Schema>, path: &mut String, visit: &mut impl FnMut(&str, &Arc<Schema>)) {
    visit(path, schema);
    let length = path.len();
    for (name, property) in &schema.properties {
        let is_meta = length == 0 && ["apiVersion", "kind", "metadata"].contains(&name.as_str());
        if !is_meta {
            path.push('.');
            path.push_str(name);
            walk(property, path, visit);
            path.truncate(length);
        }
    }
    for (step, inner) in [("[*]", &schema.items), (".*", &schema.additional_properties)] {
        if let Some(inner) = inner {
            path.push_str(step);
            walk(inner, path, visit);
            path.truncate(length);
        }
    }
}

/// All nodes.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) rules: Vec<Rule>,
    /// The nodes of each file, by the first byte of their names.
    by_place: BTreeMap<PathBuf, BTreeMap<usize, Vec<usize>>>,
}

impl Index {
    /// Returns the nodes of all APIs, or only those that come from one file, which takes a fraction of the time.
    pub(crate) fn of(inspected: &[Inspected], encoding: Encoding, only: Option<&Path>) -> Self {
        let mut index = Self::default();
        for project in inspected {
            let report = &project.inspection.report;
            for (api, findings) in project.inspection.apis.iter().zip(&report.findings) {
                let mut places = Places::new(&findings.files, &project.folder, encoding);
                let mut ids = findings.files.iter().map(|(id, _)| id);
                let wanted = match only {
                    None => Wanted::All,
                    Some(only) => match ids.find(|id| places.path(*id) == only) {
                        Some(id) => Wanted::File(id),
                        None => continue,
                    },
                };
                for resource in &api.resources {
                    for version in &resource.versions {
                        index.add_kind(version, &resource.names.plural, wanted, &mut places);
                    }
                }
            }
        }
        for (number, node) in index.nodes.iter().enumerate() {
            for place in node.place.iter().chain(&node.declared) {
                let file = index.by_place.entry(place.path.clone()).or_default();
                file.entry(place.bytes.start).or_default().push(number);
            }
        }
        index
    }

    fn add_kind(&mut self, version: &KindVersion, plural: &str, wanted: Wanted, places: &mut Places<'_>) {
        let kind = self.kinds.len();
        let schema = Arc::new(version.schema.clone());
        if wanted == Wanted::All {
            for cost in rule_costs(version) {
                self.rules.push(Rule {
                    place: place(cost.span, places),
                    result_type: cost.result_type,
                    cost: cost.cost,
                });
            }
        }
        let mut rules = 0;
        walk(&schema, &mut String::new(), &mut |path, schema| {
            rules += schema.constraints.rules.len();
            let span = if path.is_empty() {
                Some(version.span)
            } else {
                schema.places.node
            };
            let declared = schema.places.declared.filter(|declared| Some(*declared) != span);
            let is_wanted = [span, declared]
                .iter()
                .flatten()
                .any(|span| wanted.includes(*span));
            if !is_wanted || self.nodes.len() >= MOST_NODES {
                return;
            }
            let bounds = BOUNDS
                .iter()
                .filter_map(|(keyword, name)| Some((*name, schema.places.stated(*keyword)?)))
                .map(|(name, span)| (name, place(span, places)))
                .collect();
            self.nodes.push(Node {
                kind,
                place: span.map(|span| place(span, places)),
                declared: declared.map(|span| place(span, places)),
                path: path.to_owned(),
                bounds,
                schema: Arc::clone(schema),
            });
        });
        self.kinds.push(Kind {
            kind: version.kind.clone(),
            group: version.group.clone(),
            version: version.version.clone(),
            plural: plural.to_owned(),
            place: wanted.includes(version.span).then(|| place(version.span, places)),
            rules,
            definition: format!("{}_{plural}.yaml", version.group),
            schema,
        });
    }

    /// Returns the values that come from the name at a byte of a file.
    pub(crate) fn at(&self, path: &Path, start: usize) -> Vec<&Node> {
        let numbers = self.by_place.get(path).and_then(|file| file.get(&start));
        let nodes = numbers.into_iter().flatten();
        nodes.filter_map(|number| self.nodes.get(*number)).collect()
    }

    pub(crate) fn kind(&self, node: &Node) -> Option<&Kind> {
        self.kinds.get(node.kind)
    }

    /// Returns the rule around a byte of a file.
    pub(crate) fn rule_at(&self, path: &Path, offset: usize) -> Option<&Rule> {
        self.rules.iter().find(|rule| {
            rule.place.path == path && rule.place.bytes.start <= offset && offset <= rule.place.bytes.end
        })
    }
}

fn place(span: Span, places: &mut Places<'_>) -> Place {
    let file: FileId = span.file;
    Place {
        path: places.path(file),
        bytes: span.range(),
        range: places.range(span),
    }
}

/// Returns the schema behind steps such as `spec`, `[*]` and `size`; lists and maps may be stepped into without a sign.
pub(crate) fn follow(schema: &Arc<Schema>, steps: &[&str]) -> Option<Arc<Schema>> {
    let mut present = Arc::clone(schema);
    for step in steps {
        let next = match *step {
            "[*]" => present.items.clone(),
            name => {
                let inner = present.properties.get(name).cloned();
                inner.or_else(|| present.additional_properties.clone())
            }
        };
        present = next?;
    }
    Some(present)
}
