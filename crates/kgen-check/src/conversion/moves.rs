//! Fields that replace a field of another struct: `+kgen:conversion:from=.spec.tlsSecret`.
//!
//! They are found before the structs are compared, because a struct must know which of its fields have a counterpart
//! elsewhere. Paths lead through structs only.

use std::collections::BTreeSet;

use kgen_diagnostics::{Code, Fix, Problem, Problems, Span, nearest};
use kgen_model::{RustPath, RustTypes};

use super::plan::FieldPath;
use super::view::{FieldView, StructView};

/// The deepest struct that is looked into.
const DEEPEST: usize = 64;

/// A field at its place in the object.
#[derive(Clone, Debug)]
pub(super) struct Placed<'a> {
    pub(super) path: FieldPath,
    pub(super) field: FieldView<'a>,
    /// Whether each struct on the way must exist.
    pub(super) requires: Vec<bool>,
}

/// Fields that are converted together.
#[derive(Clone, Debug)]
pub(super) struct MoveGroup<'a> {
    pub(super) sources: Vec<Placed<'a>>,
    pub(super) targets: Vec<Placed<'a>>,
}

/// All fields that replace a field of another struct.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves<'a> {
    pub(super) groups: Vec<MoveGroup<'a>>,
    /// Fields whose sources do not exist, which is reported.
    failed: Vec<FieldPath>,
    /// The other sources of these fields.
    spared: Vec<FieldPath>,
}

impl<'a> Moves<'a> {
    pub(super) fn is_target(&self, path: &[String]) -> bool {
        self.targets().any(|target| target.path == path) || self.failed.iter().any(|failed| failed == path)
    }

    pub(super) fn is_source(&self, path: &[String]) -> bool {
        self.sources().any(|source| source.path == path) || self.spared.iter().any(|spared| spared == path)
    }

    /// Returns whether something inside the newer field at `path` comes from another struct.
    pub(super) fn has_target_below(&self, path: &[String]) -> bool {
        self.targets().any(|target| is_below(&target.path, path))
    }

    /// Returns whether something inside the older field at `path` has its counterpart in another struct.
    pub(super) fn has_source_below(&self, path: &[String]) -> bool {
        self.sources().any(|source| is_below(&source.path, path))
    }

    fn targets(&self) -> impl Iterator<Item = &Placed<'a>> {
        self.groups.iter().flat_map(|group| &group.targets)
    }

    fn sources(&self) -> impl Iterator<Item = &Placed<'a>> {
        self.groups.iter().flat_map(|group| &group.sources)
    }

    /// Adds a field with its sources, and joins the groups that share a source.
    fn add(&mut self, sources: Vec<Placed<'a>>, target: Placed<'a>) {
        let shares = |group: &MoveGroup<'a>| {
            group
                .sources
                .iter()
                .any(|known| sources.iter().any(|source| source.path == known.path))
        };
        let (joined, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.groups).into_iter().partition(shares);
        self.groups = rest;
        let mut group = MoveGroup {
            sources: Vec::new(),
            targets: Vec::new(),
        };
        for known in joined {
            group.sources.extend(known.sources);
            group.targets.extend(known.targets);
        }
        for source in sources {
            if !group.sources.iter().any(|known| known.path == source.path) {
                group.sources.push(source);
            }
        }
        group.targets.push(target);
        self.groups.push(group);
    }
}

/// Returns whether `path` is inside `outer` and not the same.
pub(super) fn is_below(path: &[String], outer: &[String]) -> bool {
    path.len() > outer.len() && path.starts_with(outer)
}

/// Finds the fields of the newer version that name a path.
pub(super) fn find<'a>(
    older: &StructView<'a>,
    newer: &StructView<'a>,
    types: &'a RustTypes,
    consulted: &mut BTreeSet<Span>,
    problems: &mut Problems,
) -> Moves<'a> {
    let mut shared = BTreeSet::new();
    walk(older, types, &mut |_, path| {
        shared.extend(path.cloned());
        true
    });
    let mut moves = Moves::default();
    let mut found = Vec::new();
    walk(newer, types, &mut |placed, path| {
        if placed
            .field
            .field
            .conversion
            .from
            .iter()
            .any(|source| source.value.starts_with('.'))
        {
            found.push(placed.clone());
        }
        // Types of both versions are never looked into.
        path.is_none_or(|path| !shared.contains(path))
    });
    for target in found {
        let conversion = &target.field.field.conversion;
        consulted.extend(conversion.from_span);
        let mut sources = Vec::new();
        for source in &conversion.from {
            match resolve(older, &source.value, source.span, types) {
                Ok(placed) => sources.push(placed),
                Err(problem) => {
                    problems.push(*problem);
                    // One mistake is one problem: a name without a path is meant to be a field of the same struct.
                    let around = target.path.split_last().map_or(&[][..], |(_, around)| around);
                    moves
                        .spared
                        .push([around, std::slice::from_ref(&source.value)].concat());
                }
            }
        }
        if sources.len() == conversion.from.len() {
            moves.add(sources, target);
        } else {
            moves.spared.extend(sources.into_iter().map(|source| source.path));
            moves.failed.push(target.path);
        }
    }
    moves
}

