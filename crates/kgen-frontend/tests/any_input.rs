//! No input makes the front end panic: valid sources are cut, doubled, mixed and corrupted at random, and read.
//!
//! The random numbers are the same in every run, so a failure can be repeated.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]

use std::fs;
use std::path::{Path, PathBuf};

use kgen_frontend::{FeatureChoice, Input, Options, read};

/// The number of corrupted texts for each valid one.
const TEXTS: usize = 12;

/// Pieces that cause trouble in the wrong place.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "//",
    "///",
    "/*",
    "*/",
    "r#\"",
    "#[serde(",
    ")]",
    "#[cfg(test)]",
    "mod x;",
    "use super::*;",
    "// +",
    "/// +kubebuilder:",
    "=",
    ":",
    ";",
    ",",
    "\u{feff}",
    "\r\n",
    "\r",
    "ü",
    "\u{1f600}",
    "\0",
    "struct S(",
    "enum E {",
    "type A = A;",
    "Option<",
    "#[kube(",
    "\\",
    "{{{",
    "+default=[",
    "+kubebuilder:default={a:{b:",
];

#[test]
fn spoilt_sources_are_read_without_a_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for source in good_sources() {
        let Ok(text) = fs::read_to_string(&source) else {
            continue;
        };
        let folder = tempfile::tempdir().unwrap();
        for index in 0..TEXTS {
            let path = folder.path().join(format!("v{}.rs", index + 1));
            fs::write(path, spoil(text.as_bytes(), &mut random)).unwrap();
        }
        let outcome = read(&input(folder.path()));
        // Problems are fine; their places must be inside their files.
        for problem in outcome.problems.iter() {
            if let Some(span) = problem.span {
                let file = outcome.files.get(span.file).unwrap();
                assert!(span.end as usize <= file.text().len() + 1, "{problem:?}");
            }
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_shown_behind_a_byte_order_mark() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("v1.rs"), b"\xef\xbb\xbf//\xff").unwrap();
    let outcome = read(&input(folder.path()));
    let problem = outcome.problems.iter().next().unwrap();
    let span = problem.span.unwrap();
    assert_eq!(outcome.files.slice(span), "\u{fffd}");
}

#[test]
fn bytes_that_are_no_text_are_a_problem_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(42);
    for index in 0..20 {
        let bytes: Vec<u8> = (0..random.below(400)).map(|_| random.byte()).collect();
        fs::write(folder.path().join(format!("file{index}.rs")), bytes).unwrap();
    }
    assert!(read(&input(folder.path())).problems.has_errors());
}

#[test]
fn texts_that_nest_without_end_are_a_problem_and_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    for (index, text) in [
        "(".repeat(100_000),
        format!("type A = {}u8{};", "Option<".repeat(50_000), ">".repeat(50_000)),
        format!("const A: bool = {}true;", "!".repeat(100_000)),
        format!("const A: u8 = {};", vec!["1"; 100_000].join("+")),
        format!("fn a() {{ {} }}", "if x { } else ".repeat(20_000) + "{ }"),
        format!("type A = {}u8;", "&".repeat(100_000)),
        "/*".repeat(100_000),
        format!("// +kubebuilder:default={}", "{a:".repeat(50_000)),
        format!("/// +default={}\npub struct A;", "[".repeat(50_000)),
    ]
    .into_iter()
    .enumerate()
    {
        fs::write(folder.path().join(format!("file{index}.rs")), text).unwrap();
    }
    assert!(read(&input(folder.path())).problems.has_errors());
}

fn input(folder: &Path) -> Input {
    Input {
        working_folder: folder.to_owned(),
        paths: Vec::new(),
        features: FeatureChoice::default(),
        kinds: true,
        options: Options {
            serde_defaults: true,
            ..Options::default()
        },
        foreign_markers: Default::default(),
        unsaved: Default::default(),
        tree: None,
        cargo_home: None,
        deprecations: false,
        kinds_apart: false,
        lowerings: None,
        exclude: Vec::new(),
    }
}

fn good_sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}

fn spoil(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(5) {
            0 => bytes.truncate(at),
            1 => {
                let end = (at + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => {
                let end = (at + random.below(200)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let target = random.below(bytes.len() + 1);
                bytes.splice(target..target, copy);
            }
            3 => {
                let piece = PIECES[random.below(PIECES.len())].bytes();
                bytes.splice(at..at, piece);
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.byte();
                }
            }
        }
    }
    bytes
}

/// A small random number generator (xorshift), so that the test does not need an external seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap()
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}
