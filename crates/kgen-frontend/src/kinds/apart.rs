//! Kinds one by one, for runs that keep going: which problem belongs to which kind.
//!
//! Types are usually described once and shared, so only the first kind that uses a type reports its problems. Here every kind is
//! described from the beginning, and problems that were found elsewhere belong to the kinds whose types are at their place.
//! Start reading at [`find_apart`].

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kgen_diagnostics::{Files, Problem, Problems, Span};
use kgen_model::{Api, KindVersion};
use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, tokenize};

use super::{assemble, is_left_out, is_skipped, kind, name_of, report_macros, version};
use crate::Options;
use crate::program::{ModuleId, Program, TypeId};
use crate::shape::{Shapes, rust_types, size_problem};

/// Finds all kinds and adds them to `api`. Returns the problems of each kind by its name; `problems` keeps all others.
///
/// Kinds of the same name in different versions or groups share their problems.
pub(crate) fn find_apart(
    program: &mut Program,
    options: &Options,
    api: &mut Api,
    problems: &mut Problems,
) -> BTreeMap<String, Problems> {
    let mut found = Found::default();
    let modules = program.wanted_modules();
    for module in modules {
        if !is_skipped(program, module) {
            found.add_module(program, options, module);
        }
    }
    let mut shapes = Shapes::new(program, options);
    report_macros(&mut shapes);
    api.rust = rust_types::describe(&mut shapes, &mut found.kinds);
    for (id, kind) in &mut found.kinds {
        kind.client.group_name = version::group_name(shapes.program, id.module);
    }
    problems.extend(std::mem::take(&mut shapes.problems));
    drop(shapes);
    let mut versions: BTreeMap<String, Vec<KindVersion>> = BTreeMap::new();
    for (_, kind) in std::mem::take(&mut found.kinds) {
        versions.entry(kind.kind.clone()).or_default().push(kind);
    }
    for (name, versions) in versions {
        let own = found.problems.entry(name).or_default();
        api.resources.extend(assemble(versions, options.compat, own));
    }
    // Files that were read on the way have problems of their own.
    problems.extend(std::mem::take(&mut program.problems));
    let others = std::mem::take(problems);
    problems.extend(found.share(others, program));
    found.problems
}

#[derive(Default)]
struct Found {
    kinds: Vec<(TypeId, KindVersion)>,
    /// The problems of each kind, by its name.
    problems: BTreeMap<String, Problems>,
    /// The types that each kind consists of, by the name of the kind.
    types: BTreeMap<String, BTreeSet<TypeId>>,
}

impl Found {
    fn add_module(&mut self, program: &mut Program, options: &Options, module: ModuleId) {
        let Some(body) = program.shared_body(module) else {
            return;
        };
        for id in program.types(module) {
            let Some(declaration) = body.types.get(id.index) else {
                continue;
            };
            if is_left_out(program, declaration) {
                continue;
            }
            let mut shapes = Shapes::new(program, options);
            let found = kind(&mut shapes, id, declaration);
            if found.is_none() && shapes.problems.is_empty() {
                continue;
            }
            let name = name_of(declaration);
            let own = self.problems.entry(name.clone()).or_default();
            own.extend(std::mem::take(&mut shapes.problems));
            let types = self.types.entry(name).or_default();
            types.extend(shapes.described_types());
            types.insert(id);
            match found {
                Some(kind) if kind.schema.is_too_large() => own.push(size_problem(kind.span, &kind.kind)),
                found => self.kinds.extend(found.map(|kind| (id, kind))),
            }
        }
    }

    /// Gives every problem to the kinds whose types are at its place. Returns the problems that remain.
    fn share(&mut self, problems: Problems, program: &Program) -> Vec<Problem> {
        let places: BTreeMap<&String, Vec<Span>> = self
            .types
            .iter()
            .map(|(name, types)| (name, types.iter().filter_map(|id| place(*id, program)).collect()))
            .collect();
        let mut rest = Vec::new();
        for problem in problems {
            let is_at = |place: &Span| {
                problem.span.is_some_and(|span| {
                    span.file == place.file && place.start <= span.start && span.end <= place.end
                })
            };
            let owners = places.iter().filter(|(_, places)| places.iter().any(is_at));
            let owners: Vec<&String> = owners.map(|(name, _)| *name).collect();
            if owners.is_empty() {
                rest.push(problem);
                continue;
            }
            for owner in owners {
                self.problems
                    .entry(owner.clone())
                    .or_default()
                    .push(problem.clone());
            }
        }
        rest
    }
}

/// Returns the place of a type with the comments and attributes above it.
fn place(id: TypeId, program: &Program) -> Option<Span> {
    let declaration = program.body(id.module)?.types.get(id.index)?;
    let span = declaration.span;
    let text = Files::get(&program.files, span.file)?.text();
    Some(Span::of(span.file, item_around(text, span.range().start)))
}

/// Returns the range of the item that is declared at an offset, from the end of the item before it.
fn item_around(text: &str, at: usize) -> Range<usize> {
    let (mut start, mut offset) = (0, 0);
    // Only braces hold items; brackets and parentheses hold attributes and arguments.
    let (mut enclosed, mut depth) = (0_usize, 0_usize);
    for token in tokenize(text, FrontmatterAllowed::No) {
        offset += token.len as usize;
        let is_before = offset <= at;
        match token.kind {
            TokenKind::OpenParen | TokenKind::OpenBracket => enclosed += 1,
            TokenKind::CloseParen | TokenKind::CloseBracket => enclosed = enclosed.saturating_sub(1),
            TokenKind::OpenBrace | TokenKind::CloseBrace | TokenKind::Semi if is_before && enclosed == 0 => {
                start = offset;
            }
            TokenKind::OpenBrace if !is_before => depth += 1,
            TokenKind::CloseBrace if !is_before => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return start..offset;
                }
            }
            TokenKind::Semi if !is_before && enclosed == 0 && depth == 0 => return start..offset,
            _ => {}
        }
    }
    start..text.len()
}

#[cfg(test)]
mod tests {
    use super::item_around;

    #[test]
    fn an_item_reaches_from_the_item_before_it_to_its_end() {
        let text = "use a::{b, c};\n// +m\n#[d(e = { 1 }; 2)]\npub struct F<G> { h: [u8; 2] }\nmod i { struct J(K); }";
        let of = |name: &str| text.get(item_around(text, text.find(name).unwrap())).unwrap();
        assert_eq!(
            of("F<G>"),
            "\n// +m\n#[d(e = { 1 }; 2)]\npub struct F<G> { h: [u8; 2] }"
        );
        assert_eq!(of("J("), " struct J(K);");
    }
}
