//! The Rust side of kinds, for generated Rust: paths, fields and the parts of each type.
//!
//! This runs after the schemas. Kinds are described if the options ask for it, or if they have several versions, which are
//! compared. Other manifests do not need it.
//! Problems of their types are already reported, so types that cannot be described are left out silently. The types
//! that client markers name are always looked up, so that mistakes in them do not depend on the generators that run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use kgen_diagnostics::{Code, Problem, Span};
use kgen_markers::{field_settings, type_settings, variant_conversion};
use kgen_model::{
    FieldConversion, KindStyle, KindVersion, MethodType, RustContents, RustEnum, RustField, RustKind,
    RustPath, RustReach, RustRole, RustRoot, RustStruct, RustType, RustTypes, RustVariant, Tagging,
    TypeConversion,
};
use kgen_threads::on_large_stack;

use super::newtype::is_phantom;
use super::numbered;
use super::rename::RenameRule;
use super::{KubeKeys, Shapes, hand_written, serde};
use crate::declare::{
    ArrayLength, Field, Fields, PathExpression, Reach, TypeDeclaration, TypeExpression, TypeExpressionKind,
    TypeKind, Variant, parse_type,
};
use crate::program::{CrateId, ModuleId, Target, TypeId, User};
use crate::well_known::{Known, well_known};

/// Adds the Rust side to kinds, each given with the type that declares it, and looks up the types of client methods.
pub(crate) fn describe(shapes: &mut Shapes<'_>, kinds: &mut [(TypeId, KindVersion)]) -> RustTypes {
    let crates: BTreeSet<CrateId> = kinds
        .iter()
        .filter_map(|(id, _)| Some(shapes.program.module(id.module)?.crate_id))
        .collect();
    let is_wanted = shapes.options.rust_types;
    let mut versions: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (_, kind) in &*kinds {
        *versions
            .entry((kind.group.clone(), kind.kind.clone()))
            .or_default() += 1;
    }
    let mut walk = Walk {
        shapes,
        // If kinds come from several crates, the generated code does not belong to any of these.
        own: (crates.len() == 1).then(|| crates.first().copied()).flatten(),
        types: RustTypes {
            is_wanted,
            ..RustTypes::default()
        },
        depth: 0,
        steps: 0,
    };
    for (id, kind) in kinds {
        let has_several = |count: &usize| *count > 1;
        if is_wanted
            || versions
                .get(&(kind.group.clone(), kind.kind.clone()))
                .is_some_and(has_several)
        {
            kind.rust = walk.kind(*id, kind);
        }
        walk.method_types(id.module, kind);
    }
    walk.types.kubernetes_minor = walk.shapes.program.kubernetes_minor;
    walk.types
}

struct Walk<'a, 'b> {
    shapes: &'a mut Shapes<'b>,
    own: Option<CrateId>,
    types: RustTypes,
    /// How many types are being described inside each other.
    depth: usize,
    /// How many types were described for the field at hand.
    steps: usize,
}

/// How deeply types and the aliases in them may be inside each other, and how deeply they are on any stack.
const DEEPEST: usize = 1024;
const SHALLOW: usize = 48;

/// How many types a field may be made of, once all aliases are replaced.
const LARGEST: usize = 4096;

impl Walk<'_, '_> {
    fn kind(&mut self, id: TypeId, kind: &KindVersion) -> Option<RustKind> {
        let body = self.shapes.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        let derives_serde = ["Serialize", "Deserialize"]
            .iter()
            .any(|name| declaration.attributes.derives(name).is_some());
        let source = self.source(id.module, declaration.span);
        let mut unwritten = Vec::new();
        let ((path, reach), fields) = match (kind.style, &declaration.kind) {
            (KindStyle::WholeStruct, TypeKind::Struct(Fields::Named(fields))) => {
                let rename = if derives_serde {
                    serde::container(&declaration.attributes, &mut self.shapes.problems).rename_all
                } else {
                    Some(RenameRule::Camel)
                };
                unwritten = self.unwritten(fields);
                (
                    self.path_of(id, &declaration.name, declaration),
                    self.fields(fields, rename, id.module),
                )
            }
            (KindStyle::KubeDerive, _) => {
                let name = kind.rust_path.rsplit("::").next().unwrap_or(&kind.kind);
                (
                    self.path_of(id, name, declaration),
                    self.kube_fields(id, declaration),
                )
            }
            _ => return None,
        };
        Some(RustKind {
            path,
            source,
            fields,
            unwritten,
            reach,
            is_public: declaration.reach == Reach::Everywhere,
            derives_serde,
            is_hidden: type_settings(&declaration.markers).is_hidden,
            conversion: match kind.style {
                KindStyle::WholeStruct => type_settings(&declaration.markers).conversion,
                // The markers are about the fields of the spec.
                KindStyle::KubeDerive => TypeConversion::default(),
            },
        })
    }