/// Decides whether the struct behind a field is entered. The struct is given by its path.
type Visit<'v, 'a> = dyn FnMut(&Placed<'a>, Option<&RustPath>) -> bool + 'v;

/// Shows every field that is reachable through structs, in the order of the source.
fn walk<'a>(root: &StructView<'a>, types: &'a RustTypes, visit: &mut Visit<'_, 'a>) {
    walk_below(root, &[], &[], types, visit);
}

fn walk_below<'a>(
    view: &StructView<'a>,
    path: &[String],
    requires: &[bool],
    types: &'a RustTypes,
    visit: &mut Visit<'_, 'a>,
) {
    for field in &view.fields {
        let inner = inner(field, types);
        let placed = Placed {
            path: path.iter().cloned().chain([field.name().to_owned()]).collect(),
            field: field.clone(),
            requires: requires.to_vec(),
        };
        let enters = visit(&placed, inner.as_ref().map(|(path, _)| *path));
        if let Some((_, inner)) = inner.filter(|_| enters && path.len() < DEEPEST) {
            let requires: Vec<bool> = requires.iter().copied().chain([field.must_exist()]).collect();
            walk_below(&inner, &placed.path, &requires, types, visit);
        }
    }
}

/// Returns the struct behind a field.
fn inner<'a>(field: &FieldView<'a>, types: &'a RustTypes) -> Option<(&'a RustPath, StructView<'a>)> {
    let rust = field.side().bare()?;
    let view = StructView::of_struct(&rust.path, field.schema, types)?;
    Some((&rust.path, view))
}

fn resolve<'a>(
    older: &StructView<'a>,
    text: &str,
    span: Span,
    types: &'a RustTypes,
) -> Result<Placed<'a>, Box<Problem>> {
    let problem = |message: String| Problem::error(Code::ConversionSource, span, message);
    let Some(names) = text.strip_prefix('.') else {
        return Err(Box::new(
            problem(format!(
                "`{text}` is not a path, but another source of the field is"
            ))
            .help("write all sources as paths from the root of the object, such as `.spec.size`"),
        ));
    };
    let mut view = older.clone();
    let (mut path, mut requires) = (FieldPath::new(), Vec::new());
    let mut names = names.split('.').peekable();
    while let Some(name) = names.next() {
        let Some((_, field)) = view.find(name) else {
            let known = view.fields.iter().map(FieldView::name);
            let found = if path.is_empty() {
                format!("the previous version has no field `{name}`")
            } else {
                format!(
                    "`.{}` of the previous version has no field `{name}`",
                    path.join(".")
                )
            };
            let problem = problem(found);
            return Err(Box::new(match nearest(name, known) {
                Some(near) => {
                    let mut repaired = path.clone();
                    repaired.push(near.word.to_owned());
                    repaired.extend(names.map(str::to_owned));
                    let fix = Fix::word(span, format!(".{}", repaired.join("."))).only_for(text);
                    let fix = if near.is_certain { fix } else { fix.uncertain() };
                    problem.with_fix(fix.asked())
                }
                None => problem,
            }));
        };
        path.push(name.to_owned());
        if names.peek().is_none() {
            return Ok(Placed {
                path,
                field: field.clone(),
                requires,
            });
        }
        requires.push(field.must_exist());
        let Some((_, next)) = inner(field, types) else {
            return Err(Box::new(
                problem(format!(
                    "`.{}` of the previous version is not a struct",
                    path.join(".")
                ))
                .help("a path leads through structs only, not through lists, maps and enums"),
            ));
        };
        view = next;
    }
    Err(Box::new(problem(format!("`{text}` is not a path"))))
}
