//! Expands macros: calls that the parser replaces by other expressions.
//!
//! The expansions are those of `cel-go`, node by node, because types and costs depend on them.

use std::borrow::Cow;

use super::parse_error::ParseError;
use super::tree::{Comprehension, Expression, Id, Item, Literal, Tree};

/// Macros that are called on a value, with the number of their arguments and of the variables among these.
const MACROS: &[(&str, usize, usize, Macro)] = &[
    ("all", 2, 1, Macro::All),
    ("all", 3, 2, Macro::All),
    ("exists", 2, 1, Macro::Exists),
    ("exists", 3, 2, Macro::Exists),
    ("existsOne", 3, 2, Macro::ExistsOne),
    ("exists_one", 2, 1, Macro::ExistsOne),
    ("exists_one", 3, 2, Macro::ExistsOne),
    ("filter", 2, 1, Macro::Filter),
    ("map", 2, 1, Macro::List),
    ("map", 3, 1, Macro::List),
    ("optFlatMap", 2, 1, Macro::OptionalFlatMap),
    ("optMap", 2, 1, Macro::OptionalMap),
    ("sortBy", 2, 1, Macro::SortBy),
    ("transformList", 3, 2, Macro::List),
    ("transformList", 4, 2, Macro::List),
    ("transformMap", 3, 2, Macro::Map),
    ("transformMap", 4, 2, Macro::Map),
    ("transformMapEntry", 3, 2, Macro::MapEntry),
    ("transformMapEntry", 4, 2, Macro::MapEntry),
];

/// Returns the names of the macros of lists and maps.
pub(super) fn collection_macros() -> impl Iterator<Item = &'static str> {
    let of_optionals = |kind: &Macro| matches!(kind, Macro::OptionalFlatMap | Macro::OptionalMap);
    let macros = MACROS.iter().filter(move |(.., kind)| !of_optionals(kind));
    macros.map(|(name, ..)| *name)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Macro {
    All,
    Exists,
    ExistsOne,
    Filter,
    List,
    Map,
    MapEntry,
    OptionalFlatMap,
    OptionalMap,
    SortBy,
}

/// A name that earlier versions reserved for the accumulator, and that macros still reject.
const OLD_ACCUMULATOR: &str = "__result__";

/// The accumulator of a loop. The name cannot be written in an expression.
pub(super) const ACCUMULATOR: &str = "@result";

/// The loop variable of a comprehension that only binds a value to a name.
const UNUSED: &str = "#unused";

/// The variable that `sortBy` binds to its list.
const SORTED: &str = "@__sortBy_input__";

/// A call on a value.
pub(super) struct MemberCall<'p> {
    pub(super) name: &'p str,
    pub(super) target: Id,
    pub(super) arguments: &'p [Id],
    /// The offset of the name.
    pub(super) point: usize,
}

/// Expands a call on a value. Returns `None` if it is not a macro, also because of the number of arguments.
pub(super) fn expand_member_call<'a>(
    tree: &mut Tree<'a>,
    call: &MemberCall<'_>,
) -> Result<Option<Id>, ParseError> {
    let known = MACROS
        .iter()
        .find(|(name, count, ..)| *name == call.name && *count == call.arguments.len());
    let Some((name, _, count, kind)) = known else {
        return Ok(None);
    };
    let variables = variables(tree, name, call.arguments.get(..*count).unwrap_or_default())?;
    if *kind == Macro::SortBy && !can_be_sorted(tree, call.target) {
        return Err(ParseError::new(
            tree.start(call.target),
            "`sortBy` cannot be called on this value",
        ));
    }
    let rest = call.arguments.get(*count..).unwrap_or_default();
    let [body, condition] = match rest {
        [body] => [*body, *body],
        [condition, body, ..] => [*body, *condition],
        [] => return Ok(None),
    };
    let mut builder = Builder {
        start: tree.start(call.target),
        point: call.point,
        tree,
        variables,
    };
    let filter = (rest.len() > 1).then_some(condition);
    Ok(Some(builder.build(
        *kind,
        call.target,
        call.arguments,
        body,
        filter,
    )))
}

