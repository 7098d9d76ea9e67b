//! Structs with named fields, and the attributes of fields.

use std::fmt::Write as _;

use crate::module::{Module, Ty};

pub const RULES: &[&str] = &[
    "camelCase",
    "PascalCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
    "SCREAMING-KEBAB-CASE",
    "lowercase",
    "UPPERCASE",
];

/// The text of some fields, of a struct or of a variant.
pub struct Fields {
    /// As they are declared.
    pub declared: String,
    /// As a random value sets them.
    pub random: String,
    /// Whether all of them implement `Default`.
    pub default: bool,
    /// Whether a map with typed values is flattened among them.
    pub typed_map: bool,
}

impl Module<'_> {
    /// A struct of its own.
    pub fn declared_struct(&mut self, depth: usize) -> Ty {
        let name = self.fresh("Part");
        let fields = self.rng.usize(0..4);
        let fields = self.named_struct(&name, fields, depth);
        Ty {
            rust: name,
            default: fields.default,
            flat: true,
            typed_map: fields.typed_map,
            ..Ty::default()
        }
    }

    /// Declares a struct.
    pub fn named_struct(&mut self, name: &str, count: usize, depth: usize) -> Fields {
        let fields = self.fields(count, depth, true);
        let mut attributes = Vec::new();
        if self.once_in(3) {
            attributes.push(format!("rename_all = {:?}", self.pick(RULES)));
        }
        // serde does not support the two together, and kgen warns.
        let has_flatten = fields.declared.contains("flatten");
        if self.once_in(if has_flatten { 40 } else { 5 }) && !has_flatten {
            attributes.push("deny_unknown_fields".to_owned());
        }
        if fields.default && self.once_in(5) {
            attributes.push("default".to_owned());
        }
        if self.once_in(16) {
            attributes.push(format!("tag = \"tag{name}\""));
        }
        let mut text = String::new();
        if self.once_in(10) {
            text.push_str("/// +kubebuilder:pruning:PreserveUnknownFields\n");
        }
        let derived = if fields.default { ", Default" } else { "" };
        writeln!(text, "#[derive(Serialize, Deserialize{derived})]").unwrap();
        if !attributes.is_empty() {
            writeln!(text, "#[serde({})]", attributes.join(", ")).unwrap();
        }
        writeln!(text, "pub struct {name} {{\n{}}}\n", fields.declared).unwrap();
        self.types.push_str(&text);
        writeln!(
            self.random,
            "impl Random for MODULE::{name} {{ #[allow(unused_variables)] fn random(rng: &mut Rng) -> Self {{ Self {{ {} }} }} }}",
            fields.random
        )
        .unwrap();
        fields
    }

    /// Random fields. Those of a variant are not `pub`.
    pub fn fields(&mut self, count: usize, depth: usize, of_struct: bool) -> Fields {
        let mut fields = Fields {
            declared: String::new(),
            random: String::new(),
            default: true,
            typed_map: false,
        };
        for _ in 0..count {
            self.field(depth, of_struct, count == 1, &mut fields);
        }
        fields
    }

    fn field(&mut self, depth: usize, of_struct: bool, is_only: bool, fields: &mut Fields) {
        let name = self.fresh("field_");
        let visibility = if of_struct { "pub " } else { "" };
        if self.once_in(40) {
            let attribute = self.pick(&[
                "",
                "#[serde(skip)]\n    ",
                "#[serde(skip)]\n    ",
                "#[serde(default)]\n    ",
            ]);
            writeln!(
                fields.declared,
                "    {attribute}{visibility}{name}: std::marker::PhantomData<u8>,"
            )
            .unwrap();
            write!(fields.random, "{name}: std::marker::PhantomData, ").unwrap();
            return;
        }
        let ty = self.ty(depth);
        let mut attributes = Vec::new();
        let mut markers = String::new();
        if ty.flat && (is_only || !ty.typed_map) && self.once_in(3) {
            fields.typed_map |= ty.typed_map;
            attributes.push("flatten".to_owned());
            if ty.default && self.once_in(4) {
                attributes.push("default".to_owned());
            }
            if ty.skip_if.is_some() && self.once_in(4) {
                attributes.push(format!(
                    "skip_serializing_if = {:?}",
                    ty.skip_if.unwrap_or_default()
                ));
            }
        } else {
            self.field_attributes(&ty, &name, &mut attributes, &mut markers);
        }
        fields.default &= ty.default;
        fields.declared.push_str(&markers);
        if !attributes.is_empty() {
            writeln!(fields.declared, "    #[serde({})]", attributes.join(", ")).unwrap();
        }
        writeln!(fields.declared, "    {visibility}{name}: {},", ty.rust).unwrap();
        write!(fields.random, "{name}: Random::random(rng), ").unwrap();
    }

    fn field_attributes(&mut self, ty: &Ty, name: &str, attributes: &mut Vec<String>, markers: &mut String) {
        if self.once_in(12) {
            let renamed = self.pick(&["$ref", "a.b", "x-y", "ÄÖ", "type", "self"]);
            if self.once_in(4) {
                attributes.push(format!(
                    "rename(serialize = \"{renamed}{name}\", deserialize = \"{renamed}{name}\")"
                ));
            } else {
                attributes.push(format!("rename = \"{renamed}{name}\""));
            }
        }
        if self.once_in(30) {
            attributes.push(format!("alias = \"alias{name}\""));
        }
        if !ty.default {
            return;
        }
        match self.rng.u8(..24) {
            0..=3 => attributes.push("default".to_owned()),
            4 | 5 if ty.skip_if.is_some() => attributes.push(format!(
                "default, skip_serializing_if = {:?}",
                ty.skip_if.unwrap_or_default()
            )),
            6 if ty.skip_if.is_some() => {
                attributes.push(format!(
                    "skip_serializing_if = {:?}",
                    ty.skip_if.unwrap_or_default()
                ));
            }
            7 => attributes.push("skip".to_owned()),
            8 => attributes.push("skip_deserializing".to_owned()),
            9 => attributes.push("default, skip_serializing".to_owned()),
            10 => {
                let function = self.fresh("make_");
                writeln!(
                    self.types,
                    "pub fn {function}() -> {} {{\n    Default::default()\n}}\n",
                    ty.rust
                )
                .unwrap();
                attributes.push(format!("default = {function:?}"));
            }
            11 => markers.push_str("    // +optional\n"),
            12 if ty.rust.starts_with("Option<") => markers.push_str("    // +nullable\n"),
            13 if ty.rust == "i32" => markers.push_str("    // +kubebuilder:default=7\n"),
            13 if ty.rust == "String" => markers.push_str("    // +kubebuilder:default=\"x\"\n"),
            13 if ty.rust == "bool" => markers.push_str("    // +kubebuilder:default=true\n"),
            14 if ty.flat => {
                markers.push_str("    // +kubebuilder:pruning:PreserveUnknownFields\n");
            }
            _ => {}
        }
    }
}
