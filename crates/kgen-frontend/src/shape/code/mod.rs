//! Schemas that the source writes in code, as far as the code is a plain tree: `schema_with` functions, hand-written
//! `JsonSchema` impls, rules in CEL, constants in attributes.
//!
//! Nothing is run: `crate::evaluate` evaluates the code, and this module turns the values into keywords and rules. Code
//! that cannot be evaluated is reported at its place, or any value is accepted if the user allows that.

mod keywords;
mod rules;
mod written;

use kgen_diagnostics::{Code, Problem, Span, Spanned};
use kgen_model::{Number, Schema};
use serde_json::Value;

use super::projection::Projection;
use super::{Scope, Shapes};
use crate::declare::{Literal, Meta, MetaValue, TypeDeclaration, TypeExpression};
use crate::evaluate::{self, Found, Host, Read, Unknown};
use crate::program::{ModuleId, Program, TypeId};
pub(super) use written::Written;

/// What the user can do about code that kgen cannot read.
const HELP_FIELD: [&str; 4] = [
    "say it with `#[schemars(with = \"T\")]`, where `T` is a type of the same JSON",
    "or with `+kubebuilder:validation:Type=…` on the field",
    "or take any value with `+kubebuilder:validation:Schemaless`",
    "or, for the whole run, with `crd:allowOpaque=true`",
];

