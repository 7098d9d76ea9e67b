//! Hashes with SHA-256: the hash of storage versions in discovery documents, and UIDs that follow from a text.

use base64::Engine as _;
use ring::digest::{Digest, SHA256, digest};

/// Returns the first eight bytes of the hash in base64.
pub(crate) fn start_in_base64(text: &str) -> String {
    let hash = hash(text);
    let start = hash.as_ref().get(..8).unwrap_or_default();
    base64::engine::general_purpose::STANDARD.encode(start)
}

/// Returns the beginning of the hash as a random UUID is written.
pub(crate) fn uuid(text: &str) -> String {
    let hash = hash(text);
    let start = hash.as_ref().iter().take(16);
    let bits = start.fold(0_u128, |bits, byte| (bits << 8) | u128::from(*byte));
    // Version 4, and the variant of RFC 9562.
    let bits = bits & !(0xf000 << 64) & !(0xc000 << 48) | (0x4000 << 64) | (0x8000 << 48);
    let digits = format!("{bits:032x}");
    let part = |range: std::ops::Range<usize>| digits.get(range).unwrap_or_default();
    [part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)].join("-")
}

fn hash(text: &str) -> Digest {
    digest(&SHA256, text.as_bytes())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_hash_is_that_of_a_server() {
        assert_eq!(
            super::start_in_base64("life.example.org/v1/Doodad"),
            "mFcg9235LyQ="
        );
    }

    #[test]
    fn uids_have_the_form_of_random_ones() {
        // The hash starts with ba7816bf 8f01cfea 414140de 5dae2223.
        assert_eq!(super::uuid("abc"), "ba7816bf-8f01-4fea-8141-40de5dae2223");
    }
}
