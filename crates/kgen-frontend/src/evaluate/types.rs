//! Types, as far as values depend on them.

use crate::declare::{TypeExpression, TypeExpressionKind, TypeKind};
use crate::program::{ModuleId, Program, Target, TypeId};
use crate::shape::{Resolved, Scope};

use super::float::Float;
use super::value::Value;
use super::{external as known, names};

/// A type that a value may have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    /// A type parameter, or anything else that is not known here.
    Unknown,
    /// A JSON value or a schema: any value can be one.
    Json,
    Boolean,
    Integer(IntegerType),
    /// `f64`, or `f32` if the flag is set.
    Float {
        is_single: bool,
    },
    Character,
    Text,
    Option(Box<Type>),
    Result(Box<Type>),
    List(Box<Type>),
    /// A set; whether it is sorted.
    Set(Box<Type>, bool),
    Map(Box<Type>),
    Tuple(Vec<Type>),
    /// A type that the program declares, with its arguments.
    Declared(TypeId, Vec<Type>),
    /// A type of another crate.
    External(Vec<String>),
}

impl Type {
    /// Returns the type of lengths.
    pub(crate) fn usize() -> Self {
        Self::Integer(IntegerType {
            bits: 64,
            is_signed: false,
        })
    }
}

/// The bounds of an integer type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IntegerType {
    pub(super) bits: u32,
    pub(super) is_signed: bool,
}

impl IntegerType {
    pub(super) fn named(name: &str) -> Option<Self> {
        let (is_signed, bits) = match name {
            "i8" => (true, 8),
            "i16" => (true, 16),
            "i32" => (true, 32),
            "i64" | "isize" => (true, 64),
            "i128" => (true, 128),
            "u8" => (false, 8),
            "u16" => (false, 16),
            "u32" => (false, 32),
            "u64" | "usize" => (false, 64),
            "u128" => (false, 128),
            _ => return None,
        };
        Some(Self { bits, is_signed })
    }

    pub(super) fn smallest(self) -> i128 {
        match (self.is_signed, self.bits) {
            (false, _) => 0,
            (true, 128) => i128::MIN,
            (true, bits) => -(1_i128 << (bits - 1)),
        }
    }

    /// Returns the largest value. That of `u128` does not fit, so it has none here.
    pub(super) fn largest(self) -> Option<i128> {
        match (self.is_signed, self.bits) {
            (true, 128) => Some(i128::MAX),
            (false, 128) => None,
            (true, bits) => Some((1_i128 << (bits - 1)) - 1),
            (false, bits) => Some((1_i128 << bits) - 1),
        }
    }

    pub(super) fn holds(self, value: i128) -> bool {
        value >= self.smallest() && self.largest().is_none_or(|largest| value <= largest)
    }
}

/// The place where a type is written.
#[derive(Clone, Debug)]
pub(super) struct TypeScope {
    pub(super) module: ModuleId,
    pub(super) this: Option<Type>,
    pub(super) parameters: Vec<(String, Type)>,
}

impl TypeScope {
    pub(super) fn of(scope: &Scope) -> Self {
        let resolved = |(name, resolved): &(String, Resolved)| (name.clone(), from_resolved(resolved));
        let this = scope
            .this
            .as_ref()
            .map(|(id, arguments)| Type::Declared(*id, arguments.iter().map(from_resolved).collect()));
        Self {
            module: scope.module,
            this,
            parameters: scope.parameters.iter().map(resolved).collect(),
        }
    }

