//! Finds the types that are custom resources, and describes each of their versions.

mod apart;
mod assemble;
mod kube_derive;
mod version;
mod whole_struct;

use kgen_diagnostics::{Code, Problem, Span};
use kgen_markers::{module_settings, type_settings};
use kgen_model::{KindVersion, RustTypes};
use kgen_threads::map_all;

use crate::declare::{Fields, MacroCall, TypeDeclaration, TypeExpression, TypeExpressionKind, TypeKind};
use crate::program::{ModuleId, Program, TypeId};
use crate::shape::{KubeKeys, Resolved, Scope, Shapes, rust_types, size_problem};

pub(crate) use apart::find_apart;
pub(crate) use assemble::assemble;

/// The number of modules from which a second thread pays off.
const MANY_MODULES: usize = 32;

/// The number of shares per thread. Some take longer than others, and a thread that is done takes the next one.
const SHARES: usize = 4;

/// Returns all kinds of the requested modules, version by version.
pub(crate) fn find(shapes: &mut Shapes<'_>) -> (Vec<KindVersion>, RustTypes) {
    let mut kinds = find_types(shapes);
    report_macros(shapes);
    let rust = rust_types::describe(shapes, &mut kinds);
    for (id, kind) in &mut kinds {
        kind.client.group_name = version::group_name(shapes.program, id.module);
    }
    (kinds.into_iter().map(|(_, kind)| kind).collect(), rust)
}

/// Warns of calls of macros that derive `CustomResource`: kgen does not expand them, so it does not see their kinds.
fn report_macros(shapes: &mut Shapes<'_>) {
    let bodies: Vec<_> = shapes
        .program
        .wanted_modules()
        .into_iter()
        .filter_map(|module| shapes.program.shared_body(module))
        .collect();
    let defined = |name: &str| {
        let mut names = bodies.iter().flat_map(|body| &body.kind_macros);
        names.any(|known| known == name)
    };
    for call in bodies.iter().flat_map(|body| &body.macro_calls) {
        if (call.derives_kind || defined(&call.name)) && !is_call_left_out(shapes.program, call) {
            let message = format!(
                "kgen does not expand `{}!`, so it does not see the kind that it declares",
                call.name
            );
            shapes.problems.push(
                Problem::warning(Code::NothingFound, call.span, message)
                    .help("write the spec struct out, with `#[derive(CustomResource)]` and `#[kube(…)]`")
                    .help(format!(
                        "or add the kind, or `{}!` for all calls, to `exclude` in kgen.toml if it needs no definition",
                        call.name
                    )),
            );
        }
    }
}

/// Returns the kinds with the types that they are.
///
/// Many modules are distributed to all threads, each with its own view of the program. The result of a thread is used
/// only if there were no problems and no further files; otherwise its share is repeated here, where files and problems
/// have one order.
fn find_types(shapes: &mut Shapes<'_>) -> Vec<(TypeId, KindVersion)> {
    let modules: Vec<_> = shapes
        .program
        .wanted_modules()
        .into_iter()
        .filter(|module| !is_skipped(shapes.program, *module))
        .collect();
    if modules.len() < MANY_MODULES || kgen_threads::count() < 2 {
        return in_modules(shapes, &modules);
    }
    // Shared types are read with the first kinds, before the views are created.
    let (first, rest) = modules.split_at(MANY_MODULES / 2);
    let mut kinds = in_modules(shapes, first);
    let shares: Vec<_> = rest
        .chunks(rest.len().div_ceil(SHARES * kgen_threads::count()))
        .collect();
    let (program, options) = (&*shapes.program, shapes.options);
    let found = map_all(&shares, |share| {
        let mut view = program.fork();
        let mut shapes = Shapes::new(&mut view, options);
        let kinds = in_modules(&mut shapes, share);
        (shapes.problems.is_empty() && shapes.program.is_as_forked()).then_some(kinds)
    });
    for (share, found) in shares.into_iter().zip(found) {
        kinds.extend(found.unwrap_or_else(|| in_modules(shapes, share)));
    }
    kinds
}

/// Returns the kinds of some modules, in their order.
fn in_modules(shapes: &mut Shapes<'_>, modules: &[ModuleId]) -> Vec<(TypeId, KindVersion)> {
    let mut kinds = Vec::new();
    for module in modules {
        let Some(body) = shapes.program.shared_body(*module) else {
            continue;
        };
        for id in shapes.program.types(*module) {
            let Some(declaration) = body.types.get(id.index) else {
                continue;
            };
            if !is_left_out(shapes.program, declaration) {
                match kind(shapes, id, declaration) {
                    // A schema that is too large must not be traversed.
                    Some(kind) if kind.schema.is_too_large() => {
                        shapes.problems.push(size_problem(kind.span, &kind.kind));
                    }
                    kind => kinds.extend(kind.map(|kind| (id, kind))),
                }
            }
        }
    }
    kinds
}

/// Returns whether a marker or the configuration leaves a type out.
fn is_left_out(program: &Program, declaration: &TypeDeclaration) -> bool {
    if type_settings(&declaration.markers).skip.is_some() {
        return true;
    }
    let is_named = |name: &str| program.excluded.iter().any(|excluded| excluded == name);
    !program.excluded.is_empty() && (is_named(&declaration.name) || is_named(&name_of(declaration)))
}

