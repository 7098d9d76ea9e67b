//! Code that kgen cannot read: an error with advice, or any value if the user allows that.

use kgen_diagnostics::{Code, Problem, Span};
use kgen_model::Schema;

use crate::declare::TypeDeclaration;
use crate::shape::Shapes;
use crate::shape::serde_code::SerdeCode;

/// The part of the source whose JSON only code knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::shape) enum Owner {
    Field,
    Type,
}

/// Advice for a field whose code kgen cannot read.
const HELP_FIELD: [&str; 4] = [
    "state the type with `#[schemars(with = \"T\")]`, where `T` has the same JSON",
    "or with `+kubebuilder:validation:Type=…` on the field",
    "or accept any value with `+kubebuilder:validation:Schemaless`",
    "or accept any value, for the whole run, with `crd:allowOpaque=true`",
];

/// The same for a type.
const HELP_TYPE: [&str; 3] = [
    "state the type with `#[schemars(with = \"T\")]`, where `T` has the same JSON",
    "or with `+kubebuilder:validation:Type=…` above the type",
    "or accept any value, for the whole run, with `crd:allowOpaque=true`",
];

impl Shapes<'_> {
    /// Reports a field whose JSON only code knows. Returns a schema for any value if the user allows that.
    pub(in crate::shape) fn opaque_field(&mut self, span: Span, why: Option<(Span, &str)>) -> Option<Schema> {
        self.opaque_part(Owner::Field, span, why)
    }

    /// Reports a field or type whose JSON only code knows. Returns a schema for any value if the user allows that.
    pub(in crate::shape) fn opaque_part(
        &mut self,
        owner: Owner,
        span: Span,
        why: Option<(Span, &str)>,
    ) -> Option<Schema> {
        let (noun, helps) = match owner {
            Owner::Field => ("field", &HELP_FIELD[..]),
            Owner::Type => ("type", &HELP_TYPE[..]),
        };
        let message = format!("the JSON of this {noun} is computed by code");
        self.opaque(span, message, why, helps)
    }

    /// Reports a schema that only code knows. Returns a schema for any value if the user allows that.
    pub(in crate::shape) fn opaque(
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

    /// Reports a type whose JSON only code knows. Returns a schema for any value if the user allows that.
    pub(in crate::shape) fn hand_written_schema(
        &mut self,
        declaration: &TypeDeclaration,
        code: &SerdeCode,
        unreadable: Option<Span>,
    ) -> Option<Schema> {
        let name = &declaration.name;
        let message = format!("the JSON of `{name}` is computed by {}", code.what);
        let marker = format!("state its type with `+kubebuilder:validation:Type=…` above `{name}`");
        let (why, implement) = match unreadable {
            Some(place) => (
                (place, "this part of its `JsonSchema` cannot be evaluated"),
                "or write the schema as a single `json_schema!({ … })`, which kgen can read".to_owned(),
            ),
            None => (
                (code.span, "kgen does not run this code"),
                format!("or add an `impl JsonSchema for {name}` with a single `json_schema!({{ … }})`"),
            ),
        };
        let opaque = "or accept any value, for the whole run, with `crd:allowOpaque=true`";
        self.opaque(
            declaration.span,
            message,
            Some(why),
            &[marker.as_str(), implement.as_str(), opaque],
        )
    }
}

/// Warns that the `JsonSchema` at `span` is not used, because its part at `place` cannot be read.
pub(in crate::shape) fn computed_schema(name: &str, span: Span, place: Span) -> Problem {
    let message = format!("the schema of `{name}` is computed by code; kgen uses its serde derives instead");
    let mut problem = Problem::warning(Code::OpaqueType, span, message)
        .help("write the `JsonSchema` as a single `json_schema!({ … })`, which kgen can read");
    if place != span {
        problem = problem.related(place, "this part cannot be evaluated");
    }
    problem
}
