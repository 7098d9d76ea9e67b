//! The functions and types that rules have: those of CEL, and those of the libraries that Kubernetes adds to it.
//!
//! They are what the environments of Kubernetes 1.33 to 1.37 declare, with the names that `cel-go` gives to the overloads,
//! because the costs are stated by these. A function that only some of them know is here: the rule may be meant for one of
//! these. The order within a function is that of the API server, as the first overload that fits decides about the result.

mod conversions;
mod kubernetes;
mod lists;
mod operators;
mod texts;

use super::types::Type;

/// A type in a declaration.
#[derive(Clone, Copy, Debug)]
pub(super) enum Signature {
    Is(Type),
    List(&'static Signature),
    Map(&'static Signature, &'static Signature),
    Optional(&'static Signature),
    Type(&'static Signature),
    /// Any type, but the same one wherever the number is the same.
    Parameter(usize),
}

/// One way to call a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overload {
    pub(super) id: &'static str,
    /// Whether the first argument stands in front, with a dot behind it.
    pub(super) member: bool,
    pub(super) arguments: &'static [Signature],
    pub(super) result: Signature,
}

/// A function with all its overloads.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) overloads: &'static [Overload],
}

/// All functions; each table is in the order of the names.
const TABLES: [&[Function]; 5] = [
    operators::FUNCTIONS,
    texts::FUNCTIONS,
    lists::FUNCTIONS,
    conversions::FUNCTIONS,
    kubernetes::FUNCTIONS,
];

/// What names of types with dots in them begin with.
pub(super) const PACKAGES: [&str; 2] = ["google", "net"];

/// Names of types that a rule can compare with what `type` says.
const TYPE_NAMES: &[(&str, Signature)] = &[
    ("bool", BOOL),
    ("bytes", BYTES),
    ("double", DOUBLE),
    ("google.protobuf.Duration", DURATION),
    ("google.protobuf.Timestamp", TIMESTAMP),
    ("int", INT),
    ("list", Signature::List(&DYN)),
    ("map", Signature::Map(&DYN, &DYN)),
    ("net.CIDR", CIDR),
    ("net.IP", IP),
    ("null_type", Signature::Is(Type::Null)),
    ("optional_type", Signature::Optional(&DYN)),
    ("string", TEXT),
    ("type", Signature::Type(&DYN)),
    ("uint", UINT),
];

const A: Signature = Signature::Parameter(0);
const B: Signature = Signature::Parameter(1);
const AUTHORIZER: Signature = Signature::Is(Type::Named("kubernetes.authorization.Authorizer"));
const BOOL: Signature = Signature::Is(Type::Bool);
const BYTES: Signature = Signature::Is(Type::Bytes);
const CIDR: Signature = Signature::Is(Type::Named("net.CIDR"));
const DECISION: Signature = Signature::Is(Type::Named("kubernetes.authorization.Decision"));
const DOUBLE: Signature = Signature::Is(Type::Double);
const DURATION: Signature = Signature::Is(Type::Duration);
const DYN: Signature = Signature::Is(Type::Dyn);
const FORMAT: Signature = Signature::Is(Type::Named("kubernetes.NamedFormat"));
const GROUP_CHECK: Signature = Signature::Is(Type::Named("kubernetes.authorization.GroupCheck"));
const INT: Signature = Signature::Is(Type::Int);
const IP: Signature = Signature::Is(Type::Named("net.IP"));
const PATH_CHECK: Signature = Signature::Is(Type::Named("kubernetes.authorization.PathCheck"));
const QUANTITY: Signature = Signature::Is(Type::Named("kubernetes.Quantity"));
const RESOURCE_CHECK: Signature = Signature::Is(Type::Named("kubernetes.authorization.ResourceCheck"));
const SEMVER: Signature = Signature::Is(Type::Named("kubernetes.Semver"));
const TEXT: Signature = Signature::Is(Type::Text);
const TIMESTAMP: Signature = Signature::Is(Type::Timestamp);
const UINT: Signature = Signature::Is(Type::Uint);
const URL: Signature = Signature::Is(Type::Named("kubernetes.URL"));

const fn function(name: &'static str, overloads: &'static [Overload]) -> Function {
    Function { name, overloads }
}

const fn global(id: &'static str, arguments: &'static [Signature], result: Signature) -> Overload {
    Overload {
        id,
        member: false,
        arguments,
        result,
    }
}

const fn member(id: &'static str, arguments: &'static [Signature], result: Signature) -> Overload {
    Overload {
        id,
        member: true,
        arguments,
        result,
    }
}

/// The function with a name.
pub(super) fn function_named(name: &str) -> Option<&'static Function> {
    TABLES.iter().find_map(|table| {
        let found = table.binary_search_by(|function| function.name.cmp(name));
        found.ok().and_then(|index| table.get(index))
    })
}

/// The names of those functions that a text can call.
pub(super) fn names(wanted: impl Fn(&Function) -> bool) -> impl Iterator<Item = &'static str> {
    TABLES
        .into_iter()
        .flatten()
        .filter(move |function| wanted(function))
        .map(|function| function.name)
        .filter(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()) && !name.contains('@'))
}

/// The type that a name stands for.
pub(super) fn type_name(name: &str) -> Option<&'static Signature> {
    let found = TYPE_NAMES.iter().find(|(known, _)| *known == name);
    found.map(|(_, signature)| signature)
}

impl Overload {
    /// How many types it leaves open.
    pub(super) fn parameters(&self) -> usize {
        let parts = self.arguments.iter().chain([&self.result]);
        parts.map(Signature::parameters).max().unwrap_or_default()
    }
}

impl Signature {
    fn parameters(&self) -> usize {
        match self {
            Self::Is(_) => 0,
            Self::Parameter(number) => number + 1,
            Self::List(part) | Self::Optional(part) | Self::Type(part) => part.parameters(),
            Self::Map(key, value) => key.parameters().max(value.parameters()),
        }
    }

    /// The type as people write it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Is(simple) => simple.word().to_owned(),
            Self::Parameter(number) => ["A", "B"].get(*number).copied().unwrap_or("A").to_owned(),
            Self::List(item) => format!("list({})", item.shown()),
            Self::Map(key, value) => format!("map({}, {})", key.shown(), value.shown()),
            Self::Optional(value) => format!("optional({})", value.shown()),
            Self::Type(of) => format!("type({})", of.shown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_order_and_overloads_fit_into_their_bits() {
        for table in TABLES {
            assert!(table.is_sorted_by(|left, right| left.name < right.name));
            assert!(table.iter().all(|function| function.overloads.len() <= 64));
        }
    }
}
