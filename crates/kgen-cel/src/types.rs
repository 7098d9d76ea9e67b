//! The types of CEL, and the rules for using a value of one type where another is expected.
//!
//! Every type is stored once, so that equal types have equal ids. Unification follows `cel-go`: a free type is bound to the
//! first type that it meets, and becomes more general when it meets a more general type.

use std::collections::BTreeMap;

/// The id of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TypeId(u32);

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Type {
    /// Any value; its type is known only at run time.
    Dyn,
    /// The result of an earlier mistake. It matches every type, so that each mistake is reported once.
    Error,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    Text,
    Bytes,
    Timestamp,
    Duration,
    List(TypeId),
    Map(TypeId, TypeId),
    Optional(TypeId),
    /// A type as a value.
    Meta(TypeId),
    /// An object of the schema. Objects at different places have different types.
    Object(u32),
    /// A type of a library.
    Named(&'static str),
    /// A type that is not known yet.
    Free(u32),
}

/// The types without parts, in the order of their ids.
const SIMPLE: [Type; 11] = [
    Type::Dyn,
    Type::Error,
    Type::Null,
    Type::Bool,
    Type::Int,
    Type::Uint,
    Type::Double,
    Type::Text,
    Type::Bytes,
    Type::Timestamp,
    Type::Duration,
];

impl TypeId {
    pub(super) const DYN: Self = Self(0);
    pub(super) const ERROR: Self = Self(1);
    pub(super) const BOOL: Self = Self(3);
    pub(super) const INT: Self = Self(4);
    pub(super) const TEXT: Self = Self(7);
}

/// The most parts that a type may have; a larger one counts as `dyn`. Nested macros can double the parts of a type at
/// every level, and every operation on a type visits its parts.
const MOST_PARTS: u32 = 10_000;

/// All types of an expression, and the bindings of the free ones.
#[derive(Debug)]
pub(super) struct Types {
    types: Vec<Type>,
    /// The number of parts of each type, the type itself included.
    parts: Vec<u32>,
    numbers: BTreeMap<Type, TypeId>,
    /// The binding of each free type.
    bindings: Vec<Option<TypeId>>,
    /// The free types that were bound and their former bindings, so that an attempt can be undone.
    trail: Vec<(u32, Option<TypeId>)>,
}

impl Default for Types {
    fn default() -> Self {
        Self {
            types: SIMPLE.to_vec(),
            parts: vec![1; SIMPLE.len()],
            numbers: BTreeMap::new(),
            bindings: Vec::new(),
            trail: Vec::new(),
        }
    }
}

impl Types {
    /// Returns the id of a type.
    pub(super) fn id(&mut self, wanted: Type) -> TypeId {
        if let Some(index) = SIMPLE.iter().position(|simple| *simple == wanted) {
            return TypeId(u32::try_from(index).unwrap_or_default());
        }
        if let Some(id) = self.numbers.get(&wanted) {
            return *id;
        }
        let parts = match wanted {
            Type::List(part) | Type::Optional(part) | Type::Meta(part) => self.parts(part).saturating_add(1),
            Type::Map(key, value) => self
                .parts(key)
                .saturating_add(self.parts(value))
                .saturating_add(1),
            _ => 1,
        };
        if parts > MOST_PARTS {
            return TypeId::DYN;
        }
        let id = TypeId(u32::try_from(self.types.len()).unwrap_or_default());
        self.types.push(wanted);
        self.parts.push(parts);
        self.numbers.insert(wanted, id);
        id
    }

    /// Returns the type with an id.
    pub(super) fn get(&self, id: TypeId) -> Type {
        self.types.get(id.0 as usize).copied().unwrap_or(Type::Dyn)
    }

    fn parts(&self, id: TypeId) -> u32 {
        self.parts.get(id.0 as usize).copied().unwrap_or(1)
    }

    /// Creates a type that is not known yet.
    pub(super) fn free(&mut self) -> TypeId {
        let number = u32::try_from(self.bindings.len()).unwrap_or_default();
        self.bindings.push(None);
        self.id(Type::Free(number))
    }

    fn binding(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Free(number) => self.bindings.get(number as usize).copied().flatten(),
            _ => None,
        }
    }

    fn bind(&mut self, free: TypeId, to: TypeId) {
        if let Type::Free(number) = self.get(free)
            && let Some(binding) = self.bindings.get_mut(number as usize)
        {
            self.trail.push((number, *binding));
            *binding = Some(to);
        }
    }

    /// Replaces all bound types by their bindings. With `finished`, types that are still free become `dyn`.
    pub(super) fn resolved(&mut self, id: TypeId, finished: bool) -> TypeId {
        if let Some(bound) = self.binding(id) {
            return self.resolved(bound, finished);
        }
        let resolved = match self.get(id) {
            Type::Free(_) if finished => Type::Dyn,
            Type::List(item) => Type::List(self.resolved(item, finished)),
            Type::Map(key, value) => Type::Map(self.resolved(key, finished), self.resolved(value, finished)),
            Type::Optional(value) => Type::Optional(self.resolved(value, finished)),
            Type::Meta(of) => Type::Meta(self.resolved(of, finished)),
            other => other,
        };
        self.id(resolved)
    }

    /// Returns whether `from` can be used where `to` is expected. Binds free types only in this case.
    pub(super) fn fits(&mut self, from: TypeId, to: TypeId) -> bool {
        self.all_fit(&[from], &[to])
    }

    /// Returns whether each of `from` can be used where its counterpart is expected. Binds free types only in this case.
    pub(super) fn all_fit(&mut self, from: &[TypeId], to: &[TypeId]) -> bool {
        let before = self.trail.len();
        let fit = from.len() == to.len() && from.iter().zip(to).all(|(from, to)| self.unify(*from, *to));
        if !fit {
            while self.trail.len() > before {
                if let Some((number, old)) = self.trail.pop()
                    && let Some(binding) = self.bindings.get_mut(number as usize)
                {
                    *binding = old;
                }
            }
        }
        fit
    }

    fn unify(&mut self, first: TypeId, second: TypeId) -> bool {
        let (left, right) = (self.get(first), self.get(second));
        if matches!(right, Type::Free(_)) {
            let (valid, bound) = self.substitute(first, second);
            if valid || bound {
                return valid;
            }
        }
        if matches!(left, Type::Free(_)) {
            return self.substitute(second, first).0;
        }
        if is_wild(left) || is_wild(right) {
            return true;
        }
        match (left, right) {
            (Type::Null, other) | (other, Type::Null) => is_nullable(other),
            (Type::Meta(_), Type::Meta(_)) => true,
            (Type::List(left), Type::List(right)) | (Type::Optional(left), Type::Optional(right)) => {
                self.unify(left, right)
            }
            (Type::Map(left_key, left_value), Type::Map(right_key, right_value)) => {
                self.unify(left_key, right_key) && self.unify(left_value, right_value)
            }
            (left, right) => left == right,
        }
    }

    /// Binds a free type to `other` if possible. Returns whether it is possible, and whether the type was bound before.
    fn substitute(&mut self, other: TypeId, free: TypeId) -> (bool, bool) {
        if other == free {
            return (true, true);
        }
        if let Some(bound) = self.binding(free) {
            if other == bound {
                return (true, true);
            }
            if !self.unify(other, bound) {
                return (false, true);
            }
            let general = self.more_general(other, bound);
            if !self.occurs(free, general) {
                self.bind(free, general);
            }
            return (true, true);
        }
        let valid = !self.occurs(free, other);
        if valid {
            self.bind(free, other);
        }
        (valid, false)
    }

    /// Returns the more general of two types that match each other.
    pub(super) fn more_general(&self, first: TypeId, second: TypeId) -> TypeId {
        if self.is_as_general(first, second) {
            first
        } else {
            second
        }
    }

    fn is_as_general(&self, first: TypeId, second: TypeId) -> bool {
        let is_open = |one: Type| matches!(one, Type::Dyn | Type::Free(_));
        match (self.get(first), self.get(second)) {
            (left, _) if is_open(left) => true,
            (_, right) if is_open(right) => false,
            (Type::List(left), Type::List(right)) | (Type::Optional(left), Type::Optional(right)) => {
                self.is_as_general(left, right)
            }
            (Type::Map(left_key, left_value), Type::Map(right_key, right_value)) => {
                self.is_as_general(left_key, right_key) && self.is_as_general(left_value, right_value)
            }
            (Type::Meta(_), Type::Meta(_)) => true,
            (left, right) => left == right,
        }
    }

    /// Returns whether a free type is a part of another type.
    fn occurs(&self, free: TypeId, within: TypeId) -> bool {
        if free == within {
            return true;
        }
        match self.get(within) {
            Type::Free(_) => self.binding(within).is_some_and(|bound| self.occurs(free, bound)),
            Type::List(part) | Type::Optional(part) | Type::Meta(part) => self.occurs(free, part),
            Type::Map(key, value) => self.occurs(free, key) || self.occurs(free, value),
            _ => false,
        }
    }

    /// Formats a type in the notation of CEL.
    pub(super) fn shown(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::List(item) => format!("list({})", self.shown(item)),
            Type::Map(key, value) => format!("map({}, {})", self.shown(key), self.shown(value)),
            Type::Optional(value) => format!("optional({})", self.shown(value)),
            Type::Meta(of) => format!("type({})", self.shown(of)),
            simple => simple.word().to_owned(),
        }
    }
}

impl Type {
    /// Returns the name of a type, without its parts.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Dyn | Self::Error | Self::Free(_) => "dyn",
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::Text => "string",
            Self::Bytes => "bytes",
            Self::Timestamp => "timestamp",
            Self::Duration => "duration",
            Self::List(_) => "list",
            Self::Map(..) => "map",
            Self::Optional(_) => "optional",
            Self::Meta(_) => "type",
            Self::Object(_) => "object",
            Self::Named(name) => name,
        }
    }
}

fn is_wild(one: Type) -> bool {
    matches!(one, Type::Dyn | Type::Error)
}

/// Returns whether values of a type can be compared with `null` and be in a list with it.
fn is_nullable(one: Type) -> bool {
    matches!(
        one,
        Type::Null | Type::Object(_) | Type::Named(_) | Type::Optional(_) | Type::Duration | Type::Timestamp
    )
}
