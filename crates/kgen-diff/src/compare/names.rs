//! Compares the names of a kind: short names, categories, and the singular.

use kgen_diagnostics::Code;
use kgen_model::Resource;

use super::resource::{place_of, whole};
use crate::finding::{Finding, Level};

pub(super) fn compare(old: &Resource, new: &Resource, findings: &mut Vec<Finding>) {
    let all = |resource: &Resource| -> Vec<(&'static str, String)> {
        let names = &resource.names;
        let short = names.short_names.iter().map(|name| ("short name", name.clone()));
        let categories = names.categories.iter().map(|name| ("category", name.clone()));
        let singular = [("singular", names.singular.clone())];
        short.chain(categories).chain(singular).collect()
    };
    let (before, after) = (all(old), all(new));
    let places = (place_of(old), place_of(new));
    let mut report = |code, level, list: &[(&str, String)], other: &[(&'static str, String)], how: &str| {
        let changed: Vec<String> = list
            .iter()
            .filter(|name| !other.contains(&(name.0, name.1.clone())))
            // A renamed kind has another singular anyway.
            .filter(|(what, _)| *what != "singular" || old.kind == new.kind)
            .map(|(what, name)| format!("the {what} `{name}`"))
            .collect();
        if !changed.is_empty() {
            let verb = if changed.len() == 1 { "is" } else { "are" };
            let message = format!("{} of {} {verb} {how}", changed.join(" and "), new.kind);
            findings.push(whole(code, level, new, None, message, places));
        }
    };
    let before: Vec<(&'static str, String)> = before;
    report(Code::NameRemoved, Level::Risky, &before, &after, "gone");
    report(Code::NameAdded, Level::Compatible, &after, &before, "new");
}
