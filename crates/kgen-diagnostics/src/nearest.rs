//! The known word that a misspelled one was probably meant to be: one measure and one threshold for all of kgen.

/// A known word that is near to a misspelled one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near<'a> {
    /// The known word.
    pub word: &'a str,
    /// Whether no other word can be meant: none is as near, and the misspelled word is long enough to tell.
    pub is_certain: bool,
}

/// Longer texts are not misspelled words, and measuring them would take long.
const LONGEST: usize = 100;

/// Shorter words are near to too many others, unless only case or hyphens differ.
const SHORTEST_CERTAIN: usize = 4;

/// Returns the known word that is nearest to `word`, or `None` if none is near enough. The first of equals wins.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<Near<'a>> {
    near_words(word, known).first().copied()
}

/// Returns all known words that are near enough to `word` to be meant, the nearest first. Equals keep their order.
pub fn near_words<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<Near<'a>> {
    if word.is_empty() || word.len() > LONGEST {
        return Vec::new();
    }
    let letters = Letters::of(word);
    let mut near: Vec<(usize, &'a str)> = known
        .into_iter()
        .filter_map(|candidate| {
            let known = Letters::of(candidate);
            let distance = letters.distance(&known);
            (distance <= letters.tolerance(&known)).then_some((distance, candidate))
        })
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.dedup();
    let rivals = |distance: usize| near.iter().filter(|(other, _)| *other == distance).count();
    let least = near.first().map(|(distance, _)| *distance);
    let is_certain = |distance: usize| {
        Some(distance) == least
            && rivals(distance) == 1
            && (distance == 0 || letters.count >= SHORTEST_CERTAIN)
    };
    near.iter()
        .map(|(distance, word)| Near {
            word,
            is_certain: is_certain(*distance),
        })
        .collect()
}

/// Returns how many letters two words differ by. Swapped neighbors count once; case, `-` and `_` do not count.
#[must_use]
pub fn distance(left: &str, right: &str) -> usize {
    Letters::of(left).distance(&Letters::of(right))
}

/// The letters of a word that are compared: `max-desc-len` and `maxDescLen` have the same ones.
#[derive(Clone, Debug)]
pub struct Letters {
    text: String,
    count: usize,
}

impl Letters {
    /// Returns the letters of a word.
    #[must_use]
    pub fn of(word: &str) -> Self {
        let letters = word.chars().filter(|letter| !matches!(letter, '-' | '_'));
        let text = letters.flat_map(char::to_lowercase).collect::<String>();
        Self {
            count: text.chars().count(),
            text,
        }
    }

    /// Returns how many letters two words differ by. Swapped neighbors count once.
    #[must_use]
    pub fn distance(&self, other: &Self) -> usize {
        // Most names have a long common prefix, which does not have to be compared.
        let same = self
            .text
            .chars()
            .zip(other.text.chars())
            .take_while(|(left, right)| left == right);
        let shared: usize = same.map(|(shared, _)| shared.len_utf8()).sum();
        let rest = |text: &'_ str| text.get(shared..).unwrap_or_default().to_owned();
        strsim::osa_distance(&rest(&self.text), &rest(&other.text))
    }

    /// Returns how many letters two words may differ by if one is a misspelling of the other: one in three of the longer
    /// word, but at least one and at most three.
    #[must_use]
    pub fn tolerance(&self, other: &Self) -> usize {
        (self.count.max(other.count) / 3).clamp(1, 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
        nearest(word, known.iter().copied()).map(|near| near.word)
    }

    #[test]
    fn near_misses_are_found_and_strangers_are_not() {
        assert_eq!(word("replcas", &["replicas", "region"]), Some("replicas"));
        assert_eq!(word("lst", &["get", "list"]), Some("list"));
        assert_eq!(word("GET", &["get", "list"]), Some("get"));
        assert_eq!(word("max-desc-len", &["maxDescLen"]), Some("maxDescLen"));
        assert_eq!(word("zebra", &["replicas", "region"]), None);
        assert_eq!(word("", &["a"]), None);
        assert_eq!(word(&"x".repeat(200), &["x"]), None);
    }

    #[test]
    fn swapped_neighbors_count_once() {
        assert_eq!(distance("maxLenght", "maxLength"), 1);
        assert_eq!(distance("Ärger", "ärgre"), 1);
        assert_eq!(distance("", "ab"), 2);
    }

    #[test]
    fn only_a_word_without_rivals_is_certain() {
        let certain = |word: &str, known: &[&'static str]| {
            nearest(word, known.iter().copied()).is_some_and(|near| near.is_certain)
        };
        assert!(certain("shortNames", &["shortName", "path"]));
        assert!(!certain("MxLength", &["MaxLength", "MixLength"]));
        assert!(certain("minlength", &["minLength", "maxLength"]));
        // Three letters are too few to tell, unless only their case differs.
        assert!(!certain("url", &["uri"]));
        assert!(certain("URI", &["uri"]));
    }

    #[test]
    fn all_near_words_come_in_order() {
        let near = near_words("engins", ["engines", "engine", "zebra", "engins2"]);
        let words: Vec<_> = near.iter().map(|near| near.word).collect();
        assert_eq!(words, ["engines", "engine", "engins2"]);
        assert!(near.iter().all(|near| !near.is_certain));
    }
}
