//! Schemas that the source writes in code, as far as the code is a plain tree: `schema_with` functions, hand-written
//! `JsonSchema` impls, rules in CEL, constants in attributes.
//!
//! The code is not run: `crate::evaluate` evaluates the code, and this module turns the values into keywords and rules.
//! Code that cannot be evaluated is reported at its place, or any value is accepted if the user allows that.

mod keywords;
mod opaque;
mod rules;
mod written;

use kgen_diagnostics::{Span, Spanned};
use kgen_model::{Number, Schema};
use serde_json::Value;

use super::projection::Projection;
use super::{Resolved, Scope, Shapes};
use crate::declare::{Literal, Meta, MetaValue, TypeDeclaration, TypeExpression};
use crate::evaluate::{self, Found, Host, Read, Unknown};
use crate::program::{ModuleId, Program, TypeId};
pub(super) use opaque::{Owner, computed_schema};
pub(super) use written::Written;

/// Reads the code of one place in the source. It borrows `Shapes` for the schemas of types that the code names.
pub(crate) struct CodeReader<'s, 'a> {
    pub(super) shapes: &'s mut Shapes<'a>,
    pub(super) scope: &'s Scope,
}

impl<'a> Shapes<'a> {
    /// Returns the reader of code that is written in `scope`.
    pub(crate) fn code<'s>(&'s mut self, scope: &'s Scope) -> CodeReader<'s, 'a> {
        CodeReader { shapes: self, scope }
    }
}

impl CodeReader<'_, '_> {
    /// Returns the schema that the function at a path makes, such as that of `#[schemars(schema_with = "…")]`.
    pub(super) fn schema_function(&mut self, path: &Spanned<String>, owner: Owner) -> Option<Schema> {
        let around = self.scope;
        let Some((found, scope)) = evaluate::find(self, around, &path.value) else {
            let what = "kgen cannot find this function in the source";
            return self.shapes.opaque_part(owner, path.span, Some((path.span, what)));
        };
        match self.schema_of(&found, &scope) {
            Ok(schema) => Some(schema),
            Err(unknown) => self.shapes.opaque_part(
                owner,
                path.span,
                Some((unknown.span, "this part cannot be evaluated")),
            ),
        }
    }

    /// Returns the schema that a function makes.
    fn schema_of(&mut self, found: &Found, scope: &Scope) -> Read<Schema> {
        let value = evaluate::found(self, scope, found)?;
        let written = self.written(&value, found.body)?;
        keywords::schema(&written, self.shapes.conventions)
            .map_err(|()| Unknown::new(found.body, "this schema is not valid in Kubernetes"))
    }

    /// Returns the JSON of a value.
    pub(in crate::shape) fn json(&mut self, value: &evaluate::Value, span: Span) -> Read<Value> {
        Projection::new(self.shapes.program, self.shapes.conventions).json(value, span)
    }

    fn written(&mut self, value: &evaluate::Value, span: Span) -> Read<Written> {
        Projection::new(self.shapes.program, self.shapes.conventions).written(value, span)
    }

    /// Returns the schema that a hand-written `JsonSchema` states. Returns `None` if the type has none; an error tells
    /// which part cannot be read.
    pub(super) fn written_schema(&mut self, declaration: &TypeDeclaration) -> Option<Read<Schema>> {
        if ["JsonSchema", "KubeSchema", "CELSchema"]
            .iter()
            .any(|name| declaration.attributes.derives(name).is_some())
        {
            return None;
        }
        let this = self.scope.this.as_ref().map(|(id, _)| *id)?;
        let (module, implementation) = json_schema_of(self.shapes.program, this, declaration)?;
        let implementation = self
            .shapes
            .program
            .body(module)?
            .implementations
            .get(implementation)?;
        let function = implementation
            .values
            .iter()
            .find(|value| value.name == "json_schema");
        let Some(function) = function else {
            return Some(Err(Unknown::new(implementation.span, "it has no `json_schema`")));
        };
        let found = Found::new(module, Some(this), function);
        let scope = Scope {
            module,
            ..self.scope.clone()
        };
        Some(self.schema_of(&found, &scope))
    }

    /// Returns the schema that a hand-written `JsonSchema` states for the type called `name` that a derive makes in
    /// this module. Returns `None` if there is none, or if it cannot be read, which is then reported.
    pub(crate) fn written_for_derived(&mut self, name: &str) -> Option<Schema> {
        let (module, implementation) = self
            .shapes
            .program
            .json_schema_in_crate(name, self.scope.module)?;
        let implementation = self
            .shapes
            .program
            .body(module)?
            .implementations
            .get(implementation)?;
        let span = implementation.span;
        let function = implementation
            .values
            .iter()
            .find(|value| value.name == "json_schema");
        let found = Found::new(module, None, function?);
        match self.schema_of(&found, &Scope::of(module)) {
            Ok(schema) => Some(schema),
            Err(unknown) => {
                let problem = computed_schema(name, span, unknown.span);
                self.shapes.problems.push(problem);
                None
            }
        }
    }

