//! The value grammar as a table: what is written, and what is read.

use kgen_diagnostics::{Applicability, Code};
use kgen_model::Number;
use serde_json::{Value as JsonValue, json};

use super::{Any, Count, Error, Json, Located, Map, MaybeEmpty, Parser, Value};

fn read<T: Value>(text: &str) -> Result<T, (Code, String)> {
    Parser::whole::<T>(text).map_err(|error| {
        (
            error.code,
            text.get(error.range).expect("a range of the text").to_owned(),
        )
    })
}

fn fails<T: Value + std::fmt::Debug>(text: &str, code: Code, underlined: &str) {
    match read::<T>(text) {
        Ok(value) => panic!("{text:?} is read as {value:?}"),
        Err(found) => assert_eq!(found, (code, underlined.to_owned()), "{text:?}"),
    }
}

#[test]
fn strings() {
    for (text, value) in [
        ("abc", "abc"),
        ("  abc  ", "abc"),
        ("a b  c", "a b  c"),
        ("^v[0-9]+$", "^v[0-9]+$"),
        ("\"a,b;c}d\"", "a,b;c}d"),
        ("`a,b;c}d\\d\"`", "a,b;c}d\\d\""),
        ("\"\"", ""),
        ("``", ""),
        (
            "\"\\n\\t\\\"\\\\\\a\\x41\\101\\u00e9\\U0001F600\"",
            "\n\t\"\\\u{7}AAé😀",
        ),
        ("\"\\xc3\\xa9\"", "é"),
        ("\"a\nb\"", "a\nb"),
        ("it's", "it's"),
        ("self != 'zz'", "self != 'zz'"),
        ("a=\"b,c\"d", "a=\"b,c\"d"),
        (".a[?(@.t==\"R\")].s", ".a[?(@.t==\"R\")].s"),
        ("5\" disk", "5\" disk"),
        ("http://example.com/a#b", "http://example.com/a#b"),
        ("issue #5", "issue #5"),
        ("a:b", "a:b"),
        ("[a]", "[a]"),
        ("(a)", "(a)"),
        ("größe", "größe"),
    ] {
        assert_eq!(read::<String>(text).as_deref(), Ok(value), "{text:?}");
    }
    assert_eq!(read::<MaybeEmpty>(""), Ok(MaybeEmpty(String::new())));
    fails::<String>("", Code::MarkerValue, "");
    fails::<String>("a,b", Code::MarkerText, ",b");
    fails::<String>("a;b", Code::MarkerText, ";b");
    fails::<String>("a}b", Code::MarkerText, "}b");
    fails::<String>("\"a\" b", Code::MarkerText, "b");
    fails::<String>("\"a\"b", Code::MarkerText, "b");
    fails::<String>("a // b", Code::MarkerText, "// b");
    fails::<String>("a # b", Code::MarkerText, "# b");
    fails::<String>("\"a", Code::UnclosedValue, "\"a");
    fails::<String>("\"a\\\"", Code::UnclosedValue, "\"a\\\"");
    fails::<String>("`a", Code::UnclosedValue, "`a");
    fails::<String>("'a, b' c", Code::SingleQuotes, "'a, b'");
    for escape in [
        "\\d", "\\'", "\\xg1", "\\x+1", "\\u12", "\\ud800", "\\9", "\\é", "\\400",
    ] {
        let width = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
        fails::<String>(&format!("\"{escape}\""), Code::MarkerValue, &escape[..width]);
    }
    fails::<String>("\"\\xff\"", Code::MarkerValue, "\\xff");
}

