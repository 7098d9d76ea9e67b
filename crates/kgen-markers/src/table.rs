//! The table as a whole: all families in one list, names found and misspelled names answered.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use kgen_diagnostics::{Letters, distance};

use crate::comment::name_length;
use crate::definition::{Definition, Status};
use crate::defs;

/// The marker that applies another one to every value of a list or map.
pub(crate) const EACH_VALUE: &str = "k8s:eachVal";

/// The marker that describes a value without a type.
pub(crate) const CONTENTS: &str = "kgen:validation:Contents";

/// The marker that applies another one to a field of a struct.
pub(crate) const SUBFIELD: &str = "k8s:subfield";

static TABLE: LazyLock<Vec<Definition>> = LazyLock::new(|| defs::FAMILIES.concat());

static NAMES: LazyLock<BTreeMap<String, Found>> = LazyLock::new(|| {
    let mut names = BTreeMap::new();
    for definition in definitions() {
        names.insert(
            definition.name.to_owned(),
            Found {
                definition,
                items: false,
            },
        );
        if let Some(name) = items_name(definition) {
            names.insert(
                name,
                Found {
                    definition,
                    items: true,
                },
            );
        }
    }
    names
});

/// The same names by their length: the few of one length are compared faster than a tree of long names with one beginning is
/// searched.
static NAMES_BY_LENGTH: LazyLock<Vec<Vec<(&'static str, Found)>>> = LazyLock::new(|| {
    let names = &*NAMES;
    let longest = names.keys().map(String::len).max().unwrap_or_default();
    let mut lengths = vec![Vec::new(); longest + 1];
    for (name, found) in names {
        if let Some(names) = lengths.get_mut(name.len()) {
            names.push((name.as_str(), *found));
        }
    }
    lengths
});

/// The same names, cut for comparison with misspelled ones.
static SEGMENTS: LazyLock<Vec<(Segments<'static>, Found)>> = LazyLock::new(|| {
    NAMES
        .iter()
        .map(|(name, found)| (Segments::of(name), *found))
        .collect()
});

/// Suggestions that were found already. Source with markers of another tool has few names, but each of them often.
static SUGGESTED: Mutex<BTreeMap<String, Option<Suggestion>>> = Mutex::new(BTreeMap::new());

/// The number of suggestions that are kept.
const MAX_SUGGESTED: usize = 10_000;

/// A definition, and whether its `items:` form is meant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) definition: &'static Definition,
    pub(crate) items: bool,
}

/// Returns every marker that kgen knows, family by family.
#[must_use]
pub fn definitions() -> &'static [Definition] {
    &TABLE
}

/// Returns the name of the `items:` form, if there is one.
pub(crate) fn items_name(definition: &Definition) -> Option<String> {
    let (family, bare) = definition.name.rsplit_once(':')?;
    definition.items.then(|| format!("{family}:items:{bare}"))
}

/// Returns the marker called `name`.
pub(crate) fn lookup(name: &str) -> Option<Found> {
    let names = NAMES_BY_LENGTH.get(name.len())?;
    names
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, found)| *found)
}

/// Returns the marker that a text starts with: by its whole name, or by its name without the last segment, which then
/// is the name of the first argument.
pub(crate) fn find(text: &str) -> Option<Found> {
    find_name(text.get(..name_length(text)).unwrap_or_default())
}

/// Returns the same, for the name as it is written.
pub(crate) fn find_name(name: &str) -> Option<Found> {
    let name = name.strip_suffix(':').unwrap_or(name);
    lookup(name).or_else(|| name.rsplit_once(':').and_then(|(short, _)| lookup(short)))
}

/// Returns whether other markers have `name` as the first part of theirs.
pub(crate) fn is_prefix(name: &str) -> bool {
    let prefix = format!("{name}:");
    NAMES
        .range(prefix.clone()..)
        .next()
        .is_some_and(|(known, _)| known.starts_with(&prefix))
}

/// Returns the names that `name` is the first part of.
pub(crate) fn longer_names(name: &str) -> Vec<&'static str> {
    let prefix = format!("{}:", name.strip_suffix(':').unwrap_or(name));
    NAMES
        .range(prefix.clone()..)
        .map(|(known, _)| known.as_str())
        .take_while(|known| known.starts_with(&prefix))
        .collect()
}

/// Returns the one marker below the same first segment that has an argument called as the last segment of `name`.
pub(crate) fn marker_with_argument(name: &str) -> Option<(&'static Definition, &'static str)> {
    let (first, _) = name.split_once(':')?;
    let (_, last) = name.rsplit_once(':')?;
    let mut having = definitions()
        .iter()
        .filter(|known| known.takes_names() && known.name.split(':').next() == Some(first))
        .filter_map(|known| {
            let argument = known
                .arguments
                .iter()
                .find(|argument| argument.key.eq_ignore_ascii_case(last))?;
            Some((known, argument.key))
        });
    let only = having.next()?;
    having.next().is_none().then_some(only)
}

