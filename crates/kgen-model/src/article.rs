//! Chooses the indefinite article of a name: an Order, a User.
//!
//! The sound of a name decides, and its spelling only suggests the sound. So this module uses the first letter, a short
//! list of exceptions, and initialisms, which are read letter by letter.

/// Starts of words that begin with a vowel and sound like a consonant.
const LIKE_CONSONANTS: &[&str] = &[
    "eu", "once", "one", "ubi", "uid", "uni", "uri", "url", "usa", "use", "usu", "uti", "uuid",
];

/// Starts of words that sound like a vowel, although the first letter or the list above suggests otherwise.
const LIKE_VOWELS: &[&str] = &["heir", "honest", "honor", "hour", "unim", "unin"];

/// Letters whose names begin with a vowel: an F, an X.
const SPELLED_LIKE_VOWELS: &str = "AEFHILMNORSX";

/// Returns "a" or "an", depending on the sound of `name`.
#[must_use]
pub fn article(name: &str) -> &'static str {
    let lower = name.to_lowercase();
    let starts_with = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    let like_vowel = if is_initialism(name) {
        name.starts_with(|first| SPELLED_LIKE_VOWELS.contains(first))
    } else {
        starts_with(LIKE_VOWELS)
            || (lower.starts_with(['a', 'e', 'i', 'o', 'u']) && !starts_with(LIKE_CONSONANTS))
    };
    if like_vowel { "an" } else { "a" }
}

/// Returns whether `name` starts with letters that are read one by one: `HTTPRoute`, `X509Certificate`, `S3`.
fn is_initialism(name: &str) -> bool {
    let mut letters = name.chars();
    let first_is_capital = letters.next().is_some_and(char::is_uppercase);
    let follows = match letters.next() {
        None => true,
        Some(second) if second.is_uppercase() => letters.next().is_none_or(|third| !third.is_lowercase()),
        Some(second) => second.is_numeric(),
    };
    first_is_capital && follows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sound_of_a_name_decides() {
        let with_an = "Apple Event Hour HTTPRoute Issuer IPPool NFSVolume Order SSHKey S3 S3Bucket Umbrella \
                       UnimportantThing X X509Certificate XMLFile annotation";
        for name in with_an.split_whitespace() {
            assert_eq!(article(name), "an", "{name}");
        }
        let with_a = "Bucket DNSRecord EuropeanRegion Foo House OneTimeJob Unit University URL UrlMap \
                      UsageReport User Utility VPNGateway label";
        for name in with_a.split_whitespace() {
            assert_eq!(article(name), "a", "{name}");
        }
        assert_eq!(article(""), "a");
    }
}
