use super::*;

fn accepted(pattern: &str) -> bool {
    translate(pattern).is_ok()
}

fn matches(pattern: &str, text: &str) -> bool {
    let translated = translate(pattern).unwrap().unwrap();
    regex::Regex::new(&translated)
        .unwrap_or_else(|error| panic!("{pattern}: {translated}: {error}"))
        .is_match(text)
}

#[test]
fn what_go_accepts_is_accepted() {
    for pattern in [
        "",
        "a|b",
        "^*",
        "(|a)*",
        "a(?i)*",
        r"\Qa.b\E*",
        r"\Q",
        r"a{,2}",
        "a{",
        "a{1",
        r"\_",
        r"\-",
        r"[a&&b]",
        r"\<",
        r"[a~~b]",
        r"[]a]",
        r"[^]a]",
        "[-a]",
        "[a-]",
        "[[]",
        "[[:alpha:]]",
        "[[:^digit:]]",
        r"\pL",
        r"\p{Greek}",
        r"\P{^Lu}",
        r"\p{letter}",
        r"[\pN\d]",
        r"\x41\x{1F600}",
        r"\07\12\123",
        r"\z",
        r"\A",
        "(?P<name>a)(?<other>b)",
        "(?P<a>x)(?P<a>y)",
        "(?i-s:a)",
        "(?U)a+?",
        "(?:)",
        "a{1000}",
        "(a{10}){100}",
        "a{0}{",
        "(?:a{1000}){0}",
        r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE])?$",
        "é+",
        "[é-ü]",
        "#x y",
        r"\ ",
        "(((a)))",
        "a**".strip_suffix('*').unwrap(),
    ] {
        assert!(accepted(pattern), "{pattern}: {:?}", translate(pattern));
    }
}

#[test]
fn what_go_refuses_is_refused() {
    for pattern in [
        "*",
        "{1}x",
        "a**",
        "a*+",
        "a+?*",
        "a{2}{3}",
        "a|*",
        "(*)",
        "(?i)*",
        "(",
        ")",
        "a)",
        "(a",
        "[a",
        "[",
        "[]",
        "[^]",
        "[b-a]",
        "[[:foo:]]",
        r"[a-\d]",
        r"\1",
        r"\8",
        r"\q",
        r"\",
        r"[\b]",
        r"\Z",
        r"\C",
        r"\u0041",
        r"\x4",
        r"\x{}",
        r"\x{110000}",
        r"\p",
        r"\p{",
        r"\p{Nope}",
        r"\p{Old_Italic}",
        r"\p{Grek}",
        r"\p{sc=Greek}",
        r"\p{Alphabetic}",
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?<!a)",
        "(?>a)",
        "(?x)a",
        "(?u)a",
        "(?R)",
        "(?-)",
        "(?i",
        "(?P<>a)",
        "(?P<a-b>x)",
        "(?P=a)",
        "a{1001}",
        "a{2,1}",
        "a{1001,}",
        "(a{100}){11}",
        "((a{10}){10}){11}",
    ] {
        assert!(!accepted(pattern), "{pattern}");
    }
}

#[test]
fn nesting_has_a_limit_and_no_stack() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert!(accepted(&nested(999)));
    assert!(!accepted(&nested(100_000)));
    assert!(!accepted(&"(".repeat(100_000)));
    assert!(accepted(&"a".repeat(100_000)));
}

#[test]
fn translations_match_what_go_matches() {
    assert!(matches(r"^\d+$", "42"));
    assert!(!matches(r"^\d+$", "٤٢"), "Go's digits are ASCII");
    assert!(!matches(r"^\w$", "é"));
    assert!(matches(r"^[a&&b]$", "&"), "no intersection");
    assert!(matches(r"^a b#$", "a b#"), "blanks count");
    assert!(matches(r"^\Qa.b\E$", "a.b") && !matches(r"^\Qa.b\E$", "axb"));
    assert!(matches("(?i)straße", "STRAßE"));
    assert!(matches("(?i)a(?-i)b", "Ab") && !matches("(?i)a(?-i)b", "AB"));
    assert!(matches("(?i:a)b", "Ab") && !matches("(?i:a)b", "AB"));
    assert!(!matches("^a$", "a\n") && !matches("^a$", "b\na"));
    assert!(matches("(?m)^a$", "b\na"));
    assert!(!matches("^a.b$", "a\nb") && matches("(?s)^a.b$", "a\nb"));
    assert!(matches("^(ab|c){2}$", "abc") && !matches("^(ab|c){2}$", "ab"));
    assert!(matches(r"^\p{Greek}\PL$", "λ1"));
    assert!(matches(r"^[^\D5]$", "4") && !matches(r"^[^\D5]$", "5"));
    assert!(matches(r"^[[:^alpha:]]$", "1"));
    assert!(matches("^x{2}a{,2}$", "xxa{,2}"));
    assert!(matches(r"^\s\x41\101$", "\tAA"));
    assert!(matches(r"\bword\b", "a word"));
}
