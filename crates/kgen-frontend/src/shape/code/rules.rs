//! What `#[x_kube(…)]` and `#[kube(…)]` say in expressions: rules in CEL, and how lists and maps merge.

use kgen_diagnostics::{Code, Problem};
use kgen_model::{ListType, MapType, Rule, Schema};
use syn::Expr;

use super::evaluate::Evaluator;
use super::{Read, Scope, Shapes};
use crate::declare::{Meta, MetaValue};

impl Shapes<'_> {
    /// The rules among the parts of an attribute, in the order in which they are written.
    pub(crate) fn kube_rules(&mut self, metas: &[Meta], scope: &Scope) -> Vec<Rule> {
        let mut rules = Vec::new();
        // `rule` is what older versions of kube call it.
        for meta in metas
            .iter()
            .filter(|meta| matches!(meta.name.as_str(), "validation" | "rule"))
        {
            match self.kube_rule(meta, scope) {
                Some(rule) => rules.push(rule),
                None => self.problems.push(
                    Problem::error(
                        Code::InvalidAttribute,
                        meta.span,
                        "this rule cannot be read without running code",
                    )
                    .help("write it as text, as `(\"rule\", \"message\")`, or as `Rule::new(\"…\").message(\"…\")`")
                    .help("or with `+kubebuilder:validation:XValidation:rule=\"…\"`"),
                ),
            }
        }
        rules
    }

    fn kube_rule(&mut self, meta: &Meta, scope: &Scope) -> Option<Rule> {
        let rule = match &meta.value {
            MetaValue::Literal(..) => Rule {
                rule: meta.text()?.value.to_owned(),
                ..Rule::default()
            },
            MetaValue::Expression(span) => {
                let this = scope.this.as_ref().map(|(id, _)| *id);
                let mut evaluator = Evaluator::at(self, scope.clone(), this, *span, 0);
                let expression = evaluator.expression().ok()?;
                evaluator.rule(&expression).ok()?
            }
            MetaValue::Word | MetaValue::List(_) => return None,
        };
        let span = match &meta.value {
            MetaValue::Literal(_, span) | MetaValue::Expression(span) => *span,
            MetaValue::Word | MetaValue::List(_) => meta.span,
        };
        Some(Rule {
            span: Some(span),
            ..rule
        })
    }

    /// Applies `merge_strategy = …` to the schema of a field.
    pub(in crate::shape) fn merge_strategy(&mut self, metas: &[Meta], scope: &Scope, schema: &mut Schema) {
        let Some(meta) = metas.iter().find(|meta| meta.name == "merge_strategy") else {
            return;
        };
        let MetaValue::Expression(span) = &meta.value else {
            return;
        };
        let this = scope.this.as_ref().map(|(id, _)| *id);
        let mut evaluator = Evaluator::at(self, scope.clone(), this, *span, 0);
        let read = evaluator
            .expression()
            .and_then(|expression| evaluator.strategy(&expression));
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
            Err(place) => self.problems.push(
                Problem::error(
                    Code::InvalidAttribute,
                    place,
                    "this merge strategy cannot be read without running code",
                )
                .help("write `ListMerge::Set`, `ListMerge::Map(vec![\"key\".into()])`, `MapMerge::Atomic`, …")
                .help("or say it with `+listType=…` or `+mapType=…`"),
            ),
        }
    }
}

/// How a list, map or struct merges.
enum Strategy {
    List(ListType, Vec<String>),
    Map(MapType),
}

