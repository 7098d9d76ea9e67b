//! Every line comment of a file, found by rustc's own lexer.
//!
//! syn drops plain comments, which can contain markers. The lexer knows strings, raw strings, nested block comments and
//! lifetimes, so text that only looks like a comment is not confused with one. Comments inside macro calls and macro
//! definitions are ignored, because they cannot belong to a node of the API.

use std::ops::Range;

use ra_ap_rustc_lexer::{DocStyle, FrontmatterAllowed, LiteralKind, TokenKind, tokenize};

/// How a comment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `// …`
    Plain,
    /// `/// …`
    OuterDoc,
    /// `//! …`
    InnerDoc,
}

/// One line comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// How it is written.
    pub(crate) style: Style,
    /// Offset of its first slash.
    pub(crate) start: u32,
    /// Offset of its text: after the slashes and one space.
    pub(crate) text_start: u32,
    /// Offset after its text, without trailing spaces.
    pub(crate) end: u32,
    /// Its line, from zero.
    pub(crate) line: u32,
    /// Whether only spaces precede it on its line.
    pub(crate) own_line: bool,
}

impl Comment {
    /// Returns its text in the file that it was found in.
    pub(crate) fn text<'a>(&self, source: &'a str) -> &'a str {
        source
            .get(self.text_start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

/// A block comment outside macros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockComment {
    /// Offset of its first slash.
    pub(crate) start: u32,
    /// Offset behind its last one.
    pub(crate) end: u32,
}

/// The result of one pass of the lexer over a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comments {
    /// The line comments outside macros, in order.
    pub(crate) list: Vec<Comment>,
    /// The block comments outside macros, in order.
    pub(crate) blocks: Vec<BlockComment>,
    /// The maximum nesting of brackets, angle brackets or prefix operators.
    pub(crate) depth: usize,
    /// The most operators and branches in one expression; each nests in the parser's tree as well.
    pub(crate) chain: usize,
    /// The most tokens of one statement, type or path, each of which may nest.
    pub(crate) run: usize,
    /// Whether the text nests so deeply that a recursive parser must not see it; the offset where it does.
    pub(crate) too_deep: Option<u32>,
    /// The offset of a number with more digits than the parser reads in reasonable time, which grows with their square.
    pub(crate) long_number: Option<u32>,
    /// The first unmatched bracket, and the mistake.
    pub(crate) unmatched: Option<(u32, &'static str)>,
    /// The source without its line comments and the white space around them.
    ///
    /// The parser creates an attribute of half a dozen tokens for every line of documentation, and takes thirty
    /// instructions for every space. Most lines of an API are documentation, so it is several times as fast without
    /// them, and their content is already known here.
    pub(crate) code: String,
    /// Where the lines of `code` start in it, and in the source.
    pub(crate) lines: Vec<(u32, u32)>,
    /// Where the lines of the source start.
    pub(crate) line_starts: Vec<u32>,
}

/// The width from which on white space is removed: wider than the white space between the tokens of one declaration.
const WIDE: usize = 16;

/// Deeper nesting of brackets and more prefix operators in a row than any person writes, and far from what a large stack
/// can hold.
const MAX_DEPTH: usize = 256;

/// More operators in one expression than any person writes; a large stack holds several times as many.
const MAX_CHAIN: usize = 10_000;

/// More digits than any person writes.
const MAX_NUMBER: usize = 1_024;

/// More tokens without a comma, semicolon or brace than any person writes.
const MAX_RUN: usize = 20_000;

/// The length of `return`; no keyword that matters here is longer.
const LONGEST_KEYWORD: usize = 6;

/// Reads the comments of `source`.
pub(crate) fn comments(source: &str) -> Comments {
    let mut scan = Scan {
        source,
        ..Scan::default()
    };
    scan.offset = interpreter_length(source);
    scan.run = scan.offset..scan.offset;
    scan.found.code.reserve(source.len() / 2);
    scan.found.lines.push((0, offset(scan.offset)));
    scan.found.line_starts.push(0);
    for token in tokenize(
        source.get(scan.offset..).unwrap_or_default(),
        FrontmatterAllowed::No,
    ) {
        let start = scan.offset;
        scan.offset += token.len as usize;
        scan.token(token.kind, start);
        if scan.found.too_deep.is_some() || scan.found.long_number.is_some() {
            // Such a file is rejected.
            break;
        }
    }
    scan.end_run();
    if let (None, Some(open)) = (scan.found.unmatched, scan.open.pop()) {
        scan.found.unmatched = Some((open.at, never_closed(open.bracket)));
    }
    scan.found
}

