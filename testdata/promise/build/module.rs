//! One module: the types of a kind, and the code that makes random values of them.

use std::fmt::Write as _;

use fastrand::Rng;

use crate::leaves;

/// The types around a value that JSON does not show.
const POINTERS: &[&str] = &[
    "Box",
    "Box",
    "std::cell::RefCell",
    "std::sync::Mutex",
    "std::sync::RwLock",
];

/// The same with the shared ones, for which serde needs a feature.
const SHARED_POINTERS: &[&str] = &[
    "Box",
    "std::rc::Rc",
    "std::sync::Arc",
    "std::cell::RefCell",
    "std::sync::Mutex",
    "std::sync::RwLock",
];

/// A type that a field can have.
#[derive(Clone, Debug, Default)]
pub struct Ty {
    /// As it is written.
    pub rust: String,
    /// Whether it implements `Default`.
    pub default: bool,
    /// Whether it implements `Ord`.
    pub ord: bool,
    /// The function that tells whether it is empty.
    pub skip_if: Option<&'static str>,
    /// Whether it may be flattened.
    pub flat: bool,
    /// Whether it is a map whose values have a type. Beside other fields that is a known gap.
    pub typed_map: bool,
}

/// The types of a kind, as they are generated.
pub struct Module<'r> {
    pub rng: &'r mut Rng,
    /// The declarations, finished ones first.
    pub types: String,
    /// Implementations of `Random`, for the types of this module.
    pub random: String,
    count: usize,
}

impl<'r> Module<'r> {
    /// Makes the module of one kind.
    pub fn generate(rng: &'r mut Rng) -> Self {
        let mut module = Self {
            rng,
            types: String::new(),
            random: String::new(),
            count: 0,
        };
        let fields = module.rng.usize(1..5);
        module.named_struct("Spec", fields, 2);
        module
    }

    /// What kgen reads and rustc compiles.
    pub fn source(&self, name: &str) -> String {
        let kind = name.to_uppercase();
        format!(
            "//! Random types.\n//! +groupName=promise.example.org\n//! +versionName=v1\n\n\
             #[allow(unused_imports)]\nuse std::collections::{{BTreeMap, BTreeSet, HashMap, VecDeque}};\n\n\
             use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\n\
             use serde::{{Deserialize, Serialize}};\n\n\
             /// A kind.\npub struct {kind} {{\n    pub metadata: ObjectMeta,\n    pub spec: Spec,\n}}\n\n{}",
            self.types
        )
    }

    /// The code that makes random values.
    pub fn random_code(&self, name: &str) -> String {
        self.random.replace("MODULE", name)
    }

