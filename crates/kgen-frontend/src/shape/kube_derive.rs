//! The conventions of kube-derive, for `compat=kube-derive`: the schemas that schemars has for scalars, and how it reads
//! the attributes of serde.

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{JsonType, Number, Schema};

use super::conventions::Conventions;
use super::object::is_written_as_option;
use super::rename::RenameRule;
use super::serde::{self, DefaultSource, Member};
use super::{Resolved, Shapes};
use crate::declare::{Attributes, Field, Fields, Meta, MetaValue, TypeDeclaration, Variant, parse_type};
use crate::program::{Foundation, ModuleId, Program, Schemars, Target, TypeId};
use crate::well_known::not_zero;

impl Shapes<'_> {
    /// Returns whether an optional value of the type that is being described may be null.
    pub(super) fn writes_null_beside_options(&self) -> bool {
        self.conventions.writes_null_beside_options() && !self.in_kubernetes()
    }

    /// Returns the schema that kube-derive has for a well-known type, if it differs from kgen's.
    pub(super) fn as_kube_derive(&mut self, path: &str, span: Span) -> Option<Schema> {
        if self.conventions.adds_facts() {
            return None;
        }
        let schema = self.conventions.well_known(path);
        let Some(inside) = path.strip_prefix("k8s_openapi::") else {
            return schema;
        };
        let user = self.open.innermost().map(|user| user.module);
        let declared = user.and_then(|user| kubernetes_declaration(self.program, user, inside));
        let Some(id) = declared else {
            return schema;
        };
        if path.ends_with("::ObjectMeta") {
            let schema = self.resolved(&Resolved::Declared(id, Vec::new()), span)?;
            return Some(schema);
        }
        let mut schema = match schema {
            Some(schema) => schema,
            None if path.ends_with("Time") => Schema::string_format("date-time"),
            None if path.ends_with("::FieldsV1") => Schema::of_type(JsonType::Object),
            None => return None,
        };
        schema.description = self.program.declaration(id)?.description.clone();
        Some(schema)
    }
}

impl Conventions {
    /// Returns whether a field whose schema is not that of its type may be absent. For schemars the type that is given
    /// instead decides, and a function is not an `Option`.
    pub(super) fn is_replaced_option(self, field: &Field, member: &Member) -> bool {
        if self.trusts_derives() {
            if let Some(name) = &member.schema_of {
                return parse_type(&name.value, name.span).is_some_and(|given| is_written_as_option(&given));
            }
            if member.schema_function.is_some() {
                return false;
            }
        }
        is_written_as_option(&field.field_type)
    }

    /// Returns whether an attribute of schemars, validator or garde is one that the schema depends on. schemars 0.8 does
    /// not know addresses, and reads formats only without a list.
    pub(super) fn reads_check(self, meta: &Meta) -> bool {
        if !self.has_old_schemars() {
            return true;
        }
        match meta.name.as_str() {
            "ip" | "ipv4" | "ipv6" => false,
            "email" | "url" | "phone" => matches!(meta.value, MetaValue::Word),
            _ => true,
        }
    }

    /// Reads the attributes of a member. schemars ignores functions that read or write a value.
    pub(super) fn member(self, attributes: &Attributes, problems: &mut Problems) -> Member {
        let mut member = serde::member(attributes, problems);
        if self.trusts_derives()
            && let Some(code) = member.custom.take_if(|code| code.value != "with")
        {
            problems.push(
                Problem::warning(
                    Code::OpaqueType,
                    code.span,
                    "the JSON of this field is computed by code",
                )
                .help("check it: like kube-derive, kgen uses the schema of the type"),
            );
        }
        member
    }

    /// Returns the fields of a variant. schemars does not ask whether its only value is skipped.
    pub(super) fn fields_of(self, variant: &Variant) -> &Fields {
        if self.trusts_derives() {
            &variant.fields
        } else {
            serde::fields_of(variant)
        }
    }

    /// Keeps a field that is written and never read: schemars 0.8 has it in the schema.
    pub(super) fn keep_written(self, attributes: &Attributes, member: &mut Member) {
        let is_written = ["skip", "skip_serializing"]
            .iter()
            .all(|name| attributes.serde(name).is_none())
            && !attributes.schemars.iter().any(|meta| meta.name == "skip");
        if member.skipped && is_written && self.has_old_schemars() {
            member.skipped = false;
            member.default.get_or_insert(DefaultSource::Trait);
        }
    }

