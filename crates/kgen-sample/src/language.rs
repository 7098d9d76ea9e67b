//! The strings that patterns match, as automata.
//!
//! One search over the product of several automata decides whether a string exists that all patterns of one side match
//! and that some pattern of the other side does not match. It returns the shortest such string. Only printable
//! characters are considered. A pattern that an automaton cannot represent is not known.

use std::collections::{HashSet, VecDeque};

use kgen_cel::go_regex::translate;
use regex_automata::dfa::{Automaton, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind, util::syntax};

/// The largest automaton, in bytes.
const LARGEST: usize = 1 << 18;

/// The most states of a product that are visited.
const MOST_STATES: usize = 20_000;

/// The answer of a bounded search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search<T> {
    /// This is one.
    Found(T),
    /// There is none.
    None,
    /// The search was given up, or a pattern has no automaton.
    NotKnown,
}

impl<T> Search<T> {
    /// Returns what was found.
    pub fn found(self) -> Option<T> {
        match self {
            Self::Found(value) => Some(value),
            Self::None | Self::NotKnown => None,
        }
    }
}

/// The pattern of one automaton.
#[derive(Debug)]
pub struct Language {
    automaton: dense::DFA<Vec<u32>>,
    start: StateID,
}

impl Language {
    /// Returns the automaton of a pattern in Go's syntax. Returns `None` if there is none.
    #[must_use]
    pub fn of(pattern: &str) -> Option<Self> {
        let translated = translate(pattern).ok()??;
        let automaton = dense::Builder::new()
            .configure(
                dense::Config::new()
                    .match_kind(MatchKind::All)
                    .dfa_size_limit(Some(LARGEST))
                    .determinize_size_limit(Some(LARGEST)),
            )
            .thompson(thompson::Config::new().nfa_size_limit(Some(LARGEST)))
            .syntax(syntax::Config::new().unicode(true).utf8(true))
            .build(&translated)
            .ok()?;
        let start = automaton
            .start_state(&start::Config::new().anchored(Anchored::No))
            .ok()?;
        Some(Self { automaton, start })
    }

    /// Returns the state after a byte; `None` stands for every state after a match.
    fn step(&self, state: Option<StateID>, byte: u8) -> Option<Option<StateID>> {
        let Some(state) = state else { return Some(None) };
        let next = self.automaton.next_state(state, byte);
        if self.automaton.is_quit_state(next) {
            return None;
        }
        // A match is reported one byte late, and more text does not undo it.
        Some((!self.automaton.is_match_state(next)).then_some(next))
    }

    /// Returns whether the text that led to a state matches.
    fn ends(&self, state: Option<StateID>) -> bool {
        state.is_none_or(|state| {
            self.automaton
                .is_match_state(self.automaton.next_eoi_state(state))
        })
    }
}

/// How many characters a string may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// At least this many.
    pub least: usize,
    /// At most this many.
    pub most: Option<usize>,
}

/// Returns the shortest string that all patterns of `matched` match and that some pattern of `unmatched` does not match.
/// If `unmatched` is empty, only the first condition counts.
#[must_use]
pub fn shortest(matched: &[&str], unmatched: &[&str], lengths: Lengths) -> Search<String> {
    let compile = |patterns: &[&str]| -> Option<Vec<Language>> {
        patterns.iter().map(|pattern| Language::of(pattern)).collect()
    };
    let (Some(matched), Some(unmatched)) = (compile(matched), compile(unmatched)) else {
        return Search::NotKnown;
    };
    Product {
        alphabet: alphabet(matched.iter().chain(&unmatched)),
        matched,
        unmatched,
        lengths,
    }
    .search()
}

/// Returns whether every string that the first patterns match is matched by the second ones.
#[must_use]
pub fn includes(larger: &[&str], smaller: &[&str]) -> Option<bool> {
    if larger.is_empty() {
        return Some(true);
    }
    match shortest(smaller, larger, Lengths::default()) {
        Search::Found(_) => Some(false),
        Search::None => Some(true),
        Search::NotKnown => None,
    }
}

/// Returns a pattern that matches only the strings among some values. Returns `None` if there are none.
#[must_use]
pub fn pattern_of(values: &[serde_json::Value]) -> Option<String> {
    let texts: Vec<&str> = values.iter().filter_map(serde_json::Value::as_str).collect();
    if texts.is_empty() {
        return None;
    }
    let mut pattern = String::from("^(");
    for (index, text) in texts.into_iter().enumerate() {
        if index > 0 {
            pattern.push('|');
        }
        for letter in text.chars() {
            if letter.is_ascii_punctuation() {
                pattern.push('\\');
            }
            pattern.push(letter);
        }
    }
    pattern.push_str(")$");
    Some(pattern)
}