    /// Returns the text of an attribute's value: a literal, or what a constant of the source holds.
    pub(super) fn text(&mut self, meta: &Meta) -> Option<String> {
        match self.value(meta)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number of an attribute's value.
    pub(super) fn number(&mut self, meta: &Meta) -> Option<Number> {
        match self.value(meta)? {
            // Older validators write numbers as text, and names of constants as well.
            Value::String(text) => text
                .parse()
                .ok()
                .map(Number::Integer)
                .or_else(|| text.parse().ok().and_then(Number::from_f64))
                .or_else(|| Number::from_json(&self.constant(&text, meta.span)?))
                .or_else(|| Number::from_json(&self.quoted(meta)?)),
            value => Number::from_json(&value),
        }
    }

    /// Returns the value of an attribute as JSON.
    pub(super) fn value(&mut self, meta: &Meta) -> Option<Value> {
        match &meta.value {
            MetaValue::Literal(literal, _) => literal_json(literal),
            MetaValue::Expression(span) => self.written_value(*span).ok()?.to_json(),
            MetaValue::Word | MetaValue::List(_) => None,
        }
    }

    /// Returns the value of an expression that is written inside quotes.
    pub(super) fn quoted(&mut self, meta: &Meta) -> Option<Value> {
        let MetaValue::Literal(Literal::Text(text), span) = &meta.value else {
            return None;
        };
        let inside = Span::new(span.file, span.start + 1, span.end.checked_sub(1)?);
        // With escapes, the text is not the one of the source.
        if self.shapes.program.text(inside) != text.as_str() {
            return None;
        }
        self.written_value(inside).ok()?.to_json()
    }

    /// Lets a function of `#[schemars(transform = …)]` change a schema. Returns `None` if it cannot be evaluated.
    pub(super) fn transform(&mut self, meta: &Meta, schema: &mut Schema) -> Option<()> {
        let MetaValue::Expression(span) = meta.value else {
            return None;
        };
        let scope = self.scope;
        let before = evaluate::Value::Schema(Box::new(schema.clone()));
        let after = evaluate::changed(self, scope, span, before).ok()?;
        let evaluate::Value::Schema(after) = after else {
            return None;
        };
        *schema = *after;
        Some(())
    }

    /// Returns the value of an expression at a place, in the language of `json!`.
    fn written_value(&mut self, span: Span) -> Read<Written> {
        let scope = self.scope;
        let value = evaluate::json(self, scope, span)?;
        self.written(&value, span)
    }

    /// Returns the text of the constant at a path.
    pub(super) fn constant_text(&mut self, path: &str, span: Span) -> Option<String> {
        match self.constant(path, span)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    fn constant(&mut self, path: &str, span: Span) -> Option<Value> {
        let value =
            evaluate::path(self.shapes.program, self.scope, path, span, &evaluate::Type::Json).ok()?;
        self.json(&value, span).ok()
    }

    /// Sets a keyword of a schema to what an attribute says, such as `extend("minLength" = 3)`.
    pub(super) fn extend(&mut self, meta: &Meta, schema: &mut Schema) -> Option<()> {
        let written = match &meta.value {
            MetaValue::Literal(literal, _) => Written::from_json(&literal_json(literal)?),
            MetaValue::Expression(span) => self.written_value(*span).ok()?,
            MetaValue::Word | MetaValue::List(_) => return None,
        };
        keywords::apply(schema, &meta.name, &written, self.shapes.conventions).ok()
    }
}

impl Host for CodeReader<'_, '_> {
    fn program(&mut self) -> &mut Program {
        self.shapes.program
    }

    fn resolve(&mut self, written: &TypeExpression, scope: &Scope) -> Option<Resolved> {
        self.shapes.resolve(written, scope)
    }

    fn type_schema(&mut self, written: &TypeExpression, scope: &Scope, span: Span) -> Option<Schema> {
        let resolved = self.shapes.resolve(written, scope)?;
        self.shapes.element(&resolved, span)
    }

    fn set_keyword(
        &mut self,
        schema: &mut Schema,
        key: &str,
        value: &evaluate::Value,
        span: Span,
    ) -> Option<()> {
        let written = self.written(value, span).ok()?;
        keywords::apply(schema, key, &written, self.shapes.conventions).ok()
    }

    fn remove_keyword(&mut self, schema: &mut Schema, key: &str) -> Option<()> {
        keywords::remove(schema, key).ok()
    }
}

/// Returns the hand-written `JsonSchema` of a type: its module, and its place among the implementations there. It can
/// be anywhere in the crate of the type.
fn json_schema_of(
    program: &mut Program,
    id: TypeId,
    declaration: &TypeDeclaration,
) -> Option<(ModuleId, usize)> {
    if let Some(found) = program.json_schemas(&declaration.name, id) {
        return Some(found);
    }
    // A type with hand-written serde code often has a hand-written schema, perhaps in a file that is not read yet.
    let body = program.shared_body(id.module)?;
    super::hand_written(declaration, &body)?;
    if program.is_foreign(id.module) || super::settled_by_marker(&declaration.markers).is_some() {
        return None;
    }
    program.load_crate(id.module);
    program.json_schemas(&declaration.name, id)
}

/// Returns the place where the trait of a hand-written `JsonSchema` is named.
pub(super) fn json_schema_span(
    program: &mut Program,
    id: TypeId,
    declaration: &TypeDeclaration,
) -> Option<Span> {
    let (module, implementation) = json_schema_of(program, id, declaration)?;
    Some(program.body(module)?.implementations.get(implementation)?.span)
}

pub(super) fn literal_json(literal: &Literal) -> Option<Value> {
    Some(match literal {
        Literal::Text(text) => Value::from(text.as_str()),
        Literal::Integer(value) => i64::try_from(*value).ok()?.into(),
        Literal::Float(value) => Value::from(*value),
        Literal::Boolean(value) => Value::from(*value),
    })
}
