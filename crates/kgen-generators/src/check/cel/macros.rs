//! Macros: calls that the parser of the API server replaces, and whose first arguments must be names.

use super::lexer::Refusal;
use super::parser::{Piece, Shape};

/// Macros on a value, with the number of their arguments and how many of these name variables.
const MACROS: &[(&str, usize, usize)] = &[
    ("all", 2, 1),
    ("all", 3, 2),
    ("exists", 2, 1),
    ("exists", 3, 2),
    ("existsOne", 2, 1),
    ("existsOne", 3, 2),
    ("exists_one", 2, 1),
    ("exists_one", 3, 2),
    ("filter", 2, 1),
    ("map", 2, 1),
    ("map", 3, 1),
    ("optFlatMap", 2, 1),
    ("optMap", 2, 1),
    ("sortBy", 2, 1),
    ("transformList", 3, 2),
    ("transformList", 4, 2),
    ("transformMap", 3, 2),
    ("transformMap", 4, 2),
    ("transformMapEntry", 3, 2),
    ("transformMapEntry", 4, 2),
];

/// The name that macros keep for themselves.
const ACCUMULATOR: &str = "__result__";

/// Checks a call on a value. A name with another number of arguments is no macro. How many of the arguments are variables that
/// it declares for all of them.
pub(super) fn check_member_call(name: &str, arguments: &[Piece<'_>]) -> Result<usize, Refusal> {
    let known = MACROS
        .iter()
        .find(|(known, count, _)| *known == name && *count == arguments.len());
    let Some((_, _, variables)) = known else {
        return Ok(0);
    };
    let mut seen: Option<&str> = None;
    for argument in arguments.iter().take(*variables) {
        let Shape::Identifier(variable) = argument.shape else {
            return Err(Refusal::new(
                argument.offset,
                format!("`{name}` needs the name of a variable here"),
            ));
        };
        if variable == ACCUMULATOR {
            return Err(Refusal::new(
                argument.offset,
                format!("`{ACCUMULATOR}` cannot be the name of a variable"),
            ));
        }
        if seen == Some(variable) {
            return Err(Refusal::new(
                argument.offset,
                format!("`{name}` needs two different variables"),
            ));
        }
        seen = Some(variable);
    }
    Ok(*variables)
}

/// Checks a call without a value in front: only `has` is a macro.
pub(super) fn check_global_call(name: &str, arguments: &[Piece<'_>]) -> Result<(), Refusal> {
    match (name, arguments) {
        ("has", [argument]) if argument.shape != Shape::Select => Err(Refusal::new(
            argument.offset,
            "`has` needs a field, as in `has(self.field)`",
        )),
        _ => Ok(()),
    }
}
