//! Names for any number of kinds, and the same words as every language joins them.

/// A kind is made of two words, which is enough for 1,000 kinds without a number.
const FIRST: [&str; 40] = [
    "Amber", "Basalt", "Brass", "Bright", "Broad", "Bronze", "Calm", "Cedar", "Clear", "Coastal", "Cobalt",
    "Copper", "Crimson", "Distant", "Eastern", "Flint", "Frozen", "Gentle", "Golden", "Granite", "Hidden",
    "Hollow", "Indigo", "Inland", "Ivory", "Jade", "Lunar", "Marble", "Misty", "Narrow", "Northern", "Olive",
    "Opal", "Pewter", "Quiet", "Silver", "Solar", "Stony", "Velvet", "Western",
];
const SECOND: [&str; 25] = [
    "Anchor", "Bridge", "Canal", "Depot", "Engine", "Ferry", "Garden", "Harbor", "Island", "Junction",
    "Kiln", "Lantern", "Meadow", "Mill", "Orchard", "Pier", "Quarry", "Reactor", "Signal", "Tower", "Tunnel",
    "Valley", "Wagon", "Window", "Yard",
];

/// Returns the name of a kind by its index.
pub fn kind(index: usize) -> String {
    let second = SECOND.get(index % SECOND.len()).unwrap_or(&"Thing");
    let rest = index / SECOND.len();
    let first = FIRST.get(rest % FIRST.len()).unwrap_or(&"Plain");
    match rest / FIRST.len() {
        0 => format!("{first}{second}"),
        round => format!("{first}{second}{}", round + 1),
    }
}

/// Returns `max replicas` as `max_replicas`.
pub fn snake(words: &str) -> String {
    words.replace(' ', "_")
}

/// Returns `max replicas` as `MaxReplicas`.
pub fn pascal(words: &str) -> String {
    words.split(' ').map(capitalized).collect()
}

/// Returns `max replicas` as `maxReplicas`.
pub fn camel(words: &str) -> String {
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    first.to_owned() + &pascal(rest)
}

/// Returns `BrassAnchor` as `brass_anchor`.
pub fn file(kind: &str) -> String {
    let mut name = String::new();
    for letter in kind.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_ascii_uppercase().to_string() + letters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_as_every_language_does() {
        let words = "max ready replicas";
        assert_eq!(
            [snake(words), pascal(words), camel(words)],
            ["max_ready_replicas", "MaxReadyReplicas", "maxReadyReplicas"]
        );
        assert_eq!(camel("image"), "image");
        assert_eq!(file("BrassAnchor"), "brass_anchor");
    }

    #[test]
    fn numbers_come_after_a_thousand_kinds() {
        assert_eq!(
            [kind(0), kind(999), kind(1000)],
            ["AmberAnchor", "WesternYard", "AmberAnchor2"]
        );
    }
}
