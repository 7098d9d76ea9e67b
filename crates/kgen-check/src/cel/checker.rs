//! The types of an expression, worked out from the leaves up as `cel-go` does it.
//!
//! Every node gets a type, and every call the overloads that fit. What does not fit is remembered and taken for a value of
//! any type, so that one mistake gives one message. Where this checker knows less than the API server, it accepts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::declarations::{self, Function, Overload, Signature};
use super::declared::{Declared, Sort};
use super::literals;
use super::mistake::{self, Mistake, Mistakes};
use super::tree::{Comprehension, Entry, Expression, Id, Item, Literal, Tree};
use super::types::{Type, TypeId, Types};

/// An expression of which every node has a type.
#[derive(Debug)]
pub(super) struct Checked<'a> {
    pub(super) tree: Tree<'a>,
    pub(super) types: Types,
    node_types: Vec<TypeId>,
    resolutions: Vec<Option<Resolution>>,
    /// The type of the whole.
    pub(super) result: TypeId,
    /// Whether it looks at the value before the change.
    pub(super) uses_old_self: bool,
}

/// The overloads of a function that a call can mean, a bit each.
#[derive(Clone, Copy, Debug)]
struct Resolution {
    function: &'static Function,
    overloads: u64,
}

impl Checked<'_> {
    /// The type of a node.
    pub(super) fn type_of(&self, id: Id) -> Type {
        let id = self.node_types.get(id.index()).copied();
        self.types.get(id.unwrap_or(TypeId::DYN))
    }

    /// The number of the type of a node.
    pub(super) fn type_id(&self, id: Id) -> TypeId {
        self.node_types.get(id.index()).copied().unwrap_or(TypeId::DYN)
    }

    /// The overloads that a call can mean, in the order of their declaration.
    pub(super) fn overloads(&self, id: Id) -> impl Iterator<Item = &'static Overload> + use<> {
        let resolution = self.resolutions.get(id.index()).copied().flatten();
        resolution.into_iter().flat_map(|resolution| {
            let overloads = resolution.function.overloads.iter().enumerate();
            overloads
                .filter(move |(index, _)| resolution.overloads & (1 << index) != 0)
                .map(|(_, overload)| overload)
        })
    }
}

/// The variables of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variables<'s> {
    /// What `self` is.
    pub(super) value: Declared<'s>,
    /// Whether `oldSelf` may be absent.
    pub(super) optional_old_value: bool,
}

/// Works out the types of a rule.
pub(super) fn check<'a>(
    tree: Tree<'a>,
    root: Id,
    variables: Variables<'_>,
) -> (Checked<'a>, Option<Mistake>) {
    let mut checker = Checker::new(tree);
    let own = checker.declared_type(variables.value);
    let old = if variables.optional_old_value {
        checker.types.id(Type::Optional(own))
    } else {
        own
    };
    checker.globals = vec![("self", own), ("oldSelf", old)];
    checker.finish(root)
}

/// Works out the types of a condition on requests, in which objects can be anything.
pub(super) fn check_condition<'a>(
    tree: Tree<'a>,
    root: Id,
    request: Declared<'_>,
) -> (Checked<'a>, Option<Mistake>) {
    let mut checker = Checker::new(tree);
    let request = checker.declared_type(request);
    checker.globals = vec![
        ("object", TypeId::DYN),
        ("oldObject", TypeId::DYN),
        ("namespaceObject", TypeId::DYN),
        ("request", request),
    ];
    checker.finish(root)
}

/// An object of the schema, and the types of those of its fields that were asked for.
pub(super) struct Object<'s> {
    pub(super) declared: Declared<'s>,
    pub(super) fields: BTreeMap<String, TypeId>,
}

