//! Expressions in `#[x_kube(…)]` and `#[kube(…)]`: rules in CEL, and the merge behavior of lists and maps.

use kgen_diagnostics::{Code, Problem};
use kgen_model::{ListType, MapType, Rule, RuleOrigins, Schema};

use super::CodeReader;
use crate::declare::{Meta, MetaValue};
use crate::evaluate::{self, Unknown, Value};
use crate::source::string_origin;

impl CodeReader<'_, '_> {
    /// Returns the rules among the parts of an attribute, in the order in which they are written.
    pub(crate) fn kube_rules(&mut self, metas: &[Meta]) -> Vec<Rule> {
        let mut rules = Vec::new();
        // `rule` is what older versions of kube call it.
        for meta in metas
            .iter()
            .filter(|meta| matches!(meta.name.as_str(), "validation" | "rule"))
        {
            match self.kube_rule(meta) {
                Some(rule) => rules.push(rule),
                None => self.shapes.problems.push(
                    Problem::error(
                        Code::InvalidAttribute,
                        meta.span,
                        "this rule is computed by code",
                    )
                    .help("write it as a string, as `(\"rule\", \"message\")`, or as `Rule::new(\"…\").message(\"…\")`")
                    .help("or with `+kubebuilder:validation:XValidation:rule=\"…\"`"),
                ),
            }
        }
        rules
    }

    fn kube_rule(&mut self, meta: &Meta) -> Option<Rule> {
        let rule = match &meta.value {
            MetaValue::Literal(..) => Rule {
                rule: meta.text()?.value.to_owned(),
                ..Rule::default()
            },
            MetaValue::Expression(span) => {
                let value = evaluate::kube_expression(self.shapes.program, self.scope, *span).ok()?;
                rule(&value)?
            }
            MetaValue::Word | MetaValue::List(_) => return None,
        };
        let span = match &meta.value {
            MetaValue::Literal(_, span) | MetaValue::Expression(span) => *span,
            MetaValue::Word | MetaValue::List(_) => meta.span,
        };
        let written = self.shapes.program.text(span);
        let origin = |text: &str| string_origin(written, span, text);
        let origins = RuleOrigins {
            rule: origin(&rule.rule),
            message_expression: rule.message_expression.as_deref().map(origin).unwrap_or_default(),
        };
        Some(Rule {
            span: Some(span),
            origins,
            ..rule
        })
    }

    /// Applies `merge_strategy = …` to the schema of a field.
    pub(in crate::shape) fn merge_strategy(&mut self, metas: &[Meta], schema: &mut Schema) {
        let Some(meta) = metas.iter().find(|meta| meta.name == "merge_strategy") else {
            return;
        };
        let MetaValue::Expression(span) = &meta.value else {
            return;
        };
        let unread = || Unknown::new(*span, "this is not a merge strategy");
        let read = evaluate::kube_expression(self.shapes.program, self.scope, *span)
            .and_then(|value| strategy(&value).ok_or_else(unread));
        match read {
            Ok(Strategy::List(list_type, keys)) => {
                schema.list_type = Some(list_type);
                schema.list_map_keys = keys.into();
                schema.places.set(kgen_model::Keyword::ListType, meta.span);
            }
            // kube has a keyword of its own for structs, which the API server does not know; this one it does.
            Ok(Strategy::Map(map_type)) => {
                schema.map_type = Some(map_type);
                schema.places.set(kgen_model::Keyword::MapType, meta.span);
            }
            Err(unknown) => self.shapes.problems.push(
                Problem::error(
                    Code::InvalidAttribute,
                    unknown.span,
                    "this merge strategy is computed by code",
                )
                .help("write `ListMerge::Set`, `ListMerge::Map(vec![\"key\".into()])`, `MapMerge::Atomic`, …")
                .help("or use `+listType=…` or `+mapType=…`"),
            ),
        }
    }
}

/// How a list, map or struct merges.
enum Strategy {
    List(ListType, Vec<String>),
    Map(MapType),
}

/// Returns the rule that a value is: a text, a text with a message, or a `Rule` of kube.
fn rule(value: &Value) -> Option<Rule> {
    match value {
        Value::Tuple(parts) => match parts.as_slice() {
            [rule, message] => Some(Rule {
                rule: rule.text()?.to_owned(),
                message: Some(message.text()?.to_owned()),
                ..Rule::default()
            }),
            _ => None,
        },
        Value::Foreign(foreign) if foreign.name == "Rule" => {
            let mut rule = Rule::default();
            for (name, value) in &foreign.fields {
                part(&mut rule, name, value)?;
            }
            Some(rule)
        }
        other => match other.converted() {
            Some(inner) => rule(inner),
            None => Some(Rule {
                rule: other.text()?.to_owned(),
                ..Rule::default()
            }),
        },
    }
}

/// Sets one part of a rule.
fn part(rule: &mut Rule, name: &str, value: &Value) -> Option<()> {
    let value = match value {
        Value::Option(None) => return Some(()),
        Value::Option(Some(inner)) => inner,
        other => other,
    };
    match name {
        "rule" => rule.rule = value.text()?.to_owned(),
        "message" => match value.converted().unwrap_or(value) {
            Value::Foreign(message) => {
                let (_, text) = message.fields.first()?;
                let text = Some(text.text()?.to_owned());
                if message.name == "Message::Expression" {
                    rule.message_expression = text;
                } else {
                    rule.message = text;
                }
            }
            other => rule.message = Some(other.text()?.to_owned()),
        },
        "reason" => rule.reason = Some(value.text()?.to_owned()),
        "field_path" => rule.field_path = Some(value.text()?.to_owned()),
        "optional_old_self" => rule.optional_old_self = Some(value.boolean()?),
        _ => return None,
    }
    Some(())
}

fn strategy(value: &Value) -> Option<Strategy> {
    let Value::Foreign(merge) = value else { return None };
    match (merge.name.as_str(), merge.fields.as_slice()) {
        ("ListMerge::Atomic", []) => Some(Strategy::List(ListType::Atomic, Vec::new())),
        ("ListMerge::Set", []) => Some(Strategy::List(ListType::Set, Vec::new())),
        ("ListMerge::Map", [(_, keys)]) => {
            let keys = keys.list()?.iter().map(|key| key.text().map(str::to_owned));
            Some(Strategy::List(ListType::Map, keys.collect::<Option<_>>()?))
        }
        ("MapMerge::Atomic" | "StructMerge::Atomic", []) => Some(Strategy::Map(MapType::Atomic)),
        ("MapMerge::Granular" | "StructMerge::Granular", []) => Some(Strategy::Map(MapType::Granular)),
        _ => None,
    }
}
