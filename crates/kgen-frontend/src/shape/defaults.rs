//! The defaults of serde as defaults of the schema.

use kgen_diagnostics::{Code, Problem, Span};
use serde_json::Value as Json;

use super::code::CodeReader;
use super::projection::is_kept;
use super::serde::{Container, DefaultSource, Member};
use crate::declare::{Field, TypeExpression, TypeExpressionKind};
use crate::evaluate::{self, Read, Unknown, Value};

impl CodeReader<'_, '_> {
    /// Returns the value that serde puts in place of an absent field, as far as the source states it. Reports a
    /// requested value that cannot be evaluated.
    pub(super) fn serde_default(
        &mut self,
        field: &Field,
        member: &Member,
        container: &Container,
    ) -> Option<Json> {
        // schemars writes a default only if it knows that the type is serializable, which it does not know of a parameter.
        if self.shapes.conventions.always_writes_serde_defaults()
            && mentions(&field.field_type, &|name| {
                self.scope.parameters.iter().any(|(known, _)| known == name)
            })
        {
            return None;
        }
        let (value, json) = match self.evaluated_default(field, member, container)? {
            Ok(read) => read,
            Err(unknown) => {
                self.report_unknown_default(field, member, &unknown);
                return None;
            }
        };
        let is_usual = matches!(member.default, Some(DefaultSource::Trait)) || {
            let wanted = evaluate::read_type(self.shapes.program, &field.field_type, self.scope);
            let usual = evaluate::default_of(self.shapes.program, &wanted, self.scope, field.span);
            let usual = usual.and_then(|value| self.json(&value, field.span));
            usual.ok().as_ref() == Some(&json)
        };
        let is_kept = match self.is_skipped(field, value) {
            Some(is_skipped) => !is_skipped,
            None => is_kept(self.shapes.conventions, field, &json, is_usual),
        };
        // A null has the same meaning as an absent field.
        (!json.is_null() && is_kept).then_some(json)
    }

    /// Returns what a function of the source that `skip_serializing_if` names says about a value. Returns `None` if
    /// there is none that can be evaluated, or if values are not written as serde writes them.
    fn is_skipped(&mut self, field: &Field, value: Value) -> Option<bool> {
        if !self.shapes.conventions.writes_values_like_serde() {
            return None;
        }
        let path = field.attributes.serde("skip_serializing_if")?.text()?;
        let (scope, arguments) = (self.scope, vec![value]);
        match evaluate::called(self.shapes.program, scope, path.value, arguments, path.span) {
            Ok(Value::Boolean(is_skipped)) => Some(is_skipped),
            _ => None,
        }
    }

    /// Returns `None` if serde does not have a default for the field.
    fn evaluated_default(
        &mut self,
        field: &Field,
        member: &Member,
        container: &Container,
    ) -> Option<Read<(Value, Json)>> {
        let (value, span) = self.default_value(field, member.default.as_ref(), container)?;
        Some(value.and_then(|value| {
            let json = self.json(&value, span)?;
            Ok((value, json))
        }))
    }

    /// Returns the default that a field itself states, or that it has in the default of its struct, and the place of
    /// the statement. Returns `None` if serde does not have a default for the field.
    pub(super) fn default_value(
        &mut self,
        field: &Field,
        stated: Option<&DefaultSource>,
        container: &Container,
    ) -> Option<(Read<Value>, Span)> {
        let wanted = evaluate::read_type(self.shapes.program, &field.field_type, self.scope);
        Some(match (stated, container.default.as_ref()) {
            (Some(DefaultSource::Trait), _) => {
                let value = evaluate::default_of(self.shapes.program, &wanted, self.scope, field.span);
                (value, field.span)
            }
            (Some(DefaultSource::Function(path)), _) => {
                let value = evaluate::path(self.shapes.program, self.scope, &path.value, path.span, &wanted);
                (value, path.span)
            }
            (None, None) => return None,
            (None, Some(source)) => {
                let whole = evaluate::this_type(self.scope)?;
                let (whole, span) = match source {
                    DefaultSource::Trait => {
                        let span = self.container_span(field);
                        let whole = evaluate::default_of(self.shapes.program, &whole, self.scope, span);
                        (whole, span)
                    }
                    DefaultSource::Function(path) => (
                        evaluate::path(self.shapes.program, self.scope, &path.value, path.span, &whole),
                        path.span,
                    ),
                };
                (whole.and_then(|whole| default_part(whole, field)), span)
            }
        })
    }

    /// Returns the name of the struct around a field.
    fn container_span(&self, field: &Field) -> Span {
        let this = self
            .scope
            .this
            .as_ref()
            .and_then(|(id, _)| self.shapes.program.declaration(*id));
        this.map_or(field.span, |declared| declared.span)
    }

    /// Warns that a default was asked for and cannot be evaluated. The default of a whole struct is reported once.
    fn report_unknown_default(&mut self, field: &Field, member: &Member, unknown: &Unknown) {
        let (span, message) = match &member.default {
            Some(DefaultSource::Function(path)) => (
                path.span,
                format!(
                    "`{}` cannot be evaluated, so the schema has no default",
                    path.value
                ),
            ),
            Some(DefaultSource::Trait) => (
                field.span,
                "`Default::default` cannot be evaluated, so the schema has no default".to_owned(),
            ),
            None => (
                self.container_span(field),
                "`Default::default` cannot be evaluated, so the schema has no defaults".to_owned(),
            ),
        };
        let is_reported = |known: &Problem| known.span == Some(span) && known.message == message;
        if member.default.is_none() && self.shapes.problems.iter().any(is_reported) {
            return;
        }
        let mut problem = Problem::warning(Code::OpaqueType, span, message);
        problem = if unknown.span == span {
            problem.label(unknown.reason.clone())
        } else {
            problem.related(unknown.span, unknown.reason.clone())
        };
        self.shapes.problems.push(problem.help(
            "state it with `+kubebuilder:default=…`, or use a single literal as the body of the function",
        ));
    }
}

/// Returns a field of the default of its struct.
fn default_part(whole: Value, field: &Field) -> Read<Value> {
    let part = match whole {
        Value::Instance(instance) => {
            let found = instance.fields.into_iter().find(|(name, _)| *name == field.name);
            found.map(|(_, value)| value)
        }
        _ => None,
    };
    part.ok_or_else(|| Unknown::new(field.span, "the default of the struct does not have this field"))
}

/// Returns whether a written type mentions one of some names.
fn mentions(written: &TypeExpression, is_name: &dyn Fn(&str) -> bool) -> bool {
    match &written.kind {
        TypeExpressionKind::Path(path) => {
            let is_parameter = matches!(path.segments.as_slice(), [only] if is_name(&only.name));
            let mut arguments = path.segments.iter().flat_map(|segment| &segment.arguments);
            is_parameter || arguments.any(|argument| mentions(argument, is_name))
        }
        TypeExpressionKind::Reference(inner)
        | TypeExpressionKind::Slice(inner)
        | TypeExpressionKind::Array(inner, _) => mentions(inner, is_name),
        TypeExpressionKind::Tuple(parts) => parts.iter().any(|part| mentions(part, is_name)),
        TypeExpressionKind::Constant | TypeExpressionKind::Other(_) => false,
    }
}