    /// A name that nothing else in this module has.
    pub fn fresh(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}{}", self.count)
    }

    /// Whether something happens, once in `times`.
    pub fn once_in(&mut self, times: u8) -> bool {
        self.rng.u8(..times) == 0
    }

    pub fn pick<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.rng.usize(..words.len())]
    }

    /// A random type; `depth` is how many declared types may be inside each other.
    pub fn ty(&mut self, depth: usize) -> Ty {
        let choices = if depth == 0 { 12 } else { 25 };
        match self.rng.u8(..choices) {
            0..=4 => leaves::any(self.rng),
            5 | 6 => self.option(depth),
            7 => self.list(depth),
            8 => {
                let item = leaves::ordered(self.rng);
                Ty {
                    rust: format!("BTreeSet<{}>", item.rust),
                    default: true,
                    skip_if: Some("BTreeSet::is_empty"),
                    ..Ty::default()
                }
            }
            9 | 10 => self.map(depth),
            11 => {
                let has_shared = std::env::var_os("CARGO_FEATURE_RC").is_some();
                let pointer = self.pick(if has_shared { SHARED_POINTERS } else { POINTERS });
                let inner = self.ty(depth.saturating_sub(1));
                Ty {
                    rust: format!("{pointer}<{}>", inner.rust),
                    skip_if: None,
                    ord: false,
                    ..inner
                }
            }
            12..=15 => self.declared_struct(depth - 1),
            16..=20 => self.declared_enum(depth - 1),
            21 => self.newtype(depth - 1),
            22 | 23 => self.generic(depth - 1),
            _ => self.converted(),
        }
    }

    fn option(&mut self, depth: usize) -> Ty {
        let inner = self.ty(depth);
        Ty {
            rust: format!("Option<{}>", inner.rust),
            default: true,
            ord: false,
            skip_if: Some("Option::is_none"),
            flat: inner.flat,
            typed_map: inner.typed_map,
        }
    }

    fn list(&mut self, depth: usize) -> Ty {
        let item = self.ty(depth.saturating_sub(1));
        match self.rng.u8(..4) {
            0 => {
                let length = self.rng.u8(..4);
                Ty {
                    rust: format!("[{}; {length}]", item.rust),
                    default: item.default,
                    ..Ty::default()
                }
            }
            1 => Ty {
                rust: format!("VecDeque<{}>", item.rust),
                default: true,
                skip_if: Some("VecDeque::is_empty"),
                ..Ty::default()
            },
            _ => Ty {
                rust: format!("Vec<{}>", item.rust),
                default: true,
                skip_if: Some("Vec::is_empty"),
                ..Ty::default()
            },
        }
    }

    pub fn map(&mut self, depth: usize) -> Ty {
        let value = self.ty(depth.saturating_sub(1));
        let key = match self.rng.u8(..10) {
            0..=6 => "String".to_owned(),
            7 if self.once_in(2) => leaves::text(self.rng).rust,
            7 => leaves::integer(self.rng).rust,
            // Enums as keys are a known gap.
            _ => self.text_newtype(),
        };
        let is_hash = key == "String" && self.once_in(3);
        let (map, skip_if) = if is_hash {
            ("HashMap", "HashMap::is_empty")
        } else {
            ("BTreeMap", "BTreeMap::is_empty")
        };
        Ty {
            rust: format!("{map}<{key}, {}>", value.rust),
            default: true,
            ord: false,
            skip_if: Some(skip_if),
            flat: true,
            typed_map: value.rust != "serde_json::Value",
        }
    }

    fn text_newtype(&mut self) -> String {
        let name = self.fresh("Name");
        let inner = self.pick(&["String", "String", "Box<str>", "std::path::PathBuf"]);
        writeln!(
            self.types,
            "#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]\npub struct {name}(pub {inner});\n"
        )
        .unwrap();
        self.newtype_random(&name);
        name
    }

    fn newtype_random(&mut self, name: &str) {
        writeln!(
            self.random,
            "impl Random for MODULE::{name} {{ fn random(rng: &mut Rng) -> Self {{ Self(Random::random(rng)) }} }}"
        )
        .unwrap();
    }

    /// A newtype, or a transparent struct.
    fn newtype(&mut self, depth: usize) -> Ty {
        let name = self.fresh("Wrapper");
        let inner = self.ty(depth);
        let derived = if inner.default { ", Default" } else { "" };
        match self.rng.u8(..12) {
            0 => {
                let attribute = self.pick(&["", "#[serde(transparent)]\n"]);
                writeln!(
                    self.types,
                    "#[derive(Serialize, Deserialize{derived})]\n{attribute}pub struct {name}(pub {}, #[serde(skip)] pub u8);\n",
                    inner.rust
                )
                .unwrap();
                writeln!(
                    self.random,
                    "impl Random for MODULE::{name} {{ fn random(rng: &mut Rng) -> Self {{ Self(Random::random(rng), 0) }} }}"
                )
                .unwrap();
            }
            1..=4 => {
                let (extra, value) = if self.once_in(2) {
                    (
                        "    #[serde(skip)]\n    pub marker: std::marker::PhantomData<String>,\n",
                        ", marker: std::marker::PhantomData",
                    )
                } else {
                    ("", "")
                };
                writeln!(
                    self.types,
                    "#[derive(Serialize, Deserialize{derived})]\n#[serde(transparent)]\npub struct {name} {{\n    pub inner: {},\n{extra}}}\n",
                    inner.rust
                )
                .unwrap();
                writeln!(
                    self.random,
                    "impl Random for MODULE::{name} {{ fn random(rng: &mut Rng) -> Self {{ Self {{ inner: Random::random(rng){value} }} }} }}"
                )
                .unwrap();
            }
            5..=7 => {
                writeln!(
                    self.types,
                    "pub type Alias{name} = {};\n#[derive(Serialize, Deserialize{derived})]\npub struct {name}(pub Alias{name});\n",
                    inner.rust
                )
                .unwrap();
                self.newtype_random(&name);
            }
            _ => {
                writeln!(
                    self.types,
                    "#[derive(Serialize, Deserialize{derived})]\npub struct {name}(pub {});\n",
                    inner.rust
                )
                .unwrap();
                self.newtype_random(&name);
            }
        }
        Ty {
            rust: name,
            default: inner.default,
            flat: inner.flat,
            typed_map: inner.typed_map,
            ..Ty::default()
        }
    }
}
