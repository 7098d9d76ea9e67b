//! Random names of every length, among them names that Rust, the prelude, the runtime or generated code use themselves.

use std::collections::BTreeSet;

use fastrand::Rng;

const WORDS: &[&str] = &[
    "a",
    "at",
    "cask",
    "case",
    "color",
    "object",
    "kubernetes",
    "http",
    "url",
    "replica",
    "spec",
    "status",
    "value",
    "request",
    "availability",
    "configuration",
    "distribution",
    "acknowledgement",
    "internationalization",
];

/// Names of types that generated code could confuse with its own.
const HARD_TYPES: &[&str] = &[
    "Object",
    "Error",
    "Handle",
    "Resource",
    "Cow",
    "Arc",
    "Lister",
    "Serialize",
    "Deserialize",
    "Unexpected",
    "Connection",
    "Informer",
    "Selector",
    "Api",
    "Patch",
    "Debug",
    "Stream",
    "ListParams",
    "ObjectMeta",
    "SerializeStruct",
    "ApplyConfiguration",
    "ObjectMetaApply",
    "Kind",
    "WriteOptions",
    "Serializer",
    "HasSpec",
];

/// Names of fields that generated code could confuse with its own.
const HARD_FIELDS: &[&str] = &[
    "object",
    "name",
    "length",
    "serializer",
    "deserializer",
    "found",
    "value",
    "values",
    "namespace",
    "r#type",
    "r#match",
    "r#async",
    "default",
    "clone",
    "new",
    "into_iter",
    "is_ready",
    "x_1",
    "trailing_",
    "größe",
    "index",
    "serialize",
    "hash",
    "error",
    "apply",
    "fields",
];

/// Names that are not used yet.
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    pub fn new() -> Self {
        Self {
            taken: BTreeSet::new(),
        }
    }

    /// Returns a name of a type, of up to `longest` letters.
    pub fn a_type(&mut self, rng: &mut Rng, longest: usize) -> String {
        self.free(rng, |rng| {
            if rng.u8(..8) == 0 {
                return (*rng.choice(HARD_TYPES).unwrap()).to_owned();
            }
            words(rng, longest).iter().map(|word| capital(word)).collect()
        })
    }

    /// Returns a name of a field.
    pub fn a_field(&mut self, rng: &mut Rng) -> String {
        self.free(rng, |rng| {
            if rng.u8(..4) == 0 {
                return (*rng.choice(HARD_FIELDS).unwrap()).to_owned();
            }
            words(rng, 75).join("_")
        })
    }

    /// Takes a name that is given.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(plain(name));
    }

    fn free(&mut self, rng: &mut Rng, make: impl Fn(&mut Rng) -> String) -> String {
        loop {
            let name = make(rng);
            if self.taken.insert(plain(&name)) {
                return name;
            }
        }
    }
}

/// Returns the properties in which names must differ: they may become modules and JSON.
fn plain(name: &str) -> String {
    let letters = name.trim_start_matches("r#").chars();
    letters
        .filter(|letter| *letter != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns words with a total of up to `longest` letters.
pub fn words(rng: &mut Rng, longest: usize) -> Vec<&'static str> {
    let wanted = rng.usize(1..=longest);
    let mut words = Vec::new();
    let mut length = 0;
    loop {
        let word = *rng.choice(WORDS).unwrap();
        if length + word.len() + words.len() > wanted && !words.is_empty() {
            return words;
        }
        length += word.len();
        if length > longest {
            return vec!["b"];
        }
        words.push(word);
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
