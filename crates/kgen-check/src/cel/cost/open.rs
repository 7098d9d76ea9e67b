//! Why a rule costs so much: which fields have no limit, so that the API server must assume the largest request.

use std::ptr;

use kgen_model::Schema;

use super::super::checker::Checked;
use super::super::declared::{Declared, Sort};
use super::super::tree::Id;
use super::super::types::Type;
use super::paths::Step;
use super::{Estimator, estimator};

/// A list, map or text without a limit.
#[derive(Clone, Debug)]
pub(in crate::cel) struct Open<'s> {
    pub(in crate::cel) schema: &'s Schema,
    /// The way to it from the root.
    path: String,
    /// Whether it describes the items of a list, which have no markers of their own.
    is_item: bool,
}

impl<'s> Open<'s> {
    pub(in crate::cel) fn new(schema: &'s Schema, path: String, is_item: bool) -> Self {
        Self {
            schema,
            path,
            is_item,
        }
    }

    /// The key of the schema that would limit it.
    pub(in crate::cel) fn keyword(&self) -> &'static str {
        limiting_keyword(self.schema).map_or("maxLength", |(keyword, _)| keyword)
    }

    /// What to do about it.
    pub(in crate::cel) fn help(&self) -> String {
        let (keyword, marker) = limiting_keyword(self.schema).unwrap_or(("maxLength", "MaxLength"));
        let items = if self.is_item { "items:" } else { "" };
        format!(
            "`{}` has no `{keyword}`; `+kubebuilder:validation:{items}{marker}=…` sets it",
            self.path
        )
    }
}

/// The key and the marker that would limit a schema; nothing if it needs none or has one.
fn limiting_keyword(schema: &Schema) -> Option<(&'static str, &'static str)> {
    let limits = &schema.constraints;
    match Declared::of(schema, false)?.sort() {
        Sort::List(_) if limits.max_items.is_none() => Some(("maxItems", "MaxItems")),
        Sort::Map(_) if limits.max_properties.is_none() => Some(("maxProperties", "MaxProperties")),
        Sort::Simple(Type::Text | Type::Bytes | Type::Dyn) if limits.max_length.is_none() => {
            Some(("maxLength", "MaxLength"))
        }
        _ => None,
    }
}

/// The fields without a limit that make an expression expensive, the worst first. `path` leads to what the rule stands on.
pub(in crate::cel) fn reasons<'s>(
    checked: &Checked<'_>,
    root: Id,
    value: Declared<'s>,
    path: &str,
) -> Vec<Open<'s>> {
    let mut watching = estimator(checked, value);
    watching.watched = Some(path.to_owned());
    let cost = watching.cost(root).most;
    let mut found: Vec<(u64, Open<'s>)> = Vec::new();
    for open in watching.open.into_inner() {
        let mut limited = estimator(checked, value);
        limited.small = Some(open.schema);
        let better = limited.cost(root).most;
        if better < cost {
            found.push((better, open));
        }
    }
    found.sort_by_key(|(better, _)| *better);
    // What would change little is named only where nothing would change much.
    let helps = |(better, _): &(u64, Open<'s>)| *better <= cost / 2;
    if found.iter().any(helps) {
        found.retain(helps);
    }
    found.into_iter().map(|(_, open)| open).collect()
}

impl<'a, 's> Estimator<'_, 'a, 's> {
    /// Remembers that the size of a schema without a limit was asked for.
    pub(super) fn watch(&self, schema: &'s Schema, steps: &[Step<'a>]) {
        let Some(root) = &self.watched else { return };
        let mut open = self.open.borrow_mut();
        let is_known = open.iter().any(|known| ptr::eq(known.schema, schema));
        if limiting_keyword(schema).is_none() || is_known {
            return;
        }
        let mut path = if root == "." { String::new() } else { root.clone() };
        for step in steps.iter().skip(1) {
            match step {
                Step::Name(name) => {
                    path.push('.');
                    path.push_str(name);
                }
                Step::Items => path.push_str("[*]"),
                Step::Values => path.push_str(".*"),
                Step::Keys | Step::Indices => {}
            }
        }
        let is_item = matches!(steps.last(), Some(Step::Items)) && steps.len() > 1;
        open.push(Open::new(schema, path, is_item));
    }

    /// Whether a schema is taken for a small one, to see what a limit would change.
    pub(super) fn is_small(&self, schema: &Schema) -> bool {
        self.small.is_some_and(|small| ptr::eq(small, schema))
    }
}
