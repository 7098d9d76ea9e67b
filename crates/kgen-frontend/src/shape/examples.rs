//! `#[schemars(example = …)]`: the path of a function in schemars 0.8, an expression in schemars 1.

use kgen_diagnostics::{Code, Problem};
use kgen_model::Schema;
use serde_json::Value;

use super::code::CodeReader;
use crate::declare::{Literal, Meta, MetaValue};
use crate::evaluate::{self, Type};

impl CodeReader<'_, '_> {
    /// Puts the first example of a node into its schema. An OpenAPI schema has room for one, and kube-derive writes that
    /// one. An example that cannot be evaluated is left out and reported.
    pub(super) fn example(&mut self, metas: &[Meta], schema: &mut Schema) {
        let Some(meta) = metas.iter().find(|meta| meta.name == "example") else {
            return;
        };
        let evaluated = match &meta.value {
            MetaValue::Literal(Literal::Text(text), span) => {
                let is_path = crate::declare::parse_text::<syn::Path>(text).is_some();
                match evaluate::path(self.shapes.program, self.scope, text, *span, &Type::Unknown) {
                    Err(_) if !is_path => {
                        schema.example = Some(Box::new(Value::from(text.as_str())));
                        return;
                    }
                    other => other.map(|value| (value, *span)),
                }
            }
            MetaValue::Literal(literal, _) => {
                let json = super::code::literal_json(literal);
                schema.example = json.map(Box::new).or(schema.example.take());
                return;
            }
            MetaValue::Expression(span) => {
                let value = evaluate::expression(self.shapes.program, self.scope, *span, &Type::Unknown);
                value.map(|value| (value, *span))
            }
            MetaValue::Word | MetaValue::List(_) => return,
        };
        match evaluated.and_then(|(value, span)| self.json(&value, span)) {
            Ok(value) => schema.example = Some(Box::new(value)),
            Err(unknown) => self.shapes.problems.push(
                Problem::warning(
                    Code::OpaqueType,
                    unknown.span,
                    "the example is computed by code, so the schema has none",
                )
                .help("write the value as a literal, or as an expression that kgen can evaluate"),
            ),
        }
    }
}
