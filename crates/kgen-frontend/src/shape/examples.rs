//! `#[schemars(example = …)]`: the path of a function in schemars 0.8, an expression in schemars 1.

use kgen_model::Schema;
use serde_json::Value;
use syn::Expr;

use super::expressions::Place;
use super::{Scope, Shapes};
use crate::declare::{Literal, Meta, MetaValue};

impl Shapes<'_> {
    /// Puts the first example of a node into its schema. An OpenAPI schema has room for one, and kube-derive writes that one;
    /// what only running code would tell is left out.
    pub(super) fn example(&mut self, metas: &[Meta], scope: &Scope, schema: &mut Schema) {
        let Some(meta) = metas.iter().find(|meta| meta.name == "example") else {
            return;
        };
        let this = scope.this.as_ref().map(|(id, _)| *id);
        let place = Place::at(scope.module, this);
        let value = match &meta.value {
            MetaValue::Literal(Literal::Text(text), _) => self.function_value(text, place).or_else(|| {
                syn::parse_str::<syn::Path>(text)
                    .is_err()
                    .then(|| Value::from(text.as_str()))
            }),
            MetaValue::Literal(literal, _) => super::code::literal_json(literal),
            MetaValue::Expression(span) => {
                let text = self.program.text(*span).to_owned();
                let expression = syn::parse_str::<Expr>(&text).ok();
                expression.and_then(|expression| self.value_of(&expression, place))
            }
            MetaValue::Word | MetaValue::List(_) => None,
        };
        if let Some(value) = value {
            schema.example = Some(Box::new(value));
        }
    }
}
