//! Defaults against the rules of their schema, which the API server evaluates when it accepts a CRD.
//!
//! It evaluates the rules of the field that has the default, and those of everything within it. Defaults within the value are
//! not filled in before. `kgen-schema` evaluates the rules; this module finds the broken rule in the model.

use kgen_cel::EvaluateError;
use kgen_cel::go_regex::Patterns;
use kgen_diagnostics::{Code, Problem};
use kgen_model::{Keyword, Rule, Schema};
use kgen_schema::{Segment, broken_rules};
use serde_json::Value;

use super::super::text::shown;
use super::super::walk::Node;
use super::validate::follow;

/// A rule that a default breaks.
pub(super) struct Broken<'s> {
    rule: &'s Rule,
    /// The part of the value that the rule is on.
    segments: Vec<Segment>,
    failure: Option<EvaluateError>,
}

/// Returns the first rule that a value breaks. The value must satisfy everything else in its schema.
pub(super) fn check<'s>(
    schema: &'s Schema,
    converted: &kgen_schema::Schema,
    value: &Value,
    patterns: &Patterns,
) -> Option<Broken<'s>> {
    let first = broken_rules(converted, value, patterns).into_iter().next()?;
    let (schema, _) = follow(schema, value, &first.segments);
    Some(Broken {
        rule: schema?.constraints.rules.get(first.index)?,
        segments: first.segments,
        failure: first.failure,
    })
}

impl Broken<'_> {
    /// Describes the broken rule as a problem of the default.
    pub(super) fn problem(&self, node: &Node<'_>, value: &Value) -> Problem {
        let message = format!("the default `{}` breaks a rule: {}", shown(value), self.text());
        let mut problem = node.error(Code::InvalidDefault, Some(Keyword::Default), message);
        if let Some(span) = self.rule.expression_span.or(self.rule.span) {
            problem = problem.related(span, "the rule");
        }
        problem.help("change the default: the API server evaluates rules for defaults and refuses the CRD")
    }

    fn text(&self) -> String {
        let place = match self.path().as_str() {
            "" => String::new(),
            path => format!("`{path}` breaks "),
        };
        let rule = format!("{place}`{}`", self.rule.rule);
        match (&self.failure, &self.rule.message) {
            (Some(EvaluateError::CostExceeded), _) => {
                format!("{rule} cannot be evaluated: it exceeds the cost limit of the API server")
            }
            (Some(failure), _) => format!("{rule} cannot be evaluated: {failure}"),
            (None, Some(message)) if !message.is_empty() => format!("{rule} ({message})"),
            (None, _) => rule,
        }
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for segment in &self.segments {
            match segment {
                Segment::Name(name) if path.is_empty() => path.push_str(name),
                Segment::Name(name) => path.push_str(&format!(".{name}")),
                Segment::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }
}
