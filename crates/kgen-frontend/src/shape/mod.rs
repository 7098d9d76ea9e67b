//! Turns Rust types into schemas of the JSON that serde reads and writes.
//!
//! A [`Resolver`] turns the names in a type into declarations or well-known types. [`Shapes`] then describes the type;
//! each declared type is described once and shared. The readers of one place borrow `Shapes` for the types inside it:
//! `FieldReader`, `EnumReader`, `AttributeReader` and `CodeReader`. [`Conventions`] and [`Texts`] do not depend on it.
//!
//! Two invariants hold: serde can deserialize everything that a schema accepts, and a schema accepts everything that
//! serde serializes.

mod attributes;
mod choices;
mod code;
mod conventions;
mod defaults;
mod enumeration;
mod examples;
mod fields;
mod flatten;
mod keywords;
mod known;
mod kube_derive;
mod kube_keys;
mod kube_root;
mod newtype;
mod null;
mod numbered;
mod object;
mod open;
mod overlay;
mod projection;
mod rename;
mod resolve;
pub(crate) mod rust_types;
mod serde;
mod serde_code;
mod texts;
mod unwritten;

pub use overlay::supported_minors;

use std::sync::Arc;

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_markers::{Marker, type_settings};
use kgen_model::{DescriptionLimit, Schema};
use kgen_threads::on_large_stack;
use rustc_hash::FxHashMap;

use crate::Options;
use crate::declare::{Fields, ModuleBody, TypeDeclaration, TypeExpression, TypeKind, parse_type};
use crate::program::{ModuleId, Program, TypeId};
use crate::well_known;

use code::Owner;
use conventions::Conventions;
pub(crate) use kube_keys::KubeKeys;
pub(crate) use object::{put_first, take_set_once};
use open::OpenTypes;
pub(crate) use open::size_problem;
pub(crate) use resolve::Resolved;
use resolve::Resolver;
use serde_code::hand_written;
use texts::Texts;

/// The context of a written type: the module, and the values of its type parameters.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) module: ModuleId,
    pub(crate) parameters: Vec<(String, Resolved)>,
    /// The type around it, for `Self`.
    pub(crate) this: Option<(TypeId, Vec<Resolved>)>,
}

impl Scope {
    /// Returns a place outside any generic type.
    pub(crate) fn of(module: ModuleId) -> Self {
        Self {
            module,
            parameters: Vec::new(),
            this: None,
        }
    }
}

/// How many types inside each other are described on any stack, also in a build without optimization.
const SHALLOW: usize = 16;

/// A declared type with its arguments.
type Instance = (TypeId, Vec<Resolved>);

/// Describes types, each once.
pub(crate) struct Shapes<'a> {
    pub(crate) program: &'a mut Program,
    pub(crate) options: &'a Options,
    pub(crate) problems: Problems,
    /// The conventions that the schemas follow.
    pub(crate) conventions: Conventions,
    /// The schemas of described types; `None` for a type that has a problem.
    described: FxHashMap<Instance, Option<Arc<Schema>>>,
    /// The types that are being described.
    open: OpenTypes,
    work: resolve::Work,
    /// Whether a described enum has variants that are neither read nor written.
    has_skipped_variants: bool,
}

impl<'a> Shapes<'a> {
    pub(crate) fn new(program: &'a mut Program, options: &'a Options) -> Self {
        let conventions = Conventions::of(options.compat, program);
        let work = resolve::Work::for_source(program.files.size());
        Self {
            program,
            options,
            problems: Problems::new(),
            conventions,
            described: FxHashMap::default(),
            open: OpenTypes::default(),
            work,
            has_skipped_variants: false,
        }
    }

    /// Returns the types that were described so far.
    pub(crate) fn described_types(&self) -> impl Iterator<Item = TypeId> {
        self.described.keys().map(|(id, _)| *id)
    }

    /// Returns the schema of a type as it is written at a place. Returns `None` if there is a problem, which is then
    /// reported.
    pub(crate) fn expression(&mut self, expression: &TypeExpression, scope: &Scope) -> Option<Schema> {
        let resolved = self.resolve(expression, scope)?;
        self.resolved(&resolved, expression.span)
    }