    /// Returns the names of fields that are not part of the JSON.
    fn unwritten(&mut self, fields: &[Field]) -> Vec<String> {
        let mut names = Vec::new();
        for field in fields {
            let member = serde::member(&field.attributes, &mut self.shapes.problems);
            if member.skipped || is_phantom(field) {
                names.push(field.name.clone());
            }
        }
        names
    }

    /// Returns the fields of the struct that kube-derive makes.
    fn kube_fields(&mut self, id: TypeId, declaration: &TypeDeclaration) -> Vec<RustField> {
        let keys = KubeKeys(&declaration.attributes.kube);
        let mut fields = Vec::new();
        let mut add = |name: &str, description: Option<String>, field_type: Option<RustType>| {
            fields.push(RustField {
                name: name.to_owned(),
                json_name: name.to_owned(),
                description,
                deprecated: None,
                is_hidden: false,
                flatten: false,
                custom: None,
                field_type,
                type_span: declaration.span,
                reach: RustReach::Everywhere,
                span: declaration.span,
                conversion: FieldConversion::default(),
            });
        };
        add("metadata", None, Some(metadata_type()));
        if !keys.is_on("no_spec") {
            add(
                "spec",
                declaration.description.clone(),
                self.declared(id, Vec::new()),
            );
        }
        if let Some(text) = keys.path("status", self.shapes.program)
            && let Some(expression) = parse_type(&text.value, text.span)
        {
            let inner = self.rust_type(&expression, id.module);
            add("status", None, inner.map(optional));
        }
        fields
    }

    fn fields(&mut self, fields: &[Field], rename: Option<RenameRule>, module: ModuleId) -> Vec<RustField> {
        let mut described = Vec::with_capacity(fields.len());
        let around = self.steps;
        for field in fields {
            self.steps = 0;
            let member = serde::member(&field.attributes, &mut self.shapes.problems);
            if member.skipped || is_phantom(field) {
                continue;
            }
            let json_name = member
                .rename
                .unwrap_or_else(|| rename.map_or(field.name.clone(), |rule| rule.field(&field.name)));
            let settings = field_settings(&field.markers);
            described.push(RustField {
                name: field.name.clone(),
                json_name,
                description: field.description.clone(),
                deprecated: field.attributes.deprecated.clone(),
                is_hidden: settings.is_hidden,
                flatten: member.flatten.is_some(),
                custom: member.custom.map(|custom| custom.span),
                field_type: self.rust_type(&field.field_type, module),
                type_span: field.field_type.span,
                reach: self.field_reach(field, module),
                span: field.span,
                conversion: settings.conversion,
            });
        }
        self.steps = around;
        described
    }

    fn field_reach(&self, field: &Field, module: ModuleId) -> RustReach {
        let depth = self.shapes.program.ancestors(module).len().saturating_sub(1);
        match field.reach {
            Reach::Everywhere => RustReach::Everywhere,
            reach if reach.is_whole_crate(depth) => RustReach::Crate,
            _ => RustReach::Hidden(field.span),
        }
    }

    /// Looks up the types that methods of the client send and return, and drops the methods without such types.
    fn method_types(&mut self, module: ModuleId, kind: &mut KindVersion) {
        kind.client.methods.retain_mut(|method| {
            let mut is_known = true;
            for named in [&mut method.input, &mut method.result].into_iter().flatten() {
                is_known &= self.method_type(module, named);
            }
            is_known
        });
    }

