//! Finds the overloads of a function that a call can mean, and explains a call that no overload fits.

use crate::schema::Schema;

use super::checker::Checker;
use super::declarations::{self, Function, Overload, Signature};
use super::mistake::{Mistake, MistakeKind};
use super::quoted::quoted_list;
use super::tree::{Expression, Id, Literal};
use super::types::{Type, TypeId};

/// The most overloads that a help text shows.
const SHOWN_FORMS: usize = 4;

impl<S: Schema> Checker<'_, S> {
    pub(super) fn check_call(
        &mut self,
        id: Id,
        function: &str,
        target: Option<Id>,
        arguments: &[Id],
    ) -> TypeId {
        if function == "_?._" {
            return self.check_optional_field(id, arguments);
        }
        for argument in arguments {
            self.check(*argument);
        }
        let Some(target) = target else {
            let name = function.trim_start_matches('.');
            return match declarations::function_named(name) {
                Some(found) => {
                    self.name_function(id, found.name, arguments);
                    self.resolve_overload(id, found, None, arguments)
                }
                None => self.missing_function(self.tree.point(id), name, false),
            };
        };
        // `a.b.c()` can call the function `a.b.c`, or the function `c` on the value `a.b`.
        if let Some(prefix) = self.tree.dotted_name(target) {
            let name = format!("{}.{function}", prefix.trim_start_matches('.'));
            if let Some(found) = declarations::function_named(&name) {
                self.name_function(id, found.name, arguments);
                return self.resolve_overload(id, found, None, arguments);
            }
            let first = prefix.split('.').next().unwrap_or_default();
            if declarations::function_named(function).is_none() && !self.is_variable(first) {
                return self.missing_function(self.tree.start(target), &name, false);
            }
        }
        self.check(target);
        match declarations::function_named(function) {
            Some(found) => self.resolve_overload(id, found, Some(target), arguments),
            None => self.missing_function(self.tree.point(id), function, true),
        }
    }

    /// Turns a call on a value into a call of the function with the full name.
    fn name_function(&mut self, id: Id, name: &'static str, arguments: &[Id]) {
        self.tree.replace(
            id,
            Expression::Call {
                function: name.into(),
                target: None,
                arguments: arguments.to_vec(),
            },
        );
    }

    /// Checks `a.?b`. The parser stores the name of the field as a string literal.
    fn check_optional_field(&mut self, id: Id, arguments: &[Id]) -> TypeId {
        let [operand, field] = arguments else {
            return TypeId::DYN;
        };
        let Some(Expression::Literal(Literal::Text(name))) = self.tree.expression(*field).cloned() else {
            return TypeId::DYN;
        };
        if let Some(function) = declarations::function_named("_?._") {
            self.resolve(id, function, 1);
        }
        let found = self.check_field(id, *operand, &name, true);
        self.types.resolved(found, false)
    }

    fn missing_function(&mut self, point: usize, name: &str, member: bool) -> TypeId {
        let wanted = |overload: &Overload| overload.member == member;
        let known = declarations::names(|function| function.overloads.iter().any(wanted));
        let message = format!("there is no function `{name}`");
        self.mistakes.add(
            Mistake::new(MistakeKind::UnknownFunction, point, message)
                .candidates(name, known)
                .help("use a function of CEL, or of the libraries that Kubernetes adds to it"),
        );
        TypeId::ERROR
    }

    fn resolve_overload(
        &mut self,
        id: Id,
        function: &'static Function,
        target: Option<Id>,
        arguments: &[Id],
    ) -> TypeId {
        if matches!(function.name, "_&&_" | "_||_") {
            return self.resolve_logical(id, function, arguments);
        }
        let given: Vec<TypeId> = target
            .iter()
            .chain(arguments)
            .map(|part| self.type_of(*part))
            .collect();
        let mut found = 0;
        let mut result: Option<TypeId> = None;
        for (index, overload) in function.overloads.iter().enumerate() {
            if overload.member != target.is_some() || overload.arguments.len() != given.len() {
                continue;
            }
            let parameters: Vec<TypeId> = (0..overload.parameters()).map(|_| self.types.free()).collect();
            let wanted: Vec<TypeId> = overload
                .arguments
                .iter()
                .map(|argument| self.instance(argument, &parameters))
                .collect();
            if !self.types.all_fit(&given, &wanted) {
                continue;
            }
            found |= 1 << index;
            let own = self.instance(&overload.result, &parameters);
            let own = self.types.resolved(own, false);
            result = Some(match result {
                Some(before) if before != TypeId::DYN && before != own => TypeId::DYN,
                Some(before) => before,
                None => own,
            });
        }
        match result {
            Some(result) => {
                self.resolve(id, function, found);
                result
            }
            None => {
                self.no_overload(id, function, target.is_some(), &given);
                TypeId::ERROR
            }
        }
    }

    fn resolve_logical(&mut self, id: Id, function: &'static Function, arguments: &[Id]) -> TypeId {
        for argument in arguments {
            let own = self.type_of(*argument);
            if !self.types.fits(own, TypeId::BOOL) {
                let operator = operator(function.name).unwrap_or(function.name);
                let message = format!(
                    "`{operator}` needs `bool` on both sides, not `{}`",
                    self.types.shown(own)
                );
                let help = "compare it with another value, as in `self.size > 0`";
                let place = self.tree.start(*argument);
                self.mistakes.add(Mistake::types(place, message).help(help));
            }
        }
        self.resolve(id, function, 1);
        TypeId::BOOL
    }

    fn no_overload(&mut self, id: Id, function: &Function, member: bool, given: &[TypeId]) {
        let given: Vec<TypeId> = given.iter().map(|one| self.types.resolved(*one, true)).collect();
        let shown: Vec<String> = given.iter().map(|one| self.types.shown(*one)).collect();
        let quoted = || quoted_list(shown.iter().map(String::as_str));
        let (message, help) = match (operator(function.name), function.name) {
            (_, "_==_" | "_!=_") => {
                let operator = operator(function.name).unwrap_or_default();
                let message = format!("`{operator}` cannot compare {}", quoted());
                let objects = given
                    .iter()
                    .all(|one| matches!(self.types.get(*one), Type::Object(_)));
                let help = if objects {
                    "compare them field by field; objects of two fields have different types, even if their fields are the same"
                } else {
                    "convert one side, as with `string(…)` or `int(…)`, so that both have the same type"
                };
                (message, help.to_owned())
            }
            (_, "_?_:_") => (
                format!("`? :` cannot be applied to {}", quoted()),
                "use a `bool` as the condition, and two results of the same type".to_owned(),
            ),
            (_, "_[_]" | "_[?_]") => (
                format!("`[…]` cannot be applied to {}", quoted()),
                "use a number as the index of a list, and a string as the key of a map".to_owned(),
            ),
            (Some(operator), _)
                if given
                    .iter()
                    .any(|one| matches!(self.types.get(*one), Type::Optional(_))) =>
            {
                (
                    format!("`{operator}` cannot be applied to {}", quoted()),
                    "get the value of an optional with `.value()` or `.orValue(…)`".to_owned(),
                )
            }
            (Some(operator), _) => (
                format!("`{operator}` cannot be applied to {}", quoted()),
                "convert one of the values, as with `string(…)`, `int(…)` or `double(…)`".to_owned(),
            ),
            (None, name) => {
                let shown_call = match shown.split_first() {
                    Some((target, rest)) if member => format!("`{target}.{name}({})`", rest.join(", ")),
                    _ => format!("`{name}({})`", shown.join(", ")),
                };
                (format!("there is no function {shown_call}"), forms(function))
            }
        };
        let point = self.tree.point(id);
        self.mistakes.add(Mistake::types(point, message).help(help));
    }
}

/// Returns the symbol of an operator.
fn operator(function: &str) -> Option<&str> {
    match function {
        "@in" => Some("in"),
        "!_" => Some("!"),
        "-_" => Some("-"),
        name => name
            .strip_prefix('_')
            .and_then(|name| name.strip_suffix('_'))
            .filter(|sign| !sign.is_empty()),
    }
}

/// Lists the ways to call a function.
fn forms(function: &Function) -> String {
    let mut forms: Vec<String> = Vec::new();
    for overload in function.overloads {
        let arguments: Vec<String> = overload.arguments.iter().map(Signature::shown).collect();
        forms.push(match arguments.split_first() {
            Some((target, rest)) if overload.member => {
                format!("`{target}.{}({})`", function.name, rest.join(", "))
            }
            _ => format!("`{}({})`", function.name, arguments.join(", ")),
        });
    }
    let more = forms.len().saturating_sub(SHOWN_FORMS);
    forms.truncate(SHOWN_FORMS);
    let list = forms.join(", ");
    match more {
        0 => format!("use {list}"),
        more => format!("use {list}, or one of {more} more"),
    }
}
