//! Functions, constants, variants and constructors by their path, in any module of the program.

use kgen_diagnostics::Span;
use rustc_hash::FxHashSet;

use super::external::is_known_without_source;
use super::frame::Item;
use crate::declare::{TypeKind, ValueDeclaration};
use crate::program::{ModuleId, Program, Target, TypeId};

/// A constant or function that a path leads to.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) module: ModuleId,
    /// The type whose impl it is part of.
    pub(crate) this: Option<TypeId>,
    pub(crate) body: Span,
    /// The text between the parentheses of a function.
    pub(super) inputs: Option<Span>,
    /// The text of the type of a constant, or `-> T` of a function.
    pub(super) output: Option<Span>,
    /// The text of the type parameters of a function.
    pub(super) generics: Option<Span>,
    /// The name of the module of the types in its block.
    pub(super) block: Option<Box<str>>,
    /// Whether it is part of a trait's impl.
    pub(super) is_of_trait: bool,
    pub(super) language: Language,
}

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    /// The language of `json!`.
    Json,
    /// Rust in an attribute of kube, which imports some types of kube.
    Kube,
}

impl Found {
    pub(crate) fn new(module: ModuleId, this: Option<TypeId>, value: &ValueDeclaration) -> Self {
        Self {
            module,
            this,
            body: value.body,
            inputs: value.inputs,
            output: value.output,
            generics: value.generics,
            block: value.block.clone(),
            is_of_trait: false,
            language: Language::Rust,
        }
    }

    /// Returns the names that its language knows without an import.
    pub(super) fn known_names(&self) -> Vec<Item> {
        if self.language != Language::Kube {
            return Vec::new();
        }
        [
            "Rule",
            "Message",
            "Reason",
            "ListMerge",
            "MapMerge",
            "StructMerge",
        ]
        .map(|name| Item::Known(["kube", "core", name].map(str::to_owned).to_vec()))
        .to_vec()
    }

    /// Returns the place of an expression that is not the body of anything.
    pub(super) fn expression(module: ModuleId, body: Span, language: Language) -> Self {
        Self {
            module,
            this: None,
            body,
            inputs: None,
            output: None,
            generics: None,
            block: None,
            is_of_trait: false,
            language,
        }
    }
}

/// The target of a path among values.
#[derive(Clone, Debug)]
pub(super) enum Named {
    /// Functions or constants; several impls of a trait may each have one.
    Value(Vec<Found>),
    Variant(TypeId, String),
    /// A unit struct, or the constructor of a tuple struct.
    Type(TypeId),
    /// `Type::name`, if the source of the type does not declare such a function.
    Unwritten(TypeId, String),
    /// Something of another crate, or a name that is not found; the path is whole where it could be resolved.
    External(Vec<String>),
}

/// How many aliases may lead to each other.
const MAX_ALIASES: usize = 16;

/// Modules and names that were looked at, so that imports in a circle end.
type Seen = FxHashSet<(ModuleId, String)>;

/// Finds the target of a path that is written in a module.
pub(super) fn find(program: &mut Program, module: ModuleId, path: &[&str], absolute: bool) -> Option<Named> {
    find_from(program, module, path, absolute, &mut Seen::default())
}

fn find_from(
    program: &mut Program,
    module: ModuleId,
    path: &[&str],
    absolute: bool,
    seen: &mut Seen,
) -> Option<Named> {
    let (last, before) = path.split_last()?;
    if before.is_empty() {
        return in_module(program, module, last, seen);
    }
    if let Some(mut path) = known_path(program, module, before, absolute) {
        path.push((*last).to_owned());
        return Some(Named::External(path));
    }
    match program.resolve(module, before, absolute) {
        Ok(Target::Module(home)) => in_module(program, home, last, seen),
        Ok(Target::Type(id)) => Some(match behind_alias(program, id) {
            Behind::Type(id) => of_type(program, id, last),
            Behind::External(mut path) => {
                path.push((*last).to_owned());
                Named::External(path)
            }
        }),
        Ok(Target::External(external)) => {
            let mut path = external.path.to_vec();
            path.push((*last).to_owned());
            Some(Named::External(path))
        }
        Err(_) => None,
    }
}

/// Returns the path of a type or module of a crate whose source is never read for a value.
pub(super) fn known_path(
    program: &mut Program,
    module: ModuleId,
    path: &[&str],
    absolute: bool,
) -> Option<Vec<String>> {
    match program.resolve_written(module, path, absolute) {
        Ok(Target::External(external)) if is_known_without_source(&external.path) => {
            Some(external.path.to_vec())
        }
        _ => None,
    }
}

fn in_module(program: &mut Program, module: ModuleId, name: &str, seen: &mut Seen) -> Option<Named> {
    if !seen.insert((module, name.to_owned())) {
        return None;
    }
    program.load_module(module);
    let body = program.shared_body(module)?;
    if let Some(value) = body.values.iter().find(|value| value.name == name) {
        return Some(Named::Value(vec![Found::new(module, None, value)]));
    }
    if let Some(index) = body.types.iter().position(|declared| declared.name == name) {
        return Some(Named::Type(TypeId { module, index }));
    }
    let named = body
        .imports
        .iter()
        .filter(|import| import.name.as_deref() == Some(name));
    for import in named {
        let path: Vec<_> = import.path.iter().map(String::as_str).collect();
        if let Some(found) = find_from(program, module, &path, import.absolute, seen) {
            return Some(found);
        }
    }
    let globs = body.imports.iter().filter(|import| import.name.is_none());
    for import in globs {
        let path: Vec<_> = import.path.iter().map(String::as_str).chain([name]).collect();
        match find_from(program, module, &path, import.absolute, seen) {
            // A glob of another crate, or of an enum, may or may not have the name.
            Some(Named::External(_) | Named::Unwritten(..)) | None => {}
            found => return found,
        }
    }
    None
}