    /// Returns whether the type exists.
    fn method_type(&mut self, module: ModuleId, named: &mut MethodType) -> bool {
        let parsed = parse_type(&named.name, named.span);
        self.steps = 0;
        named.rust = parsed.and_then(|expression| self.rust_type(&expression, module));
        if named.rust.is_none() {
            let message = format!("there is no type `{}` in this scope", named.name);
            self.shapes.problems.push(
                Problem::error(Code::UnresolvedName, named.span, message)
                    .tolerated()
                    .help("write a Rust path, such as `crate::api::Approval` or `k8s_openapi::api::autoscaling::v1::Scale`"),
            );
        }
        named.rust.is_some()
    }

    /// Describes a type as it is written in `module`. Returns `None` if that cannot be done.
    fn rust_type(&mut self, expression: &TypeExpression, module: ModuleId) -> Option<RustType> {
        self.steps += 1;
        if self.depth > DEEPEST || self.steps > LARGEST {
            // One problem for a field is enough.
            if self.steps <= LARGEST + 1 {
                self.shapes.problems.push(
                    Problem::error(
                        Code::Limit,
                        expression.span,
                        "types or aliases expand too far to be described",
                    )
                    .help("use fewer levels of aliases that contain each other"),
                );
            }
            self.steps = self.steps.max(LARGEST + 1);
            return None;
        }
        self.depth += 1;
        let described = if self.depth == SHALLOW {
            on_large_stack(|| self.rust_type_of(expression, module))
        } else {
            self.rust_type_of(expression, module)
        };
        self.depth -= 1;
        described
    }

    fn rust_type_of(&mut self, expression: &TypeExpression, module: ModuleId) -> Option<RustType> {
        match &expression.kind {
            TypeExpressionKind::Path(path) => self.named(path, module),
            TypeExpressionKind::Array(inner, ArrayLength::Literal(length)) => Some(RustType {
                role: RustRole::Array(*length),
                path: RustPath {
                    root: RustRoot::Language,
                    names: Vec::new(),
                },
                arguments: vec![self.rust_type(inner, module)?],
                reach: RustReach::Everywhere,
                not_public: None,
                // Longer arrays do not have a default value yet.
                has_default: *length <= 32,
            }),
            _ => None,
        }
    }

    fn named(&mut self, path: &PathExpression, module: ModuleId) -> Option<RustType> {
        let names: Vec<_> = path
            .segments
            .iter()
            .map(|segment| segment.name.as_str())
            .collect();
        let written: &[TypeExpression] = path.segments.last().map_or(&[], |last| &last.arguments);
        let target = self
            .shapes
            .program
            .resolve_written(module, &names, path.absolute)
            .ok()?;
        let arguments: Option<Vec<_>> = written
            .iter()
            .map(|argument| self.rust_type(argument, module))
            .collect();
        let arguments = arguments?;
        match target {
            Target::Type(id) => self.declared(id, arguments),
            Target::External(external) => {
                let role = match self.shapes.program.resolve(module, &names, path.absolute) {
                    Ok(Target::External(settled)) => role_of(&settled.path),
                    _ => RustRole::Other,
                };
                let names = self.shapes.program.path_in_source(&external);
                Some(RustType {
                    role,
                    has_default: names.last().is_none_or(|name| has_default(name)),
                    path: external_path(names),
                    arguments,
                    reach: RustReach::Everywhere,
                    not_public: None,
                })
            }
            Target::Module(_) => None,
        }
    }

    fn declared(&mut self, id: TypeId, arguments: Vec<RustType>) -> Option<RustType> {
        let body = self.shapes.program.shared_body(id.module)?;
        let declaration = body.types.get(id.index)?;
        if let (TypeKind::Alias(target), true) = (&declaration.kind, declaration.generics.is_empty()) {
            let mut inside = self.rust_type(target, id.module)?;
            // The alias can be used where its target cannot be named.
            if inside.role == RustRole::Other && inside.parts().any(|part| part.reach.hidden_by().is_some()) {
                let (path, reach) = self.path_of(id, &declaration.name, declaration);
                if reach.hidden_by().is_none() {
                    inside = RustType {
                        path,
                        reach,
                        arguments: Vec::new(),
                        ..inside
                    };
                }
            }
            return Some(inside);
        }
        let (path, reach) = self.path_of(id, &declaration.name, declaration);
        let role = self.describe_struct(id, declaration, &path);
        Some(RustType {
            role,
            path,
            arguments,
            reach,
            not_public: (declaration.reach != Reach::Everywhere).then_some(declaration.span),
            has_default: declaration.attributes.derives("Default").is_some()
                || self.shapes.program.implements(id, "Default"),
        })
    }

