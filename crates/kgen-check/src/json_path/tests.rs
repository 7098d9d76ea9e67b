use super::*;

fn fields(names: &[&str]) -> Vec<Selector> {
    names
        .iter()
        .map(|name| Selector::Field((*name).to_owned()))
        .collect()
}

#[test]
fn plain_and_escaped_fields() {
    assert_eq!(parse(".spec.replicas").unwrap(), fields(&["spec", "replicas"]));
    assert_eq!(
        parse(r".metadata.labels.example\.org/owner").unwrap(),
        fields(&["metadata", "labels", "example.org/owner"])
    );
    assert_eq!(
        parse(".metadata.annotations['a-b']").unwrap(),
        fields(&["metadata", "annotations", "a-b"])
    );
    assert_eq!(
        parse(r".metadata.annotations['a\.b/c']").unwrap(),
        fields(&["metadata", "annotations", "a.b/c"])
    );
    // As in kubectl: without a backslash, the dot in quotes still separates.
    assert_eq!(
        parse(".metadata.annotations['a.b']").unwrap(),
        fields(&["metadata", "annotations", "a", "b"])
    );
}

#[test]
fn brackets_filters_and_descents() {
    let meals = |selector| [fields(&["meals"]), vec![selector], fields(&["name"])].concat();
    for text in [
        ".meals[0].name",
        ".meals[*].name",
        ".meals[-1:].name",
        ".meals[0:2].name",
        ".meals[:].name",
    ] {
        assert_eq!(parse(text).unwrap(), meals(Selector::Items), "{text}");
    }
    assert_eq!(parse(".meals.*.name").unwrap(), meals(Selector::Wildcard));
    let by_type = Selector::Filter(vec![fields(&["type"])]);
    assert_eq!(
        parse(r#".meals[?(@.type=="Ready")].name"#).unwrap(),
        meals(by_type.clone())
    );
    assert_eq!(
        parse(".meals[?(@.type == 'a)b')].name").unwrap(),
        meals(by_type.clone())
    );
    assert_eq!(parse(".meals[?(@.type)].name").unwrap(), meals(by_type));
    assert_eq!(
        parse("..image").unwrap(),
        [vec![Selector::Descent], fields(&["image"])].concat()
    );
    assert_eq!(
        parse(".a['b','c']").unwrap(),
        [
            fields(&["a"]),
            vec![Selector::Union(vec![fields(&["b"]), fields(&["c"])])]
        ]
        .concat()
    );
}

#[test]
fn what_is_no_path() {
    for text in [
        "",
        "spec.replicas",
        "{.spec}",
        ".a[",
        ".a[b]",
        ".a[0",
        ".a[1:2:3:4]",
        ".a[?(@.b=='c']",
        ".a[?(@.b='c')]",
        ".a[?(@.b==)]",
        ".a]",
        ".a}",
        "....a",
        ".",
        ".a.",
        ".a.['b']",
        ".a\\",
        ".a\nb",
        ".a[?(@.b==\"c)]",
    ] {
        assert!(parse(text).is_err(), "{text}: {:?}", parse(text));
    }
}

#[test]
fn deep_brackets_do_not_overflow() {
    assert!(parse(&format!(".a{}", "[?(".repeat(10_000))).is_err());
    assert!(parse(&format!(".{}", "[?(@.a".repeat(5000) + &")]".repeat(5000))).is_err());
}
