//! Types with parameters, and types that are read and written as another type.

use std::fmt::Write as _;

use crate::module::{Module, Ty};

impl Module<'_> {
    /// A type with a parameter, used with a random argument or without one.
    pub fn generic(&mut self, depth: usize) -> Ty {
        let name = self.fresh("Generic");
        let argument = self.ty(depth);
        match self.rng.u8(..6) {
            0 => {
                let body = "{\n    pub value: T,\n    pub list: Vec<T>,\n}";
                let random = "Self { value: Random::random(rng), list: Random::random(rng) }";
                self.put_generic(
                    &name,
                    ", Default",
                    &format!("struct {name}<T = String> {body}"),
                    random,
                );
                let uses_default = self.once_in(2);
                Ty {
                    rust: if uses_default {
                        name
                    } else {
                        format!("{name}<{}>", argument.rust)
                    },
                    default: uses_default || argument.default,
                    flat: true,
                    ..Ty::default()
                }
            }
            1 => {
                let body = "{\n    pub maybe: Option<T>,\n    pub map: BTreeMap<String, T>,\n}";
                let random = "Self { maybe: Random::random(rng), map: Random::random(rng) }";
                self.put_generic(&name, "", &format!("struct {name}<T> {body}"), random);
                Ty {
                    rust: format!("{name}<{}>", argument.rust),
                    flat: true,
                    ..Ty::default()
                }
            }
            2 => {
                let random = "Self(Random::random(rng))";
                self.put_generic(&name, "", &format!("struct {name}<T>(pub T);"), random);
                Ty {
                    rust: format!("{name}<{}>", argument.rust),
                    flat: argument.flat,
                    typed_map: argument.typed_map,
                    ..Ty::default()
                }
            }
            3 if argument.flat && !argument.typed_map => {
                let body = format!("{{\n    pub own{name}: u8,\n    #[serde(flatten)]\n    pub rest: T,\n}}");
                let random = format!("Self {{ own{name}: Random::random(rng), rest: Random::random(rng) }}");
                self.put_generic(&name, "", &format!("struct {name}<T> {body}"), &random);
                Ty {
                    rust: format!("{name}<{}>", argument.rust),
                    flat: true,
                    ..Ty::default()
                }
            }
            _ => {
                let body = "{\n    Value(T),\n    Named { value: T, other: Option<T> },\n}";
                let random = "if rng.bool() { Self::Value(Random::random(rng)) } else { Self::Named { value: \
                              Random::random(rng), other: Random::random(rng) } }";
                self.put_generic(&name, "", &format!("enum {name}<T> {body}"), random);
                Ty {
                    rust: format!("{name}<{}>", argument.rust),
                    flat: true,
                    ..Ty::default()
                }
            }
        }
    }

    fn put_generic(&mut self, name: &str, derived: &str, declaration: &str, random: &str) {
        writeln!(
            self.types,
            "#[derive(Serialize, Deserialize{derived})]\n#[allow(non_snake_case)]\npub {declaration}\n"
        )
        .unwrap();
        writeln!(
            self.random,
            "impl<T: Random> Random for MODULE::{name}<T> {{ fn random(rng: &mut Rng) -> Self {{ {random} }} }}"
        )
        .unwrap();
    }

    /// A type that serde converts from and into another one.
    pub fn converted(&mut self) -> Ty {
        let name = self.fresh("Converted");
        let other = self.pick(&[
            "String",
            "u16",
            "Vec<i64>",
            "BTreeMap<String, bool>",
            "Option<u8>",
        ]);
        writeln!(
            self.types,
            "#[derive(Clone, Default, Serialize, Deserialize)]\n#[serde(from = {other:?}, into = {other:?})]\n\
             pub struct {name} {{\n    pub inner: {other},\n}}\n\n\
             impl From<{other}> for {name} {{\n    fn from(inner: {other}) -> Self {{\n        Self {{ inner }}\n    }}\n}}\n\n\
             impl From<{name}> for {other} {{\n    fn from(value: {name}) -> Self {{\n        value.inner\n    }}\n}}\n"
        )
        .unwrap();
        writeln!(
            self.random,
            "impl Random for MODULE::{name} {{ fn random(rng: &mut Rng) -> Self {{ Self {{ inner: Random::random(rng) }} }} }}"
        )
        .unwrap();
        Ty {
            rust: name,
            default: true,
            ..Ty::default()
        }
    }
}