/// Returns whether a name has a prefix under which every name must be known. kubebuilder marks places in its files with
/// `kubebuilder:scaffold:` and any word, which is not about an API.
pub(crate) fn is_ours(name: &str) -> bool {
    if name.starts_with("kubebuilder:scaffold:") {
        return false;
    }
    ["kubebuilder:", "k8s:", "kgen:"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
        || name.starts_with("genclient")
        || name
            .split_once(':')
            .is_some_and(|(first, _)| distance(first, "kubebuilder") <= 2)
}

/// A known name that an unknown one may be meant to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Suggestion {
    pub(crate) name: &'static str,
    pub(crate) definition: &'static Definition,
    pub(crate) distance: usize,
    /// Whether no other name can be meant.
    pub(crate) is_certain: bool,
}

/// Returns the nearest known name. Names that differ only in their prefix are near as well.
pub(crate) fn suggest(name: &str) -> Option<Suggestion> {
    // Longer names are not typos, and comparing a long text is slow.
    if name.is_empty() || name.len() > 100 {
        return None;
    }
    let suggested = || SUGGESTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = suggested().get(name) {
        return *known;
    }
    let found = search(name);
    let mut suggested = suggested();
    if suggested.len() >= MAX_SUGGESTED {
        suggested.clear();
    }
    suggested.insert(name.to_owned(), found);
    found
}

fn search(name: &str) -> Option<Suggestion> {
    let own = Segments::of(name);
    let mut best: Option<Suggestion> = None;
    let mut best_works = false;
    for (known, found) in &*SEGMENTS {
        let Some(near) = own.nearness(known) else {
            continue;
        };
        let works = found.definition.status == Status::Stable;
        match &mut best {
            Some(best) if best.distance < near.distance => {}
            // Working markers are suggested first, but others may be meant.
            Some(best) if best.distance == near.distance && (best_works || !works) => best.is_certain = false,
            _ => {
                let has_rival = best.is_some_and(|best| best.distance == near.distance);
                best_works = works;
                best = Some(Suggestion {
                    name: known.whole,
                    definition: found.definition,
                    distance: near.distance,
                    is_certain: near.is_misspelled && !has_rival,
                });
            }
        }
    }
    best
}

/// How near a name is to a known one.
struct Nearness {
    distance: usize,
    /// Whether letters differ. Otherwise the end of the name is right, and its beginning is another one.
    is_misspelled: bool,
}

/// A name, cut for comparison.
struct Segments<'a> {
    whole: &'a str,
    first: &'a str,
    /// All but the last segment.
    front: &'a str,
    last: &'a str,
    /// The letters of the whole name.
    letters: Letters,
    last_letters: Letters,
}

impl<'a> Segments<'a> {
    fn of(whole: &'a str) -> Self {
        let (front, last) = whole.rsplit_once(':').unwrap_or(("", whole));
        Self {
            whole,
            first: whole.split(':').next().unwrap_or_default(),
            front,
            last,
            letters: Letters::of(whole),
            last_letters: Letters::of(last),
        }
    }

    /// Returns how near this name is to a known one, if it is near enough to be meant.
    fn nearness(&self, known: &Segments<'_>) -> Option<Nearness> {
        // Right at the end and wrong before it: `kubebuilder:Minimum`, `kubebuilder:validation:nullable`.
        let elsewhere = match (self.front.is_empty(), self.first == known.first) {
            _ if !self.last.eq_ignore_ascii_case(known.last) => None,
            (true, _) => None,
            (false, true) => Some(1),
            (false, false) => Some(2),
        };
        // A name that starts like a known one may be as wrong at its end as any word.
        let limit = if self.front == known.front {
            self.last_letters.tolerance(&known.last_letters)
        } else {
            2
        };
        let misspelled = (self.whole.len().abs_diff(known.whole.len()) <= limit)
            .then(|| self.letters.distance(&known.letters))
            .filter(|distance| *distance <= limit);
        let of = |distance, is_misspelled| Nearness {
            distance,
            is_misspelled,
        };
        match (misspelled, elsewhere) {
            (Some(misspelled), Some(elsewhere)) if elsewhere < misspelled => Some(of(elsewhere, false)),
            (Some(misspelled), _) => Some(of(misspelled, true)),
            (None, elsewhere) => elsewhere.map(|elsewhere| of(elsewhere, false)),
        }
    }
}

/// Returns whether a foreign name is so near to a known one that it must be a misspelling.
pub(crate) fn is_misspelled(name: &str) -> bool {
    let limit = if name.chars().count() < 6 { 1 } else { 2 };
    // Short words are too near to everything: `note` is not `node`.
    name.chars().count() >= 4 && suggest(name).is_some_and(|near| distance(name, near.name) <= limit)
}
