//! Resolves written types: names become declarations or well-known types, parameters become arguments.
//!
//! A [`Resolver`] knows nothing about schemas. Whether a type can be the key of a map depends on its schema, so the
//! resolver only collects the keys, and `Shapes` checks them.

mod report;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_threads::on_large_stack;

use super::Scope;
use crate::declare::{
    ASSOCIATED_TYPE, ArrayLength, PathExpression, TypeDeclaration, TypeExpression, TypeExpressionKind,
    TypeKind,
};
use crate::evaluate;
use crate::program::{Program, Target, TypeId};
use crate::well_known::{Known, KnownType, well_known};

/// A type whose names are resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Resolved {
    Declared(TypeId, Vec<Resolved>),
    Known(KnownType, Vec<Resolved>),
    /// A slice.
    Slice(Box<Resolved>),
    Array(Box<Resolved>, u64),
    /// The value of a constant parameter.
    Constant(u64),
}

/// The work of resolving types, which small sources can make large.
#[derive(Debug)]
pub(super) struct Work {
    steps: usize,
    most_steps: usize,
    depth: usize,
    is_exceeded: bool,
    is_reported: bool,
}

/// How deeply types and the aliases in them may be inside each other.
const DEEPEST: usize = 1024;

/// How deeply they are resolved on any stack, also in a build without optimization.
const SHALLOW: usize = 48;

/// How many types one type may be made of.
const LARGEST: usize = 512;

const NOT_PORTABLE: &str = "floating-point numbers are not portable between languages";

impl Work {
    /// Returns the work that source of this size may take: a step for each written type, with room for those of generic
    /// types.
    pub(super) fn for_source(bytes: usize) -> Self {
        Self {
            steps: 0,
            most_steps: 100_000 + bytes * 4,
            depth: 0,
            is_exceeded: false,
            is_reported: false,
        }
    }

    fn is_too_much(&mut self) -> bool {
        self.is_exceeded |= self.steps > self.most_steps || self.depth > DEEPEST;
        self.is_exceeded
    }
}

impl Resolved {
    /// Returns whether the type is made of a reasonable number of types.
    fn is_small(&self) -> bool {
        fn count(resolved: &Resolved, left: usize) -> Option<usize> {
            let left = left.checked_sub(1)?;
            match resolved {
                Resolved::Declared(_, arguments) | Resolved::Known(_, arguments) => arguments
                    .iter()
                    .try_fold(left, |left, argument| count(argument, left)),
                Resolved::Slice(inner) | Resolved::Array(inner, _) => count(inner, left),
                Resolved::Constant(_) => Some(left),
            }
        }
        count(self, LARGEST).is_some()
    }

    /// Returns the content of an `Option`, if it is one.
    pub(crate) fn optional(&self) -> Option<&Resolved> {
        match self {
            Self::Known(known, arguments) if matches!(known.known(), Known::Optional) => arguments.first(),
            _ => None,
        }
    }

    /// Returns whether it is Kubernetes' metadata of an object.
    pub(crate) fn is_object_metadata(&self) -> bool {
        matches!(self, Self::Known(known, _) if matches!(known.known(), Known::ObjectMeta))
    }

    /// Returns whether it is Kubernetes' metadata of a list.
    pub(crate) fn is_list_metadata(&self) -> bool {
        matches!(self, Self::Known(known, _) if matches!(known.known(), Known::ListMeta))
    }