/// Expands `has`. Returns `None` for other calls that are not made on a value.
pub(super) fn expand_global_call<'a>(
    tree: &mut Tree<'a>,
    name: &str,
    arguments: &[Id],
    start: usize,
) -> Result<Option<Id>, ParseError> {
    let ("has", [argument]) = (name, arguments) else {
        return Ok(None);
    };
    match tree.expression(*argument) {
        Some(Expression::Select { operand, field, .. }) => {
            let (operand, field) = (*operand, field.clone());
            let point = tree.point(*argument);
            let test = Expression::Select {
                operand,
                field,
                test: true,
            };
            Ok(Some(tree.add(test, start, point)))
        }
        _ => Err(ParseError::new(
            tree.start(*argument),
            "`has` needs a field, as in `has(self.field)`",
        )),
    }
}

/// Returns the names of the variables that a macro declares.
fn variables<'a>(tree: &Tree<'a>, name: &str, arguments: &[Id]) -> Result<Vec<Cow<'a, str>>, ParseError> {
    let mut variables: Vec<Cow<'a, str>> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let offset = tree.start(*argument);
        let Some(Expression::Name(variable)) = tree.expression(*argument) else {
            return Err(ParseError::new(
                offset,
                format!("`{name}` needs the name of a variable here"),
            ));
        };
        if variable == OLD_ACCUMULATOR && !name.starts_with("opt") {
            return Err(ParseError::new(
                offset,
                format!("`{OLD_ACCUMULATOR}` cannot be the name of a variable"),
            ));
        }
        if variables.contains(variable) {
            return Err(ParseError::new(
                offset,
                format!("`{name}` needs two different variables"),
            ));
        }
        variables.push(variable.clone());
    }
    Ok(variables)
}

fn can_be_sorted(tree: &Tree<'_>, target: Id) -> bool {
    !matches!(
        tree.expression(target),
        Some(Expression::Literal(_) | Expression::Map(_) | Expression::Message { .. })
    )
}

/// Adds the nodes of a macro, all at the place of the call.
struct Builder<'t, 'a> {
    tree: &'t mut Tree<'a>,
    variables: Vec<Cow<'a, str>>,
    start: usize,
    point: usize,
}

