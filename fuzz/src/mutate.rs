//! Inputs from seeds: pieces are cut, copied, repeated and swapped, and words of the language are put in.

use fastrand::Rng;

/// The longest input.
const LONGEST: usize = 64 * 1024;

/// Words that trouble any parser.
const TROUBLE: &[&str] = &[
    "\0",
    "\u{feff}",
    "\u{2028}",
    "\u{202e}",
    "é",
    "𝔘",
    "\r\n",
    "\t",
    "\\",
    "\"",
    "'",
    "`",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "0",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e999",
    "0x",
    "NaN",
    ";",
    ",",
    ":",
    "=",
    "+",
    "-",
    "*",
    "/",
    "//",
    "/*",
    "*/",
    "#",
    "!",
    "&",
    "|",
    "..",
    "...",
    "?",
    "@",
    "$",
    "%",
    "^",
    "~",
];

/// Makes inputs for one target.
pub(crate) struct Mutator {
    seeds: Vec<String>,
    words: &'static [&'static str],
}

impl Mutator {
    pub(crate) fn new(seeds: Vec<String>, words: &'static [&'static str]) -> Self {
        Self { seeds, words }
    }

    /// Returns an input that follows from the state of `random` alone.
    pub(crate) fn input(&self, random: &mut Rng) -> String {
        let mut text = self.seed(random).to_owned();
        // Few changes keep an input valid enough to come far.
        let changes = match random.u8(..) {
            0..=15 => 0,
            16..=160 => random.usize(1..=3),
            161..=240 => random.usize(1..=12),
            _ => random.usize(1..=60),
        };
        for _ in 0..changes {
            self.change(&mut text, random);
            if text.len() > LONGEST {
                let end = boundary(&text, LONGEST);
                text.truncate(end);
            }
        }
        text
    }

    fn seed(&self, random: &mut Rng) -> &str {
        match self.seeds.len() {
            0 => "",
            count => self.seeds.get(random.usize(..count)).map_or("", String::as_str),
        }
    }

    fn word(&self, random: &mut Rng) -> &'static str {
        let words = if self.words.is_empty() || random.u8(..) < 64 {
            TROUBLE
        } else {
            self.words
        };
        words
            .get(random.usize(..words.len()))
            .copied()
            .unwrap_or_default()
    }

    fn change(&self, text: &mut String, random: &mut Rng) {
        let piece = piece(text, random);
        match random.u8(..12) {
            0 | 1 => text.replace_range(piece, ""),
            2 => {
                let copy = text.get(piece).unwrap_or_default().to_owned();
                let at = place(text, random);
                text.insert_str(at, &copy);
            }
            3 => {
                let copy = text.get(piece.clone()).unwrap_or_default();
                let most = (LONGEST / (copy.len() + 1)).clamp(1, 3000);
                let copies = copy.repeat(random.usize(1..=most));
                text.replace_range(piece, &copies);
            }
            4 => {
                let word = self.word(random);
                let most = (LONGEST / (word.len() + 1)).clamp(1, 3000);
                let words = word.repeat(random.usize(1..=most));
                let at = place(text, random);
                text.insert_str(at, &words);
            }
            5..=7 => {
                let at = place(text, random);
                text.insert_str(at, self.word(random));
            }
            8 | 9 => text.replace_range(piece, self.word(random)),
            10 => {
                let other = self.seed(random);
                let part = other.get(self::piece(other, random)).unwrap_or_default();
                text.replace_range(piece, part);
            }
            _ => {
                let at = place(text, random);
                let letter = char::from_u32(random.u32(..0x11_0000)).unwrap_or('x');
                text.insert(at, letter);
            }
        }
    }
}

/// Returns the last place between two characters that is not behind `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or_default()
}

/// Returns a place between two characters.
fn place(text: &str, random: &mut Rng) -> usize {
    boundary(text, random.usize(..=text.len()))
}

/// Returns a piece of the text: a few characters, a word, a line, or anything.
fn piece(text: &str, random: &mut Rng) -> std::ops::Range<usize> {
    let start = place(text, random);
    let rest = text.get(start..).unwrap_or_default();
    let length = match random.u8(..4) {
        0 => random.usize(..=4.min(rest.len())),
        1 => rest
            .find(|letter: char| !letter.is_alphanumeric())
            .unwrap_or(rest.len()),
        2 => rest.find('\n').map_or(rest.len(), |end| end + 1),
        _ => random.usize(..=rest.len()),
    };
    start..boundary(text, start + length).max(start)
}