    /// Resolves a type as it is written at a place. Returns `None` if there is a problem, which is then reported.
    pub(crate) fn resolve(&mut self, expression: &TypeExpression, scope: &Scope) -> Option<Resolved> {
        self.with_resolver(|resolver| resolver.resolve(expression, scope))
    }

    /// Follows aliases until the type is not an alias.
    pub(crate) fn behind_aliases(&mut self, resolved: Resolved) -> Resolved {
        let followed = self.with_resolver(|resolver| Some(resolver.behind_aliases(resolved.clone())));
        followed.unwrap_or(resolved)
    }

    /// Resolves something, and checks the keys of the maps in it. Returns `None` if there is a problem.
    fn with_resolver<T>(&mut self, resolve: impl FnOnce(&mut Resolver<'_>) -> Option<T>) -> Option<T> {
        let allows_floats = self.options.allow_dangerous_types
            || self.conventions.allows_unusual_types()
            || self.in_kubernetes();
        let mut resolver = Resolver {
            allows_floats,
            used_at: self.open.used_at(),
            program: &mut *self.program,
            problems: &mut self.problems,
            work: &mut self.work,
            keys: Vec::new(),
        };
        let resolved = resolve(&mut resolver);
        let keys = resolver.keys;
        let is_fine = keys.iter().all(|(key, span)| self.is_map_key(key, *span));
        resolved.filter(|_| is_fine)
    }

    /// Returns the schema of a resolved type that is used at `span`.
    pub(crate) fn resolved(&mut self, resolved: &Resolved, span: Span) -> Option<Schema> {
        match resolved {
            Resolved::Declared(id, arguments) => self
                .declared(*id, arguments, span)
                .map(|schema| Schema::clone(&schema)),
            Resolved::Known(known, arguments) => {
                if known.path() == "std::time::Duration" {
                    self.note_duration(span);
                }
                if let Some(schema) = self.as_kube_derive(known.path(), span) {
                    return Some(schema);
                }
                self.known(known.known(), arguments, span)
            }
            Resolved::Slice(element) => Some(Schema::array_of(self.element(element, span)?)),
            // A value does not have a schema; only the types around it use it.
            Resolved::Constant(_) => None,
            Resolved::Array(element, length) => {
                let mut schema = Schema::array_of(self.element(element, span)?);
                let length = i64::try_from(*length).unwrap_or(i64::MAX);
                schema.constraints.min_items = Some(length);
                schema.constraints.max_items = Some(length);
                Some(schema)
            }
        }
    }

    /// Returns the schema of a value alone or of an element of a list or map, where only null can mean that a value is
    /// absent.
    fn element(&mut self, resolved: &Resolved, span: Span) -> Option<Schema> {
        match resolved.optional() {
            Some(inner) => {
                let schema = self.element(inner, span)?;
                Some(self.conventions.nullable_element(schema, inner, self.program))
            }
            None => self.resolved(resolved, span),
        }
    }

    /// Returns the schema of a declared type; built on first use, then cached.
    fn declared(&mut self, id: TypeId, arguments: &[Resolved], span: Span) -> Option<Arc<Schema>> {
        let instance = (id, arguments.to_vec());
        if let Some(known) = self.described.get(&instance) {
            return known.clone();
        }
        if let Some(start) = self.open.position(&instance) {
            self.problems
                .push(self.open.cycle_problem(start, span, self.program));
            return None;
        }
        // A generic type that grows with every turn never repeats; no real type nests this deeply.
        if self.open.is_too_deep() {
            self.problems.push(self.open.depth_problem(span));
            return None;
        }
        let body = self.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        let enters_foreign = self.program.is_foreign(id.module) && !self.in_foreign();
        let before = self.problems.len();
        self.open.push(instance.clone(), span);
        let schema = if self.open.len() == SHALLOW {
            on_large_stack(|| self.declaration(id, declaration, &body, arguments))
        } else {
            self.declaration(id, declaration, &body, arguments)
        };
        // Alternatives are not shared, so a type that doubles them in each level is noticed here and not by its kind.
        let schema = match schema {
            Some(schema)
                if !(schema.any_of.is_empty() && schema.one_of.is_empty()) && schema.is_too_large() =>
            {
                self.problems
                    .push(size_problem(declaration.span, &declaration.name));
                None
            }
            schema => schema.map(Arc::new),
        };
        self.open.pop();
        if enters_foreign {
            open::point_at_user(&mut self.problems, before, span);
        }
        self.described.insert(instance, schema.clone());
        schema
    }

    /// Returns whether the type that is being described is one of another crate.
    fn in_foreign(&self) -> bool {
        self.open
            .innermost()
            .is_some_and(|id| self.program.is_foreign(id.module))
    }

    /// Returns whether the type that is being described is one of Kubernetes.
    fn in_kubernetes(&self) -> bool {
        self.open
            .innermost()
            .is_some_and(|id| self.program.is_kubernetes(id.module))
    }

    /// Returns whether schemas accept exactly the values of the Rust type. Those of Kubernetes' types are the API
    /// server's own.
    fn follows_rust_exactly(&self) -> bool {
        self.conventions.follow_rust_exactly() && !self.in_kubernetes()
    }

    /// Returns the texts of the type that is being described.
    fn texts(&self) -> Texts {
        Texts {
            conventions: self.conventions,
            is_kubernetes: self.in_kubernetes(),
        }
    }

    /// Describes a type declaration.
    fn declaration(
        &mut self,
        id: TypeId,
        declaration: &TypeDeclaration,
        body: &ModuleBody,
        arguments: &[Resolved],
    ) -> Option<Schema> {
        let scope = self.with_resolver(|resolver| resolver.scope_of(id, declaration, arguments))?;
        let container = serde::container(&declaration.attributes, &mut self.problems);
        let (written, unreadable) = match self.code(&scope).written_schema(declaration) {
            Some(Ok(schema)) => (Some(schema), None),
            Some(Err(unknown)) => (None, Some(unknown.span)),
            None => (None, None),
        };
        let mut is_written = written.is_some();
        let mut schema = if let Some(settled) = settled_by_marker(&declaration.markers) {
            is_written = false;
            settled
        } else if let Some(schema) = written {
            schema
        } else if let Some(name) = &container.schema_of {
            self.named_in_attribute(name, &scope)?
        } else if let Some(path) = &container.schema_function {
            self.code(&scope).schema_function(path, Owner::Type)?
        } else if let Some(code) = hand_written(declaration, body)
            && !self
                .conventions
                .is_stated_by_derive(declaration, code.span, &mut self.problems)
        {
            self.hand_written_schema(declaration, &code, unreadable)?
        } else if let Some(read_as) = &container.read_as
            // schemars 0.8 looks at the fields alone.
            && !self.conventions.has_old_schemars()
        {
            if !self.conventions.trusts_derives()
                && let Some(written_as) = container
                    .written_as
                    .as_ref()
                    .filter(|written| written.value != read_as.value)
            {
                self.problems.push(
                    Problem::error(
                        Code::RenameDiffers,
                        written_as.span,
                        format!(
                            "`{}` is deserialized from one type and serialized into another",
                            declaration.name
                        ),
                    )
                    .related(read_as.span, "the other type")
                    .help("use the same type for both, because one schema describes both directions"),
                );
                return None;
            }
            self.named_in_attribute(read_as, &scope)?
        } else {
            match &declaration.kind {
                TypeKind::Struct(Fields::Named(fields) | Fields::Unnamed(fields))
                    if container.transparent =>
                {
                    self.transparent(declaration, fields, &scope)?
                }
                TypeKind::Struct(Fields::Named(fields)) => {
                    let settings = type_settings(&declaration.markers);
                    let mut schema =
                        self.object(fields, &container, container.rename_all, &scope, &settings)?;
                    object::note_switched_off(&mut schema, declaration, container.rename_all);
                    schema
                }
                TypeKind::Struct(Fields::Unnamed(fields)) => {
                    self.tuple_struct(declaration, fields, &scope)?
                }
                TypeKind::Struct(Fields::Unit) => {
                    self.problems.push(
                        Problem::error(
                            Code::UnsupportedType,
                            declaration.span,
                            format!("`{}` has no fields, so its JSON is `null`", declaration.name),
                        )
                        .help("write it as `struct Name {}` for an empty object"),
                    );
                    return None;
                }
                TypeKind::Enum(variants) => match numbered::derive_of(declaration) {
                    Some(derive) => self.numbered(declaration, variants, derive, id.module)?,
                    None => self.enumeration(declaration, variants, &container, &scope)?,
                },
                TypeKind::Alias(target) => self.expression(target, &scope)?,
                TypeKind::Root(index) => self.embedded_root(TypeId { index: *index, ..id })?,
                TypeKind::Other(what) => {
                    let message = format!("`{}` is {what}, which serde does not support", declaration.name);
                    self.problems
                        .push(Problem::error(Code::UnsupportedType, declaration.span, message));
                    return None;
                }
            }
        };
        if let Some(place) = unreadable
            && hand_written(declaration, body).is_none()
        {
            let span = code::json_schema_span(self.program, id, declaration).unwrap_or(place);
            self.problems
                .push(code::computed_schema(&declaration.name, span, place));
        }
        let texts = self.texts();
        // A hand-written schema keeps its own text; with the conventions of kube-derive, it never gets another one.
        let has_its_text =
            is_written && (schema.description.is_some() || self.conventions.takes_text_as_written());
        if !has_its_text
            && let Some(description) = texts.of_type(declaration, &container, id.module, self.program)
        {
            schema.description = Some(description);
        }
        if !is_written
            && !texts.is_seen_through(declaration, &container)
            && let Some(title) = texts.title(declaration.description.as_deref())
        {
            schema.title = Some(title.into());
        }
        if self.program.is_kubernetes(id.module) && self.conventions.adds_facts() {
            let modules = self.program.module_path(id.module);
            well_known::narrow(&modules, &declaration.name, &mut schema);
            overlay::complete(&modules, &declaration.name, &mut schema);
        }
        schema.places.node = Some(declaration.span);
        schema.places.declared = Some(declaration.span);
        let set_once = match &declaration.kind {
            TypeKind::Struct(Fields::Named(fields)) => take_set_once(fields, &mut schema),
            _ => Vec::new(),
        };
        self.apply_stated(&declaration.attributes, &declaration.markers, &scope, &mut schema);
        put_first(set_once, &mut schema);
        self.description_limit(id.module).apply_to(&mut schema);
        Some(schema)
    }

    /// Returns the limit of descriptions that a module or one around it states.
    pub(crate) fn description_limit(&self, module: ModuleId) -> DescriptionLimit {
        fields::module_setting(self.program, module, |settings| {
            Some(settings.descriptions).filter(|limit| *limit != DescriptionLimit::Unlimited)
        })
        .unwrap_or_default()
    }

    /// Returns the schema of a type that an attribute names.
    fn named_in_attribute(
        &mut self,
        name: &kgen_diagnostics::Spanned<String>,
        scope: &Scope,
    ) -> Option<Schema> {
        let Some(expression) = parse_type(&name.value, name.span) else {
            let message = format!("`{}` is not a type", name.value);
            self.problems
                .push(Problem::error(Code::InvalidAttribute, name.span, message));
            return None;
        };
        self.expression(&expression, scope)
    }
}

/// Returns the schema that a `Type` marker states for a type whose source does not matter then.
fn settled_by_marker(markers: &[Marker]) -> Option<Schema> {
    markers.iter().any(is_type_marker).then(Schema::default)
}

/// Returns whether a marker decides instead of code.
fn is_type_marker(marker: &Marker) -> bool {
    marker.definition().name == "kubebuilder:validation:Type" && !marker.is_for_items()
}
