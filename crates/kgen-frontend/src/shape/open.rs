//! The types that are being described, each inside the one before it, and the problems of their nesting and size.

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::Schema;

use super::Instance;
use crate::program::{Program, TypeId};

/// The maximum number of types that contain each other. Hand-written types are less deep.
const DEEPEST: usize = 128;

/// The types that are being described, from the outside in, each with the place that led there.
#[derive(Default)]
pub(super) struct OpenTypes(Vec<(Instance, Span)>);

impl OpenTypes {
    pub(super) fn push(&mut self, instance: Instance, span: Span) {
        self.0.push((instance, span));
    }

    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the types contain each other too deeply.
    pub(super) fn is_too_deep(&self) -> bool {
        self.0.len() > DEEPEST
    }

    /// Returns the position of an instance among the open types.
    pub(super) fn position(&self, instance: &Instance) -> Option<usize> {
        self.0.iter().position(|(open, _)| open == instance)
    }

    /// Returns the innermost type.
    pub(super) fn innermost(&self) -> Option<TypeId> {
        self.0.last().map(|((id, _), _)| *id)
    }

    /// Returns the place where the innermost type is used.
    pub(super) fn used_at(&self) -> Option<Span> {
        self.0.last().map(|(_, span)| *span)
    }

    /// Returns the problem of types that contain each other too deeply.
    pub(super) fn depth_problem(&self, span: Span) -> Problem {
        let mut problem = Problem::error(
            Code::RecursiveType,
            span,
            format!("types contain each other more than {DEEPEST} levels deep"),
        )
        .help("avoid generic types that contain themselves with another argument")
        .help(
            "to end the recursion, put `+kubebuilder:validation:Schemaless` and \
             `+kubebuilder:pruning:PreserveUnknownFields` on a field",
        );
        if let Some((_, first)) = self.0.get(1) {
            problem = problem.related(*first, "it begins here");
        }
        problem
    }

    /// Returns the problem of a type that contains itself. It was entered at `start`, and is used again at `span`.
    pub(super) fn cycle_problem(&self, start: usize, span: Span, program: &Program) -> Problem {
        let names: Vec<String> = self
            .0
            .get(start..)
            .unwrap_or_default()
            .iter()
            .map(|((id, _), _)| {
                program
                    .declaration(*id)
                    .map(|found| found.name.clone())
                    .unwrap_or_default()
            })
            .collect();
        let first = names.first().cloned().unwrap_or_default();
        let mut problem = Problem::error(Code::RecursiveType, span, format!("`{first}` contains itself"))
            .label(format!("{} -> {first}", names.join(" -> ")))
            .help("a schema in Kubernetes cannot refer to itself")
            .help(
                "to end the recursion, put `+kubebuilder:validation:Schemaless` and \
                 `+kubebuilder:pruning:PreserveUnknownFields` on this field",
            );
        for (_, via) in self.0.get(start + 1..).unwrap_or_default() {
            problem = problem.related(*via, "through this");
        }
        problem
    }
}

/// Returns the problem of a schema that is too large to be written out.
pub(crate) fn size_problem(span: Span, name: &str) -> Problem {
    let message = format!(
        "the schema of `{name}` has more than {} parts, which is too large for the API server",
        Schema::LARGEST
    );
    Problem::error(Code::DocumentSize, span, message)
        .help("use fewer nested types; a schema contains a copy of a type for every use")
        .help(
            "or accept any value in one part with `+kubebuilder:validation:Schemaless` and \
             `+kubebuilder:pruning:PreserveUnknownFields`",
        )
}

/// Ties the problems of a type of another crate to the place where the user's own source leads there.
pub(super) fn point_at_user(problems: &mut Problems, before: usize, span: Span) {
    let (mine, theirs): (Vec<_>, Vec<_>) = std::mem::take(problems)
        .into_iter()
        .enumerate()
        .partition(|(index, _)| *index < before);
    problems.extend(mine.into_iter().map(|(_, problem)| problem));
    // Warnings about the source of others are not useful.
    problems.extend(
        theirs
            .into_iter()
            .map(|(_, problem)| problem)
            .filter(Problem::is_error)
            .map(|problem| {
                problem.related(span, "the type is used here").help(
                    "to accept any value instead, put `+kubebuilder:validation:Schemaless` and \
                     `+kubebuilder:pruning:PreserveUnknownFields` on the field",
                )
            }),
    );
}
