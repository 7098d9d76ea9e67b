//! Splits `use` declarations: one import per name.

use kgen_diagnostics::Span;
use syn::{Ident, UseTree};

use super::lower::{plain_name, span_of};
use super::{Import, Reach, Source};

/// The parts that all names of one `use` share.
#[derive(Clone, Copy)]
pub(super) struct ImportFlags {
    pub(super) absolute: bool,
    pub(super) reach: Reach,
}

/// Takes a `use` apart.
pub(super) struct Uses<'a> {
    pub(super) source: Source<'a>,
    pub(super) flags: ImportFlags,
}

impl Uses<'_> {
    /// Adds the names of `tree`, which follows `prefix`. `start` is the start of the path.
    pub(super) fn flatten(
        &self,
        tree: UseTree,
        prefix: &mut Vec<String>,
        start: Option<Span>,
        imports: &mut Vec<Import>,
    ) {
        let whole = |last: Span| start.map_or(last, |start| start.to(last));
        match tree {
            UseTree::Path(path) => {
                prefix.push(plain_name(&path.ident));
                let start = whole(span_of(self.source, path.ident.span()));
                self.flatten(*path.tree, prefix, Some(start), imports);
                prefix.pop();
            }
            UseTree::Name(name) => {
                let (path, last) = import_path(prefix, &name.ident);
                imports.push(self.import(path, Some(last), whole(span_of(self.source, name.ident.span()))));
            }
            UseTree::Rename(rename) => {
                let (path, _) = import_path(prefix, &rename.ident);
                if rename.rename != "_" {
                    let span = whole(span_of(self.source, rename.ident.span()));
                    imports.push(self.import(path, Some(plain_name(&rename.rename)), span));
                }
            }
            UseTree::Glob(glob) => {
                let span = whole(span_of(self.source, glob.star_token.span));
                imports.push(self.import(prefix.clone(), None, span));
            }
            UseTree::Group(group) => {
                for tree in group.items {
                    self.flatten(tree, prefix, start, imports);
                }
            }
        }
    }

    fn import(&self, path: Vec<String>, name: Option<String>, span: Span) -> Import {
        Import {
            path,
            absolute: self.flags.absolute,
            name,
            reach: self.flags.reach,
            span,
        }
    }
}

/// Returns the path of a leaf and its name: `self` in a group means the module before it.
fn import_path(prefix: &[String], leaf: &Ident) -> (Vec<String>, String) {
    let mut path = prefix.to_vec();
    match (leaf == "self", prefix.last()) {
        (true, Some(last)) => (path, last.clone()),
        _ => {
            path.push(plain_name(leaf));
            (path, plain_name(leaf))
        }
    }
}
