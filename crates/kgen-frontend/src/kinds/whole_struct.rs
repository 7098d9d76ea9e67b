//! Kinds that are written as a whole: a struct with `metadata`, `spec` and `status`.

use kgen_diagnostics::{Code, Fix, Problem, Span};
use kgen_markers::{apply_to_kind, apply_to_schema};
use kgen_model::{KindStyle, KindVersion};

use super::version::{group_and_version, has_marker_mistake};
use crate::declare::{Field, Fields, TypeDeclaration, TypeKind};
use crate::program::TypeId;
use crate::shape::{Scope, Shapes, put_first, take_set_once};

/// Describes a kind whose `metadata` is an `ObjectMeta`.
pub(super) fn kind(
    shapes: &mut Shapes<'_>,
    id: TypeId,
    declaration: &TypeDeclaration,
    derives_serde: Option<Span>,
) -> Option<KindVersion> {
    let TypeKind::Struct(Fields::Named(fields)) = &declaration.kind else {
        return None;
    };
    let found = group_and_version(shapes.program, id.module, &declaration.name, declaration.span);
    let identity = match found {
        // The mistake in the marker is reported, and is probably the reason.
        Err(_) if has_marker_mistake(shapes.program, id.module) => None,
        found => shapes.problems.take(found),
    };
    if let Some(parameter) = declaration
        .generics
        .iter()
        .find(|parameter| parameter.default.is_none())
    {
        shapes.problems.push(Problem::error(
            Code::KindShape,
            declaration.span,
            format!(
                "the kind `{}` has the type parameter `{}` without a default",
                declaration.name, parameter.name
            ),
        ));
        return None;
    }
    let scope = Scope {
        this: Some((id, Vec::new())),
        ..Scope::of(id.module)
    };
    if let Some(derive) = derives_serde
        && !has_type_metadata(shapes, fields, &scope)
    {
        shapes.problems.push(
            Problem::error(
                Code::KindSerde,
                derive,
                format!(
                    "objects of `{}` would be serialized without `apiVersion` and `kind`",
                    declaration.name
                ),
            )
            .help("remove the derive; `kgen object` generates the impls with both fields")
            .help("or add `#[serde(flatten)] pub types: kube::core::TypeMeta`"),
        );
    }
    let schema = shapes.kind_object(declaration, fields, &scope);
    let (group, version) = identity?;
    let mut schema = schema?;
    schema.description.clone_from(&declaration.description);
    schema.places.node = Some(declaration.span);
    let set_once = take_set_once(fields, &mut schema);
    apply_to_schema(&declaration.markers, &mut schema, &mut shapes.problems);
    put_first(set_once, &mut schema);
    shapes.description_limit(id.module).apply_to(&mut schema);
    let path = super::rust_path(shapes, id, &declaration.name);
    let name = declaration.name.clone();
    let mut kind = KindVersion::new(
        group.value,
        version.value,
        name,
        KindStyle::WholeStruct,
        declaration.span,
        path,
    );
    kind.group_span = group.span;
    kind.version_span = version.span;
    kind.schema = schema;
    apply_to_kind(&declaration.markers, &mut kind, &mut shapes.problems);
    check_status(shapes, fields, &mut kind);
    Some(kind)
}

/// Reports a status that every new object must have. The API server removes the status of a new object before it
/// validates the object, so no object could be created. A status with a default may be absent.
fn check_status(shapes: &mut Shapes<'_>, fields: &[Field], kind: &mut KindVersion) {
    let Some(marker) = kind.status_subresource else {
        return;
    };
    let Some(field) = fields.iter().find(|field| field.name == "status") else {
        return;
    };
    if !kind.schema.required.contains("status") {
        return;
    }
    let status = kind.schema.properties.get("status");
    if status.is_some_and(|status| status.default.is_some()) {
        kind.schema.required.remove("status");
        return;
    }
    let span = field.field_type.span;
    let written = shapes.program.files.slice(span);
    let fix = Fix::replace(span, format!("Option<{written}>"));
    shapes.problems.push(
        Problem::error(
            Code::RequiredStatus,
            span,
            format!(
                "no `{}` can be created, because its status is required",
                kind.kind
            ),
        )
        .related(
            marker,
            "the API server therefore removes the status of new objects",
        )
        .help(format!("make it optional: `Option<{written}>`"))
        .with_fix(fix)
        .tolerated(),
    );
}

/// Returns whether a flattened field holds `apiVersion` and `kind`.
fn has_type_metadata(shapes: &mut Shapes<'_>, fields: &[Field], scope: &Scope) -> bool {
    fields.iter().any(|field| {
        field.attributes.serde("flatten").is_some()
            && shapes
                .resolve(&field.field_type, scope)
                .is_some_and(|resolved| resolved.is_type_metadata())
    })
}
