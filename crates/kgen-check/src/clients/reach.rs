//! Whether generated Rust can name the types that it needs: it is in a module of its own, so private modules and types
//! are out of its reach.
//!
//! Only types that must be named count. Mirrors replace structs, so the structs may be private.

use kgen_diagnostics::{Code, Problem, Problems, Span};
use kgen_model::{Api, KindStyle, RustField, RustRole, RustType};

use super::mirrors::MirrorModule;
use super::{GroupVersion, Kind};
use crate::Part;

/// Reports the types and fields of the planned kinds that generated Rust cannot use.
pub(super) fn check(groups: &[GroupVersion<'_>], parts: &[Part], problems: &mut Problems) {
    for kind in groups.iter().flat_map(|group| &group.kinds) {
        if let Some(by) = kind.rust.reach.hidden_by() {
            problems.push(hidden(kind.version.span, kind.name(), by));
            continue;
        }
        if parts.contains(&Part::Objects) && kind.version.style == KindStyle::WholeStruct {
            check_object(kind, problems);
        }
        if kind.has_client() {
            check_methods(kind, problems);
        }
    }
}

/// Reports types that mirrors use as they are, and kinds that are less visible than their mirrors.
pub(super) fn check_mirrors<'a>(
    api: &Api,
    modules: impl Iterator<Item = &'a MirrorModule<'a>>,
    problems: &mut Problems,
) {
    for module in modules {
        for (kind, _) in &module.kinds {
            if !kind.rust.is_public {
                let message = format!("`{}` is less visible than its apply configuration", kind.name());
                problems.push(
                    Problem::error(Code::PrivateType, kind.version.span, message)
                        .help("declare the kind with `pub`")
                        .help("or disable apply for the kind with `+genclient:skipVerbs=apply,applyStatus`"),
                );
            }
            let fields = kind.rust.fields.iter().filter(|field| field.name != "metadata");
            check_fields(fields, problems);
        }
        let structs = module
            .structs
            .iter()
            .filter_map(|path| api.rust.structs.get(*path));
        for described in structs {
            check_fields(&described.fields, problems);
        }
    }
}

fn check_fields<'a>(fields: impl IntoIterator<Item = &'a RustField>, problems: &mut Problems) {
    for field in fields {
        let parts = field.field_type.iter().flat_map(RustType::parts);
        for part in parts.filter(|part| part.role != RustRole::Struct) {
            if let Some(by) = part.reach.hidden_by() {
                problems.push(hidden(field.type_span, part.path.name(), by));
            }
        }
    }
}

/// Reports the parts of a kind that its implementations of traits cannot use.
fn check_object(kind: &Kind<'_>, problems: &mut Problems) {
    for field in &kind.rust.fields {
        if let Some(span) = field.reach.hidden_by() {
            let message = format!("generated Rust cannot use `{}`, which is private", field.name);
            problems.push(
                Problem::error(Code::PrivateType, span, message)
                    .help("declare the field with `pub` or `pub(crate)`"),
            );
        }
        let is_associated = ["spec", "status"].contains(&field.name.as_str());
        // Without a derive, generated code reads and writes all fields.
        if !is_associated && kind.rust.derives_serde {
            continue;
        }
        for part in field.field_type.iter().flat_map(RustType::parts) {
            if let Some(by) = part.reach.hidden_by() {
                problems.push(hidden(field.type_span, part.path.name(), by));
            } else if let Some(declared) = part.not_public.filter(|_| is_associated && kind.rust.is_public) {
                let message = format!("`{}` is less visible than its kind", part.path.name());
                problems.push(
                    Problem::error(Code::PrivateType, field.type_span, message)
                        .related(declared, "declared here")
                        .help("declare it with `pub`; the module around it may be private"),
                );
            }
        }
    }
}

/// Reports types of a client's methods that generated Rust cannot name.
fn check_methods(kind: &Kind<'_>, problems: &mut Problems) {
    for method in &kind.version.client.methods {
        for named in [&method.input, &method.result].into_iter().flatten() {
            for part in named.rust.iter().flat_map(RustType::parts) {
                if let Some(by) = part.reach.hidden_by() {
                    problems.push(hidden(named.span, part.path.name(), by));
                }
            }
        }
    }
}

fn hidden(span: Span, name: &str, by: Span) -> Problem {
    let problem = Problem::error(
        Code::PrivateType,
        span,
        format!("generated Rust cannot name `{name}`, which is private"),
    );
    let problem = if by == span {
        problem
    } else {
        problem.related(by, "this makes it private")
    };
    problem.help("add `pub` or `pub(crate)` there, or re-export the type with `pub use`")
}