    /// Returns whether it reads any JSON value, null included.
    pub(crate) fn takes_any_value(&self) -> bool {
        match self {
            Self::Known(known, arguments) => match known.known() {
                Known::Value(make) => make().json_type.is_none(),
                Known::Transparent => arguments.last().is_some_and(Self::takes_any_value),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns whether it is Kubernetes' own type of any value, which has a twin in Go.
    pub(crate) fn is_json_of_kubernetes(&self) -> bool {
        match self {
            Self::Known(known, arguments) => match known.known() {
                Known::Transparent => arguments.last().is_some_and(Self::is_json_of_kubernetes),
                _ => self.takes_any_value() && known.path().starts_with("k8s_openapi::"),
            },
            _ => false,
        }
    }

    /// Returns whether it holds `apiVersion` and `kind`.
    pub(crate) fn is_type_metadata(&self) -> bool {
        matches!(self, Self::Known(known, _) if matches!(known.known(), Known::TypeMeta))
    }
}

/// Resolves types that are written in a program.
pub(super) struct Resolver<'a> {
    pub(super) program: &'a mut Program,
    pub(super) problems: &'a mut Problems,
    pub(super) work: &'a mut Work,
    pub(super) allows_floats: bool,
    /// Where the type that is being described is used, if there is one.
    pub(super) used_at: Option<Span>,
    /// The keys of maps, each with its place. At most [`LARGEST`].
    pub(super) keys: Vec<(Resolved, Span)>,
}

impl Resolver<'_> {
    /// Resolves a type as it is written at a place. Returns `None` if there is a problem, which is then reported.
    pub(super) fn resolve(&mut self, expression: &TypeExpression, scope: &Scope) -> Option<Resolved> {
        self.work.steps += 1;
        self.work.depth += 1;
        let resolved = if self.work.is_too_much() {
            None
        } else if self.work.depth == SHALLOW {
            on_large_stack(|| self.resolve_kind(expression, scope))
        } else {
            self.resolve_kind(expression, scope)
        };
        self.work.depth -= 1;
        if self.work.is_exceeded || resolved.as_ref().is_some_and(|resolved| !resolved.is_small()) {
            self.report_limit(expression.span);
            return None;
        }
        resolved
    }

    /// Reports, once, that types grow with each use.
    fn report_limit(&mut self, span: Span) {
        if !std::mem::replace(&mut self.work.is_reported, true) {
            self.problems.push(
                Problem::error(Code::Limit, span, "types or aliases expand too far to be read")
                    .help("use fewer levels of generic types and aliases that contain each other"),
            );
        }
    }

    fn resolve_kind(&mut self, expression: &TypeExpression, scope: &Scope) -> Option<Resolved> {
        match &expression.kind {
            TypeExpressionKind::Path(path) => self.resolve_path(path, expression.span, scope),
            TypeExpressionKind::Reference(inner) => self.resolve(inner, scope),
            TypeExpressionKind::Slice(inner) => Some(Resolved::Slice(Box::new(self.resolve(inner, scope)?))),
            TypeExpressionKind::Array(inner, length) => {
                let length = self.array_length(length, scope)?;
                Some(Resolved::Array(Box::new(self.resolve(inner, scope)?), length))
            }
            TypeExpressionKind::Tuple(elements) if elements.is_empty() => self.unsupported(
                expression.span,
                "the JSON of `()` is always `null`",
                "remove the field, or use a `bool`",
            ),
            TypeExpressionKind::Tuple(_) => self.unsupported(
                expression.span,
                "a tuple is a list of different types, which a schema cannot describe",
                "use a struct with named fields",
            ),
            TypeExpressionKind::Constant => {
                self.unsupported(expression.span, "expected a type, found a value", "name a type")
            }
            TypeExpressionKind::Other(what) => self.unsupported(
                expression.span,
                &if *what == ASSOCIATED_TYPE {
                    format!("kgen does not look up {what}")
                } else {
                    format!("serde does not support {what}")
                },
                if *what == ASSOCIATED_TYPE {
                    "name the type itself"
                } else {
                    "use a type that serde supports"
                },
            ),
        }
    }

    fn unsupported(&mut self, span: Span, message: &str, help: &str) -> Option<Resolved> {
        self.problems
            .push(Problem::error(Code::UnsupportedType, span, message).help(help));
        None
    }

    fn array_length(&mut self, length: &ArrayLength, scope: &Scope) -> Option<u64> {
        match length {
            ArrayLength::Literal(length) => Some(*length),
            ArrayLength::Expression(span) => {
                let text = self.program.text(*span).trim_matches(['{', '}', ' ']).to_owned();
                if let Some((_, Resolved::Constant(value))) =
                    scope.parameters.iter().find(|(name, _)| *name == text)
                {
                    return Some(*value);
                }
                let value = self.length(*span, scope);
                if value.is_none() {
                    self.problems.push(
                        Problem::error(
                            Code::UnsupportedType,
                            *span,
                            "the length of this array cannot be evaluated",
                        )
                        .help("use a number, or a constant whose value kgen can evaluate"),
                    );
                }
                value
            }
        }
    }

    fn length(&mut self, span: Span, scope: &Scope) -> Option<u64> {
        let value = evaluate::expression(self.program, scope, span, &evaluate::Type::usize());
        match value.ok()? {
            evaluate::Value::Integer(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    fn resolve_path(&mut self, path: &PathExpression, span: Span, scope: &Scope) -> Option<Resolved> {
        let [first, rest @ ..] = path.segments.as_slice() else {
            return None;
        };
        if rest.is_empty() && !path.absolute {
            if let Some((_, value)) = scope.parameters.iter().find(|(name, _)| *name == first.name) {
                return Some(value.clone());
            }
            if let (true, Some((id, arguments))) = (first.name == "Self", &scope.this) {
                return Some(Resolved::Declared(*id, arguments.clone()));
            }
        }
        let names: Vec<_> = path
            .segments
            .iter()
            .map(|segment| segment.name.as_str())
            .collect();
        let target = match self.program.resolve(scope.module, &names, path.absolute) {
            Ok(target) => target,
            Err(error) => {
                self.report_name(path, span, error, scope);
                return None;
            }
        };
        let written: &[TypeExpression] = path.segments.last().map_or(&[], |segment| &segment.arguments);
        match target {
            Target::Type(id) => {
                let arguments = self.declared_arguments(id, written, scope)?;
                // An alias without markers of its own is its target; seeing through it keeps `Option` an `Option`.
                self.alias_target(id, &arguments)
                    .unwrap_or(Some(Resolved::Declared(id, arguments)))
            }
            Target::External(external) => match well_known(&external.path) {
                Some(known) => self.known_type(known, written, &external.path, span, scope),
                None => {
                    self.report_foreign(&external, span);
                    None
                }
            },
            Target::Module(_) => {
                let message = format!("`{}` is a module, not a type", path.text());
                self.problems
                    .push(Problem::error(Code::UnresolvedName, span, message));
                None
            }
        }
    }

    /// Follows aliases until the type is not an alias.
    pub(super) fn behind_aliases(&mut self, mut resolved: Resolved) -> Resolved {
        // Aliases in a circle are reported elsewhere.
        for _ in 0..16 {
            let Resolved::Declared(id, arguments) = &resolved else {
                break;
            };
            let Some(body) = self.program.shared_body(id.module) else {
                break;
            };
            let Some(declaration) = body.types.get(id.index) else {
                break;
            };
            let TypeKind::Alias(target) = &declaration.kind else {
                break;
            };
            let Some(scope) = self.scope_of(*id, declaration, arguments) else {
                break;
            };
            let Some(next) = self.resolve(target, &scope) else {
                break;
            };
            resolved = next;
        }
        resolved
    }

    /// Returns the scope of a declared type, in which its parameters have the values of `arguments`.
    pub(super) fn scope_of(
        &mut self,
        id: TypeId,
        declaration: &TypeDeclaration,
        arguments: &[Resolved],
    ) -> Option<Scope> {
        let mut scope = Scope {
            module: id.module,
            parameters: Vec::new(),
            this: Some((id, arguments.to_vec())),
        };
        for (index, parameter) in declaration.generics.iter().enumerate() {
            let value = match (arguments.get(index), &parameter.default) {
                (Some(argument), _) => argument.clone(),
                (None, Some(default)) => self.resolve(default, &scope)?,
                (None, None) => {
                    let message = format!(
                        "the type parameter `{}` of `{}` is not given",
                        parameter.name, declaration.name
                    );
                    // The mistake is where the type is used; its declaration is only where nothing uses it.
                    let used = self.used_at.unwrap_or(declaration.span);
                    let parameters: Vec<_> = declaration
                        .generics
                        .iter()
                        .map(|parameter| parameter.name.as_str())
                        .collect();
                    self.problems.push(
                        Problem::error(Code::UnresolvedName, used, message)
                            .related(declaration.span, "declared here")
                            .help(format!(
                                "write `{}<…>` with a type for each of `{}`",
                                declaration.name,
                                parameters.join("`, `")
                            )),
                    );
                    return None;
                }
            };
            scope.parameters.push((parameter.name.clone(), value));
        }
        Some(scope)
    }

    /// Resolves an alias that leads to an `Option`. Returns `None` if `id` is not such an alias.
    fn alias_target(&mut self, id: TypeId, arguments: &[Resolved]) -> Option<Option<Resolved>> {
        let body = self.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        let TypeKind::Alias(target) = &declaration.kind else {
            return None;
        };
        let TypeExpressionKind::Path(path) = &target.kind else {
            return None;
        };
        if path.segments.last()?.name != "Option" {
            return None;
        }
        let scope = self.scope_of(id, declaration, arguments)?;
        Some(self.resolve(target, &scope))
    }

    /// Returns the arguments of a declared type; those of constant parameters are values.
    fn declared_arguments(
        &mut self,
        id: TypeId,
        written: &[TypeExpression],
        scope: &Scope,
    ) -> Option<Vec<Resolved>> {
        let body = self.program.shared_body(id.module)?;
        let generics = &body.types.get(id.index)?.generics;
        let mut arguments = Vec::with_capacity(written.len());
        for (index, argument) in written.iter().enumerate() {
            if generics.get(index).is_some_and(|parameter| parameter.is_constant) {
                arguments.push(Resolved::Constant(
                    self.array_length(&ArrayLength::Expression(argument.span), scope)?,
                ));
            } else {
                arguments.push(self.resolve(argument, scope)?);
            }
        }
        Some(arguments)
    }

    fn arguments(&mut self, written: &[TypeExpression], scope: &Scope) -> Option<Vec<Resolved>> {
        written
            .iter()
            .map(|argument| self.resolve(argument, scope))
            .collect()
    }

    /// Returns whether floating-point numbers are allowed at a place.
    fn allows_float_at(&mut self, span: Span) -> bool {
        let allowances = self.program.allows_floats.iter();
        let mut here = allowances.filter(|allowance| allowance.reaches(span)).peekable();
        let is_allowed = self.allows_floats || here.peek().is_some();
        if here.any(|allowance| allowance.marker.is_some()) {
            // The marker removes it, and therefore counts as used.
            self.problems
                .push(Problem::warning(Code::DangerousType, span, NOT_PORTABLE));
        }
        is_allowed
    }

    /// Resolves a well-known type with the arguments that matter for its JSON; others, such as time zones, do not.
    fn known_type(
        &mut self,
        known: KnownType,
        written: &[TypeExpression],
        path: &[String],
        span: Span,
        scope: &Scope,
    ) -> Option<Resolved> {
        let needed = match known.known() {
            Known::Map => 2,
            Known::Optional
            | Known::List
            | Known::Set
            | Known::Range
            | Known::Transparent
            | Known::NonZero => 1,
            Known::Float(_) if !self.allows_float_at(span) => {
                // The advice is the same for all of them and is shown once.
                self.problems.push(
                    Problem::error(
                        Code::DangerousType,
                        span,
                        NOT_PORTABLE,
                    )
                    .help("use an integer of a smaller unit, `Quantity`, or a `String`")
                    .help("or allow them here with `// +kgen:allow=dangerous-type` above the field or type, or `//! +kgen:allow=dangerous-type` in the module")
                    .help("or allow them in every field with `crd:allowDangerousTypes=true`, or `allow-dangerous-types = true` under `[crd]` in kgen.toml"),
                );
                return None;
            }
            Known::Unsupported(instead) => {
                let name = self.program.text(span).to_owned();
                return self.unsupported(span, &format!("`{name}` has no schema"), instead);
            }
            _ => 0,
        };
        let Some(counted) = written.get(..needed) else {
            let message = format!("`{}` needs {needed} type arguments", path.join("::"));
            self.problems
                .push(Problem::error(Code::UnresolvedName, span, message));
            return None;
        };
        let arguments = self.arguments(counted, scope)?;
        if let (Known::Map, Some(key), Some(place)) = (known.known(), arguments.first(), counted.first()) {
            // A type of reasonable size has fewer keys; aliases that drop their arguments can have more.
            if self.keys.len() >= LARGEST {
                self.work.is_exceeded = true;
                return None;
            }
            self.keys.push((key.clone(), place.span));
        }
        Some(Resolved::Known(known, arguments))
    }
}
