//! The plan of apply configurations: which structs are mirrored, and in which module.
//!
//! A mirror is in a module that is named after the module of its struct, so that structs of the same name stay apart.

use std::collections::{BTreeMap, BTreeSet};

use kgen_diagnostics::{Code, Problem, Problems};
use kgen_model::{Api, RustField, RustPath, RustRole, RustRoot, RustType, rust_names};

use super::{GroupVersion, Kind};

/// A file of mirrors: the kinds and structs of one module.
#[derive(Debug, Default)]
pub struct MirrorModule<'a> {
    /// The kinds, each with its group and version.
    pub kinds: Vec<(Kind<'a>, String)>,
    /// The structs that are part of kinds.
    pub structs: BTreeSet<&'a RustPath>,
    /// The source files that they are declared in.
    pub sources: BTreeSet<&'a str>,
}

/// Plans a mirror of each kind that can be applied and of every struct in it, and reports the fields that cannot be
/// mirrored.
pub(super) fn plan<'a>(
    api: &'a Api,
    groups: &[GroupVersion<'a>],
    problems: &mut Problems,
) -> BTreeMap<String, MirrorModule<'a>> {
    let mut found = Modules::default();
    for group in groups {
        for kind in group.kinds.iter().filter(|kind| kind.is_applied()) {
            found.add_kind(api, kind, &group.api_version, problems);
        }
    }
    found.check_names(problems);
    found.modules
}

#[derive(Default)]
struct Modules<'a> {
    modules: BTreeMap<String, MirrorModule<'a>>,
    /// Structs that were looked at.
    seen: BTreeSet<&'a RustPath>,
}

impl<'a> Modules<'a> {
    fn add_kind(&mut self, api: &'a Api, kind: &Kind<'a>, api_version: &str, problems: &mut Problems) {
        let module = self.modules.entry(module_of(&kind.rust.path)).or_default();
        module.kinds.push((kind.clone(), api_version.to_owned()));
        module.sources.insert(&kind.rust.source);
        let rust = kind.rust;
        for field in rust.fields.iter().filter(|field| field.name != "metadata") {
            self.add_field(api, field, problems);
        }
    }

    fn add_field(&mut self, api: &'a Api, field: &'a RustField, problems: &mut Problems) {
        let name = &field.name;
        if let Some(span) = field.custom {
            problems.push(
                Problem::error(
                    Code::ApplyField,
                    span,
                    format!(
                        "the JSON of `{name}` is computed by code, which an apply configuration cannot call"
                    ),
                )
                .help("move the serde code to a type of its own, and use that type here")
                .help("or disable apply for the kind with `+genclient:skipVerbs=apply,applyStatus`"),
            );
        }
        match &field.field_type {
            Some(field_type) => self.add_type(api, field_type, problems),
            None => problems.push(
                Problem::error(
                    Code::ApplyField,
                    field.span,
                    format!("the type of `{name}` has no name that generated code can use"),
                )
                .help("declare a struct, an enum or an alias for the type")
                .help("or disable apply for the kind with `+genclient:skipVerbs=apply,applyStatus`"),
            ),
        }
    }

    fn add_type(&mut self, api: &'a Api, rust_type: &'a RustType, problems: &mut Problems) {
        for argument in &rust_type.arguments {
            self.add_type(api, argument, problems);
        }
        let described = api.rust.structs.get(&rust_type.path);
        let Some(described) = described.filter(|_| rust_type.role == RustRole::Struct) else {
            return;
        };
        if !self.seen.insert(&described.path) {
            return;
        }
        let module = self.modules.entry(module_of(&described.path)).or_default();
        module.structs.insert(&described.path);
        module.sources.insert(&described.source);
        for field in &described.fields {
            self.add_field(api, field, problems);
        }
    }

    /// Reports structs whose mirrors would have one name: `Foo` beside `FooApply` that is mirrored itself cannot happen,
    /// but modules of different crates may be called the same.
    fn check_names(&self, problems: &mut Problems) {
        for module in self.modules.values() {
            let mut taken: BTreeMap<&str, &RustPath> = BTreeMap::new();
            let kinds = module.kinds.iter().map(|(kind, _)| &kind.rust.path);
            for path in kinds.chain(module.structs.iter().copied()) {
                if let Some(other) = taken.insert(path.name(), path)
                    && other != path
                {
                    let message = format!(
                        "two structs called `{}` would have the same apply configuration",
                        path.name()
                    );
                    problems.push(
                        Problem::general(Code::ClientName, message)
                            .help(format!("`{other}` and `{path}`"))
                            .help("rename one of them or its module"),
                    );
                }
            }
        }
    }
}

/// Returns the module of the mirrors of the structs in the module of `path`.
#[must_use]
pub fn module_of(path: &RustPath) -> String {
    let mut parts: Vec<&str> = Vec::new();
    if let RustRoot::Library(library) = &path.root {
        parts.push(library);
    }
    parts.extend(path.modules().iter().map(String::as_str));
    if parts.is_empty() {
        parts.push("root");
    }
    rust_names::free(&rust_names::snake(&parts.join("_")))
}
