//! SHA-256, for the hash of storage versions in discovery documents.

use base64::Engine as _;

/// The fractional parts of the cube roots of the first 64 primes.
const ROUNDS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// Returns the first eight bytes of the hash in base64.
pub(crate) fn start_in_base64(text: &str) -> String {
    let hash = hash(text.as_bytes());
    let bytes: Vec<u8> = hash.iter().take(2).flat_map(|word| word.to_be_bytes()).collect();
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Returns the beginning of the hash as a random UUID is written.
pub(crate) fn uuid(text: &str) -> String {
    let [a, b, c, d, ..] = hash(text.as_bytes());
    let (b, c) = ((b & 0xffff_0fff) | 0x4000, (c & 0x3fff_ffff) | 0x8000_0000);
    format!(
        "{a:08x}-{:04x}-{:04x}-{:04x}-{:04x}{d:08x}",
        b >> 16,
        b & 0xffff,
        c >> 16,
        c & 0xffff
    )
}

fn hash(message: &[u8]) -> [u32; 8] {
    let mut state: [u32; 8] = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    let bits = u64::try_from(message.len()).unwrap_or(0).wrapping_mul(8);
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend(bits.to_be_bytes());
    for block in padded.chunks_exact(64) {
        let mut words: Vec<u32> = block
            .chunks_exact(4)
            .map(|bytes| bytes.iter().fold(0, |word, byte| (word << 8) | u32::from(*byte)))
            .collect();
        let at = |words: &[u32], back: usize| {
            words
                .len()
                .checked_sub(back)
                .and_then(|index| words.get(index))
                .copied()
                .unwrap_or(0)
        };
        while words.len() < 64 {
            let (early, late) = (at(&words, 15), at(&words, 2));
            let small = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
            let large = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
            let sum = at(&words, 16)
                .wrapping_add(small)
                .wrapping_add(at(&words, 7))
                .wrapping_add(large);
            words.push(sum);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (round, word) in ROUNDS.iter().zip(&words) {
            let large = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let first = h
                .wrapping_add(large)
                .wrapping_add(choice)
                .wrapping_add(*round)
                .wrapping_add(*word);
            let small = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = (a & b) ^ (a & c) ^ (b & c);
            let second = small.wrapping_add(majority);
            (h, g, f, e, d, c, b, a) = (
                g,
                f,
                e,
                d.wrapping_add(first),
                c,
                b,
                a,
                first.wrapping_add(second),
            );
        }
        for (old, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *old = old.wrapping_add(new);
        }
    }
    state
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
}
