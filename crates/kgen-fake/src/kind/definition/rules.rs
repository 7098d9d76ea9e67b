//! The CEL rules of a definition: what a real server refuses, and the cost that it estimates.
//!
//! Mirrors the part of `ValidateCustomResourceDefinitionOpenAPISchema` on `x-kubernetes-validations`. Messages about mistakes
//! in an expression have the words of `kgen-cel` instead of those of `cel-go`.

use kgen_cel::limits::{ESTIMATED_CRD_COST, ESTIMATED_RULE_COST};
use kgen_cel::{Environment, Expression, OpenApi, Position, evaluations};
use kgen_schema::{ErrorKind, FieldError};
use serde_json::Value;

/// How many rules a total that is too high names.
const MOST_NAMED: usize = 4;

const REASONS: [&str; 4] = [
    "FieldValueDuplicate",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueRequired",
];

/// Checks the rules of a schema.
pub(super) fn check(schema: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let mut rules = Rules {
        costs: Vec::new(),
        ancestors: Vec::new(),
        uncorrelatable: None,
        errors,
    };
    rules.node(schema, field);
    let mut costs = rules.costs;
    let total = costs
        .iter()
        .fold(0_u64, |total, (cost, _)| total.saturating_add(*cost));
    if total > ESTIMATED_CRD_COST {
        costs.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
        for (_, place) in costs.into_iter().take(MOST_NAMED) {
            let detail = "contributed to estimated rule & messageExpression cost total exceeding cost limit for entire \
                          OpenAPIv3 schema";
            errors.push(FieldError::new(ErrorKind::Forbidden, place, detail));
        }
        let what = "x-kubernetes-validations estimated rule & messageExpression cost total for entire OpenAPIv3 schema";
        let detail = too_expensive(what, total, ESTIMATED_CRD_COST);
        errors.push(FieldError::new(ErrorKind::Forbidden, field, detail));
    }
}

/// Says by which factor a limit is exceeded, as the server does.
#[allow(clippy::cast_precision_loss, reason = "the server rounds as well")]
fn too_expensive(what: &str, cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, and \
         maxLength where arrays, maps, and strings are declared)"
    )
}

struct Rules<'s, 'e> {
    /// The costs of the rules so far, with their places.
    costs: Vec<(u64, String)>,
    /// The schemas around the present one, outermost first.
    ancestors: Vec<OpenApi<'s>>,
    /// The items around the present schema that have no old values.
    uncorrelatable: Option<String>,
    errors: &'e mut Vec<FieldError>,
}