    /// Returns whether the derive of a type states its schema, as schemars takes it, whatever its serde code does.
    pub(super) fn is_stated_by_derive(
        self,
        declaration: &TypeDeclaration,
        code: Span,
        problems: &mut Problems,
    ) -> bool {
        let derives = self.trusts_derives()
            && ["JsonSchema", "KubeSchema", "CELSchema"]
                .iter()
                .any(|name| declaration.attributes.derives(name).is_some());
        if derives {
            problems.push(
                Problem::warning(
                    Code::OpaqueType,
                    code,
                    format!("the JSON of `{}` is computed by code", declaration.name),
                )
                .help("check it: like schemars, kgen uses the schema of the fields"),
            );
        }
        derives
    }
}

/// Returns the declaration of a type of k8s-openapi that kgen otherwise knows without its source.
fn kubernetes_declaration(program: &mut Program, user: ModuleId, path: &str) -> Option<TypeId> {
    let (module, name) = path.rsplit_once("::")?;
    // Each type has a file of its own, called after it.
    let file = RenameRule::from_name("snake_case")?.variant(name);
    let root = if program.is_kubernetes(user) {
        "crate"
    } else {
        "k8s_openapi"
    };
    let names: Vec<&str> = std::iter::once(root)
        .chain(module.split("::"))
        .chain([file.as_str(), name])
        .collect();
    // By its whole path the type is well known again; but that way its file is read, and its module is found.
    let _ = program.resolve(user, &names, false);
    let (_, modules) = names.split_last()?;
    let Target::Module(module) = program.resolve(user, modules, false).ok()? else {
        return None;
    };
    let body = program.body(module)?;
    let index = body.types.iter().position(|declared| declared.name == name)?;
    Some(TypeId { module, index })
}

/// Returns the schema that schemars has for a type, if it differs from kgen's.
pub(super) fn well_known(path: &str, foundation: Foundation) -> Option<Schema> {
    if let Some(name) = path.strip_prefix("std::num::NonZeroI") {
        let inner = well_known(&format!("i{name}"), foundation);
        let format = if name == "32" { "int32" } else { "int64" };
        return Some(not_zero(inner.unwrap_or_else(|| Schema::integer(format))));
    }
    if let Some(name) = path.strip_prefix("std::sync::atomic::Atomic") {
        return well_known(&name.to_lowercase(), foundation);
    }
    let (format, minimum, maximum) = match path {
        "i8" => ("int8", Some(-128), Some(127)),
        "i16" => ("int16", Some(-32_768), Some(32_767)),
        "i64" => return None,
        "u8" => ("uint8", Some(0), Some(255)),
        "u16" => ("uint16", Some(0), Some(65_535)),
        "u32" => ("uint32", Some(0), None),
        "u64" => ("uint64", Some(0), None),
        "std::num::NonZeroU8" => ("uint8", Some(1), Some(255)),
        "std::num::NonZeroU16" => ("uint16", Some(1), Some(65_535)),
        "std::num::NonZeroU32" => ("uint32", Some(1), None),
        "std::num::NonZeroU64" => ("uint64", Some(1), None),
        "std::num::NonZeroUsize" => ("uint", Some(1), None),
        "isize" => ("int", None, None),
        "usize" => ("uint", Some(0), None),
        "f32" | "f64" => {
            let mut schema = Schema::of_type(JsonType::Number);
            schema.implied_format = Some(if path == "f32" { "float" } else { "double" });
            return Some(schema);
        }
        "std::time::Duration" => {
            let mut schema = Schema::of_type(JsonType::Object);
            for (name, part) in [("nanos", "u32"), ("secs", "u64")] {
                let part = well_known(part, foundation)?;
                schema.properties.insert(name.to_owned(), Arc::new(part));
                schema.required.insert(name.to_owned());
            }
            return Some(schema);
        }
        "std::net::IpAddr" => return Some(Schema::string_format("ip")),
        "k8s_openapi::apimachinery::pkg::api::resource::Quantity"
            if foundation.schemars == Schemars::Zero =>
        {
            return Some(Schema::of_type(JsonType::String));
        }
        "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString" if foundation.int_or_string_is_text => {
            return Some(Schema::string_format("int-or-string"));
        }
        "k8s_openapi::apimachinery::pkg::api::resource::Quantity"
        | "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString" => {
            return Some(Schema {
                int_or_string: true,
                ..Schema::default()
            });
        }
        _ => return None,
    };
    let mut schema = Schema::integer(format);
    // Version 0.8 does not have bounds except the lower bound of unsigned integers.
    let (minimum, maximum) = match foundation.schemars {
        Schemars::Zero => (minimum.filter(|minimum| *minimum >= 0), None),
        Schemars::One => (minimum, maximum),
    };
    schema.constraints.minimum = minimum.map(Number::Integer);
    schema.constraints.maximum = maximum.map(Number::Integer);
    Some(schema)
}