impl<'a> Builder<'_, 'a> {
    fn build(&mut self, kind: Macro, target: Id, arguments: &[Id], body: Id, filter: Option<Id>) -> Id {
        match kind {
            Macro::All => self.quantifier("_&&_", true, target, body),
            Macro::Exists => self.quantifier("_||_", false, target, body),
            Macro::ExistsOne => self.exists_one(target, body),
            Macro::Filter => {
                let item = arguments.first().copied().unwrap_or(body);
                self.collect(target, item, Some(body))
            }
            Macro::List => self.collect(target, body, filter),
            Macro::Map => self.collect_map(target, body, filter, true),
            Macro::MapEntry => self.collect_map(target, body, filter, false),
            Macro::OptionalMap => self.optional_map(target, body, true),
            Macro::OptionalFlatMap => self.optional_map(target, body, false),
            Macro::SortBy => self.sort_by(target, body),
        }
    }

    fn add(&mut self, expression: Expression<'a>) -> Id {
        self.tree.add(expression, self.start, self.point)
    }

    fn literal(&mut self, literal: Literal<'a>) -> Id {
        self.add(Expression::Literal(literal))
    }

    fn name(&mut self, name: impl Into<Cow<'a, str>>) -> Id {
        self.add(Expression::Name(name.into()))
    }

    fn accumulator(&mut self) -> Id {
        self.name(ACCUMULATOR)
    }

    fn call<const N: usize>(&mut self, function: &'static str, arguments: [Id; N]) -> Id {
        self.add(Expression::Call {
            function: function.into(),
            target: None,
            arguments: arguments.to_vec(),
        })
    }

    fn method<const N: usize>(&mut self, function: &'static str, target: Id, arguments: [Id; N]) -> Id {
        self.add(Expression::Call {
            function: function.into(),
            target: Some(target),
            arguments: arguments.to_vec(),
        })
    }

    fn list(&mut self, items: &[Id]) -> Id {
        let items = items.iter().map(|value| Item {
            value: *value,
            optional: false,
        });
        self.add(Expression::List(items.collect()))
    }

    /// Returns a loop over `range` with the variables of the macro.
    fn fold(&mut self, range: Id, start: Id, condition: Id, step: Id, result: Id) -> Id {
        let mut variables = self.variables.clone().into_iter();
        let comprehension = Comprehension {
            range,
            variable: variables.next().unwrap_or_default(),
            second_variable: variables.next(),
            accumulator: ACCUMULATOR.into(),
            start,
            condition,
            step,
            result,
        };
        self.add(Expression::Comprehension(Box::new(comprehension)))
    }

    fn quantifier(&mut self, operator: &'static str, initial: bool, range: Id, body: Id) -> Id {
        let start = self.literal(Literal::Bool(initial));
        let so_far = self.accumulator();
        let goes_on = if initial {
            so_far
        } else {
            self.call("!_", [so_far])
        };
        let condition = self.call("@not_strictly_false", [goes_on]);
        let so_far = self.accumulator();
        let step = self.call(operator, [so_far, body]);
        let result = self.accumulator();
        self.fold(range, start, condition, step, result)
    }

    fn exists_one(&mut self, range: Id, body: Id) -> Id {
        let start = self.literal(Literal::Int(0));
        let condition = self.literal(Literal::Bool(true));
        let (so_far, one) = (self.accumulator(), self.literal(Literal::Int(1)));
        let more = self.call("_+_", [so_far, one]);
        let same = self.accumulator();
        let step = self.call("_?_:_", [body, more, same]);
        let (total, one) = (self.accumulator(), self.literal(Literal::Int(1)));
        let result = self.call("_==_", [total, one]);
        self.fold(range, start, condition, step, result)
    }

    /// Returns a list of `item` for every round, or for the rounds that pass a filter.
    fn collect(&mut self, range: Id, item: Id, filter: Option<Id>) -> Id {
        let start = self.list(&[]);
        let condition = self.literal(Literal::Bool(true));
        let (so_far, more) = (self.accumulator(), self.list(&[item]));
        let step = self.call("_+_", [so_far, more]);
        let step = self.filtered(step, filter);
        let result = self.accumulator();
        self.fold(range, start, condition, step, result)
    }

    /// Returns a map of the values of all rounds, with the keys of the range or with a key from each round.
    fn collect_map(&mut self, range: Id, body: Id, filter: Option<Id>, keyed: bool) -> Id {
        let start = self.add(Expression::Map(Vec::new()));
        let condition = self.literal(Literal::Bool(true));
        let so_far = self.accumulator();
        let step = if keyed {
            let key = self.variables.first().cloned().unwrap_or_default();
            let key = self.name(key);
            self.call("cel.@mapInsert", [so_far, key, body])
        } else {
            self.call("cel.@mapInsert", [so_far, body])
        };
        let step = self.filtered(step, filter);
        let result = self.accumulator();
        self.fold(range, start, condition, step, result)
    }

    fn filtered(&mut self, step: Id, filter: Option<Id>) -> Id {
        match filter {
            Some(filter) => {
                let same = self.accumulator();
                self.call("_?_:_", [filter, step, same])
            }
            None => step,
        }
    }

    /// Binds `value` to `name` in `result`.
    fn bind(&mut self, name: Cow<'a, str>, value: Id, result: Id) -> Id {
        let comprehension = Comprehension {
            range: self.list(&[]),
            variable: UNUSED.into(),
            second_variable: None,
            accumulator: name.clone(),
            start: value,
            condition: self.literal(Literal::Bool(false)),
            step: self.name(name),
            result,
        };
        self.add(Expression::Comprehension(Box::new(comprehension)))
    }

    fn optional_map(&mut self, target: Id, body: Id, wrap: bool) -> Id {
        let is_there = self.method("hasValue", target, []);
        let again = self.tree.copy(target);
        let value = self.method("value", again, []);
        let variable = self.variables.first().cloned().unwrap_or_default();
        let mut mapped = self.bind(variable, value, body);
        if wrap {
            mapped = self.call("optional.of", [mapped]);
        }
        let none = self.call("optional.none", []);
        self.call("_?_:_", [is_there, mapped, none])
    }

    fn sort_by(&mut self, target: Id, body: Id) -> Id {
        let list = self.name(SORTED);
        let keys = self.collect(list, body, None);
        let list = self.name(SORTED);
        let sorted = self.method("@sortByAssociatedKeys", list, [keys]);
        self.bind(SORTED.into(), target, sorted)
    }
}