pub(super) struct Checker<'a, 's> {
    pub(super) tree: Tree<'a>,
    pub(super) types: Types,
    node_types: Vec<TypeId>,
    resolutions: Vec<Option<Resolution>>,
    pub(super) objects: Vec<Object<'s>>,
    /// The variables of macros, the innermost last.
    pub(super) scopes: Vec<(Cow<'a, str>, TypeId)>,
    /// The variables that are there from the start.
    pub(super) globals: Vec<(&'static str, TypeId)>,
    pub(super) uses_old_self: bool,
    pub(super) mistakes: Mistakes,
}

impl<'a, 's> Checker<'a, 's> {
    fn new(tree: Tree<'a>) -> Self {
        let count = tree.len();
        Self {
            tree,
            types: Types::default(),
            node_types: vec![TypeId::DYN; count],
            resolutions: vec![None; count],
            objects: Vec::new(),
            scopes: Vec::new(),
            globals: Vec::new(),
            uses_old_self: false,
            mistakes: Mistakes::default(),
        }
    }

    fn finish(mut self, root: Id) -> (Checked<'a>, Option<Mistake>) {
        self.check(root);
        for id in &mut self.node_types {
            *id = self.types.resolved(*id, true);
        }
        literals::check(&mut self, root);
        let checked = Checked {
            result: self.type_of(root),
            tree: self.tree,
            types: self.types,
            node_types: self.node_types,
            resolutions: self.resolutions,
            uses_old_self: self.uses_old_self,
        };
        (checked, self.mistakes.first())
    }

    pub(super) fn type_of(&self, id: Id) -> TypeId {
        self.node_types.get(id.index()).copied().unwrap_or(TypeId::DYN)
    }

    fn set_type(&mut self, id: Id, to: TypeId) {
        if let Some(slot) = self.node_types.get_mut(id.index()) {
            *slot = to;
        }
    }

    pub(super) fn resolve(&mut self, id: Id, function: &'static Function, overloads: u64) {
        if let Some(slot) = self.resolutions.get_mut(id.index()) {
            *slot = Some(Resolution { function, overloads });
        }
    }

    /// The type of a value of the schema.
    pub(super) fn declared_type(&mut self, declared: Declared<'s>) -> TypeId {
        let own = match declared.sort() {
            Sort::Simple(simple) => simple,
            Sort::List(item) => Type::List(self.declared_type(item)),
            Sort::Map(value) => Type::Map(TypeId::TEXT, self.declared_type(value)),
            Sort::Object => {
                let number = u32::try_from(self.objects.len()).unwrap_or_default();
                self.objects.push(Object {
                    declared,
                    fields: BTreeMap::new(),
                });
                Type::Object(number)
            }
        };
        self.types.id(own)
    }

    pub(super) fn check(&mut self, id: Id) {
        let Some(expression) = self.tree.expression(id).cloned() else {
            return;
        };
        let own = match expression {
            Expression::Literal(literal) => self.types.id(literal_type(&literal)),
            Expression::Name(name) => self.check_name(id, &name),
            Expression::Select { operand, field, test } => {
                let found = if test { None } else { self.check_qualified_name(id) };
                match found {
                    Some(found) => found,
                    None => {
                        let found = self.check_field(id, operand, field, false);
                        if test {
                            TypeId::BOOL
                        } else {
                            self.types.resolved(found, false)
                        }
                    }
                }
            }
            Expression::Call {
                function,
                target,
                arguments,
            } => self.check_call(id, &function, target, &arguments),
            Expression::List(items) => self.check_list(&items),
            Expression::Map(entries) => self.check_map(&entries),
            Expression::Message { name, fields } => {
                for field in fields {
                    self.check(field);
                }
                self.check_message(id, &name)
            }
            Expression::Comprehension(comprehension) => self.check_comprehension(&comprehension),
        };
        self.set_type(id, own);
    }

    /// What an optional value holds, and whether it was optional.
    pub(super) fn unwrapped(&self, id: TypeId) -> (TypeId, bool) {
        match self.types.get(id) {
            Type::Optional(value) => (value, true),
            _ => (id, false),
        }
    }

    /// The type of an item or value that may be optional. Only optional values can be left out.
    fn element_type(&mut self, value: Id, optional: bool) -> TypeId {
        self.check(value);
        let own = self.type_of(value);
        if !optional {
            return own;
        }
        let (inner, is_optional) = self.unwrapped(own);
        if !is_optional && !matches!(self.types.get(inner), Type::Dyn) {
            let message = format!("`?` needs an optional value, not `{}`", self.types.shown(inner));
            let help = "leave the `?` out, or read the field with `.?`";
            let place = self.tree.start(value);
            self.mistakes
                .add(mistake::Sort::Type, place, message, Some(help.to_owned()));
        }
        inner
    }

    /// The one type of all items of a list, or of all keys or values of a map. Where they differ, that is looked at later.
    fn joined(&mut self, before: Option<TypeId>, own: TypeId) -> TypeId {
        let Some(before) = before else { return own };
        if self.types.fits(before, own) {
            self.types.more_general(before, own)
        } else {
            TypeId::DYN
        }
    }

    pub(super) fn mixed(&mut self, value: Id, before: TypeId, own: TypeId) {
        let message = format!(
            "a list or map cannot mix `{}` and `{}`",
            self.types.shown(before),
            self.types.shown(own)
        );
        let help = "convert the values to one type, or put `dyn(…)` around each of them";
        self.mistakes.add(
            mistake::Sort::Type,
            self.tree.start(value),
            message,
            Some(help.to_owned()),
        );
    }

    fn check_list(&mut self, items: &[Item]) -> TypeId {
        let mut common = None;
        for item in items {
            let own = self.element_type(item.value, item.optional);
            common = Some(self.joined(common, own));
        }
        let common = common.unwrap_or_else(|| self.types.free());
        self.types.id(Type::List(common))
    }

    fn check_map(&mut self, entries: &[Entry]) -> TypeId {
        let (mut keys, mut values) = (None, None);
        for entry in entries {
            self.check(entry.key);
            keys = Some(self.joined(keys, self.type_of(entry.key)));
            let own = self.element_type(entry.value, entry.optional);
            values = Some(self.joined(values, own));
        }
        let keys = keys.unwrap_or_else(|| self.types.free());
        let values = values.unwrap_or_else(|| self.types.free());
        self.types.id(Type::Map(keys, values))
    }

    /// Messages of protocol buffers are taken for anything: nobody writes them in rules.
    fn check_message(&mut self, id: Id, name: &str) -> TypeId {
        let package = name.trim_start_matches('.').split('.').next().unwrap_or_default();
        if package == "google" || declarations::type_name(name.trim_start_matches('.')).is_some() {
            return TypeId::DYN;
        }
        let message = format!("there is no type `{name}`");
        let point = self.tree.point(id);
        self.mistakes.add(mistake::Sort::Name, point, message, None);
        TypeId::ERROR
    }

    fn check_comprehension(&mut self, comprehension: &Comprehension<'a>) -> TypeId {
        self.check(comprehension.range);
        self.check(comprehension.start);
        let range = self.type_of(comprehension.range);
        let range = self.types.resolved(range, false);
        let accumulator = self.type_of(comprehension.start);
        self.scopes.push((comprehension.accumulator.clone(), accumulator));
        let two = comprehension.second_variable.is_some();
        let (first, second) = match self.types.get(range) {
            Type::List(item) if two => (TypeId::INT, item),
            Type::List(item) => (item, item),
            Type::Map(key, value) => (key, value),
            Type::Dyn | Type::Error | Type::Free(_) => {
                self.types.fits(TypeId::DYN, range);
                (TypeId::DYN, TypeId::DYN)
            }
            _ => {
                let message = format!(
                    "only lists and maps can be gone through, not `{}`",
                    self.types.shown(range)
                );
                let help = "macros such as `all`, `exists` and `map` stand on a list or a map";
                let point = self.tree.start(comprehension.range);
                self.mistakes
                    .add(mistake::Sort::Type, point, message, Some(help.to_owned()));
                (TypeId::ERROR, TypeId::ERROR)
            }
        };
        let outside = self.scopes.len();
        self.scopes.push((comprehension.variable.clone(), first));
        if let Some(variable) = &comprehension.second_variable {
            self.scopes.push((variable.clone(), second));
        }
        self.check(comprehension.condition);
        self.expect(comprehension.condition, TypeId::BOOL);
        self.check(comprehension.step);
        self.expect(comprehension.step, accumulator);
        self.scopes.truncate(outside);
        self.check(comprehension.result);
        self.scopes.truncate(outside.saturating_sub(1));
        let result = self.type_of(comprehension.result);
        self.types.resolved(result, false)
    }

    fn expect(&mut self, id: Id, wanted: TypeId) {
        let own = self.type_of(id);
        if !self.types.fits(wanted, own) {
            let message = format!(
                "a `{}` is needed here, not a `{}`",
                self.types.shown(wanted),
                self.types.shown(own)
            );
            self.mistakes
                .add(mistake::Sort::Type, self.tree.point(id), message, None);
        }
    }

    /// A declared type with free types in place of its parameters.
    pub(super) fn instance(&mut self, signature: &Signature, parameters: &[TypeId]) -> TypeId {
        let own = match signature {
            Signature::Is(simple) => *simple,
            Signature::Parameter(number) => {
                return parameters.get(*number).copied().unwrap_or(TypeId::DYN);
            }
            Signature::List(item) => Type::List(self.instance(item, parameters)),
            Signature::Map(key, value) => {
                Type::Map(self.instance(key, parameters), self.instance(value, parameters))
            }
            Signature::Optional(value) => Type::Optional(self.instance(value, parameters)),
            Signature::Type(of) => Type::Meta(self.instance(of, parameters)),
        };
        self.types.id(own)
    }
}

fn literal_type(literal: &Literal<'_>) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::Text(_) => Type::Text,
        Literal::Bytes(_) => Type::Bytes,
    }
}
