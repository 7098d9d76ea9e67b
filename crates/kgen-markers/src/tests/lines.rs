//! Values over several comment lines, and places in them.

use std::sync::Arc;

use kgen_diagnostics::{Code, Files, SourceFile};

use crate::{CommentLine, MarkerText, Position, parse, read_marker, starts_marker};

/// Returns the comment lines of a source text, as the front end does.
fn comment_lines(source: &str) -> Vec<CommentLine<'_>> {
    let mut offset = 0;
    let mut lines = Vec::new();
    for line in source.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let behind = trimmed
            .trim_start_matches('/')
            .strip_prefix('!')
            .unwrap_or(trimmed.trim_start_matches('/'));
        let text = behind.strip_prefix(' ').unwrap_or(behind);
        lines.push(CommentLine {
            text: text.trim_end(),
            offset: u32::try_from(offset + line.len() - text.len()).unwrap(),
        });
        offset += line.len();
    }
    lines
}

fn read(source: &str) -> (Files, Arc<MarkerText>, usize) {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("a.rs", source));
    let (text, used) = read_marker(file, &comment_lines(source));
    (files, text, used)
}

#[test]
fn a_marker_is_a_plus_and_a_letter() {
    for text in ["+a", "  +optional", "+kubebuilder:x"] {
        assert!(starts_marker(text), "{text}");
    }
    for text in ["", "+", "+ a", "+5", "++a", "a +b", "+-", "+é"] {
        assert!(!starts_marker(text), "{text}");
    }
}

#[test]
fn one_line_is_one_line() {
    let (files, text, used) = read("    ///   +kubebuilder:validation:Enum=a;b\n    /// more\n");
    assert_eq!((text.text(), used), ("kubebuilder:validation:Enum=a;b", 1));
    assert_eq!(files.slice(text.whole()), "kubebuilder:validation:Enum=a;b");
    assert_eq!(files.slice(text.span(0..11)), "kubebuilder");
}

#[test]
fn quotes_go_on_with_a_line_break_and_places_stay_true() {
    let source = "// +kubebuilder:validation:XValidation:rule=\"self.a > 1 &&\n//   self.b < 2\",message=\"m\"\n// text\n";
    let (files, text, used) = read(source);
    assert_eq!(used, 2);
    assert_eq!(
        text.text(),
        "kubebuilder:validation:XValidation:rule=\"self.a > 1 &&\n  self.b < 2\",message=\"m\""
    );
    for part in ["kubebuilder", "rule", "self.a", "self.b < 2", "message=\"m\""] {
        let start = text.text().find(part).unwrap();
        assert_eq!(files.slice(text.span(start..start + part.len())), part);
    }
    assert_eq!(
        files.slice(text.whole()),
        &source[4..source.rfind("\n// text").unwrap()]
    );
    assert!(parse(&text, Position::Field).unwrap().is_some());
}

#[test]
fn back_quotes_and_brackets_go_on_too() {
    let (_, text, used) = read("// +kubebuilder:default={\n//   a: 1,\n//   b: {x, y}\n// }\n// rest\n");
    assert_eq!(
        (text.text(), used),
        ("kubebuilder:default={ a: 1, b: {x, y} }", 4)
    );
    let (_, text, used) = read("// +default=[\n//   \"a]\",\n//   \"b\"\n// ]\n");
    assert_eq!((text.text(), used), ("default=[ \"a]\", \"b\" ]", 4));
    let (_, text, used) = read("// +kubebuilder:validation:Pattern=`a\n// b`\n");
    assert_eq!((text.text(), used), ("kubebuilder:validation:Pattern=`a\nb`", 2));
    let (_, text, used) = read("// +k8s:eachVal=+k8s:subfield(\"a\n// b\")=+k8s:maxLength=5\n");
    assert_eq!(
        (text.text(), used),
        ("k8s:eachVal=+k8s:subfield(\"a\nb\")=+k8s:maxLength=5", 2)
    );
}

#[test]
fn what_only_looks_open_does_not_swallow_the_next_line() {
    for source in [
        "// +kubebuilder:validation:Pattern=^[^\"]+$\n// \"\n",
        "// +kubebuilder:validation:Pattern=^{\n// }\n",
        "// +kubebuilder:validation:Pattern=[a-z\n// ]\n",
        "// +kubebuilder:title=5\" disk\n// \"\n",
        "// +my:thing={\n// }\n",
        "// +optional {\n// }\n",
        "// +kubebuilder:printcolumn:name=A,type=string,JSONPath=.a[?(@.b==\"c\")].d\n// \"\n",
    ] {
        assert_eq!(read(source).2, 1, "{source}");
    }
}

#[test]
fn an_unclosed_value_is_its_first_line_and_a_problem() {
    for source in [
        "// +kubebuilder:validation:XValidation:rule=\"self\n// text\n",
        "// +kubebuilder:validation:XValidation:rule=\"self\n// +kubebuilder:validation:XValidation:rule=\"self\"\n",
        "// +kubebuilder:default={a\n",
    ] {
        let (files, text, used) = read(source);
        assert_eq!(used, 1, "{source}");
        let problem = parse(&text, Position::Field).unwrap_err();
        assert_eq!(problem.code, Code::UnclosedValue, "{source}");
        assert!(source.contains(files.slice(problem.span.unwrap())));
    }
}

#[test]
fn a_problem_on_the_second_line_is_underlined_there() {
    let (files, text, _) = read("// +kubebuilder:validation:XValidation:rule=\"a\n// b\",reason=Nope\n");
    let problem = parse(&text, Position::Field).unwrap_err();
    assert_eq!(files.slice(problem.span.unwrap()), "Nope");
    assert_eq!(problem.code, Code::MarkerValue);
}

#[test]
fn no_lines_are_no_marker() {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("a.rs", ""));
    let (text, used) = read_marker(file, &[]);
    assert_eq!((text.text(), used), ("", 0));
    assert!(matches!(parse(&text, Position::Field), Ok(None)));
}