impl<'s> Rules<'s, '_> {
    fn node(&mut self, schema: &'s Value, field: &str) {
        let rules = schema.get("x-kubernetes-validations").and_then(Value::as_array);
        for (index, rule) in rules.into_iter().flatten().enumerate() {
            self.rule(
                schema,
                rule,
                &format!("{field}.x-kubernetes-validations[{index}]"),
            );
        }
        self.ancestors.push(OpenApi::new(schema));
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, part) in properties.into_iter().flatten() {
            self.node(part, &format!("{field}.properties[{name}]"));
        }
        if let Some(part) = schema.get("additionalProperties").filter(|part| part.is_object()) {
            self.node(part, &format!("{field}.additionalProperties"));
        }
        if let Some(part) = schema.get("items") {
            let field = format!("{field}.items");
            let before = self.uncorrelatable.clone();
            if schema.get("x-kubernetes-list-type").and_then(Value::as_str) != Some("map") {
                self.uncorrelatable.get_or_insert_with(|| field.clone());
            }
            self.node(part, &field);
            self.uncorrelatable = before;
        }
        self.ancestors.pop();
    }

    fn rule(&mut self, schema: &'s Value, rule: &Value, at: &str) {
        let text = |key: &str| rule.get(key).and_then(Value::as_str).unwrap_or_default();
        let has_line_breaks = |text: &str| text.contains(['\n', '\r']);
        let (expression, message) = (text("rule").trim(), text("message"));
        let mut refuse = |kind: ErrorKind, key: &str, detail: &str| {
            let error = FieldError::new(kind, format!("{at}.{key}"), detail);
            self.errors.push(match kind {
                ErrorKind::Invalid => error.with_value(&rule.get(key).cloned().unwrap_or_default()),
                _ => error,
            });
        };
        if expression.is_empty() {
            refuse(ErrorKind::Required, "rule", "rule is not specified");
            return;
        }
        if !message.is_empty() && message.trim().is_empty() {
            refuse(
                ErrorKind::Invalid,
                "message",
                "message must be non-empty if specified",
            );
        } else if has_line_breaks(message.trim()) {
            refuse(
                ErrorKind::Invalid,
                "message",
                "message must not contain line breaks",
            );
        } else if message.is_empty() && has_line_breaks(expression) {
            let detail = "message must be specified if rule contains line breaks";
            refuse(ErrorKind::Required, "message", detail);
        }
        let reason = text("reason");
        if !reason.is_empty() && !REASONS.contains(&reason) {
            let error = FieldError::not_supported(format!("{at}.reason"), reason, &REASONS);
            self.errors.push(error);
        }
        self.expression(schema, rule, "rule", at);
        if !text("messageExpression").is_empty() {
            self.expression(schema, rule, "messageExpression", at);
        }
    }

    /// Checks the rule or its message expression.
    fn expression(&mut self, schema: &'s Value, rule: &Value, key: &str, at: &str) {
        let text = rule.get(key).and_then(Value::as_str).unwrap_or_default();
        let field = format!("{at}.{key}");
        let is_message = key == "messageExpression";
        let invalid = |detail: String| FieldError::new(ErrorKind::Invalid, &*field, detail).with_value(text);
        let failed = |offset: usize, message: &str| {
            let Position { line, column, .. } = Position::of(text, offset);
            let what = if is_message { "messageExpression " } else { "" };
            invalid(format!(
                "{what}compilation failed: ERROR: <input>:{line}:{column}: {message}"
            ))
        };
        let expression = match Expression::parse(text) {
            Ok(expression) => expression,
            Err(error) => return self.errors.push(failed(error.offset, &error.message)),
        };
        let is_optional = rule.get("optionalOldSelf").and_then(Value::as_bool);
        if !is_message {
            match (expression.uses("oldSelf"), &self.uncorrelatable) {
                (true, Some(list)) => {
                    let detail = format!(
                        "oldSelf cannot be used on the uncorrelatable portion of the schema within {list}"
                    );
                    self.errors.push(invalid(detail));
                }
                (false, _) if is_optional.is_some() => {
                    let detail = "may not be set if oldSelf is not used in rule";
                    let error = FieldError::new(ErrorKind::Invalid, format!("{at}.optionalOldSelf"), detail);
                    self.errors.push(error.with_value(&is_optional));
                }
                _ => {}
            }
        }
        let schema = OpenApi::new(schema);
        let environment = match self.ancestors.is_empty() {
            true => Environment::root_rule(schema),
            false => Environment::rule(schema),
        };
        // Values of an unknown type, and expressions that are too large for `kgen-cel`: a request that needs them is refused.
        let Some(environment) = environment.filter(|_| !expression.is_too_large()) else {
            return;
        };
        let mut environment = environment.optional_old_self(is_optional == Some(true));
        if is_message {
            environment = environment.message_expression();
        }
        let checked = match expression.check(&environment) {
            Ok(checked) => checked,
            Err(mistake) => {
                let error = match mistake.offset {
                    Some(offset) => failed(offset, &mistake.message),
                    None if is_message => invalid("messageExpression must evaluate to a string".to_owned()),
                    None => invalid("cel expression must evaluate to a bool".to_owned()),
                };
                return self.errors.push(error);
            }
        };
        let times = if is_message {
            1
        } else {
            evaluations(schema, self.ancestors.iter().copied())
        };
        let cost = checked.cost().saturating_mul(times);
        self.costs.push((cost, field.clone()));
        if cost > ESTIMATED_RULE_COST {
            let what = if is_message {
                "estimated messageExpression cost"
            } else {
                "estimated rule cost"
            };
            let detail = too_expensive(what, cost, ESTIMATED_RULE_COST);
            self.errors
                .push(FieldError::new(ErrorKind::Forbidden, &*field, detail));
        }
    }
}
