//! The group and version of a kind, from the modules around it.

use kgen_diagnostics::{Code, Problem, Span, Spanned};
use kgen_markers::module_settings;

use crate::program::{ModuleId, Program};

/// Finds the group and version of a type in `module`. A missing one is reported at the type.
pub(super) fn group_and_version(
    program: &Program,
    module: ModuleId,
    name: &str,
    span: Span,
) -> Result<(Spanned<String>, Spanned<String>), Problem> {
    let chain = program.ancestors(module);
    let settings: Vec<_> = chain
        .iter()
        .map(|id| {
            program
                .body(*id)
                .map(|body| module_settings(&body.markers))
                .unwrap_or_default()
        })
        .collect();
    let carrier = settings.iter().position(|settings| settings.group.is_some());
    let Some((depth, group)) = carrier.and_then(|depth| Some((depth, settings.get(depth)?.group.clone()?)))
    else {
        return Err(Problem::error(
            Code::MissingGroup,
            span,
            format!("the kind `{name}` has no API group"),
        )
        .help("write `//! +groupName=example.com` at the top of its module or of a parent module"));
    };
    if let Some(version) = settings.iter().find_map(|settings| settings.version.clone()) {
        return Ok((group, version));
    }
    // The module with the group marker, then the nearest one below it on the way to the type.
    let on_the_way = chain.get(..=depth).unwrap_or_default().iter().rev();
    let names = on_the_way
        .filter_map(|id| program.module(*id))
        .map(|module| module.name.as_str());
    let version = names.into_iter().find(|name| looks_like_version(name));
    match version {
        Some(version) => Ok((group, Spanned::new(version.to_owned(), span))),
        None => Err(Problem::error(Code::MissingVersion, span, format!("the kind `{name}` has no API version"))
            .related(group.span, "the group is set here")
            .help("name its module after the version, such as `v1alpha1`, or write `//! +versionName=v1alpha1` at its top")),
    }
}

/// Returns whether a module or one around it names a group.
pub(super) fn has_group(program: &Program, module: ModuleId) -> bool {
    program.ancestors(module).into_iter().any(|id| {
        program
            .body(id)
            .is_some_and(|body| module_settings(&body.markers).group.is_some())
    })
}

/// Returns whether a marker at the head of a module, or of one around it, is wrong.
pub(super) fn has_marker_mistake(program: &Program, module: ModuleId) -> bool {
    let bodies = program.ancestors(module).into_iter();
    bodies
        .filter_map(|id| program.body(id))
        .any(|body| body.has_marker_mistake)
}

/// Returns the name of the group in accessors for a type in `module`, if one of the enclosing modules states it.
pub(super) fn group_name(program: &Program, module: ModuleId) -> Option<Spanned<String>> {
    program.ancestors(module).into_iter().find_map(|id| {
        let body = program.body(id)?;
        module_settings(&body.markers).group_name
    })
}

/// Returns whether a name is one that Kubernetes orders as a version: `v1`, `v1beta2`, `v2alpha1`.
pub(super) fn looks_like_version(name: &str) -> bool {
    let is_number = |text: &str| {
        !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let Some(rest) = name.strip_prefix('v') else {
        return false;
    };
    ["alpha", "beta"]
        .iter()
        .find_map(|stage| rest.split_once(stage))
        .map_or_else(
            || is_number(rest),
            |(major, minor)| is_number(major) && is_number(minor),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_as_kubernetes_orders_them() {
        for version in ["v1", "v12", "v1alpha1", "v2beta10"] {
            assert!(looks_like_version(version), "{version}");
        }
        for other in [
            "v", "v0", "v1alpha", "v1gamma1", "version", "1", "valpha1", "v1beta01", "v1 ",
        ] {
            assert!(!looks_like_version(other), "{other}");
        }
    }
}