    /// Describes a struct whose fields serde reads and writes one by one, once.
    fn describe_struct(&mut self, id: TypeId, declaration: &TypeDeclaration, path: &RustPath) -> RustRole {
        if self.types.structs.contains_key(path) {
            return RustRole::Struct;
        }
        let fields = match &declaration.kind {
            TypeKind::Struct(Fields::Named(fields)) => fields,
            TypeKind::Enum(variants) => {
                self.describe_enum(id, declaration, variants, path);
                return RustRole::Other;
            }
            _ => return RustRole::Other,
        };
        let container = serde::container(&declaration.attributes, &mut self.shapes.problems);
        let by_hand = self
            .shapes
            .program
            .body(id.module)
            .is_some_and(|body| hand_written(declaration, body).is_some());
        let plain = declaration.generics.is_empty()
            && declaration.attributes.derives("Serialize").is_some()
            && !container.transparent
            && container.tag.is_none()
            && container.read_as.is_none()
            && container.written_as.is_none();
        if !plain || by_hand || self.shapes.program.is_foreign(id.module) {
            return RustRole::Other;
        }
        let settings = type_settings(&declaration.markers);
        let described = RustStruct {
            path: path.clone(),
            source: self.source(id.module, declaration.span),
            fields: Vec::new(),
            is_hidden: settings.is_hidden,
            span: declaration.span,
            conversion: settings.conversion,
        };
        // The struct is known before its fields are looked at, so that one that contains itself ends.
        self.types.structs.insert(path.clone(), described);
        let fields = self.fields(fields, container.rename_all, id.module);
        if let Some(described) = self.types.structs.get_mut(path) {
            described.fields = fields;
        }
        RustRole::Struct
    }

    /// Describes an enum that serde's derive reads and writes, once.
    fn describe_enum(
        &mut self,
        id: TypeId,
        declaration: &TypeDeclaration,
        variants: &[Variant],
        path: &RustPath,
    ) {
        let container = serde::container(&declaration.attributes, &mut self.shapes.problems);
        let body = self.shapes.program.body(id.module);
        let by_hand = body.is_some_and(|body| hand_written(declaration, body).is_some());
        let plain = declaration.generics.is_empty()
            && declaration.attributes.derives("Serialize").is_some()
            && numbered::derive_of(declaration).is_none()
            && container.read_as.is_none()
            && container.written_as.is_none();
        if !plain
            || by_hand
            || self.shapes.program.is_foreign(id.module)
            || self.types.enums.contains_key(path)
        {
            return;
        }
        let tagging = match (&container.tag, &container.content, container.untagged) {
            (_, _, Some(_)) => Tagging::Untagged,
            (Some(tag), Some(content), None) => Tagging::Adjacent(tag.value.clone(), content.value.clone()),
            (Some(tag), None, None) => Tagging::Internal(tag.value.clone()),
            (None, _, None) => Tagging::External,
        };
        let settings = type_settings(&declaration.markers);
        let described = RustEnum {
            path: path.clone(),
            tagging,
            variants: Vec::new(),
            is_hidden: settings.is_hidden,
            span: declaration.span,
            conversion: settings.conversion,
        };
        // The enum is known before its variants are looked at, so that one that contains itself ends.
        self.types.enums.insert(path.clone(), described);
        let mut list = Vec::with_capacity(variants.len());
        for variant in variants {
            let member = serde::member(&variant.attributes, &mut self.shapes.problems);
            if member.skipped {
                continue;
            }
            let rename = member.rename_all.or(container.rename_all_fields);
            let contents = match serde::fields_of(variant) {
                Fields::Unit => RustContents::Unit,
                Fields::Named(fields) => RustContents::Fields(self.fields(fields, rename, id.module)),
                Fields::Unnamed(fields) => match self.fields(fields, None, id.module).into_iter().next() {
                    Some(mut field) => {
                        field.custom = field.custom.or(member.custom.map(|custom| custom.span));
                        RustContents::Value(Box::new(field))
                    }
                    None => RustContents::Unit,
                },
            };
            let rule = container.rename_all;
            let json_name = member.rename.unwrap_or_else(|| {
                rule.map_or_else(|| variant.name.clone(), |rule| rule.variant(&variant.name))
            });
            list.push(RustVariant {
                name: variant.name.clone(),
                json_name,
                description: variant.description.clone(),
                contents,
                span: variant.span,
                conversion: variant_conversion(&variant.markers),
            });
        }
        if let Some(described) = self.types.enums.get_mut(path) {
            described.variants = list;
        }
    }