/// The place within a character of several bytes: how many bytes follow, and the range of the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Character {
    following: u8,
    lowest: u8,
    highest: u8,
}

impl Character {
    /// Returns the place after a byte; `None` if the text is not printable.
    fn step(self, byte: u8) -> Option<Self> {
        let at = |following, lowest, highest| {
            Some(Self {
                following,
                lowest,
                highest,
            })
        };
        match (self.following, byte) {
            (0, 0x20..=0x7E) => at(0, 0, 0),
            // The first two rows of Latin-1 are control characters.
            (0, 0xC2) => at(1, 0xA1, 0xBF),
            (0, 0xC3..=0xDF) => at(1, 0x80, 0xBF),
            (0, 0xE0) => at(2, 0xA0, 0xBF),
            (0, 0xE1..=0xEC | 0xEE..=0xEF) => at(2, 0x80, 0xBF),
            (0, 0xED) => at(2, 0x80, 0x9F),
            (0, 0xF0) => at(3, 0x90, 0xBF),
            (0, 0xF1..=0xF3) => at(3, 0x80, 0xBF),
            (0, 0xF4) => at(3, 0x80, 0x8F),
            (0, _) => None,
            (following, byte) if (self.lowest..=self.highest).contains(&byte) => match following {
                1 => at(0, 0, 0),
                more => at(more - 1, 0x80, 0xBF),
            },
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    places: Vec<Option<StateID>>,
    character: Character,
    /// The number of characters, as far as it matters.
    length: usize,
}

struct Product {
    matched: Vec<Language>,
    unmatched: Vec<Language>,
    lengths: Lengths,
    alphabet: Vec<u8>,
}

impl Product {
    fn search(&self) -> Search<String> {
        if self.lengths.most.is_some_and(|most| most < self.lengths.least) {
            return Search::None;
        }
        let start = State {
            places: self.languages().map(|language| Some(language.start)).collect(),
            character: Character::default(),
            length: 0,
        };
        // Each state with the one before it and the byte between them.
        let mut visited: Vec<(State, usize, u8)> = vec![(start.clone(), 0, 0)];
        let mut known: HashSet<State> = HashSet::from([start]);
        let mut waiting = VecDeque::from([0]);
        while let Some(index) = waiting.pop_front() {
            let Some((state, _, _)) = visited.get(index).cloned() else {
                continue;
            };
            if self.is_wanted(&state) {
                return Search::Found(text_of(&visited, index));
            }
            for byte in &self.alphabet {
                let next = match self.step(&state, *byte) {
                    Step::To(next) => next,
                    Step::Nowhere => continue,
                    Step::Unknown => return Search::NotKnown,
                };
                if known.contains(&next) {
                    continue;
                }
                if visited.len() >= MOST_STATES {
                    return Search::NotKnown;
                }
                known.insert(next.clone());
                waiting.push_back(visited.len());
                visited.push((next, index, *byte));
            }
        }
        Search::None
    }

    fn languages(&self) -> impl Iterator<Item = &Language> {
        self.matched.iter().chain(&self.unmatched)
    }

    fn is_wanted(&self, state: &State) -> bool {
        if state.character.following > 0 || state.length < self.lengths.least {
            return false;
        }
        let mut ends = self
            .languages()
            .zip(&state.places)
            .map(|(language, place)| language.ends(*place));
        let all = (&mut ends).take(self.matched.len()).all(|ends| ends);
        all && (self.unmatched.is_empty() || ends.any(|ends| !ends))
    }

    fn step(&self, state: &State, byte: u8) -> Step {
        let Some(character) = state.character.step(byte) else {
            return Step::Nowhere;
        };
        let is_new_character = state.character.following == 0;
        let mut length = state.length + usize::from(is_new_character);
        match self.lengths.most {
            Some(most) if length > most => return Step::Nowhere,
            Some(_) => {}
            // More characters than the minimum do not matter.
            None => length = length.min(self.lengths.least),
        }
        let mut places = Vec::with_capacity(state.places.len());
        for (language, place) in self.languages().zip(&state.places) {
            match language.step(*place, byte) {
                Some(next) => places.push(next),
                None => return Step::Unknown,
            }
        }
        // A string that can no longer match leads nowhere.
        let is_dead = |(language, place): (&Language, &Option<StateID>)| {
            place.is_some_and(|place| language.automaton.is_dead_state(place))
        };
        if self.matched.iter().zip(&places).any(is_dead) {
            return Step::Nowhere;
        }
        Step::To(State {
            places,
            character,
            length,
        })
    }
}

enum Step {
    To(State),
    Nowhere,
    Unknown,
}

fn text_of(visited: &[(State, usize, u8)], mut index: usize) -> String {
    let mut bytes = Vec::new();
    while let Some((_, before, byte)) = visited.get(index).filter(|_| index > 0) {
        bytes.push(*byte);
        index = *before;
    }
    bytes.reverse();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns one byte for each set of bytes that no automaton tells apart, the most readable ones first.
fn alphabet<'a>(languages: impl Iterator<Item = &'a Language>) -> Vec<u8> {
    let languages: Vec<_> = languages.collect();
    let readable = (b'a'..=b'z')
        .chain(b'0'..=b'9')
        .chain(b'A'..=b'Z')
        .chain([b'-', b'.', b'_', b'/', b':', b' ']);
    let all = readable.chain(0x21..=0x7E).chain(0x80..=0xFF);
    let mut classes = HashSet::new();
    let mut alphabet = Vec::new();
    for byte in all {
        let of_languages = languages
            .iter()
            .map(|language| language.automaton.byte_classes().get(byte));
        // Bytes within a character differ by the ranges that they are in.
        let inside = (0x80..=0xBF)
            .contains(&byte)
            .then_some([0x90, 0xA0, 0xA1].map(|start| byte >= start));
        let class = (
            of_languages.collect::<Vec<u8>>(),
            Character::default().step(byte),
            inside,
        );
        if classes.insert(class) {
            alphabet.push(byte);
        }
    }
    alphabet
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any(patterns: &[&str]) -> Search<String> {
        shortest(patterns, &[], Lengths::default())
    }

    #[test]
    fn the_shortest_string_is_found() {
        let found = |text: &str| Search::Found(text.to_owned());
        assert_eq!(any(&["^[a-z]{2}$"]), found("aa"));
        assert_eq!(any(&["b"]), found("b"));
        assert_eq!(any(&["^(red|green)$", "e$"]), Search::None);
        assert_eq!(any(&["^(red|green)$", "n$"]), found("green"));
        assert_eq!(
            shortest(&["^[a-z0-9]+$"], &["^[a-z]+$"], Lengths::default()),
            found("0")
        );
        assert_eq!(
            shortest(&["^[a-z]+$"], &["^[a-z0-9]+$"], Lengths::default()),
            Search::None
        );
        let lengths = |least, most| Lengths { least, most };
        assert_eq!(shortest(&["^[a-z]+$"], &[], lengths(3, Some(3))), found("aaa"));
        assert_eq!(shortest(&["^[a-z]$"], &[], lengths(3, None)), Search::None);
        assert_eq!(any(&["^\u{e4}$"]), found("\u{e4}"));
        assert_eq!(
            shortest(&["^.$"], &["^[\\x00-\\x7f]$"], Lengths::default())
                .found()
                .map(|text| text.chars().count()),
            Some(1)
        );
    }

    #[test]
    fn listed_values_are_a_language() {
        let values = ["a.b", "c|d", "\u{e4}"].map(serde_json::Value::from);
        let listed = pattern_of(&values).unwrap();
        assert_eq!(includes(&[&listed], &["^(a\\.b|c\\|d)$"]), Some(true));
        assert_eq!(
            shortest(&["^a.b$"], &[&listed], Lengths::default()),
            Search::Found("aab".to_owned())
        );
    }

    #[test]
    fn patterns_are_compared_by_meaning() {
        assert_eq!(includes(&["^[0-9]+$"], &[r"^\d\d*$"]), Some(true));
        assert_eq!(includes(&[r"^\d\d*$"], &["^[0-9]+$"]), Some(true));
        assert_eq!(includes(&["^a"], &["^ab"]), Some(true));
        assert_eq!(includes(&["^ab"], &["^a"]), Some(false));
        assert_eq!(includes(&[r"\bab\b"], &["^ab$"]), Some(true));
        assert_eq!(
            includes(&["a{900}b{900}c{900}"], &["(x{30}){30}y{900}z?[a-f]{700}"]),
            None
        );
    }
}