impl Evaluator<'_, '_> {
    fn rule(&mut self, expression: &Expr) -> Read<Rule> {
        let place = self.place(expression);
        match expression {
            Expr::Paren(paren) => self.rule(&paren.expr),
            Expr::Tuple(tuple) => match tuple.elems.iter().collect::<Vec<_>>().as_slice() {
                [rule, message] => Ok(Rule {
                    rule: self.text(rule)?,
                    message: Some(self.text(message)?),
                    ..Rule::default()
                }),
                _ => Err(place),
            },
            Expr::Call(call) if last_name(&call.func).as_deref() == Some("new") => Ok(Rule {
                rule: self.text(call.args.first().ok_or(place)?)?,
                ..Rule::default()
            }),
            Expr::Call(call) if last_name(&call.func).as_deref() == Some("from") => {
                self.rule(call.args.first().ok_or(place)?)
            }
            Expr::MethodCall(call) if call.method == "into" => self.rule(&call.receiver),
            Expr::MethodCall(call) => {
                let mut rule = self.rule(&call.receiver)?;
                let argument = call.args.first().ok_or(place)?;
                self.part(&mut rule, &call.method.to_string(), argument)?;
                Ok(rule)
            }
            Expr::Struct(literal) => {
                let mut rule = Rule::default();
                for field in &literal.fields {
                    let syn::Member::Named(name) = &field.member else {
                        return Err(place);
                    };
                    match (name.to_string().as_str(), some(&field.expr)) {
                        ("rule", _) => rule.rule = self.text(&field.expr)?,
                        (_, None) => {}
                        (part, Some(value)) => self.part(&mut rule, part, value)?,
                    }
                }
                Ok(rule)
            }
            other => Ok(Rule {
                rule: self.text(other)?,
                ..Rule::default()
            }),
        }
    }

    /// One part of a rule beside its expression.
    fn part(&mut self, rule: &mut Rule, name: &str, value: &Expr) -> Read<()> {
        let place = self.place(value);
        match name {
            "message" => {
                let (is_expression, text) = match value {
                    Expr::Call(call) if last_name(&call.func).as_deref() == Some("Expression") => {
                        (true, call.args.first().ok_or(place)?)
                    }
                    Expr::Call(call) if last_name(&call.func).as_deref() == Some("Message") => {
                        (false, call.args.first().ok_or(place)?)
                    }
                    other => (false, other),
                };
                let text = Some(self.text(text)?);
                if is_expression {
                    rule.message_expression = text;
                } else {
                    rule.message = text;
                }
            }
            "reason" => {
                let reason = last_name(value).filter(|name| name.starts_with("Field"));
                rule.reason = Some(match reason {
                    Some(reason) => reason,
                    None => self.text(value)?,
                });
            }
            "field_path" => rule.field_path = Some(self.text(value)?),
            "optional_old_self" => {
                rule.optional_old_self = Some(self.value(value)?.boolean().ok_or(place)?);
            }
            _ => return Err(place),
        }
        Ok(())
    }

    fn text(&mut self, expression: &Expr) -> Read<String> {
        let place = self.place(expression);
        self.value(expression)?.text().map(str::to_owned).ok_or(place)
    }

    fn strategy(&mut self, expression: &Expr) -> Read<Strategy> {
        let place = self.place(expression);
        let (path, argument) = match expression {
            Expr::Path(path) => (path, None),
            Expr::Call(call) => match call.func.as_ref() {
                Expr::Path(path) => (path, call.args.first()),
                _ => return Err(place),
            },
            _ => return Err(place),
        };
        let names: Vec<_> = path
            .path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        match (names.as_slice(), argument) {
            ([.., "ListMerge", "Atomic"], None) => Ok(Strategy::List(ListType::Atomic, Vec::new())),
            ([.., "ListMerge", "Set"], None) => Ok(Strategy::List(ListType::Set, Vec::new())),
            ([.., "ListMerge", "Map"], Some(keys)) => {
                let keys = self.value(keys)?;
                let keys = keys.list().ok_or(place)?.iter();
                let keys = keys
                    .map(|key| key.text().map(str::to_owned))
                    .collect::<Option<_>>();
                Ok(Strategy::List(ListType::Map, keys.ok_or(place)?))
            }
            ([.., "MapMerge" | "StructMerge", "Atomic"], None) => Ok(Strategy::Map(MapType::Atomic)),
            ([.., "MapMerge" | "StructMerge", "Granular"], None) => Ok(Strategy::Map(MapType::Granular)),
            _ => Err(place),
        }
    }
}

/// The last name of a path.
fn last_name(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

/// What is inside `Some(…)`; nothing for `None`.
fn some(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::Call(call) if last_name(&call.func).as_deref() == Some("Some") => call.args.first(),
        Expr::Path(_) if last_name(expression).as_deref() == Some("None") => None,
        other => Some(other),
    }
}