    /// Returns the path by which other modules can name a type that is declared or derived in the module of `id`, and
    /// the visibility of that path.
    fn path_of(&mut self, id: TypeId, name: &str, declaration: &TypeDeclaration) -> (RustPath, RustReach) {
        let root = self.root_of(id.module);
        let program = &mut *self.shapes.program;
        let way = program.way_to(id, name, declaration.reach);
        let reach = match &way {
            Some(way) if way.user == User::Everybody => RustReach::Everywhere,
            // How other crates hand on their types is not fully known.
            _ if root != RustRoot::Own => RustReach::Everywhere,
            Some(_) => RustReach::Crate,
            None => RustReach::Hidden(program.hiding_module(id.module).unwrap_or(declaration.span)),
        };
        let names = way.map_or_else(
            || {
                let modules = program.module_path(id.module).into_iter();
                modules.chain([name]).map(str::to_owned).collect()
            },
            |way| way.names,
        );
        (RustPath { root, names }, reach)
    }

    fn root_of(&self, module: ModuleId) -> RustRoot {
        let program = &*self.shapes.program;
        let id = program.module(module).map(|module| module.crate_id);
        match (id, self.own) {
            (Some(id), Some(own)) if id == own => RustRoot::Own,
            (Some(id), _) => program
                .library_in_source(id, self.own)
                .map_or(RustRoot::Own, RustRoot::Library),
            (None, _) => RustRoot::Own,
        }
    }

    /// Returns the file of a place, relative to its package, so that it does not depend on the current folder.
    fn source(&self, module: ModuleId, span: Span) -> String {
        let program = &*self.shapes.program;
        let shown = program.files.name(span.file).to_owned();
        let Some(folder) = program.package_folder(module) else {
            return shown;
        };
        let path = program.absolute(Path::new(&shown));
        path.strip_prefix(folder).map(slashes).unwrap_or(shown)
    }
}

fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    parts.join("/")
}

fn metadata_type() -> RustType {
    let modules = ["apimachinery", "pkg", "apis", "meta", "v1", "ObjectMeta"];
    RustType {
        role: RustRole::ObjectMeta,
        path: RustPath {
            root: RustRoot::Library("k8s_openapi".to_owned()),
            names: modules.map(str::to_owned).to_vec(),
        },
        arguments: Vec::new(),
        reach: RustReach::Everywhere,
        not_public: None,
        has_default: true,
    }
}

fn optional(inner: RustType) -> RustType {
    RustType {
        role: RustRole::Optional,
        path: external_path(["std", "option", "Option"].map(str::to_owned).to_vec()),
        arguments: vec![inner],
        reach: RustReach::Everywhere,
        not_public: None,
        has_default: true,
    }
}

/// Returns whether a type of another crate has a default value, as far as kgen knows.
fn has_default(name: &str) -> bool {
    let without = [
        "Ipv4Addr",
        "Ipv6Addr",
        "IpAddr",
        "SocketAddr",
        "SocketAddrV4",
        "SocketAddrV6",
        "SystemTime",
        // Both of k8s-openapi.
        "Time",
        "MicroTime",
        "Url",
    ];
    !name.starts_with("NonZero") && !without.contains(&name)
}

fn external_path(mut names: Vec<String>) -> RustPath {
    if names.len() < 2 {
        return RustPath {
            root: RustRoot::Language,
            names,
        };
    }
    let library = names.remove(0);
    RustPath {
        root: RustRoot::Library(library),
        names,
    }
}

/// Describes a well-known type.
fn role_of(path: &[String]) -> RustRole {
    match well_known(path).map(|known| known.known()) {
        Some(Known::Optional) => RustRole::Optional,
        Some(Known::List | Known::Set) => RustRole::List,
        Some(Known::Map) => RustRole::Map,
        Some(Known::Transparent) => RustRole::Pointer,
        Some(Known::ObjectMeta) => RustRole::ObjectMeta,
        Some(Known::TypeMeta) => RustRole::TypeMeta,
        _ => RustRole::Other,
    }
}
