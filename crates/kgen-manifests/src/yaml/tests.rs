use kgen_diagnostics::{Code, Files, SourceFile};
use serde_json::{Value, json};

use super::{Node, read};

fn documents(text: &str) -> Vec<Value> {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("a.yaml", text));
    let nodes = read(text, file).unwrap();
    nodes.iter().map(Node::to_json).collect()
}

fn mistake(text: &str) -> (Code, String, String) {
    let mut files = Files::default();
    let file = files.add(SourceFile::new("a.yaml", text));
    let problem = read(text, file).unwrap_err();
    let place = files.slice(problem.span.unwrap()).to_owned();
    (problem.code, problem.message, place)
}

#[test]
fn plain_scalars_mean_what_go_yaml_reads() {
    let text =
        "[yes, 'yes', 0x10, 010, 1_000, 1e3, .5, 12:30, 2020-01-01, ~, '', 9223372036854775808, -1, 1.]";
    assert_eq!(
        documents(text),
        [json!([
            true,
            "yes",
            16,
            8,
            1000,
            1000,
            0.5,
            "12:30",
            "2020-01-01",
            null,
            "",
            9223372036854775808_u64,
            -1,
            1
        ])]
    );
}

#[test]
fn keys_are_texts_and_keep_their_order() {
    let text = "on: 1\n1: 2\na: 3\n";
    let mut files = Files::default();
    let file = files.add(SourceFile::new("a.yaml", text));
    let nodes = read(text, file).unwrap();
    let keys: Vec<_> = nodes[0]
        .entries()
        .iter()
        .map(|entry| entry.key.as_str())
        .collect();
    assert_eq!(keys, ["on", "1", "a"]);
    assert_eq!(files.slice(nodes[0].entries()[2].key_span), "a");
    assert_eq!(files.slice(nodes[0].entries()[2].value.span), "3");
}

#[test]
fn anchors_aliases_and_merge_keys_are_resolved() {
    let text = "base: &base {a: 1, b: 2}\nother:\n  <<: *base\n  b: 3\nsame: *base\n";
    assert_eq!(
        documents(text),
        [json!({"base": {"a": 1, "b": 2}, "other": {"b": 3, "a": 1}, "same": {"a": 1, "b": 2}})]
    );
}

#[test]
fn documents_json_and_crlf_are_read() {
    assert_eq!(
        documents("---\r\n# nothing\r\n---\r\na: b\r\n---\r\n{\"c\": [1, \"2\"]}\r\n"),
        [json!({"a": "b"}), json!({"c": [1, "2"]})]
    );
}

#[test]
fn helm_actions_on_their_own_line_are_passed_over() {
    let text =
        "{{- if .Values.crds }}\na: 1\nlabels:\n  {{- include \"x\" . | nindent 4 }}\n  b: c\n{{ end }}\n";
    assert_eq!(documents(text), [json!({"a": 1, "labels": {"b": "c"}})]);
    // A block of text may contain such lines.
    assert_eq!(documents("a: |\n  {{ b }}\n"), [json!({"a": "{{ b }}\n"})]);
}

#[test]
fn other_template_syntax_is_a_problem_at_its_line() {
    let (code, _, place) = mistake("a: 1\ngroup: {{ .Values.group }}\nb: 2\n");
    assert_eq!(
        (code, place.as_str()),
        (Code::TemplateSyntax, "{{ .Values.group }}")
    );
}

#[test]
fn mistakes_have_a_place() {
    let (code, message, place) = mistake("a: 1\nb: 2\na: 3\n");
    assert_eq!(
        (code, message.as_str(), place.as_str()),
        (Code::InvalidYaml, "the key `a` is given twice", "a")
    );
    assert_eq!(mistake("a: [1, 2\nb: 3\n").0, Code::InvalidYaml);
    // An alias bomb ends at the limit.
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let uses = format!("*a{}, ", level - 1).repeat(10);
        bomb += &format!("a{level}: &a{level} [{uses}]\n");
    }
    assert_eq!(mistake(&bomb).0, Code::Limit);
}

#[test]
fn quoted_lines_need_no_indentation() {
    let text = "a:\n  b: 'one\n  it''s\n\n  two'\n  c: \"x\ny\"\n  d: e\n";
    assert_eq!(
        documents(text),
        [json!({"a": {"b": "one it's\ntwo", "c": "x y", "d": "e"}})]
    );
    let mut files = Files::default();
    let file = files.add(SourceFile::new("a.yaml", text));
    let nodes = read(text, file).unwrap();
    let inner = nodes[0].get("a").unwrap();
    assert_eq!(files.slice(inner.get("d").unwrap().span), "e");
    assert_eq!(mistake("a: 'b\nc'\nd: [e\n").2, "[");
}
