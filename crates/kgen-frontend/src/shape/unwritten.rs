//! Defaults that serde cannot write: a variant with `skip` is never read, but a default can still be that variant.

use kgen_diagnostics::{Code, Problem, Span};

use super::fields::FieldReader;
use super::numbered;
use super::projection::is_written_by_code;
use super::serde::{DefaultSource, Member};
use crate::declare::{Attributes, Field, TypeKind};
use crate::evaluate::{Instance, Value};
use crate::program::Program;

impl FieldReader<'_, '_> {
    /// Reports a field whose default contains a variant that serde refuses to write: an object without the field can be
    /// read, but not written back. A field with `skip_deserializing` always has its default.
    pub(super) fn check_default_is_written(&mut self, field: &Field, member: &Member) {
        if !self.shapes.follows_rust_exactly() || !is_always_written(&field.attributes) {
            return;
        }
        let source = match (&member.default, &self.container.default) {
            (None, None) if member.skipped => Some(DefaultSource::Trait),
            (stated, _) => stated.clone(),
        };
        let mut code = self.shapes.code(self.scope);
        let Some((Ok(value), _)) = code.default_value(field, source.as_ref(), self.container) else {
            return;
        };
        let Some((span, variant)) = unwritten_variant(self.shapes.program, &value) else {
            return;
        };
        let is_whole = matches!(&value, Value::Instance(instance) if instance.variant.is_some());
        let verb = if is_whole { "is" } else { "contains" };
        let message = format!(
            "the default of `{}` {verb} `{variant}`, which serde cannot write",
            field.name
        );
        self.shapes.problems.push(
            Problem::error(Code::LostWhenSkipped, field.span, message)
                .related(span, "skipped here")
                .help("make another variant the default, or omit the field with `skip_serializing_if`"),
        );
    }
}

/// Returns whether a field is written whatever its value. kgen does not guess what a condition says.
fn is_always_written(attributes: &Attributes) -> bool {
    ["skip", "skip_serializing", "skip_serializing_if"]
        .iter()
        .all(|name| attributes.serde(name).is_none())
}

/// Returns the first variant inside a value that serde cannot write, with the attribute that says so.
fn unwritten_variant(program: &Program, value: &Value) -> Option<(Span, String)> {
    match value {
        Value::Option(inner) => unwritten_variant(program, inner.as_deref()?),
        Value::List(list) | Value::Tuple(list) => {
            list.iter().find_map(|value| unwritten_variant(program, value))
        }
        Value::Map(entries) => entries
            .iter()
            .find_map(|(_, value)| unwritten_variant(program, value)),
        Value::Instance(instance) => unwritten_in(program, instance),
        _ => None,
    }
}

fn unwritten_in(program: &Program, instance: &Instance) -> Option<(Span, String)> {
    let body = program.shared_body(instance.id.module)?;
    let declaration = body.types.get(instance.id.index)?;
    if is_written_by_code(declaration, &body) || numbered::derive_of(declaration).is_some() {
        return None;
    }
    let fields = match (&declaration.kind, &instance.variant) {
        (TypeKind::Struct(fields), None) => fields.list(),
        (TypeKind::Enum(variants), Some(name)) => {
            let variant = variants.iter().find(|variant| variant.name == *name)?;
            let skipped = ["skip", "skip_serializing"]
                .into_iter()
                .find_map(|name| variant.attributes.serde(name));
            if let Some(meta) = skipped {
                return Some((meta.span, format!("{}::{name}", declaration.name)));
            }
            variant.fields.list()
        }
        _ => return None,
    };
    fields.iter().enumerate().find_map(|(index, field)| {
        if !is_always_written(&field.attributes) {
            return None;
        }
        // Fields of tuples are called by their number.
        let is_field = |name: &str| {
            if field.name.is_empty() {
                name == index.to_string()
            } else {
                name == field.name
            }
        };
        let (_, value) = instance.fields.iter().find(|(name, _)| is_field(name))?;
        unwritten_variant(program, value)
    })
}
