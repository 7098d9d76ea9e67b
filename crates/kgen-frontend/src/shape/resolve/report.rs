//! The problems of names that do not lead to a type.

use kgen_diagnostics::{Code, FileId, Fix, Problem, Span};

use super::{Resolver, Scope};
use crate::declare::PathExpression;
use crate::program::{External, ModuleId, NameError};
use crate::well_known::imports_of;

impl Resolver<'_> {
    pub(super) fn report_name(&mut self, path: &PathExpression, span: Span, error: NameError, scope: &Scope) {
        if let NameError::Unknown {
            segment, candidates, ..
        } = &error
            && let Some(problem) = self.missing_crate(&path.text(), segment, candidates, span, scope)
        {
            self.problems.push(problem);
            return;
        }
        let problem = match error {
            NameError::Unknown {
                segment, candidates, ..
            } => {
                let message = if path.segments.len() == 1 {
                    format!("there is no type `{segment}` in this scope")
                } else {
                    format!("cannot find the type `{}`: there is no `{segment}`", path.text())
                };
                let mut problem = Problem::error(Code::UnresolvedName, span, message);
                if let Some(nearest) = candidates.first() {
                    problem = self.asked_for_type(problem, span, &segment, nearest);
                }
                if candidates.len() > 1 {
                    let names: Vec<_> = candidates.iter().map(|name| format!("`{name}`")).collect();
                    problem = problem.help(format!("similar names are {}", names.join(", ")));
                }
                let mut imports = Vec::new();
                if path.segments.len() == 1 {
                    imports.extend(self.program.types_called(&segment, scope.module));
                    imports.extend(imports_of(&segment).into_iter().map(|path| {
                        let first = path.split("::").next().unwrap_or_default();
                        let is_there = self.program.has_crate(first, scope.module);
                        (path, is_there)
                    }));
                }
                if !imports.is_empty() {
                    let lines: Vec<_> = imports.iter().map(|(path, _)| format!("`use {path};`")).collect();
                    problem = problem.help(format!("import it: {}", lines.join(" or ")));
                    let is_certain = candidates.is_empty() && matches!(imports.as_slice(), [(_, true)]);
                    let fixes = imports.iter().filter_map(|(path, _)| {
                        let fix = self.import(path, span.file, scope)?;
                        Some(if is_certain { fix } else { fix.uncertain() })
                    });
                    problem = fixes.fold(problem, Problem::with_fix);
                }
                if candidates.is_empty() && imports.is_empty() {
                    problem = self.made_by_code(problem, &segment, scope.module);
                }
                problem
            }
            NameError::Import {
                path: imported,
                import,
                cause,
            } => {
                let NameError::Unknown {
                    segment,
                    inside,
                    candidates,
                } = *cause
                else {
                    self.report_name(path, span, *cause, scope);
                    return;
                };
                if let Some(problem) = self.missing_crate(&imported, &segment, &candidates, span, scope) {
                    self.problems.push(problem.related(import, "imported here"));
                    return;
                }
                let message = format!("cannot find the type `{imported}`: there is no `{segment}`");
                let mut problem =
                    Problem::error(Code::UnresolvedName, span, message).related(import, "imported here");
                if let Some(nearest) = candidates.first() {
                    problem = self.asked_for_type(problem, import, &segment, nearest);
                } else if imported.split("::").next() == Some(segment.as_str()) {
                    let package = segment.replace('_', "-");
                    problem = problem.help(format!("if it is a crate, add it with `cargo add {package}`"));
                } else {
                    problem = self.made_by_code(problem, &segment, inside);
                }
                problem
            }
            NameError::Ambiguous(targets) => {
                let names: Vec<_> = targets.iter().map(|target| format!("`{target}`")).collect();
                Problem::error(
                    Code::AmbiguousName,
                    span,
                    format!("`{}` is ambiguous", path.text()),
                )
                .label(names.join(" or "))
                .help("import one of them by name")
            }
            NameError::MissingModule {
                name,
                looked_for,
                declared_at,
                near,
            } => {
                let message = format!("`{}` uses the module `{name}`, which has no file", path.text());
                let problem = Problem::error(Code::MissingModule, span, message)
                    .help(format!("create {}", looked_for.join(" or ")));
                let problem = match declared_at {
                    Some(declared_at) => problem.related(declared_at, "declared here"),
                    None => problem,
                };
                match near {
                    Some((module, file)) => problem.help(format!(
                        "`{file}` exists, but no module is declared for it: did you mean `mod {module};`?"
                    )),
                    None => problem,
                }
            }
            NameError::NoSource {
                package,
                version: Some(version),
            } => {
                let message = format!("the source of `{package}` {version} is not on this machine");
                Problem::error(Code::ForeignType, span, message).help("download it with `cargo fetch`")
            }
            NameError::NoSource {
                package,
                version: None,
            } => Problem::error(
                Code::ForeignType,
                span,
                format!("`Cargo.lock` does not name `{package}`"),
            )
            .help("run `cargo fetch`, which updates the lock file and downloads the source"),
            NameError::OutsideModule { name, file } => {
                let message = format!(
                    "`{}` uses the module `{name}`, which is outside of the package",
                    path.text()
                );
                Problem::error(Code::MissingModule, span, message)
                    .help(format!(
                        "kgen reads only modules of the package and its workspace, but `{file}` is in neither"
                    ))
                    .help("move the file into the package, or make it a crate that this one depends on")
            }
            NameError::Limit => {
                let message = format!("`{}` uses too many imports", path.text());
                Problem::error(Code::Limit, span, message)
                    .help("import the type from the module that declares it")
            }
            NameError::Broken => return,
        };
        self.problems.push(problem);
    }

    /// Says which code may make a type that the source does not declare: the call of a macro that names it, or a derive
    /// of a type that it is named after.
    fn made_by_code(&self, problem: Problem, name: &str, module: ModuleId) -> Problem {
        const WAYS_OUT: &str = "or state the schema of the field: `#[schemars(with = \"…\")]`, or the markers \
             `+kubebuilder:validation:Schemaless` and `+kubebuilder:pruning:PreserveUnknownFields`";
        if let Some(call) = self.program.macro_that_names(name, module) {
            return problem
                .related(call, "this macro may declare it, and kgen does not expand macros")
                .help("write the type without the macro")
                .help(WAYS_OUT);
        }
        if let Some(span) = self.program.derive_that_makes(name, module) {
            return problem
                .related(span, "this derive may make it, and kgen does not run derives")
                .help(format!("write `{name}` out"))
                .help(WAYS_OUT);
        }
        let macros = self.program.body(module).map(|body| body.macro_calls.as_slice());
        let names: Vec<_> = macros
            .unwrap_or_default()
            .iter()
            .map(|call| format!("`{}!`", call.name))
            .collect();
        if names.is_empty() {
            problem
        } else {
            problem.help(format!(
                "write the type without a macro; kgen does not expand macros ({})",
                names.join(", ")
            ))
        }
    }

    /// Asks whether another name was meant. `span` is the path that `segment` is part of.
    fn asked_for_type(&self, problem: Problem, span: Span, segment: &str, nearest: &str) -> Problem {
        let written = self.program.text(span);
        let path = written.split('<').next().unwrap_or_default();
        match path.rfind(segment) {
            // Types of similar names are common, so the user has to choose.
            Some(at) => {
                let start = span.range().start + at;
                let segment = Span::of(span.file, start..start + segment.len());
                problem.with_fix(Fix::word(segment, nearest).asked().uncertain())
            }
            None => problem.label(format!("did you mean `{nearest}`?")),
        }
    }

    /// Returns the fix that imports a path into the module of `scope`, whose file is `file`. Returns `None` if it is
    /// not certain where the line belongs.
    fn import(&self, path: &str, file: FileId, scope: &Scope) -> Option<Fix> {
        let place = self.program.body(scope.module)?.import_place?;
        let before = self
            .program
            .text(Span::new(file, 0, place.offset))
            .rsplit('\n')
            .next()?;
        let indentation = if before.trim().is_empty() { before } else { "" };
        let blank_line = if place.among_imports { "" } else { "\n" };
        let span = Span::new(file, place.offset, place.offset);
        Some(Fix::replace(
            span,
            format!("use {path};\n{blank_line}{indentation}"),
        ))
    }

    /// Returns the problem of a path whose first name is neither an item nor a crate that the manifest names.
    fn missing_crate(
        &self,
        path: &str,
        segment: &str,
        candidates: &[String],
        span: Span,
        scope: &Scope,
    ) -> Option<Problem> {
        let is_first = path.split_once("::").is_some_and(|(first, _)| first == segment);
        if !is_first || !candidates.is_empty() || !self.program.lacks_crate(segment, scope.module) {
            return None;
        }
        let package = segment.replace('_', "-");
        let message =
            format!("cannot find the type `{path}`: `{segment}` is neither a module nor a dependency");
        Some(
            Problem::error(Code::UnresolvedName, span, message)
                .help(format!("if it is a crate, add it with `cargo add {package}`")),
        )
    }

    /// Reports a type of another crate that kgen cannot look up.
    pub(super) fn report_foreign(&mut self, external: &External, span: Span) {
        if self.program.lacks_lock_file(external) {
            self.report_missing_lock_file(span);
            return;
        }
        let path = external.path.join("::");
        self.problems.push(
            Problem::error(
                Code::ForeignType,
                span,
                format!("`{path}` is a type of another crate, which kgen does not read"),
            )
            .help(
                "add the crate to the `Cargo.toml` of this source and run `cargo fetch`, which updates `Cargo.lock` and downloads the source",
            )
            .help("or declare the type in your own crate or workspace")
            .help(
                "or accept any value with `+kubebuilder:validation:Schemaless` and \
                     `+kubebuilder:pruning:PreserveUnknownFields` on the field",
            ),
        );
    }

    /// Reports that there is no lock file, at the first type that needs it: the others need the same command.
    fn report_missing_lock_file(&mut self, span: Span) {
        let message = "there is no `Cargo.lock`, so kgen does not know which version of this crate to read";
        if self.problems.iter().any(|problem| problem.message == message) {
            return;
        }
        self.problems.push(
            Problem::error(Code::ForeignType, span, message)
                .help("run `cargo fetch`, which writes the lock file and downloads the source of other crates")
                .help(
                    "without network access, run `cargo generate-lockfile --offline`, which writes only the lock file",
                ),
        );
    }
}
