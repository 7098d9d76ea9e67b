//! Random types of fields, and the declarations that they use.

use fastrand::Rng;

use super::names::Names;

/// Scalars, and types of libraries.
const PLAIN: &[&str] = &[
    "bool",
    "i32",
    "i64",
    "u8",
    "u32",
    "String",
    "String",
    "char",
    "std::num::NonZeroU32",
    "std::path::PathBuf",
    "std::net::Ipv4Addr",
    "std::borrow::Cow<'static, str>",
    "std::collections::BTreeSet<String>",
    "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString",
    "k8s_openapi::apimachinery::pkg::api::resource::Quantity",
    "k8s_openapi::apimachinery::pkg::apis::meta::v1::Time",
    "k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector",
    "k8s_openapi::api::core::v1::LocalObjectReference",
    "k8s_openapi::api::core::v1::SecretKeySelector",
];

/// The declarations of one module, and the types of its fields.
pub struct Types {
    /// Paths of declared types, as the module names them.
    known: Vec<String>,
    /// The text of the declarations.
    pub text: String,
    pub names: Names,
}

impl Types {
    pub fn new() -> Self {
        let mut names = Names::new();
        for name in [
            "Serialize",
            "Deserialize",
            "ObjectMeta",
            "TypeMeta",
            "CustomResource",
            "String",
        ] {
            names.take(name);
        }
        Self {
            known: Vec::new(),
            text: String::new(),
            names,
        }
    }

    /// Declares some types, each of a random sort and visibility.
    pub fn declare(&mut self, rng: &mut Rng) {
        for number in 0..rng.usize(1..6) {
            let name = self.names.a_type(rng, 50);
            let declaration = self.declaration(rng, &name);
            let module = format!("part{number}");
            let known = match rng.u8(..6) {
                // A module of its own, which is private, public, or visible in the crate only.
                0 => {
                    self.within(&format!("mod {module}"), &declaration);
                    self.text.push_str(&format!(
                        "#[allow(unused_imports)]\npub use self::{module}::{name};\n\n"
                    ));
                    name
                }
                1 => {
                    self.within(&format!("mod {module}"), &declaration);
                    self.text.push_str(&format!(
                        "#[allow(unused_imports)]\npub(crate) use {module}::*;\n\n"
                    ));
                    name
                }
                2 => {
                    self.within(&format!("pub(crate) mod {module}"), &declaration);
                    format!("{module}::{name}")
                }
                3 => {
                    self.within(&format!("pub mod {module}"), &declaration);
                    format!("self::{module}::{name}")
                }
                _ => {
                    self.text.push_str(&declaration);
                    name
                }
            };
            self.known.push(known);
        }
    }

    fn within(&mut self, module: &str, declaration: &str) {
        self.text.push_str(&format!(
            "/// A part.\n{module} {{\n#[allow(unused_imports)]\nuse super::*;\n{declaration}}}\n\n"
        ));
    }

    fn declaration(&mut self, rng: &mut Rng, name: &str) -> String {
        let derive = "#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]\n";
        let default = "#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]\n";
        match rng.u8(..6) {
            0 => format!("/// An enum.\n{derive}pub enum {name} {{\n/// One.\nOne,\n/// Two.\nTwo,\n}}\n\n"),
            1 => format!("/// A newtype.\n{default}pub struct {name}(pub String);\n\n"),
            2 => {
                // A generic type cannot be mirrored, so it is used as it is, through an alias.
                format!(
                    "/// Generic.\n{default}pub struct {name}Of<T> {{\n/// Inside.\npub inside: T,\n}}\n\n\
                     /// An alias.\npub type {name} = {name}Of<String>;\n\n"
                )
            }
            3 => format!("/// Empty.\n{default}pub struct {name} {{}}\n\n"),
            _ => {
                let fields = self.fields(rng, 5, Attributes::Serde);
                format!(
                    "/// A struct.\n{derive}#[serde(rename_all = \"camelCase\")]\npub struct {name} {{\n{fields}}}\n\n"
                )
            }
        }
    }

    /// Returns up to `most` fields, with their documentation.
    pub fn fields(&mut self, rng: &mut Rng, most: usize, attributes: Attributes) -> String {
        let mut names = Names::new();
        for name in [
            "metadata",
            "spec",
            "status",
            "kind",
            "api_version",
            "replicas",
            "types",
        ] {
            names.take(name);
        }
        let mut text = String::new();
        for number in 0..rng.usize(0..=most) {
            let name = names.a_field(rng);
            let visibility = if rng.u8(..5) == 0 { "pub(crate)" } else { "pub" };
            let optional = rng.bool();
            let mut field_type = self.a_type(rng, 3);
            if optional {
                field_type = format!("Option<{field_type}>");
            }
            text.push_str(&format!("/// The field {number}.\n"));
            match (attributes, rng.u8(..6)) {
                (Attributes::None, _) => {}
                (_, 0) => text.push_str(&format!(
                    "#[serde(rename = \"renamed-{}\")]\n",
                    name.trim_start_matches("r#")
                )),
                (_, 1) if optional => text.push_str("#[serde(skip_serializing_if = \"Option::is_none\")]\n"),
                (_, 2) if optional => text.push_str("#[serde(default, skip)]\n"),
                _ => {}
            }
            text.push_str(&format!("{visibility} {name}: {field_type},\n"));
        }
        text
    }

    /// Returns a type of at most `depth` levels.
    pub fn a_type(&self, rng: &mut Rng, depth: usize) -> String {
        if depth > 0 && rng.u8(..3) == 0 {
            let inner = self.a_type(rng, depth - 1);
            return match rng.u8(..5) {
                0 => format!("Vec<{inner}>"),
                1 => format!("std::collections::BTreeMap<String, {inner}>"),
                2 => format!("std::collections::HashMap<String, {inner}>"),
                3 => format!("Box<{inner}>"),
                _ => format!("[{inner}; {}]", rng.u8(1..20)),
            };
        }
        if !self.known.is_empty() && rng.bool() {
            return rng.choice(&self.known).unwrap().clone();
        }
        (*rng.choice(PLAIN).unwrap()).to_owned()
    }
}

/// Which attributes fields can have.
#[derive(Clone, Copy, PartialEq)]
pub enum Attributes {
    /// None: without a derive there are no attributes of serde.
    None,
    Serde,
}
