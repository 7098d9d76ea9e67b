//! Enums of all four taggings.

use std::fmt::Write as _;

use crate::leaves;
use crate::module::{Module, Ty};
use crate::structs::RULES;

/// How an enum is tagged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tagging {
    External,
    Internal,
    Adjacent,
    Untagged,
}

/// What a variant holds.
enum Held {
    Nothing,
    Value(Ty),
    Fields(usize),
}

impl Module<'_> {
    /// An enum of variants without data, which can be a key.
    pub fn unit_enum(&mut self) -> Ty {
        let held = (0..self.rng.usize(1..4)).map(|_| Held::Nothing).collect();
        self.write_enum(Tagging::External, held, 0, true)
    }

    /// An enum that `serde_repr` writes as the numbers of its variants.
    fn numbered_enum(&mut self) -> Ty {
        let name = self.fresh("Number");
        let width = self.pick(&["u8", "i8", "u16", "i32", "i64", "u32"]);
        let count = self.rng.usize(1..4);
        let takes_all = self.once_in(2);
        let mut variants = String::new();
        for index in 0..count {
            let number = if self.once_in(2) {
                format!(" = {}", index * 40)
            } else {
                String::new()
            };
            let other = if takes_all && index + 1 == count {
                "    #[serde(other)]\n"
            } else {
                ""
            };
            writeln!(variants, "{other}    Variant{index}{number},").unwrap();
        }
        writeln!(
            self.types,
            "#[derive(serde_repr::Serialize_repr, serde_repr::Deserialize_repr)]\n#[repr({width})]\npub enum {name} {{\n{variants}}}\n"
        )
        .unwrap();
        let choices: String = (0..count)
            .map(|index| format!("{index} => Self::Variant{index}, "))
            .collect();
        writeln!(
            self.random,
            "impl Random for MODULE::{name} {{ fn random(rng: &mut Rng) -> Self {{ match rng.usize(..{count}) {{ {choices}_ => unreachable!() }} }} }}"
        )
        .unwrap();
        Ty {
            rust: name,
            ..Ty::default()
        }
    }

    /// An enum of any kind.
    pub fn declared_enum(&mut self, depth: usize) -> Ty {
        let count = self.rng.usize(1..4);
        let (tagging, held) = match self.rng.u8(..13) {
            0 | 1 => return self.unit_enum(),
            12 => return self.numbered_enum(),
            2..=4 => (
                Tagging::External,
                (0..count).map(|_| self.held(depth, 30)).collect::<Vec<_>>(),
            ),
            5..=7 => (Tagging::Internal, self.held_beside_tag(count, depth)),
            8 | 9 => (Tagging::Adjacent, self.held_as_content(count, depth)),
            _ => (Tagging::Untagged, self.held_alone(count, depth)),
        };
        self.write_enum(tagging, held, depth, false)
    }

    /// Mostly data: a variant without any is rare, once in `units`.
    fn held(&mut self, depth: usize, units: u8) -> Held {
        if self.once_in(units) {
            Held::Nothing
        } else if self.once_in(3) {
            Held::Fields(self.rng.usize(0..3))
        } else {
            Held::Value(self.ty(depth))
        }
    }

    fn held_beside_tag(&mut self, count: usize, depth: usize) -> Vec<Held> {
        let mut held = Vec::new();
        for _ in 0..count {
            held.push(match self.rng.u8(..12) {
                0..=2 => Held::Nothing,
                3..=6 => Held::Fields(self.rng.usize(0..3)),
                7 | 8 => Held::Value(self.declared_struct(depth.saturating_sub(1))),
                9 => {
                    let inner = self.declared_struct(depth.saturating_sub(1));
                    Held::Value(Ty {
                        rust: format!("Option<{}>", inner.rust),
                        default: true,
                        ..inner
                    })
                }
                10 => {
                    let map = self.map(depth);
                    Held::Value(map)
                }
                _ => Held::Value(self.ty(depth)),
            });
        }
        held
    }

    /// One property has one schema, so most variants hold the same type.
    fn held_as_content(&mut self, count: usize, depth: usize) -> Vec<Held> {
        let shared = self.ty(depth);
        let mut held = Vec::new();
        for _ in 0..count {
            held.push(match self.rng.u8(..10) {
                0 | 1 => Held::Nothing,
                2 => Held::Fields(self.rng.usize(0..2)),
                3 => Held::Value(Ty {
                    rust: format!("Option<{}>", shared.rust),
                    default: true,
                    ..Ty::default()
                }),
                _ => Held::Value(shared.clone()),
            });
        }
        held
    }

    fn held_alone(&mut self, count: usize, depth: usize) -> Vec<Held> {
        let family = self.rng.u8(..8);
        let mut held = Vec::new();
        for _ in 0..count {
            held.push(match family {
                0 => Held::Value(leaves::integer(self.rng)),
                1 => Held::Value(leaves::text(self.rng)),
                2 if self.once_in(2) => Held::Value(leaves::integer(self.rng)),
                2 => Held::Value(leaves::text(self.rng)),
                3 => Held::Fields(self.rng.usize(0..3)),
                4 | 5 if self.once_in(2) => Held::Fields(self.rng.usize(1..3)),
                4 | 5 => Held::Value(self.declared_struct(depth.saturating_sub(1))),
                6 => Held::Value(leaves::any(self.rng)),
                _ => self.held(depth, 30),
            });
        }
        held
    }

    fn write_enum(&mut self, tagging: Tagging, held: Vec<Held>, depth: usize, is_key: bool) -> Ty {
        let name = self.fresh("Choice");
        let mut variants = String::new();
        let mut random = Vec::new();
        let mut has_default = false;
        let last = held.len() - 1;
        for (index, held) in held.into_iter().enumerate() {
            let variant = self.fresh("Variant");
            let mut attributes = Vec::new();
            if self.once_in(12) {
                attributes.push(format!("rename = \"is {variant}\""));
            }
            if self.once_in(30) {
                attributes.push(format!("alias = \"alias{variant}\""));
            }
            let skip = match self.rng.u8(..120) {
                0..=3 => Some("skip"),
                4 => Some("skip_serializing"),
                5 => {
                    attributes.push("skip_deserializing".to_owned());
                    None
                }
                _ => None,
            };
            // Without a variant that can be written, there is no value.
            let skip = skip.filter(|_| index < last || !random.is_empty());
            attributes.extend(skip.map(str::to_owned));
            if index == last && index > 0 && self.once_in(30) && tagging != Tagging::Untagged {
                attributes.push("untagged".to_owned());
            }
            let is_other = matches!(held, Held::Nothing)
                && index == last
                && matches!(tagging, Tagging::Internal | Tagging::Adjacent)
                && attributes.is_empty()
                && self.once_in(3);
            if is_other {
                attributes.push("other".to_owned());
            }
            let has_fields = matches!(held, Held::Fields(_));
            if has_fields && self.once_in(4) {
                attributes.push(format!("rename_all = {:?}", self.pick(RULES)));
            }
            let is_default = !has_default && matches!(held, Held::Nothing);
            let (declared, value) = match held {
                Held::Nothing => (variant.clone(), variant.clone()),
                Held::Value(ty) => {
                    // serde writes the name alone if the only value is skipped.
                    let skipped = if ty.default && self.once_in(20) {
                        "#[serde(skip)] "
                    } else {
                        ""
                    };
                    (
                        format!("{variant}({skipped}{})", ty.rust),
                        format!("{variant}(Random::random(rng))"),
                    )
                }
                Held::Fields(count) => {
                    let fields = self.fields(count, depth, false);
                    (
                        format!(
                            "{variant} {{\n{}    }}",
                            fields.declared.replace("\n    ", "\n        ")
                        ),
                        format!("{variant} {{ {} }}", fields.random),
                    )
                }
            };
            if !attributes.is_empty() {
                writeln!(variants, "    #[serde({})]", attributes.join(", ")).unwrap();
            }
            if is_default {
                has_default = true;
                writeln!(variants, "    #[default]").unwrap();
            }
            writeln!(variants, "    {declared},").unwrap();
            if skip.is_none() {
                random.push(value);
            }
        }
        self.put_enum(&name, tagging, &variants, &random, has_default, is_key);
        Ty {
            rust: name,
            default: has_default,
            ord: is_key,
            flat: !is_key,
            ..Ty::default()
        }
    }

    fn put_enum(
        &mut self,
        name: &str,
        tagging: Tagging,
        variants: &str,
        random: &[String],
        has_default: bool,
        is_key: bool,
    ) {
        let mut attributes = match tagging {
            Tagging::External => Vec::new(),
            Tagging::Internal => vec![format!("tag = \"tag{name}\"")],
            Tagging::Adjacent => vec![format!("tag = \"tag{name}\", content = \"content{name}\"")],
            Tagging::Untagged => vec!["untagged".to_owned()],
        };
        if self.once_in(4) {
            attributes.push(format!("rename_all = {:?}", self.pick(RULES)));
        }
        if self.once_in(5) {
            attributes.push(format!("rename_all_fields = {:?}", self.pick(RULES)));
        }
        if self.once_in(6) {
            attributes.push("deny_unknown_fields".to_owned());
        }
        let mut derived = String::from("Serialize, Deserialize");
        if has_default {
            derived.push_str(", Default");
        }
        if is_key {
            derived.push_str(", PartialEq, Eq, PartialOrd, Ord");
        }
        writeln!(self.types, "#[derive({derived})]").unwrap();
        if !attributes.is_empty() {
            writeln!(self.types, "#[serde({})]", attributes.join(", ")).unwrap();
        }
        writeln!(self.types, "pub enum {name} {{\n{variants}}}\n").unwrap();
        let mut arms = String::new();
        for (index, value) in random.iter().enumerate() {
            let pattern = if index + 1 == random.len() {
                "_".to_owned()
            } else {
                index.to_string()
            };
            write!(arms, "{pattern} => Self::{value}, ").unwrap();
        }
        writeln!(
            self.random,
            "impl Random for MODULE::{name} {{ fn random(rng: &mut Rng) -> Self {{ match rng.usize(..{}) {{ {arms} }} }} }}",
            random.len()
        )
        .unwrap();
    }
}