/// Returns the length of a line such as `#!/usr/bin/env -S cargo run`, which only the first line of a program can be.
fn interpreter_length(source: &str) -> usize {
    let behind = source.strip_prefix("#!").map(str::trim_start);
    if behind.is_some_and(|behind| !behind.starts_with('[')) {
        source.lines().next().map_or(0, str::len)
    } else {
        0
    }
}

/// The state of one pass over the tokens.
#[derive(Default)]
struct Scan<'a> {
    source: &'a str,
    found: Comments,
    offset: usize,
    /// The tokens that are code and not yet copied, with the white space between them.
    run: Range<usize>,
    /// Whether a line comment follows that run.
    run_is_over: bool,
    /// The present line, from zero.
    line: u32,
    /// Whether a token other than spaces and comments is on the current line.
    code_on_line: bool,
    /// The depth of open brackets of all kinds, and of angle brackets in the current type.
    depth: usize,
    open: Vec<Open>,
    angles: usize,
    prefix_run: usize,
    /// Operators and branches since the last separator between the current brackets.
    chain: usize,
    /// All tokens since then.
    run_length: usize,
    /// Bars of closures since the last semicolon: commas between parameters do not end the nesting there.
    pipes: usize,
    /// Whether the last token closed a brace, which may be the end of an item or statement.
    after_brace: bool,
    /// Where the last token ended, if it was a minus; `->` closes no angle bracket.
    minus_end: Option<usize>,
    /// The part of `name ! [name]` that was seen, which starts a macro call if a bracket follows.
    macro_start: MacroStart,
    /// The depth outside the outermost macro call that is open.
    macro_depth: Option<usize>,
}

/// A bracket that is open.
struct Open {
    bracket: TokenKind,
    at: u32,
    /// The counts that go on behind it.
    chain: usize,
    run_length: usize,
    pipes: usize,
    angles: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum MacroStart {
    #[default]
    None,
    Name,
    Bang,
    BangName,
}

impl Scan<'_> {
    fn token(&mut self, kind: TokenKind, start: usize) {
        match kind {
            TokenKind::Whitespace => self.count_lines(start),
            TokenKind::LineComment { doc_style } => {
                self.run_is_over = true;
                self.line_comment(doc_style, start);
            }
            TokenKind::BlockComment { .. } => {
                if self.macro_depth.is_none() {
                    self.found.blocks.push(BlockComment {
                        start: offset(start),
                        end: offset(self.offset),
                    });
                }
                self.keep(start);
                self.count_lines(start);
                self.code_on_line = true;
            }
            TokenKind::Ident => {
                self.keep(start);
                self.name(start);
                self.code_on_line = true;
            }
            _ => {
                self.keep(start);
                self.code(kind, start);
                // No sign has a line break.
                if self.offset - start > 1 {
                    self.count_lines(start);
                }
                self.code_on_line = true;
            }
        }
    }

    /// Adds the token that starts at `start` to the code. A new line starts after each comment and each wide gap, so
    /// that the place of a token can be computed from its line and column.
    fn keep(&mut self, start: usize) {
        if self.run_is_over || start - self.run.end >= WIDE {
            self.end_run();
            let Comments { code, lines, .. } = &mut self.found;
            code.push('\n');
            lines.push((offset(code.len()), offset(start)));
            self.run.start = start;
            self.run_is_over = false;
        }
        self.run.end = self.offset;
    }

    /// Copies the present run.
    fn end_run(&mut self) {
        let text = self.source.get(self.run.clone()).unwrap_or_default();
        let Comments { code, lines, .. } = &mut self.found;
        for at in memchr::memchr_iter(b'\n', text.as_bytes()) {
            lines.push((offset(code.len() + at + 1), offset(self.run.start + at + 1)));
        }
        code.push_str(text);
    }

    /// Counts the line breaks of the token that starts at `start`.
    fn count_lines(&mut self, start: usize) {
        let text = match self.source.as_bytes().get(start..self.offset) {
            // Most white space is a single space.
            None | Some([b' ']) => return,
            Some(text) => text,
        };
        for (index, byte) in text.iter().enumerate() {
            if *byte == b'\n' {
                self.line += 1;
                self.found.line_starts.push(offset(start + index + 1));
                self.code_on_line = false;
            }
        }
    }