    /// Returns the inside of a declared type with its arguments. A parameter without an argument has its default.
    pub(super) fn inside(program: &mut Program, id: TypeId, arguments: &[Type]) -> Self {
        let mut scope = Self {
            module: id.module,
            this: Some(Type::Declared(id, arguments.to_vec())),
            parameters: Vec::new(),
        };
        let body = program.shared_body(id.module);
        let declaration = body.as_ref().and_then(|body| body.types.get(id.index));
        for (index, parameter) in declaration
            .iter()
            .flat_map(|declared| &declared.generics)
            .enumerate()
        {
            let argument = match (arguments.get(index), &parameter.default) {
                (Some(argument), _) => argument.clone(),
                (None, Some(default)) => read(program, default, &scope),
                (None, None) => Type::Unknown,
            };
            scope.parameters.push((parameter.name.clone(), argument));
        }
        scope
    }
}

/// How many aliases may lead to each other.
const MAX_ALIASES: usize = 16;

fn from_resolved(resolved: &Resolved) -> Type {
    match resolved {
        Resolved::Declared(id, arguments) => {
            Type::Declared(*id, arguments.iter().map(from_resolved).collect())
        }
        Resolved::Known(known, arguments) => {
            let path: Vec<_> = known.path().split("::").map(str::to_owned).collect();
            external(path, arguments.iter().map(from_resolved).collect())
        }
        Resolved::Slice(inner) | Resolved::Array(inner, _) => Type::List(Box::new(from_resolved(inner))),
        Resolved::Constant(_) => Type::Unknown,
    }
}

/// Reads a type as it is written.
pub(super) fn read(program: &mut Program, written: &TypeExpression, scope: &TypeScope) -> Type {
    read_behind(program, written, scope, 0)
}

fn read_behind(program: &mut Program, written: &TypeExpression, scope: &TypeScope, aliases: usize) -> Type {
    let path = match &written.kind {
        TypeExpressionKind::Path(path) => path,
        TypeExpressionKind::Reference(inner) => return read_behind(program, inner, scope, aliases),
        TypeExpressionKind::Slice(inner) | TypeExpressionKind::Array(inner, _) => {
            return Type::List(Box::new(read_behind(program, inner, scope, aliases)));
        }
        TypeExpressionKind::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|part| read_behind(program, part, scope, aliases));
            return Type::Tuple(parts.collect());
        }
        TypeExpressionKind::Constant | TypeExpressionKind::Other(_) => return Type::Unknown,
    };
    let names: Vec<_> = path
        .segments
        .iter()
        .map(|segment| segment.name.as_str())
        .collect();
    if let [name] = names.as_slice() {
        if *name == "_" {
            return Type::Unknown;
        }
        if let Some((_, known)) = scope.parameters.iter().find(|(known, _)| known == name) {
            return known.clone();
        }
        if *name == "Self" {
            return scope.this.clone().unwrap_or(Type::Unknown);
        }
    }
    let written_arguments = path.segments.last().map_or(&[][..], |last| &last.arguments);
    let arguments: Vec<_> = written_arguments
        .iter()
        .map(|argument| read_behind(program, argument, scope, aliases))
        .collect();
    if let Some(path) = names::known_path(program, scope.module, &names, path.absolute) {
        return external(path, arguments);
    }
    match program.resolve(scope.module, &names, path.absolute) {
        Ok(Target::Type(id)) => {
            let body = program.shared_body(id.module);
            let declared = body.as_ref().and_then(|body| body.types.get(id.index));
            match declared.map(|declared| &declared.kind) {
                Some(TypeKind::Alias(target)) if aliases < MAX_ALIASES => {
                    let inside = TypeScope::inside(program, id, &arguments);
                    read_behind(program, target, &inside, aliases + 1)
                }
                Some(TypeKind::Alias(_) | TypeKind::Other(_)) | None => Type::Unknown,
                Some(_) => Type::Declared(id, arguments),
            }
        }
        Ok(Target::External(external_path)) => external(external_path.path.to_vec(), arguments),
        Ok(Target::Module(_)) => Type::Unknown,
        // Names of the standard library that are not imported are taken for what they usually mean.
        Err(_) => match names.last() {
            Some(name) if is_usual(name) => external(vec![(*name).to_owned()], arguments),
            _ => Type::Unknown,
        },
    }
}

