//! Finds the types of an expression from the leaves up, as `cel-go` does.
//!
//! Every node gets a type, and every call gets the overloads that fit. A part with a mistake counts as a value of any
//! type, so that one mistake results in one message. Where this checker knows less than the API server, it accepts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::environment::{Environment, Variables};
use crate::schema::Schema;

use super::declarations::{self, Function, Overload, Signature};
use super::declared::{Declared, Shape};
use super::literals;
use super::mistake::{Mistake, MistakeKind, Mistakes};
use super::tree::{Comprehension, Entry, Expression, Id, Item, Literal, Tree};
use super::types::{Type, TypeId, Types};

/// An expression whose nodes all have types.
#[derive(Debug)]
pub(super) struct Typed<'a> {
    pub(super) tree: Tree<'a>,
    pub(super) types: Types,
    node_types: Vec<TypeId>,
    resolutions: Vec<Option<Resolution>>,
    /// The type of the whole expression.
    pub(super) result: TypeId,
}

/// The overloads of a function that a call can mean, one bit per overload.
#[derive(Clone, Copy, Debug)]
struct Resolution {
    function: &'static Function,
    overloads: u64,
}

impl Typed<'_> {
    /// Copies the texts that the expression borrows.
    pub(super) fn into_owned(self) -> Typed<'static> {
        Typed {
            tree: self.tree.into_owned(),
            types: self.types,
            node_types: self.node_types,
            resolutions: self.resolutions,
            result: self.result,
        }
    }

    /// Returns the type of a node.
    pub(super) fn type_of(&self, id: Id) -> Type {
        let id = self.node_types.get(id.index()).copied();
        self.types.get(id.unwrap_or(TypeId::DYN))
    }

    /// Returns the name of the type that a node names, if it is a simple type.
    pub(super) fn named_type(&self, id: Id) -> Option<&'static str> {
        let Type::Meta(named) = self.type_of(id) else {
            return None;
        };
        Some(match self.types.get(named) {
            Type::Null => "null_type",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Uint => "uint",
            Type::Double => "double",
            Type::Text => "string",
            Type::Bytes => "bytes",
            Type::Timestamp => "google.protobuf.Timestamp",
            Type::Duration => "google.protobuf.Duration",
            Type::List(_) => "list",
            Type::Map(..) => "map",
            Type::Optional(_) => "optional_type",
            Type::Meta(_) => "type",
            Type::Named(name) => name,
            _ => return None,
        })
    }

    /// Returns the id of the type of a node.
    pub(super) fn type_id(&self, id: Id) -> TypeId {
        self.node_types.get(id.index()).copied().unwrap_or(TypeId::DYN)
    }

    /// Returns the overloads that a call can mean, in the order of their declaration.
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

/// Finds the types of an expression with the variables of an environment.
pub(super) fn check<'a, S: Schema>(
    tree: Tree<'a>,
    root: Id,
    environment: &Environment<S>,
) -> (Typed<'a>, Option<Mistake>) {
    let mut checker = Checker::new(tree);
    checker.globals = match environment.variables {
        Variables::Rule {
            value,
            optional_old_self,
        } => {
            let own = checker.declared_type(value);
            let old = if optional_old_self {
                checker.types.id(Type::Optional(own))
            } else {
                own
            };
            vec![("self", own), ("oldSelf", old)]
        }
        Variables::Request(request) => vec![
            ("object", TypeId::DYN),
            ("oldObject", TypeId::DYN),
            ("namespaceObject", TypeId::DYN),
            ("request", checker.declared_type(request)),
            ("authorizer", TypeId::DYN),
        ],
    };
    checker.finish(root)
}

/// An object of the schema, and the types of the fields that were looked up.
pub(super) struct Object<S> {
    pub(super) declared: Declared<S>,
    pub(super) fields: BTreeMap<String, TypeId>,
}

pub(super) struct Checker<'a, S> {
    pub(super) tree: Tree<'a>,
    pub(super) types: Types,
    node_types: Vec<TypeId>,
    resolutions: Vec<Option<Resolution>>,
    pub(super) objects: Vec<Object<S>>,
    /// The variables of macros, the innermost last.
    pub(super) scopes: Vec<(Cow<'a, str>, TypeId)>,
    /// The variables of the environment.
    pub(super) globals: Vec<(&'static str, TypeId)>,
    pub(super) mistakes: Mistakes,
}

impl<'a, S: Schema> Checker<'a, S> {
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
            mistakes: Mistakes::default(),
        }
    }

    fn finish(mut self, root: Id) -> (Typed<'a>, Option<Mistake>) {
        self.check(root);
        for id in &mut self.node_types {
            *id = self.types.resolved(*id, true);
        }
        literals::check(&mut self, root);
        let typed = Typed {
            result: self.type_of(root),
            tree: self.tree,
            types: self.types,
            node_types: self.node_types,
            resolutions: self.resolutions,
        };
        (typed, self.mistakes.first())
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

    /// Returns the type of a value of the schema.
    pub(super) fn declared_type(&mut self, declared: Declared<S>) -> TypeId {
        let own = match declared.shape() {
            Shape::Simple(simple) => simple,
            Shape::List(item) => Type::List(self.declared_type(item)),
            Shape::Map(value) => Type::Map(TypeId::TEXT, self.declared_type(value)),
            Shape::Object => {
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
                        let found = self.check_field(id, operand, &field, false);
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

    /// Returns the type within an optional type, and whether the type is optional.
    pub(super) fn unwrapped(&self, id: TypeId) -> (TypeId, bool) {
        match self.types.get(id) {
            Type::Optional(value) => (value, true),
            _ => (id, false),
        }
    }

    /// Returns the type of an item or entry. One that is marked with `?` must be an optional value.
    fn element_type(&mut self, value: Id, optional: bool) -> TypeId {
        self.check(value);
        let own = self.type_of(value);
        if !optional {
            return own;
        }
        let (inner, is_optional) = self.unwrapped(own);
        if !is_optional && !matches!(self.types.get(inner), Type::Dyn) {
            let message = format!("`?` needs an optional value, not `{}`", self.types.shown(inner));
            let help = "remove the `?`, or read the field with `.?`";
            let place = self.tree.start(value);
            self.mistakes.add(Mistake::types(place, message).help(help));
        }
        inner
    }

    /// Returns the common type of the items of a list, or of the keys or values of a map. `literals` checks if they differ.
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
        self.mistakes
            .add(Mistake::types(self.tree.start(value), message).help(help));
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

    /// Messages of protocol buffers count as values of any type, because rules do not use them in practice.
    fn check_message(&mut self, id: Id, name: &str) -> TypeId {
        let package = name.trim_start_matches('.').split('.').next().unwrap_or_default();
        if package == "google" || declarations::type_name(name.trim_start_matches('.')).is_some() {
            return TypeId::DYN;
        }
        let message = format!("there is no type `{name}`");
        let point = self.tree.point(id);
        self.mistakes
            .add(Mistake::new(MistakeKind::UnknownType, point, message));
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
                    "only lists and maps can be iterated over, not `{}`",
                    self.types.shown(range)
                );
                let help = "call macros such as `all`, `exists` and `map` on a list or a map";
                let point = self.tree.start(comprehension.range);
                self.mistakes.add(Mistake::types(point, message).help(help));
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
                "`{}` is required here, not `{}`",
                self.types.shown(wanted),
                self.types.shown(own)
            );
            self.mistakes.add(Mistake::types(self.tree.point(id), message));
        }
    }

    /// Replaces the parameters of a declared type by free types.
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