    fn line_comment(&mut self, doc_style: Option<DocStyle>, start: usize) {
        if self.macro_depth.is_some() {
            return;
        }
        let style = match doc_style {
            None => Style::Plain,
            Some(DocStyle::Outer) => Style::OuterDoc,
            Some(DocStyle::Inner) => Style::InnerDoc,
        };
        let slashes = if style == Style::Plain { 2 } else { 3 };
        let text = self.source.get(start + slashes..self.offset).unwrap_or_default();
        let mut text_start = start + slashes;
        if text.starts_with(' ') {
            text_start += 1;
        }
        // The last letter of most comments shows that there is no white space behind them.
        let is_trimmed = text.as_bytes().last().is_some_and(u8::is_ascii_graphic);
        let length = if is_trimmed {
            text.len()
        } else {
            text.trim_end().len()
        };
        let end = (start + slashes + length).max(text_start);
        self.found.list.push(Comment {
            style,
            start: offset(start),
            text_start: offset(text_start),
            end: offset(end),
            line: self.line,
            own_line: !self.code_on_line,
        });
    }

    /// Reads a name or keyword. Most tokens are names, so this does only what a name can change.
    fn name(&mut self, start: usize) {
        let word = if self.offset - start <= LONGEST_KEYWORD {
            self.source.as_bytes().get(start..self.offset).unwrap_or_default()
        } else {
            b""
        };
        if std::mem::take(&mut self.after_brace) && !matches!(word, b"as" | b"else") {
            self.start_anew();
        }
        self.minus_end = None;
        self.run_length += 1;
        self.chain += usize::from(matches!(word, b"as" | b"break" | b"else" | b"return"));
        self.prefix_run = 0;
        self.measure(start);
        self.macro_start = match self.macro_start {
            MacroStart::Bang => MacroStart::BangName,
            _ if is_keyword(word) => MacroStart::None,
            _ => MacroStart::Name,
        };
    }

    /// Compares the current counts with the maximums and the limits.
    fn measure(&mut self, start: usize) {
        self.found.chain = self.found.chain.max(self.chain).max(self.pipes);
        self.found.run = self.found.run.max(self.run_length);
        if self.found.chain > MAX_CHAIN || self.found.run > MAX_RUN {
            self.found.too_deep.get_or_insert(offset(start));
        }
    }

    fn code(&mut self, kind: TokenKind, start: usize) {
        if std::mem::take(&mut self.after_brace)
            && matches!(
                kind,
                TokenKind::RawIdent | TokenKind::Pound | TokenKind::Lifetime { .. }
            )
        {
            self.start_anew();
        }
        let minus_end = std::mem::take(&mut self.minus_end);
        if matches!(
            kind,
            TokenKind::Literal {
                kind: LiteralKind::Int { .. } | LiteralKind::Float { .. },
                ..
            }
        ) && self.offset - start > MAX_NUMBER
        {
            self.found.long_number.get_or_insert(offset(start));
        }
        match kind {
            TokenKind::OpenBrace | TokenKind::OpenParen | TokenKind::OpenBracket => {
                if matches!(self.macro_start, MacroStart::Bang | MacroStart::BangName)
                    && self.macro_depth.is_none()
                {
                    self.macro_depth = Some(self.depth);
                }
                self.depth += 1;
                self.open.push(Open {
                    bracket: kind,
                    at: offset(start),
                    chain: std::mem::take(&mut self.chain),
                    run_length: std::mem::take(&mut self.run_length),
                    pipes: std::mem::take(&mut self.pipes),
                    angles: std::mem::take(&mut self.angles),
                });
            }
            TokenKind::CloseBrace | TokenKind::CloseParen | TokenKind::CloseBracket => {
                self.depth = self.depth.saturating_sub(1);
                self.close(kind, start);
                self.after_brace = matches!(kind, TokenKind::CloseBrace);
                if self.macro_depth == Some(self.depth) {
                    self.macro_depth = None;
                }
            }
            TokenKind::Lt => self.angles += 1,
            TokenKind::Gt if minus_end == Some(start) => {}
            TokenKind::Gt => self.angles = self.angles.saturating_sub(1),
            TokenKind::Minus => self.minus_end = Some(self.offset),
            TokenKind::Semi => (self.angles, self.pipes) = (0, 0),
            TokenKind::Or => self.pipes += 1,
            _ => {}
        }
        self.run_length += 1;
        match kind {
            TokenKind::Semi | TokenKind::Comma => (self.chain, self.run_length) = (0, 0),
            TokenKind::And
            | TokenKind::Caret
            | TokenKind::Dot
            | TokenKind::Eq
            | TokenKind::Gt
            | TokenKind::Minus
            | TokenKind::Or
            | TokenKind::Percent
            | TokenKind::Plus
            | TokenKind::Question
            | TokenKind::Slash
            | TokenKind::Star => {
                self.chain += 1;
            }
            _ => {}
        }
        self.prefix_run = match kind {
            TokenKind::Bang
            | TokenKind::Minus
            | TokenKind::And
            | TokenKind::Star
            | TokenKind::Or
            | TokenKind::Pound => self.prefix_run + 1,
            _ => 0,
        };
        self.found.depth = (self.found.depth)
            .max(self.depth)
            .max(self.angles)
            .max(self.prefix_run);
        if self.found.depth > MAX_DEPTH {
            self.found.too_deep.get_or_insert(offset(start));
        }
        self.measure(start);
        self.macro_start = match (self.macro_start, kind) {
            (MacroStart::Bang, TokenKind::RawIdent) => MacroStart::BangName,
            (_, TokenKind::RawIdent) => MacroStart::Name,
            (MacroStart::Name, TokenKind::Bang) => MacroStart::Bang,
            _ => MacroStart::None,
        };
    }
}