/// Returns whether a name means the same in nearly every source, so that a missing `use` does not matter.
pub(super) fn is_usual(name: &str) -> bool {
    matches!(
        name,
        "BTreeMap"
            | "HashMap"
            | "IndexMap"
            | "BTreeSet"
            | "HashSet"
            | "IndexSet"
            | "VecDeque"
            | "Cow"
            | "Arc"
            | "Rc"
    )
}

/// Returns a type of another crate or of the language.
pub(super) fn external(path: Vec<String>, arguments: Vec<Type>) -> Type {
    let mut arguments = arguments.into_iter();
    let mut next = || Box::new(arguments.next().unwrap_or(Type::Unknown));
    if !known::is_trusted(&path) {
        return Type::External(path);
    }
    let last = path.last().map(String::as_str).unwrap_or_default();
    if let Some(integer) = IntegerType::named(last) {
        return Type::Integer(integer);
    }
    match last {
        "bool" => Type::Boolean,
        "f32" | "f64" => Type::Float {
            is_single: last == "f32",
        },
        "char" => Type::Character,
        "String" | "str" if path.first().is_none_or(|first| first != "serde_json") => Type::Text,
        "PathBuf" | "Path" | "OsString" | "SmolStr" | "CompactString" => Type::Text,
        "Option" => Type::Option(next()),
        "Result" => Type::Result(next()),
        "Vec" | "VecDeque" | "LinkedList" | "SmallVec" | "ArrayVec" => Type::List(next()),
        "HashSet" | "IndexSet" => Type::Set(next(), false),
        "BTreeSet" => Type::Set(next(), true),
        "Map" if path.first().is_some_and(|first| first == "serde_json") => Type::Map(Box::new(Type::Json)),
        "BTreeMap" | "HashMap" | "IndexMap" | "Map" => {
            let _key = next();
            Type::Map(next())
        }
        "Box" | "Rc" | "Arc" | "Cow" | "Cell" | "RefCell" | "Mutex" | "RwLock" | "Reverse" | "Wrapping"
        | "Saturating" | "LazyLock" | "LazyCell" | "Lazy" | "OnceLock" | "OnceCell" => *next(),
        "Value" | "Schema" | "SchemaObject" | "RootSchema" => Type::Json,
        _ => Type::External(path),
    }
}

/// Returns the default of a type that the program does not declare.
pub(super) fn plain_default(wanted: &Type) -> Option<Value> {
    Some(match wanted {
        Type::Boolean => Value::Boolean(false),
        Type::Integer(_) => Value::Integer(0),
        Type::Float { .. } => Value::Float(Float::Any {
            double: 0.0,
            single: 0.0,
        }),
        Type::Character => Value::Character('\0'),
        Type::Text => Value::text_of(""),
        Type::Option(_) => Value::none(),
        Type::List(_) | Type::Set(..) => Value::List(Vec::new()),
        Type::Map(_) => Value::Map(Vec::new()),
        Type::Tuple(parts) => Value::Tuple(parts.iter().map(plain_default).collect::<Option<_>>()?),
        Type::External(path) => return external_default(path),
        Type::Unknown | Type::Json | Type::Result(_) | Type::Declared(..) => return None,
    })
}

/// Returns the default of a type of another crate, where its JSON tells.
fn external_default(path: &[String]) -> Option<Value> {
    use crate::well_known::{Known, well_known};
    let Known::Value(make) = well_known(path)?.known() else {
        return None;
    };
    let schema = make();
    match schema.json_type? {
        kgen_model::JsonType::Boolean => Some(Value::Boolean(false)),
        kgen_model::JsonType::Integer => Some(Value::Integer(0)),
        kgen_model::JsonType::String if schema.constraints == kgen_model::Sparse::default() => {
            Some(Value::text_of(""))
        }
        _ => None,
    }
}
