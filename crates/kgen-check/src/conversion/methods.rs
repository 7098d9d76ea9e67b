//! The methods of the author: their names, arguments and results.

use kgen_diagnostics::{Code, Problem, Problems, words};
use kgen_model::{RustField, RustType, rust_names};

use super::plan::{Argument, Method, MethodIndex, Value};
use super::view::FieldView;

/// The most fields that a method gets or returns: the runtime implements its traits for as many.
const MOST: usize = 8;

/// A value that a method gets or returns.
#[derive(Clone, Debug)]
pub(super) struct Operand<'a> {
    /// The name of the type that contains it.
    pub(super) owner: String,
    /// Its name in Rust.
    pub(super) name: String,
    /// Its name in JSON.
    pub(super) json_name: String,
    /// Its type without an `Option` around it; `None` if it cannot be described.
    pub(super) rust: Option<&'a RustType>,
    /// Whether its type is an `Option`.
    pub(super) is_option: bool,
    /// The field that it belongs to.
    pub(super) field: &'a RustField,
    pub(super) must_exist: bool,
    pub(super) may_be_absent: bool,
    /// Whether it is an item of the field.
    pub(super) is_item: bool,
}

impl<'a> Operand<'a> {
    pub(super) fn of_field(view: &FieldView<'a>) -> Self {
        let rust = view.field.field_type.as_ref();
        let optional = rust.and_then(RustType::optional);
        Self {
            owner: view.owner.clone(),
            name: view.field.name.clone(),
            json_name: view.name().to_owned(),
            rust: optional.or(rust),
            is_option: optional.is_some(),
            field: view.field,
            must_exist: view.must_exist(),
            may_be_absent: view.may_be_absent(),
            is_item: false,
        }
    }

    /// Returns a part of the value, which always exists.
    pub(super) fn part(&self, rust: Option<&'a RustType>, is_item: bool) -> Self {
        let optional = rust.and_then(RustType::optional);
        Self {
            rust: optional.or(rust),
            is_option: optional.is_some(),
            must_exist: true,
            may_be_absent: false,
            is_item: self.is_item || is_item,
            ..self.clone()
        }
    }

    /// Returns the type, or the problem of a type that no method can have.
    fn nameable(&self) -> Result<RustType, Problem> {
        let at = self.field.type_span;
        let name = &self.json_name;
        if let Some(custom) = self.field.custom {
            let message = format!("`{name}` must be translated, but code decides its JSON");
            return Err(Problem::error(Code::ConversionType, at, message)
                .related(custom, "this attribute names the code")
                .help("move the attribute into a public newtype, and use the newtype for the field"));
        }
        let Some(rust) = self.rust else {
            let message = format!("`{name}` must be translated, but no method can name its type");
            return Err(Problem::error(Code::ConversionType, at, message)
                .help("use a public type without parameters of the struct around it"));
        };
        for part in rust.parts() {
            if let Some(by) = part.reach.hidden_by().or(part.not_public) {
                let message = format!(
                    "`{name}` must be translated, but only its own crate or module can name `{}`",
                    part.path.name()
                );
                let problem = Problem::error(Code::ConversionType, at, message);
                let problem = if by == at {
                    problem
                } else {
                    problem.related(by, "this hides it")
                };
                return Err(problem.help("make it public"));
            }
        }
        Ok(rust.clone())
    }
}

/// The methods of a kind.
#[derive(Debug, Default)]
pub(super) struct Methods {
    pub(super) list: Vec<Method>,
}

/// A side of a step: the name of its version.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'a> {
    pub(super) from: &'a str,
    pub(super) to: &'a str,
}