impl Scan<'_> {
    /// Starts another item or statement, behind a closed brace.
    fn start_anew(&mut self) {
        (self.chain, self.run_length, self.pipes, self.angles) = (0, 0, 0, 0);
    }

    /// Pairs a closing bracket with the last open one.
    fn close(&mut self, kind: TokenKind, start: usize) {
        let partner = match kind {
            TokenKind::CloseBrace => TokenKind::OpenBrace,
            TokenKind::CloseParen => TokenKind::OpenParen,
            _ => TokenKind::OpenBracket,
        };
        let open = self.open.pop();
        (self.chain, self.run_length, self.pipes, self.angles) = open.as_ref().map_or((0, 0, 0, 0), |open| {
            (open.chain, open.run_length, open.pipes, open.angles)
        });
        match open {
            Some(open) if open.bracket == partner => {}
            Some(open) => {
                self.found
                    .unmatched
                    .get_or_insert((open.at, never_closed(open.bracket)));
            }
            None => {
                self.found
                    .unmatched
                    .get_or_insert((offset(start), "this bracket has no opening bracket"));
            }
        }
    }
}

fn never_closed(open: TokenKind) -> &'static str {
    match open {
        TokenKind::OpenBrace => "this brace is never closed",
        TokenKind::OpenParen => "this parenthesis is never closed",
        _ => "this bracket is never closed",
    }
}

/// Keywords that an exclamation mark can follow as an operator, so that no macro call starts there.
fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"if"
            | b"while"
            | b"match"
            | b"return"
            | b"in"
            | b"else"
            | b"break"
            | b"move"
            | b"yield"
            | b"await"
            | b"as"
            | b"let"
            | b"mut"
            | b"loop"
    )
}

fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        comments(source)
            .list
            .iter()
            .map(|comment| comment.text(source))
            .collect()
    }

    #[test]
    fn strings_block_comments_and_macros_hold_no_comments() {
        let source = r####"
// one
const A: &str = "// not one";
const B: &str = r##"
// +not:one "# still
"##;
/* // not one /* nested // not one */ // not one */
const C: char = '"'; // two
macro_rules! make { () => { /* */
    // not one
} }
thread_local! { // not one
}
fn f<'a>(x: &'a str) -> bool {
    if !(x == "'") { // three
        println!("x // not one"); // four
    }
    x != "//"
}
"####;
        assert_eq!(texts(source), ["one", "two", "three", "four"]);
    }

    #[test]
    fn styles_lines_and_line_endings() {
        let source = "//! head\r\n//// plain\r\npub struct A; // behind\r\n    ///   three blanks  \r\n";
        let found = comments(source).list;
        let styles: Vec<_> = found
            .iter()
            .map(|comment| (comment.style, comment.line, comment.own_line))
            .collect();
        assert_eq!(
            styles,
            [
                (Style::InnerDoc, 0, true),
                (Style::Plain, 1, true),
                (Style::Plain, 2, false),
                (Style::OuterDoc, 3, true)
            ]
        );
        assert_eq!(texts(source), ["head", "// plain", "behind", "  three blanks"]);
    }

    #[test]
    fn a_comment_behind_a_string_of_several_lines_is_not_on_its_own_line() {
        let source = "const A: &str = \"a\nb\"; // behind\n// own\n";
        let found = comments(source).list;
        assert!(!found[0].own_line);
        assert!(found[1].own_line);
        assert_eq!((found[0].line, found[1].line), (1, 2));
    }

    #[test]
    fn code_has_no_line_comments() {
        let source = "#!/usr/bin/kgen\n/// docs\n/// more docs\npub struct A; // x\nconst B: &str = \"ü\n  y\";   /* z */\nfn c() {}";
        let found = comments(source);
        assert_eq!(
            found.code,
            "\npub struct A;\nconst B: &str = \"ü\n  y\";   /* z */\nfn c() {}"
        );
    }

    proptest::proptest! {
        /// For any combination of pieces: each line of the code is a piece of the source, at the recorded place, and
        /// only white space, comments and the interpreter line are removed.
        #[test]
        fn places_are_known(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..30)) {
            let source = pieces.concat();
            let found = comments(&source);
            let lines: Vec<_> = found.code.split('\n').collect();
            proptest::prop_assert_eq!(lines.len(), found.lines.len());
            let mut kept = String::new();
            for (line, (in_code, in_source)) in lines.iter().zip(&found.lines) {
                proptest::prop_assert!(found.code[*in_code as usize..].starts_with(line));
                proptest::prop_assert!(source[*in_source as usize..].starts_with(line));
                kept.push_str(line);
            }
            let mut at = interpreter_length(&source);
            let mut code = String::new();
            for token in tokenize(&source[at..], FrontmatterAllowed::No) {
                let text = &source[at..at + token.len as usize];
                at += text.len();
                if !matches!(token.kind, TokenKind::Whitespace | TokenKind::LineComment { .. }) {
                    code.push_str(text);
                }
            }
            let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
            proptest::prop_assert_eq!(without_blanks(&kept), without_blanks(&code));
            proptest::prop_assert_eq!(found.line_starts, kgen_diagnostics::line_starts(&source));
        }
    }

    /// The pieces of the sources of the test above.
    const PIECES: &[&str] = &[
        "#!/bin/sh\n",
        "// plain\n",
        "//\n",
        "    /// docs é\r\n",
        "//! head\n",
        "/* one */",
        "/* two\n lines /* nested */ */",
        "\"text\"",
        "\"two\nlines é\"",
        "r#\"// raw\n\"#",
        "'a'",
        "'static",
        "b'\\n'",
        "pub struct A { b: é }",
        "name",
        "r#type",
        "12.5e3",
        "::<>",
        "\"open\n",
        "/* open",
        " ",
        "\n",
        "\r\n",
        "\n\n                    ",
        "\u{2028}",
        "§",
    ];

    #[test]
    fn long_expressions_are_noticed() {
        let chain = |source: &str| comments(source).chain;
        assert_eq!(chain("const A: u8 = 1 + 1; const B: u8 = 2;"), 2);
        assert_eq!(
            chain(&"pub struct A { pub a: Option<u8>, pub b: u8 } ".repeat(100)),
            1
        );
        assert!(chain(&["1"; 100].join("+")) >= 99);
        assert!(chain(&"if x { a(); } else ".repeat(100)) >= 100);
        assert!(chain(&format!("a{}", ".b(c, d)".repeat(100))) >= 100);
    }

    #[test]
    fn nesting_beyond_reason_is_noticed() {
        assert_eq!(comments(&"9".repeat(1_000)).long_number, None);
        assert_eq!(
            comments(&format!("[{}u64]", "9".repeat(30_000))).long_number,
            Some(1)
        );
        assert_eq!(comments(&"(".repeat(100)).too_deep, None);
        assert_eq!(comments(&"(".repeat(10_000)).too_deep, Some(256));
        assert!(comments(&"Option<".repeat(10_000)).too_deep.is_some());
        assert!(comments(&"!".repeat(10_000)).too_deep.is_some());
        for nested in [
            "A<[u8; 1], ",
            "A<(u8, u8), A<",
            "fn() -> A<",
            "|a, b| ",
            "a::",
            "a @ ",
            "a + ",
            "yield ",
            "a = b.c + ",
            "if a {} else ",
            "A {}.b + ",
        ] {
            assert!(comments(&nested.repeat(30_000)).too_deep.is_some(), "{nested}");
        }
        for flat in [
            "fn a(&self) -> B { a + b }\n",
            "if a < b { c } ",
            "#[a] struct A { b: C }\n",
            "a | b => c,",
            "a(b < c);",
        ] {
            assert_eq!(comments(&flat.repeat(9_000)).too_deep, None, "{flat}");
        }
    }
}