impl Shapes<'_> {
    /// The schema that the function at a path makes, such as that of `#[schemars(schema_with = "…")]`.
    pub(super) fn schema_function(&mut self, path: &Spanned<String>, scope: &Scope) -> Option<Schema> {
        let Some(found) = evaluate::find(self, scope, &path.value) else {
            let what = "kgen finds no such function in the source that it reads";
            return self.opaque_field(path.span, Some((path.span, what)));
        };
        let scope = Scope {
            this: found.this.map(|id| (id, Vec::new())),
            ..Scope::of(found.module)
        };
        match self.schema_of(&found, &scope) {
            Ok(schema) => Some(schema),
            Err(unknown) => self.opaque_field(
                path.span,
                Some((unknown.span, "this part of it cannot be read without running it")),
            ),
        }
    }

    /// The schema that a function makes.
    fn schema_of(&mut self, found: &Found, scope: &Scope) -> Read<Schema> {
        let value = evaluate::found(self, scope, found)?;
        let written = self.written(&value, found.body)?;
        keywords::schema(&written, self.conventions)
            .map_err(|()| Unknown::new(found.body, "this is not a schema that Kubernetes has"))
    }

    fn written(&mut self, value: &evaluate::Value, span: Span) -> Read<Written> {
        Projection::new(self.program, self.conventions).written(value, span)
    }

    /// Reports a field whose JSON only code knows; any value, where the user allows that.
    pub(super) fn opaque_field(&mut self, span: Span, why: Option<(Span, &str)>) -> Option<Schema> {
        self.opaque(
            span,
            "only running this code would tell what JSON the field has".to_owned(),
            why,
            &HELP_FIELD,
        )
    }

    /// Reports a schema that only code knows; any value, where the user allows that.
    pub(super) fn opaque(
        &mut self,
        span: Span,
        message: String,
        why: Option<(Span, &str)>,
        helps: &[&str],
    ) -> Option<Schema> {
        if self.options.allow_opaque {
            self.problems.push(
                Problem::warning(Code::OpaqueType, span, message)
                    .help("any value is accepted here, because `allowOpaque` is set"),
            );
            return Some(Schema::anything());
        }
        let mut problem = Problem::error(Code::OpaqueType, span, message);
        if let Some((place, label)) = why {
            problem = if place == span {
                problem.label(label)
            } else {
                problem.related(place, label)
            };
        }
        for help in helps {
            problem = problem.help(*help);
        }
        self.problems.push(problem);
        None
    }

    /// The schema that a hand-written `JsonSchema` states. Nothing if the type has none; an error says what cannot be
    /// read.
    pub(super) fn written_schema(
        &mut self,
        declaration: &TypeDeclaration,
        scope: &Scope,
    ) -> Option<Read<Schema>> {
        if ["JsonSchema", "KubeSchema", "CELSchema"]
            .iter()
            .any(|name| declaration.attributes.derives(name).is_some())
        {
            return None;
        }
        let this = scope.this.as_ref().map(|(id, _)| *id)?;
        let (module, implementation) = self.json_schema_of(this, declaration)?;
        let implementation = self.program.body(module)?.implementations.get(implementation)?;
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
            ..scope.clone()
        };
        Some(self.schema_of(&found, &scope))
    }

    /// The schema that a hand-written `JsonSchema` states for the type called `name` that a derive makes in `module`.
    /// Nothing if there is none, or none that can be read; that is then reported.
    pub(crate) fn written_for_derived(&mut self, name: &str, module: ModuleId) -> Option<Schema> {
        let (module, implementation) = self.program.json_schema_in_crate(name, module)?;
        let implementation = self.program.body(module)?.implementations.get(implementation)?;
        let span = implementation.span;
        let function = implementation
            .values
            .iter()
            .find(|value| value.name == "json_schema");
        let found = Found::new(module, None, function?);
        match self.schema_of(&found, &Scope::of(module)) {
            Ok(schema) => Some(schema),
            Err(unknown) => {
                self.warn_of_computed(name, span, unknown.span);
                None
            }
        }
    }

    /// The hand-written `JsonSchema` of a type: its module, and its place among the implementations there. It may stand
    /// anywhere in the crate of the type.
    fn json_schema_of(&mut self, id: TypeId, declaration: &TypeDeclaration) -> Option<(ModuleId, usize)> {
        if let Some(found) = self.program.json_schemas(&declaration.name, id) {
            return Some(found);
        }
        // Whoever writes serde's code by hand writes the schema as well, perhaps in a file that was not read yet.
        let body = self.program.shared_body(id.module)?;
        super::hand_written(declaration, &body)?;
        if self.program.is_foreign(id.module) || super::settled_by_marker(&declaration.markers).is_some() {
            return None;
        }
        self.program.load_crate(id.module);
        self.program.json_schemas(&declaration.name, id)
    }

    /// Where the trait of a hand-written `JsonSchema` is named.
    pub(super) fn json_schema_span(&mut self, id: TypeId, declaration: &TypeDeclaration) -> Option<Span> {
        let (module, implementation) = self.json_schema_of(id, declaration)?;
        Some(
            self.program
                .body(module)?
                .implementations
                .get(implementation)?
                .span,
        )
    }

    /// The text of an attribute's value: a literal, or what a constant of the source holds.
    pub(super) fn attribute_text(&mut self, meta: &Meta, scope: &Scope) -> Option<String> {
        match self.attribute_value(meta, scope)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number of an attribute's value.
    pub(super) fn attribute_number(&mut self, meta: &Meta, scope: &Scope) -> Option<Number> {
        match self.attribute_value(meta, scope)? {
            // Older validators write numbers as text, and names of constants as well.
            Value::String(text) => text
                .parse()
                .ok()
                .map(Number::Integer)
                .or_else(|| text.parse().ok().and_then(Number::from_f64))
                .or_else(|| Number::from_json(&self.constant(&text, meta.span, scope)?)),
            value => Number::from_json(&value),
        }
    }

    /// The value of an attribute as JSON.
    pub(super) fn attribute_value(&mut self, meta: &Meta, scope: &Scope) -> Option<Value> {
        match &meta.value {
            MetaValue::Literal(literal, _) => literal_json(literal),
            MetaValue::Expression(span) => self.written_value(*span, scope).ok()?.to_json(),
            MetaValue::Word | MetaValue::List(_) => None,
        }
    }

    /// The value of an expression at a place, in the language of `json!`.
    fn written_value(&mut self, span: Span, scope: &Scope) -> Read<Written> {
        let value = evaluate::json(self, scope, span)?;
        self.written(&value, span)
    }

    /// The text of the constant at a path.
    pub(super) fn constant_text(&mut self, path: &str, span: Span, scope: &Scope) -> Option<String> {
        match self.constant(path, span, scope)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    fn constant(&mut self, path: &str, span: Span, scope: &Scope) -> Option<Value> {
        let value = evaluate::path(self.program, scope, path, span, &evaluate::Type::Json).ok()?;
        self.json_of(&value, span).ok()
    }

    /// Sets a keyword of a schema to what an attribute says, such as `extend("minLength" = 3)`.
    pub(super) fn extend(&mut self, meta: &Meta, scope: &Scope, schema: &mut Schema) -> Option<()> {
        let written = match &meta.value {
            MetaValue::Literal(literal, _) => Written::from_json(&literal_json(literal)?),
            MetaValue::Expression(span) => self.written_value(*span, scope).ok()?,
            MetaValue::Word | MetaValue::List(_) => return None,
        };
        keywords::apply(schema, &meta.name, &written, self.conventions).ok()
    }
}

impl Host for Shapes<'_> {
    fn program(&mut self) -> &mut Program {
        self.program
    }

    fn type_schema(&mut self, written: &TypeExpression, scope: &Scope, span: Span) -> Option<Schema> {
        let resolved = self.resolve(written, scope)?;
        self.element(&resolved, span)
    }

    fn set_keyword(
        &mut self,
        schema: &mut Schema,
        key: &str,
        value: &evaluate::Value,
        span: Span,
    ) -> Option<()> {
        let written = self.written(value, span).ok()?;
        keywords::apply(schema, key, &written, self.conventions).ok()
    }

    fn remove_keyword(&mut self, schema: &mut Schema, key: &str) -> Option<()> {
        keywords::remove(schema, key).ok()
    }
}

pub(super) fn literal_json(literal: &Literal) -> Option<Value> {
    Some(match literal {
        Literal::Text(text) => Value::from(text.as_str()),
        Literal::Integer(value) => i64::try_from(*value).ok()?.into(),
        Literal::Float(value) => Value::from(*value),
        Literal::Boolean(value) => Value::from(*value),
    })
}