impl Methods {
    /// Adds the method that translates `sources` to `targets`. Returns `None` if it cannot be written, which is reported.
    pub(super) fn translation(
        &mut self,
        way: Way<'_>,
        sources: &[Operand<'_>],
        targets: &[Operand<'_>],
        problems: &mut Problems,
    ) -> Option<MethodIndex> {
        for list in [sources, targets] {
            if let Some(first) = list.first().filter(|_| list.len() > MOST) {
                let message = format!(
                    "a translation has at most {MOST} fields on each side, but this one has {}",
                    list.len()
                );
                problems.push(
                    Problem::error(Code::ConversionSource, first.field.span, message)
                        .help("put some of the fields into a struct"),
                );
                return None;
            }
        }
        let is_needed = sources.iter().all(|source| source.may_be_absent)
            && targets.iter().any(|target| target.must_exist);
        let mut arguments: Vec<Argument> = Vec::new();
        for source in sources {
            let rust = problems.take(source.nameable())?;
            let mut name = source.name.clone();
            while arguments.iter().any(|known| known.name == name) {
                name = format!("{}_{name}", rust_names::snake(&source.owner));
            }
            arguments.push(Argument {
                name,
                value: Value {
                    rust,
                    is_optional: source.may_be_absent && (sources.len() > 1 || is_needed),
                },
            });
        }
        let documentation = format!(
            "Converts {} of `{}` to {} of `{}`.",
            names(sources),
            way.from,
            names(targets),
            way.to
        );
        self.add(way, documentation, arguments, targets, problems)
    }

    /// Adds the method that gives a value where the other version has none.
    pub(super) fn fill(
        &mut self,
        way: Way<'_>,
        target: &Operand<'_>,
        problems: &mut Problems,
    ) -> Option<MethodIndex> {
        let documentation = format!(
            "Returns `{}` of `{}` for an object of `{}` without such a value.",
            target.json_name, way.to, way.from
        );
        let target = Operand {
            is_option: false,
            ..target.clone()
        };
        self.add(way, documentation, Vec::new(), &[target], problems)
    }

    /// Adds the method that gives the whole value of an enum for a variant that the version does not have.
    pub(super) fn shown(
        &mut self,
        way: Way<'_>,
        variant: &str,
        target: &Operand<'_>,
        problems: &mut Problems,
    ) -> Option<MethodIndex> {
        let documentation = format!(
            "Returns the value that `{}` shows for `{variant}` of `{}`.",
            way.to, way.from
        );
        let target = Operand {
            name: rust_names::snake(variant),
            is_option: false,
            ..target.clone()
        };
        self.add(way, documentation, Vec::new(), &[target], problems)
    }

    fn add(
        &mut self,
        way: Way<'_>,
        documentation: String,
        arguments: Vec<Argument>,
        targets: &[Operand<'_>],
        problems: &mut Problems,
    ) -> Option<MethodIndex> {
        let mut results = Vec::new();
        for target in targets {
            results.push(Value {
                rust: problems.take(target.nameable())?,
                is_optional: target.is_option && !target.must_exist,
            });
        }
        let owner = targets
            .first()
            .map(|target| target.owner.as_str())
            .unwrap_or_default();
        let fields: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        let plain = format!("{}_{}_{}", way.to, rust_names::snake(owner), fields.join("_"));
        let mut method = Method {
            name: rust_names::free(&rust_names::snake(&plain)),
            documentation,
            arguments,
            results,
        };
        if let Some(known) = self.list.iter().position(|known| *known == method) {
            return Some(known);
        }
        // The methods of an older step keep their names when a version is added.
        let mut number = 2;
        while self.list.iter().any(|known| known.name == method.name) {
            method.name = rust_names::snake(&format!("{plain}_from_{}", way.from));
            if self.list.iter().any(|known| known.name == method.name) {
                method.name = rust_names::snake(&format!("{plain}_{number}"));
                number += 1;
            }
        }
        self.list.push(method);
        Some(self.list.len() - 1)
    }
}

/// Returns the values in a sentence.
fn names(operands: &[Operand<'_>]) -> String {
    match operands {
        [only] if only.is_item => format!("an item of `{}`", only.json_name),
        _ => words::all_of(operands.iter().map(|operand| operand.json_name.as_str())),
    }
}
