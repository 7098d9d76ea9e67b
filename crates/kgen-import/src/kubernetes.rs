//! The types of Kubernetes that a CRD can embed, as one table.
//!
//! `tests/kubernetes_types` writes the table with kgen's own front end from the source of k8s-openapi. An object is looked up
//! by its digest, so that a match is exact: `kgen crd` gives the Rust type the schema of the CRD, descriptions apart.

use std::sync::OnceLock;

use kgen_model::Schema;
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::plan::{Digest, Digests};

static TABLE: &str = include_str!("../data/kubernetes-types.txt");

/// A type of Kubernetes.
#[derive(Debug)]
pub(crate) struct KubernetesType {
    /// The path in Rust.
    pub(crate) path: &'static str,
    /// The first and the last minor version of Kubernetes in which it has this schema.
    pub(crate) minors: (u32, u32),
    schema: &'static str,
}

impl KubernetesType {
    /// Returns the name without its path.
    pub(crate) fn name(&self) -> &'static str {
        self.path.rsplit("::").next().unwrap_or(self.path)
    }

    /// Returns the schema of the newest version, in which `$type` is another type.
    pub(crate) fn schema(&self) -> Option<Value> {
        serde_json::from_str(self.schema).ok()
    }
}

/// All types.
pub(crate) struct KubernetesTypes {
    by_digest: FxHashMap<Digest, Vec<KubernetesType>>,
    oldest: u32,
    newest: u32,
}

impl KubernetesTypes {
    /// Returns the table, which is parsed once.
    pub(crate) fn get() -> &'static Self {
        static PARSED: OnceLock<KubernetesTypes> = OnceLock::new();
        PARSED.get_or_init(|| Self::parse(TABLE))
    }

    fn parse(text: &'static str) -> Self {
        let mut types = Self {
            by_digest: FxHashMap::default(),
            oldest: u32::MAX,
            newest: 0,
        };
        for line in text.lines() {
            let mut words = line.splitn(5, ' ');
            let mut next = || words.next().unwrap_or_default();
            let (path, first, last, digest, schema) = (next(), next(), next(), next(), next());
            let (Ok(first), Ok(last), Ok(digest)) =
                (first.parse(), last.parse(), Digest::from_str_radix(digest, 16))
            else {
                continue;
            };
            types.oldest = types.oldest.min(first);
            types.newest = types.newest.max(last);
            types.by_digest.entry(digest).or_default().push(KubernetesType {
                path,
                minors: (first, last),
                schema,
            });
        }
        types
    }

    /// Returns the types with a schema at a minor version of Kubernetes; the newest if none is named.
    pub(crate) fn find(&self, digest: Digest, minor: Option<u32>) -> impl Iterator<Item = &KubernetesType> {
        let minor = minor.unwrap_or(self.newest).max(self.oldest).min(self.newest);
        let found = self.by_digest.get(&digest).map(Vec::as_slice).unwrap_or_default();
        found
            .iter()
            .filter(move |found| (found.minors.0..=found.minors.1).contains(&minor))
    }

    /// Returns the types of the newest version.
    pub(crate) fn of_newest(&self) -> impl Iterator<Item = &KubernetesType> {
        let all = self.by_digest.values().flatten();
        all.filter(|found| found.minors.1 == self.newest)
    }
}

/// Returns the digest by which the table has an object.
#[must_use]
pub fn kubernetes_key(schema: &Schema) -> Option<String> {
    let mut digests = Digests::default();
    digests.add(schema);
    digests
        .get(schema)
        .map(|digests| format!("{:032x}", digests.shape))
}

/// The place of an object, by which types with the same schema are told apart.
pub(crate) struct Place<'a> {
    /// The name of its property.
    pub(crate) hint: &'a str,
    pub(crate) schema: &'a Schema,
}

impl Place<'_> {
    /// Returns the one type that the object means, or `None` if it is equal to types only by chance.
    pub(crate) fn choose<'t>(
        &self,
        types: impl Iterator<Item = &'t KubernetesType>,
    ) -> Option<&'t KubernetesType> {
        match self.best(types).as_slice() {
            [only] if self.is_meant(only) => Some(only),
            _ => None,
        }
    }

    /// Returns the types whose names fit best.
    pub(crate) fn best<'t>(
        &self,
        types: impl Iterator<Item = &'t KubernetesType>,
    ) -> Vec<&'t KubernetesType> {
        let mut types: Vec<&KubernetesType> = types.collect();
        let names: Vec<Vec<String>> = types.iter().map(|known| words(known.name())).collect();
        let is_shared = |word: &String| names.iter().all(|name| name.contains(word));
        let scores: Vec<i32> = names
            .iter()
            .map(|name| {
                let own = name.iter().filter(|word| !is_shared(word));
                own.map(|word| self.weight(word)).sum()
            })
            .collect();
        let best = scores.iter().copied().max();
        let mut scores = scores.into_iter();
        types.retain(|_| scores.next() == best);
        types
    }

    /// Returns whether the object is not equal to a type only by chance.
    pub(crate) fn is_meant(&self, found: &KubernetesType) -> bool {
        self.is_distinctive() || self.names(found.name())
    }

    /// Returns how much a word of the name of a type speaks for it.
    fn weight(&self, word: &str) -> i32 {
        let has = |text: &str| text.to_lowercase().contains(word);
        let own = self.schema.description.iter();
        let inner = self
            .schema
            .properties
            .values()
            .filter_map(|property| property.description.as_ref());
        if has(self.hint) {
            2
        } else if own.chain(inner).any(|text| has(text)) {
            1
        } else {
            -1
        }
    }

    /// Returns whether another object hardly has the same schema by chance.
    fn is_distinctive(&self) -> bool {
        let properties = &self.schema.properties;
        let is_special = |property: &Schema| {
            property.default.is_some()
                || property.list_type.is_some()
                || property.map_type.is_some()
                || property.int_or_string
                || property
                    .additional_properties
                    .as_ref()
                    .is_some_and(|values| values.int_or_string)
        };
        self.schema.map_type.is_some()
            || properties.len() > 2
            || properties.len() == 2 && properties.values().any(|property| is_special(property))
    }

    /// Returns whether the property or its description has the name of a type.
    fn names(&self, name: &str) -> bool {
        let hint = words(self.hint);
        let name_words = words(name);
        let first = self
            .schema
            .description
            .as_deref()
            .and_then(|text| text.split_whitespace().next());
        first == Some(name)
            || !hint.is_empty() && (hint == name_words || hint.len() > 1 && name_words.ends_with(&hint))
    }
}

fn words(name: &str) -> Vec<String> {
    crate::plan::words::words(&crate::plan::words::singular(name))
        .iter()
        .map(|word| word.to_lowercase())
        .collect()
}
