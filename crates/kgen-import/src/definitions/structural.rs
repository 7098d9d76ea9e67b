//! Refuses schemas that are not structural, at their place, before anything is derived from them.
//!
//! Only the rules that an import depends on are checked: every value has a type, a list has items, and combinations do not
//! have types. `kgen crd` checks everything else on the result.

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{JsonType, Schema};

use super::Strictness;

/// Checks the schema of the version `path` and everything in it.
pub(super) fn check(schema: &mut Schema, path: &str, strictness: Strictness, problems: &mut Problems) {
    let Some(fallback) = schema.places.node else {
        return;
    };
    let mut checker = Checker {
        strictness,
        problems,
        fallback,
    };
    checker.schema(schema, path, true);
    if let Some(metadata) = schema.properties.get_mut("metadata") {
        checker.metadata(Arc::make_mut(metadata), path);
    }
}

/// Reports a part that is not structural. A lenient reader accepts any value there instead.
pub(super) fn refuse(
    span: Span,
    message: String,
    schema: &mut Schema,
    strictness: Strictness,
    problems: &mut Problems,
) {
    match strictness {
        Strictness::Structural => {
            problems.push(Problem::error(Code::StructuralSchema, span, message).help(
                "no API server accepts this; with `--lenient`, the imported type accepts any value here",
            ))
        }
        Strictness::Lenient => {
            *schema = Schema {
                description: schema.description.take(),
                places: schema.places.clone(),
                ..Schema::anything()
            };
            let mut problem = Problem::note(
                Code::ImportLoss,
                format!("{message}: any value is accepted instead"),
            );
            problem.span = Some(span);
            problems.push(problem);
        }
    }
}

struct Checker<'p> {
    strictness: Strictness,
    problems: &'p mut Problems,
    /// The place of the whole schema.
    fallback: Span,
}

impl Checker<'_> {
    fn refuse(&mut self, schema: &mut Schema, message: String) {
        let span = schema.places.node.unwrap_or(self.fallback);
        refuse(span, message, schema, self.strictness, self.problems);
    }

    fn schema(&mut self, schema: &mut Schema, path: &str, is_root: bool) {
        if schema.json_type.is_none() && !schema.int_or_string && !schema.preserve_unknown_fields {
            if is_root && self.strictness == Strictness::Lenient {
                schema.json_type = Some(JsonType::Object);
            } else if !self.has_error_at(schema) {
                self.refuse(schema, format!("`{path}` has no type"));
            }
        }
        if schema.json_type == Some(JsonType::Array) && schema.items.is_none() {
            self.refuse(
                schema,
                format!("`{path}` is a list without a schema for its items"),
            );
        }
        if !schema.properties.is_empty() && schema.additional_properties.is_some() {
            self.refuse(
                schema,
                format!("`{path}` has both `properties` and `additionalProperties`"),
            );
        }
        self.parts(schema, path);
        super::inapplicable::remove(schema, path, self.problems);
        for (name, property) in &mut schema.properties {
            self.schema(Arc::make_mut(property), &format!("{path}.{name}"), false);
        }
        if let Some(items) = &mut schema.items {
            self.schema(Arc::make_mut(items), &format!("{path}[]"), false);
        }
        if let Some(values) = &mut schema.additional_properties {
            self.schema(Arc::make_mut(values), &format!("{path}{{}}"), false);
        }
    }

    /// Refuses properties of metadata other than the names of the object. A lenient reader leaves them out.
    fn metadata(&mut self, metadata: &mut Schema, path: &str) {
        let is_name = |name: &str| matches!(name, "name" | "generateName");
        metadata.properties.retain(|name, property| {
            if is_name(name) {
                return true;
            }
            let span = property.places.node.unwrap_or(self.fallback);
            let message =
                format!("`{path}.metadata` can only describe `name` and `generateName`, but not `{name}`");
            match self.strictness {
                Strictness::Structural => {
                    self.problems.push(
                        Problem::error(Code::StructuralSchema, span, message)
                            .help("remove it, because no API server accepts it, or use `--lenient`"),
                    );
                    true
                }
                Strictness::Lenient => {
                    let mut problem = Problem::note(
                        Code::ImportLoss,
                        format!("{message}: any value is accepted instead"),
                    );
                    problem.span = Some(span);
                    self.problems.push(problem);
                    false
                }
            }
        });
    }

    /// A type that does not exist is already reported.
    fn has_error_at(&self, schema: &Schema) -> bool {
        let span = schema.places.stated(kgen_model::Keyword::Type);
        span.is_some_and(|span| {
            self.problems.iter().any(|problem| {
                problem.is_error()
                    && problem
                        .span
                        .is_some_and(|place| place.start >= span.start && place.start <= span.end + 2)
            })
        })
    }

    /// Checks the parts of combinations, which may narrow a value but not say what it is.
    fn parts(&mut self, schema: &mut Schema, path: &str) {
        if schema.int_or_string {
            return;
        }
        let typed = |part: &Schema| states_a_type(part);
        let has_type = schema.any_of.iter().any(typed)
            || schema.one_of.iter().any(typed)
            || schema.constraints.all_of.iter().any(typed)
            || schema.not.as_deref().is_some_and(typed);
        if !has_type {
            return;
        }
        let span = schema.places.node;
        if self.strictness == Strictness::Lenient {
            schema.any_of.clear();
            schema.one_of.clear();
            schema.constraints.all_of.clear();
            schema.not = None;
            let message = format!("the combinations of `{path}` have types, so they are left out");
            let mut problem = Problem::note(Code::ImportLoss, message);
            problem.span = span;
            self.problems.push(problem);
        } else {
            self.refuse(
                schema,
                format!("a combination (`allOf`, `anyOf`, `oneOf`, `not`) of `{path}` states a type"),
            );
        }
    }
}

/// Returns whether a part of a combination, or a schema within it, says what its value is.
fn states_a_type(part: &Schema) -> bool {
    let is_typed = |part: &Schema| {
        part.json_type.is_some()
            || part.additional_properties.is_some()
            || part.default.is_some()
            || part.nullable
            || part.preserve_unknown_fields
            || part.embedded_resource
            || part.int_or_string
    };
    // `anyOf` of an integer and a string is a way to write the other combinations of such a value.
    is_typed(part)
        || part.properties.values().any(|property| states_a_type(property))
        || part.items.as_deref().is_some_and(states_a_type)
        || part.not.as_deref().is_some_and(states_a_type)
        || part.any_of.iter().any(states_a_type)
        || part.one_of.iter().any(states_a_type)
        || part.constraints.all_of.iter().any(states_a_type)
}