#[test]
fn integers() {
    for (text, value) in [
        ("5", 5),
        ("-5", -5),
        ("010", 10),
        (" 7 ", 7),
        ("-0", 0),
        ("9223372036854775807", i64::MAX),
    ] {
        assert_eq!(read::<i64>(text), Ok(value), "{text:?}");
    }
    for text in [
        "0x10",
        "1_000",
        "1.5",
        "+5",
        "- 5",
        "--5",
        "five",
        "1e3",
        "\"5\"",
        "true",
        "5Mi",
        "9223372036854775808",
    ] {
        let word = text.split(' ').next().unwrap();
        fails::<i64>(text, Code::MarkerValue, word);
    }
    fails::<i64>("5 6", Code::MarkerText, "6");
    fails::<i64>("5;6", Code::MarkerText, ";6");
    fails::<i64>("", Code::MarkerValue, "");
    assert_eq!(read::<Count>("0"), Ok(Count(0)));
    fails::<Count>("-1", Code::MarkerValue, "-1");
}

#[test]
fn numbers_and_truth_values() {
    for (text, value) in [
        ("5", Number::Integer(5)),
        ("-90", Number::Integer(-90)),
        ("0.5", Number::Float(0.5)),
        (".5", Number::Float(0.5)),
        ("5.", Number::Integer(5)),
        ("1e3", Number::Integer(1000)),
        ("-1.5E-2", Number::Float(-0.015)),
        ("9007199254740993", Number::Integer(9_007_199_254_740_993)),
    ] {
        assert_eq!(read::<Number>(text), Ok(value), "{text:?}");
    }
    for text in [
        ".", "-", "e5", "1e", "1e+", "0x1p4", "NaN", "inf", "1.2.3", "1e999",
    ] {
        fails::<Number>(text, Code::MarkerValue, text);
    }
    assert_eq!(
        (read::<bool>("true"), read::<bool>("false")),
        (Ok(true), Ok(false))
    );
    for text in ["True", "yes", "1", "\"true\"", "truefalse"] {
        fails::<bool>(text, Code::MarkerValue, text);
    }
    fails::<bool>("true story", Code::MarkerText, "story");
}

