//! Changes of users in a chart survive the next run.

use kgen_diagnostics::Problems;
use serde_json::{Value, json};

use super::{Setting, is_edited, is_merged, merge, template_hash};

/// Values with their paths and comments.
type Values = Vec<(&'static str, Value)>;

fn values() -> Values {
    vec![
        ("image.repository", json!("a")),
        ("image.tag", json!("")),
        ("replicas", json!(1)),
        ("resources", json!({ "limits": { "cpu": "1" } })),
        ("rbac.create", json!(true)),
    ]
}

fn run(old: Option<&str>, values: &Values) -> (String, Vec<String>, Vec<String>) {
    let ours: Vec<Setting<'_>> = values
        .iter()
        .map(|(path, value)| Setting {
            keys: path.split('.').collect(),
            comment: Some("About it."),
            value,
        })
        .collect();
    let mut problems = Problems::new();
    let merged = merge(
        "values.yaml",
        old.map(str::to_owned).as_ref(),
        &ours,
        &mut problems,
    );
    let problems = problems.iter().map(|problem| problem.message.clone()).collect();
    (merged.text, merged.own, problems)
}

/// Returns the text without the header.
fn body(text: &str) -> String {
    let lines = text.lines().skip(1).filter(|line| !line.starts_with("# hash "));
    lines.flat_map(|line| [line, "\n"]).collect()
}

const FRESH: &str = "\
image:
  # About it.
  repository: a
  # About it.
  tag: \"\"
# About it.
replicas: 1
# About it.
resources:
  limits:
    cpu: \"1\"
rbac:
  # About it.
  create: true
";

#[test]
fn a_second_run_changes_nothing() {
    let (first, own, problems) = run(None, &values());
    assert_eq!(body(&first), FRESH);
    assert!(own.is_empty() && problems.is_empty());
    assert_eq!(run(Some(&first), &values()).0, first);
}

#[test]
fn comments_order_and_keys_of_the_user_are_kept() {
    let (first, ..) = run(None, &values());
    let edited = first
        .replace("replicas: 1\n", "replicas: 3 # one per zone\n\n")
        .replace(
            "image:\n",
            "# Ours.\nown:\n- a # first\n\nimage:\n  # Not docker.io.\n",
        )
        + "other: {a: [1]}\n";
    let (second, own, problems) = run(Some(&edited), &values());
    assert_eq!(second, edited);
    assert_eq!(
        (own, problems),
        (vec!["other".to_owned(), "own".to_owned()], vec![])
    );
}

#[test]
fn a_default_changes_where_the_user_changed_nothing() {
    let (first, ..) = run(None, &values());
    let edited = first
        .replace("replicas: 1\n", "replicas: 1 # one per zone\n")
        .replace("tag: \"\"", "tag: own");
    let mut new = values();
    new[2].1 = json!(2);
    new[3].1 = json!({});
    let (second, _, problems) = run(Some(&edited), &new);
    assert!(problems.is_empty());
    let expected = FRESH
        .replace("tag: \"\"", "tag: own")
        .replace("replicas: 1\n", "replicas: 2 # one per zone\n")
        .replace("resources:\n  limits:\n    cpu: \"1\"\n", "resources: {}\n");
    assert_eq!(body(&second), expected);
}

#[test]
fn the_value_of_the_user_wins_with_a_warning() {
    let (first, ..) = run(None, &values());
    let edited = first.replace("replicas: 1\n", "replicas: 3\n");
    let mut new = values();
    new[2].1 = json!(2);
    let (second, _, problems) = run(Some(&edited), &new);
    assert_eq!(body(&second), FRESH.replace("replicas: 1\n", "replicas: 3\n"));
    assert_eq!(
        problems,
        ["`replicas` of `values.yaml` was changed, and so was its default: your value `3` is kept"]
    );
    // The warning comes once.
    assert_eq!(run(Some(&second), &new), (second, vec![], vec![]));
}

#[test]
fn new_values_are_added_beside_their_neighbors_and_former_ones_removed() {
    let (first, ..) = run(None, &values());
    let mut new = values();
    new.insert(2, ("image.digest", json!("")));
    new.insert(4, ("metrics.monitor.enabled", json!(false)));
    let (second, own, problems) = run(Some(&first), &new);
    let expected = FRESH
        .replace("  tag: \"\"\n", "  tag: \"\"\n  # About it.\n  digest: \"\"\n")
        .replace(
            "replicas: 1\n",
            "replicas: 1\nmetrics:\n  monitor:\n    # About it.\n    enabled: false\n",
        );
    assert_eq!(body(&second), expected);
    assert!(own.is_empty() && problems.is_empty());
    assert_eq!(body(&run(Some(&second), &values()).0), FRESH);
}

#[test]
fn a_changed_value_that_the_chart_no_longer_has_is_an_error() {
    let mut all = values();
    all.push(("rbac.aggregate", json!(false)));
    let (first, ..) = run(None, &all);
    let edited = first.replace("aggregate: false", "aggregate: true");
    let (_, _, problems) = run(Some(&edited), &values());
    assert_eq!(
        problems,
        ["the chart has no value `rbac.aggregate`, but `values.yaml` sets it"]
    );
}

#[test]
fn the_ends_of_lines_are_kept() {
    let (first, ..) = run(None, &values());
    let edited = first.replace("replicas: 1", "replicas: 3").replace('\n', "\r\n");
    assert_eq!(run(Some(&edited), &values()), (edited, vec![], vec![]));
}

#[test]
fn groups_in_flow_style_are_kept_unless_they_must_change() {
    let (first, ..) = run(None, &values());
    let edited = first.replace(
        "rbac:\n  # About it.\n  create: true\n",
        "rbac: {create: false}\n",
    );
    assert_eq!(run(Some(&edited), &values()).0, edited);
    let mut new = values();
    new.push(("rbac.aggregate", json!(false)));
    let (_, _, problems) = run(Some(&edited), &new);
    assert_eq!(
        problems,
        ["kgen cannot find a place for `rbac.aggregate` in `values.yaml` of the chart"]
    );
}

#[test]
fn texts_of_several_lines_are_replaced_as_a_whole() {
    let old = vec![
        ("a", json!("x\n  # no comment\n\ny\n")),
        ("b", json!([{ "c": 1 }, "d"])),
        ("e", json!(null)),
        ("f", json!(1)),
    ];
    let mut new = old.clone();
    new[0].1 = json!("z");
    new[1].1 = json!([]);
    new[2].1 = json!("e");
    let (first, ..) = run(None, &old);
    assert_eq!(run(Some(&first), &new).0, run(None, &new).0);
}

#[test]
fn files_of_others_are_not_merged() {
    let foreign = "# Mine.\nreplicas: 7\n";
    assert!(!is_merged(foreign));
    assert_eq!(body(&run(Some(foreign), &values()).0), FRESH);
}

#[test]
fn broken_files_are_problems() {
    let (first, ..) = run(None, &values());
    let (_, _, problems) = run(Some(&first.replace("replicas: 1", "replicas: [")), &values());
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("`values.yaml` of the chart cannot be merged: "));
}

#[test]
fn edited_templates_are_noticed_whatever_the_ends_of_lines() {
    let text = "a: b\n";
    let whole = format!(
        "{{{{- /* @generated by kgen helm. Do not edit. */ -}}}}\n{}\n{text}",
        template_hash(text)
    );
    assert!(!is_edited(&whole));
    assert!(!is_edited(&whole.replace('\n', "\r\n")));
    assert!(is_edited(&whole.replace("a: b", "a: c")));
    // A template without the first line belongs to the user.
    assert!(!is_edited(text));
}