/// The target of an alias.
enum Behind {
    Type(TypeId),
    External(Vec<String>),
}

fn behind_alias(program: &mut Program, mut id: TypeId) -> Behind {
    for _ in 0..MAX_ALIASES {
        let Some(body) = program.shared_body(id.module) else {
            break;
        };
        let Some(TypeKind::Alias(target)) = body.types.get(id.index).map(|declared| &declared.kind) else {
            break;
        };
        let crate::declare::TypeExpressionKind::Path(path) = &target.kind else {
            break;
        };
        let names: Vec<_> = path
            .segments
            .iter()
            .map(|segment| segment.name.as_str())
            .collect();
        match program.resolve(id.module, &names, path.absolute) {
            Ok(Target::Type(next)) => id = next,
            Ok(Target::External(external)) => return Behind::External(external.path.to_vec()),
            _ => break,
        }
    }
    Behind::Type(id)
}

/// Returns a variant, function or constant of a type.
pub(super) fn of_type(program: &mut Program, id: TypeId, name: &str) -> Named {
    let id = match behind_alias(program, id) {
        Behind::Type(id) => id,
        Behind::External(mut path) => {
            path.push(name.to_owned());
            return Named::External(path);
        }
    };
    let is_variant = program.declaration(id).is_some_and(|declared| {
        matches!(&declared.kind, TypeKind::Enum(variants) if variants.iter().any(|variant| variant.name == name))
    });
    if is_variant {
        return Named::Variant(id, name.to_owned());
    }
    let found = associated(program, id, name);
    if found.is_empty() {
        Named::Unwritten(id, name.to_owned())
    } else {
        Named::Value(found)
    }
}

/// Returns the functions and constants of this name in the impls of a type, wherever in its crate they are. Those of
/// the type itself go before those of traits, as in Rust.
pub(super) fn associated(program: &mut Program, id: TypeId, name: &str) -> Vec<Found> {
    let Some(type_name) = program.declaration(id).map(|declared| declared.name.clone()) else {
        return Vec::new();
    };
    let mut found = in_read_modules(program, id, &type_name, name);
    // An impl may be in a file that is not read yet. Functions that every type has are not searched for.
    let is_common = matches!(
        name,
        "clone" | "into" | "try_into" | "to_owned" | "to_string" | "as_ref" | "borrow"
    );
    if found.is_empty() && !is_common && !program.is_foreign(id.module) {
        program.load_crate(id.module);
        found = in_read_modules(program, id, &type_name, name);
    }
    if found.iter().any(|found| !found.is_of_trait) {
        found.retain(|found| !found.is_of_trait);
    }
    found
}

fn in_read_modules(program: &mut Program, id: TypeId, type_name: &str, name: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for module in program.modules_of_crate(id.module) {
        let Some(body) = program.shared_body(module) else {
            continue;
        };
        for implementation in &body.implementations {
            let has = implementation.values.iter().any(|value| value.name == name);
            if !has || implementation.type_name != type_name {
                continue;
            }
            let path: Vec<_> = implementation.type_path.iter().map(String::as_str).collect();
            if module == id.module || program.resolve(module, &path, false) == Ok(Target::Type(id)) {
                let values = &implementation.values;
                collect(
                    &mut found,
                    module,
                    Some(id),
                    values,
                    name,
                    &implementation.trait_name,
                );
            }
        }
    }
    found
}

/// Returns the `from` functions of `impl From<…> for …` for a type of the language or of another crate, in the crate of
/// `id`.
pub(super) fn conversions_from(program: &mut Program, id: TypeId, target: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for module in program.modules_of_crate(id.module) {
        let Some(body) = program.shared_body(module) else {
            continue;
        };
        for implementation in &body.implementations {
            if implementation.trait_name == "From" && implementation.type_name == target {
                collect(&mut found, module, None, &implementation.values, "from", "From");
            }
        }
    }
    found
}

fn collect(
    found: &mut Vec<Found>,
    module: ModuleId,
    this: Option<TypeId>,
    values: &[ValueDeclaration],
    name: &str,
    trait_name: &str,
) {
    found.extend(
        values
            .iter()
            .filter(|value| value.name == name)
            .map(|value| Found {
                is_of_trait: !trait_name.is_empty(),
                ..Found::new(module, this, value)
            }),
    );
}

/// Returns the hand-written `Default` of a type that derives none.
pub(super) fn written_default(program: &mut Program, id: TypeId) -> Option<Found> {
    if program.declaration(id)?.attributes.derives("Default").is_some() {
        return None;
    }
    let found = associated(program, id, "default");
    found.into_iter().find(|found| found.is_of_trait)
}