/// Returns the name of the kind that a type would be.
fn name_of(declaration: &TypeDeclaration) -> String {
    let stated = KubeKeys(&declaration.attributes.kube).text("kind");
    stated.map_or_else(|| declaration.name.clone(), |text| text.value)
}

/// Returns whether the configuration leaves out a macro, or a kind or type that its call names.
fn is_call_left_out(program: &Program, call: &MacroCall) -> bool {
    let is_excluded = |word: &str| program.excluded.iter().any(|excluded| excluded == word);
    let text = program.text(call.span);
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    !program.excluded.is_empty() && (is_excluded(&format!("{}!", call.name)) || words.any(is_excluded))
}

/// Returns whether a module or one around it is taken out.
fn is_skipped(program: &Program, module: ModuleId) -> bool {
    program.ancestors(module).into_iter().any(|id| {
        program
            .body(id)
            .is_some_and(|body| module_settings(&body.markers).skip.is_some())
    })
}

/// Returns the kind that a type is, if it is one. A type with a problem is reported, and does not count as a kind.
fn kind(shapes: &mut Shapes<'_>, id: TypeId, declaration: &TypeDeclaration) -> Option<KindVersion> {
    if declaration.attributes.derives("CustomResource").is_some() {
        return kube_derive::kind(shapes, id, declaration);
    }
    let marker = declaration.markers.iter().find(|marker| marker.is_kind_marker());
    let metadata = match &declaration.kind {
        TypeKind::Struct(Fields::Named(fields)) => fields.iter().find(|field| field.name == "metadata"),
        _ => None,
    };
    let Some(metadata) = metadata else {
        if let Some(marker) = marker {
            shapes.problems.push(not_a_kind(declaration, marker.span()));
        }
        return None;
    };
    // The type of `metadata` decides; if it cannot be found, that is a problem only if a kind is meant.
    let derives_serde = ["Serialize", "Deserialize"]
        .iter()
        .find_map(|name| declaration.attributes.derives(name));
    if derives_serde.is_some() && marker.is_none() {
        return None;
    }
    let before = std::mem::take(&mut shapes.problems);
    let resolved = shapes
        .resolve(&metadata.field_type, &Scope::of(id.module))
        .map(|resolved| shapes.behind_aliases(resolved));
    let found = std::mem::replace(&mut shapes.problems, before);
    // Without a dependency on k8s-openapi, for example, it is a kind with a mistake, and not something else.
    let is_named = || resolved.is_none() && is_called_object_meta(&metadata.field_type);
    let is_meant = marker.is_some()
        || resolved.as_ref().is_some_and(Resolved::is_object_metadata)
        || is_named() && version::has_group(shapes.program, id.module);
    if is_meant {
        shapes.problems.extend(found);
    }
    let resolved = resolved?;
    if resolved.is_list_metadata() {
        return None;
    }
    if !resolved.is_object_metadata() {
        if let Some(marker) = marker {
            shapes.problems.push(
                Problem::error(
                    Code::KindShape,
                    metadata.field_type.span,
                    format!(
                        "the `metadata` of the kind `{}` is not an `ObjectMeta`",
                        declaration.name
                    ),
                )
                .related(marker.span(), "this marker makes it a kind")
                .help("use `k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta`"),
            );
        }
        return None;
    }
    // In a project for kube-derive without a group, it can be any struct of a program.
    if marker.is_none() && !version::has_group(shapes.program, id.module) && uses_kube_derive(shapes) {
        return None;
    }
    whole_struct::kind(shapes, id, declaration, derives_serde)
}

/// Returns whether a type has the name of the metadata of objects.
fn is_called_object_meta(metadata: &TypeExpression) -> bool {
    match &metadata.kind {
        TypeExpressionKind::Path(path) => path.segments.last().is_some_and(|last| last.name == "ObjectMeta"),
        _ => false,
    }
}

/// Returns whether the requested modules have kinds for kube-derive.
fn uses_kube_derive(shapes: &Shapes<'_>) -> bool {
    let modules = shapes.program.wanted_modules();
    modules
        .into_iter()
        .filter_map(|module| shapes.program.body(module))
        .flat_map(|body| &body.types)
        .any(|declaration| declaration.attributes.derives("CustomResource").is_some())
}

fn not_a_kind(declaration: &TypeDeclaration, marker: Span) -> Problem {
    Problem::error(
        Code::KindShape,
        marker,
        format!("`{}` is not a kind", declaration.name),
    )
    .related(declaration.span, "there is no `metadata: ObjectMeta`")
    .help("declare a struct with `metadata: ObjectMeta`, and usually `spec` and `status`")
    .help("or a spec struct with `#[derive(CustomResource)]`")
}

/// Returns the path of a type in its crate.
fn rust_path(shapes: &Shapes<'_>, id: TypeId, name: &str) -> String {
    let mut path = shapes.program.module_path(id.module);
    path.push(name);
    path.join("::")
}