#[test]
fn lists() {
    let list = |text: &str| read::<Vec<String>>(text);
    let words = |words: &[&str]| Ok(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    for (text, values) in [
        ("a", &["a"][..]),
        ("a;b", &["a", "b"]),
        (" a ; b c ;d", &["a", "b c", "d"]),
        ("a;b;", &["a", "b"]),
        ("\"a;b\";`c`;d", &["a;b", "c", "d"]),
        ("\"\";a", &["", "a"]),
        ("{a, b}", &["a", "b"]),
        ("{a,b,}", &["a", "b"]),
        ("{ \"a, b\" , c d }", &["a, b", "c d"]),
        ("{}", &[]),
        ("*", &["*"]),
    ] {
        assert_eq!(list(text), words(values), "{text:?}");
    }
    assert_eq!(read::<Vec<i64>>("{1, -2}"), Ok(vec![1, -2]));
    assert_eq!(read::<Vec<i64>>("1; -2"), Ok(vec![1, -2]));
    fails::<Vec<String>>("", Code::MarkerValue, "");
    fails::<Vec<String>>(";a", Code::MarkerValue, ";");
    fails::<Vec<String>>("a;;b", Code::MarkerValue, ";");
    fails::<Vec<String>>("{a,,b}", Code::MarkerValue, ",");
    fails::<Vec<String>>("{a;b}", Code::MarkerValue, ";");
    fails::<Vec<String>>("a,b", Code::MarkerText, ",b");
    fails::<Vec<String>>("{a} b", Code::MarkerText, "b");
    fails::<Vec<String>>("{a", Code::UnclosedValue, "{a");
    fails::<Vec<String>>("{a,", Code::UnclosedValue, "{a,");
    fails::<Vec<String>>("{\"a\" b}", Code::MarkerText, "b}");
    fails::<Vec<String>>("[a, b]", Code::MarkerValue, "[a, b]");
    fails::<Vec<String>>("a;'b'", Code::SingleQuotes, "'b'");
    fails::<Vec<String>>("a;b // c", Code::MarkerText, "// c");
}

#[test]
fn maps() {
    let map = |text: &str| {
        read::<Map<String>>(text).map(|map| {
            map.0
                .into_iter()
                .map(|(key, value)| (key.value, value))
                .collect::<Vec<_>>()
        })
    };
    let entry = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(map("{}"), Ok(vec![]));
    assert_eq!(map("{b: x, a:y}"), Ok(vec![entry("b", "x"), entry("a", "y")]));
    assert_eq!(
        map("{\"a b\": \"x, y\", `c:d`: e:f}"),
        Ok(vec![entry("a b", "x, y"), entry("c:d", "e:f")])
    );
    fails::<Map<String>>("a", Code::MarkerValue, "a");
    fails::<Map<String>>("{a}", Code::MarkerValue, "a");
    fails::<Map<String>>("{a: x, a: y}", Code::MarkerArgument, "a");
    fails::<Map<String>>("{a: x", Code::UnclosedValue, "{a: x");
    fails::<Map<String>>("{a: }", Code::MarkerValue, "}");
    assert_eq!(read::<Map<i64>>("{min: -1}").map(|map| map.0[0].1), Ok(-1));
}

fn any(text: &str) -> Result<JsonValue, (Code, String)> {
    read::<Any>(text).map(|value| value.0)
}

#[test]
fn guessed_types() {
    for (text, value) in [
        ("5", json!(5)),
        ("-3", json!(-3)),
        ("1.0", json!(1)),
        ("0.5", json!(0.5)),
        ("010", json!(10)),
        ("true", json!(true)),
        ("false", json!(false)),
        ("red", json!("red")),
        ("\"7\"", json!("7")),
        ("`x`", json!("x")),
        ("100Mi", json!("100Mi")),
        ("2024-01-15", json!("2024-01-15")),
        ("1.2.3", json!("1.2.3")),
        ("087bdd", json!("087bdd")),
        ("08", json!("08")),
        ("123/config", json!("123/config")),
        ("0x10", json!("0x10")),
        ("1_000", json!("1_000")),
        ("true story", json!("true story")),
        ("false-positive", json!("false-positive")),
        ("nullable", json!("nullable")),
        ("foo;bar", json!(["foo", "bar"])),
        ("foo;", json!(["foo"])),
        ("1;a;true", json!([1, "a", true])),
        ("\"a;b\"", json!("a;b")),
        ("{}", json!({})),
        ("{1,\"a\",true}", json!([1, "a", true])),
        ("{a, b}", json!(["a", "b"])),
        ("{{a}, {b: c}}", json!([["a"], {"b": "c"}])),
        ("{a: 1, \"b\": {c: {1, 2}}}", json!({"a": 1, "b": {"c": [1, 2]}})),
        ("{list: 1;2}", json!({"list": [1, 2]})),
        (
            "{a: 1, list: 1;2, b: x}",
            json!({"a": 1, "list": [1, 2], "b": "x"}),
        ),
        ("{min: -1}", json!({"min": -1})),
        ("{a: 1};{b: 2}", json!([{"a": 1}, {"b": 2}])),
        ("{\"a\":[\"x\"]}", json!({"a": ["x"]})),
        ("[\"a\",\"b\"]", json!(["a", "b"])),
        ("[]", json!([])),
        ("[{\"a\": 1.0}]", json!([{"a": 1}])),
        ("[\"a;b\"]", json!(["a;b"])),
    ] {
        assert_eq!(any(text), Ok(value), "{text:?}");
    }
    assert_eq!(any("{a: null}"), Ok(json!({"a": null})));
    assert_eq!(any("[null]"), Ok(json!([null])));
    for (text, code, underlined) in [
        ("", Code::MarkerValue, ""),
        ("null", Code::MarkerValue, "null"),
        ("[a]", Code::MarkerValue, "a"),
        ("[1] 2", Code::MarkerText, "2"),
        ("[1", Code::UnclosedValue, "[1"),
        ("{a: 1", Code::UnclosedValue, "{a: 1"),
        ("{a: [1}", Code::MarkerValue, "}"),
        ("a,b", Code::MarkerText, ",b"),
        ("'a'", Code::SingleQuotes, "'a'"),
        ("1e999", Code::MarkerValue, "1e999"),
    ] {
        assert_eq!(any(text), Err((code, underlined.to_owned())), "{text:?}");
    }
    assert!(any(&format!("{}{}", "{a:".repeat(40), "}".repeat(40))).is_err());
}

#[test]
fn json_values() {
    let json = |text: &str| read::<Json>(text).map(|value| value.0);
    assert_eq!(json("{\"a\": [1, 2.50]}"), Ok(json!({"a": [1, 2.5]})));
    assert_eq!(json(" -3 "), Ok(json!(-3)));
    // The schema decides whether a value inside may be null.
    assert_eq!(json("{\"a\": null}"), Ok(json!({"a": null})));
    assert_eq!(json("\"\\u00e9\""), Ok(json!("é")));
    for (text, code, underlined) in [
        ("", Code::MarkerValue, ""),
        ("null", Code::MarkerValue, "null"),
        ("Marie", Code::MarkerValue, "M"),
        ("ref(Name)", Code::MarkerValue, "ref(Name)"),
        ("1 2", Code::MarkerText, "2"),
        ("{a: 1}", Code::MarkerValue, "a"),
        ("[1,", Code::UnclosedValue, "[1,"),
    ] {
        assert_eq!(json(text), Err((code, underlined.to_owned())), "{text:?}");
    }
}

/// Returns the effect of an option on the command line.
fn options(text: &str) -> Result<(Option<i64>, Vec<String>), Error> {
    let (mut length, mut paths) = (None, Vec::new());
    let mut parser = Parser::new(text);
    parser.named(|parser, name| match name.value {
        "maxDescLen" => parser.read().map(|value| length = Some(value)),
        "paths" => parser.read().map(|value| paths = value),
        _ => Err(Parser::unknown_argument(name, &["maxDescLen", "paths"])),
    })?;
    Ok((length, paths))
}

#[test]
fn named_arguments() {
    assert_eq!(options("maxDescLen=0"), Ok((Some(0), vec![])));
    assert_eq!(
        options("paths=a;b , maxDescLen = 5"),
        Ok((Some(5), vec!["a".to_owned(), "b".to_owned()]))
    );
    assert_eq!(options("paths={\"a,b\"}"), Ok((None, vec!["a,b".to_owned()])));
    for (text, code, underlined) in [
        ("maxDescLn=0", Code::MarkerArgument, "maxDescLn"),
        ("maxDescLen=0,maxDescLen=1", Code::MarkerArgument, "maxDescLen"),
        ("maxDescLen=0,", Code::MarkerText, ","),
        ("maxDescLen=0;1", Code::MarkerText, ";1"),
        ("maxDescLen", Code::MarkerArgument, "maxDescLen"),
        ("paths=a,b", Code::MarkerArgument, "b"),
        ("", Code::MarkerArgument, ""),
        ("=5", Code::MarkerArgument, "="),
        ("max-len=5", Code::MarkerArgument, "max-len"),
        (",", Code::MarkerArgument, ","),
    ] {
        let error = options(text).unwrap_err();
        assert_eq!((error.code, &text[error.range]), (code, underlined), "{text:?}");
    }
    let error = options("maxDescLn=0").unwrap_err();
    assert_eq!(error.help, ["the arguments are `maxDescLen`, `paths`"]);
    let fix = &error.fixes[0];
    assert_eq!(fix.edits, [(0..9, "maxDescLen".to_owned())]);
    assert_eq!(fix.applicability, Applicability::MachineApplicable);
}

#[test]
fn values_know_their_bytes() {
    let mut parser = Parser::starting_at("x= a b ,c", 2);
    let located = Located::<String>::read(&mut parser).unwrap();
    assert_eq!((located.value.as_str(), located.range), ("a b", 3..6));
    assert_eq!(parser.rest(), ",c");
    // An offset inside a character is invalid.
    assert_eq!(Parser::starting_at("é", 1).rest(), "");
}
