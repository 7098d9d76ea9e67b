//! The effects of markers on schemas.

use kgen_diagnostics::Code;
use kgen_model::{Constraints, JsonType, Keyword, ListType, MapType, Number, Schema, Sparse};
use serde_json::json;

use super::{applied, applied_at, clean, refused, string};
use crate::Position;

fn rules(schema: &Schema) -> Vec<&str> {
    schema
        .constraints
        .rules
        .iter()
        .map(|rule| rule.rule.as_str())
        .collect()
}

fn object(fields: &[&str]) -> Schema {
    let mut schema = Schema::of_type(JsonType::Object);
    schema
        .properties
        .extend(fields.iter().map(|field| ((*field).to_owned(), string().into())));
    schema
}

#[test]
fn bounds_are_stated_with_their_place() {
    let schema = clean(
        &[
            "+kubebuilder:validation:Minimum=1",
            "+kubebuilder:validation:Maximum:=9",
            "+kubebuilder:validation:ExclusiveMaximum=true",
            "+kubebuilder:validation:MultipleOf=2",
        ],
        Schema::integer("int32"),
    );
    assert_eq!(schema.constraints.minimum, Some(Number::Integer(1)));
    assert_eq!(schema.constraints.maximum, Some(Number::Integer(9)));
    assert!(schema.constraints.exclusive_maximum);
    assert!(
        schema.places.stated(Keyword::Minimum).is_some()
            && schema.places.stated(Keyword::MultipleOf).is_some()
    );
    let number = clean(
        &["+kubebuilder:validation:Minimum=-0.5"],
        Schema::of_type(JsonType::Number),
    );
    assert_eq!(number.constraints.minimum, Some(Number::Float(-0.5)));
}

#[test]
fn a_level_combines_with_what_it_inherits() {
    let inherited = Constraints {
        min_length: Some(4),
        pattern: Some("^a".to_owned()),
        ..Constraints::default()
    };
    let schema = clean(
        &[
            "+kubebuilder:validation:MinLength=10",
            "+kubebuilder:validation:Pattern=b$",
            "+kubebuilder:validation:MaxLength=10",
        ],
        Schema {
            constraints: inherited.into(),
            ..string()
        },
    );
    assert_eq!(
        (schema.constraints.min_length, schema.constraints.max_length),
        (Some(10), Some(10))
    );
    assert_eq!(schema.constraints.all_of.len(), 2);
}

#[test]
fn markers_need_fitting_types() {
    let inapplicable = |text: &str, schema: Schema| {
        assert_eq!(applied(&[text], schema).1, [Code::InapplicableMarker], "{text}")
    };
    inapplicable("+kubebuilder:validation:Minimum=1", string());
    inapplicable("+kubebuilder:validation:ExclusiveMinimum=true", string());
    inapplicable("+kubebuilder:validation:MaxLength=1", Schema::integer("int32"));
    inapplicable("+kubebuilder:validation:Pattern=a", Schema::anything());
    inapplicable("+kubebuilder:validation:MaxItems=1", string());
    inapplicable("+kubebuilder:validation:UniqueItems=true", string());
    inapplicable("+kubebuilder:validation:MaxProperties=1", string());
    inapplicable("+kubebuilder:validation:items:MaxLength=1", string());
    inapplicable(
        "+kubebuilder:validation:items:MaxItems=1",
        Schema::array_of(string()),
    );
    inapplicable("+kubebuilder:validation:XIntOrString", Schema::array_of(string()));
    inapplicable("+listType=set", string());
    inapplicable("+listMapKey=a", Schema::array_of(string()));
    inapplicable("+mapType=atomic", string());
    inapplicable("+structType=atomic", string());
    inapplicable("+k8s:eachVal=+k8s:maxLength=1", string());
    inapplicable("+k8s:eachVal=+k8s:required", Schema::array_of(string()));
    inapplicable(
        "+k8s:eachVal=+k8s:maxLength=1",
        Schema::array_of(Schema::integer("int32")),
    );
    inapplicable("+k8s:subfield(b)=+k8s:maxLength=1", object(&["a"]));
    let at_type = |text: &str, schema: Schema| applied_at(Position::Type, &[text], schema).1;
    assert_eq!(
        at_type("+k8s:enum", Schema::integer("int32")),
        [Code::InapplicableMarker]
    );
    assert_eq!(at_type("+k8s:enum", string()), [Code::InapplicableMarker]);
    assert_eq!(
        at_type("+kubebuilder:validation:AtMostOneOf=a;b", string()),
        [Code::InapplicableMarker]
    );
}

#[test]
fn values_must_fit_the_resolved_type() {
    let codes = |text: &str, schema: Schema| applied(&[text], schema).1;
    assert_eq!(
        codes("+kubebuilder:validation:Minimum=0.5", Schema::integer("int32")),
        [] // the check of bounds reports it, so that it can be allowed
    );
    assert_eq!(
        codes("+kubebuilder:validation:Minimum=1.0", Schema::integer("int32")),
        []
    );
    assert_eq!(
        codes("+kubebuilder:validation:MultipleOf=0", Schema::integer("int32")),
        [Code::MarkerValue]
    );
    assert_eq!(
        codes("+kubebuilder:validation:Type=strin", string()),
        [Code::MarkerValue]
    );
    assert_eq!(
        codes("+kubebuilder:validation:Enum={}", string()),
        [Code::MarkerValue]
    );
    assert_eq!(
        codes("+kubebuilder:externalDocs:url=example.com", string()),
        [Code::MarkerValue]
    );
    assert_eq!(codes("+kubebuilder:externalDocs:url=/docs", string()), []);
}

#[test]
fn the_problem_says_what_the_node_is_and_points_at_the_marker() {
    let mut problems = kgen_diagnostics::Problems::new();
    let markers = super::markers(&["+kubebuilder:validation:MaxLength=1"], Position::Field);
    crate::apply_to_schema(&markers, &mut Schema::array_of(string()), &mut problems);
    let problem = problems.iter().next().unwrap();
    assert_eq!(
        problem.message,
        "`kubebuilder:validation:MaxLength` must be on a string"
    );
    assert_eq!(problem.beside(), "this is an array");
    assert_eq!(
        problem.help,
        ["write `+kubebuilder:validation:items:MaxLength` to apply it to the items"]
    );
    assert_eq!(problem.span, Some(markers[0].span()));
}

#[test]
fn enumerations_narrow_and_never_vanish() {
    let red_green = Constraints {
        enumeration: Some(vec![json!("red"), json!("green")]),
        ..Constraints::default()
    };
    let typed = Schema {
        constraints: red_green.into(),
        ..string()
    };
    let (schema, codes) = applied_at(
        Position::Field,
        &["+kubebuilder:validation:Enum=green;blue"],
        typed.clone(),
    );
    assert_eq!(schema.constraints.enumeration, Some(vec![json!("green")]));
    assert_eq!(codes, [Code::InvalidEnumValue]);
    let mut problems = kgen_diagnostics::Problems::new();
    let markers = super::markers(&["+kubebuilder:validation:Enum=blue"], Position::Field);
    crate::apply_to_schema(&markers, &mut typed.clone(), &mut problems);
    let problem = problems.iter().next().unwrap();
    assert_eq!(
        (problem.code, problem.span),
        (Code::EmptyEnum, Some(markers[0].span()))
    );
    let mixed = clean(
        &["+kubebuilder:validation:Enum=1;a;true;\"2\""],
        Schema::anything(),
    );
    assert_eq!(
        mixed.constraints.enumeration,
        Some(vec![json!(1), json!("a"), json!(true), json!("2")])
    );
    assert_eq!(
        applied_at(Position::Type, &["+k8s:enum"], typed.clone()),
        (typed, vec![])
    );
}

#[test]
fn items_markers_touch_only_this_use_of_the_item_type() {
    let item: std::sync::Arc<Schema> = string().into();
    let list = Schema {
        items: Some(item.clone()),
        ..Schema::of_type(JsonType::Array)
    };
    let schema = clean(
        &[
            "+kubebuilder:validation:items:MaxLength=4",
            "+kubebuilder:validation:MaxItems=2",
            "+kubebuilder:validation:items:XValidation:rule=\"b\"",
            "+kubebuilder:validation:items:XValidation:rule=\"a\"",
        ],
        list,
    );
    let items = schema.items.as_deref().unwrap();
    assert_eq!(
        (items.constraints.max_length, item.constraints.max_length),
        (Some(4), None)
    );
    assert_eq!(rules(items), ["b", "a"]);
    assert_eq!(schema.constraints.max_items, Some(2));
}

#[test]
fn the_type_marker_goes_first_and_drops_what_no_longer_fits() {
    let schema = clean(
        &[
            "+kubebuilder:validation:MaxLength=5",
            "+kubebuilder:validation:Type=string",
        ],
        object(&["a"]),
    );
    assert_eq!(schema.json_type, Some(JsonType::String));
    assert!(schema.properties.is_empty());
    let byte = Constraints {
        minimum: Some(Number::Integer(0)),
        maximum: Some(Number::Integer(255)),
        ..Constraints::default()
    };
    let byte = Schema {
        constraints: byte.into(),
        ..Schema::integer("int32")
    };
    let schema = clean(&["+kubebuilder:validation:Type=object"], byte.clone());
    assert_eq!((schema.format(), &schema.constraints), (None, &Sparse::default()));
    assert_eq!(
        applied(&["+kubebuilder:validation:Type=string"], byte).1,
        [Code::InapplicableMarker]
    );
    let same = clean(&["+kubebuilder:validation:Type=object"], object(&["a"]));
    assert_eq!(same.properties.len(), 1);
    assert_eq!(
        clean(&["+kubebuilder:validation:Type=\"\""], string()).json_type,
        None
    );
    let schemaless = clean(
        &[
            "+kubebuilder:validation:Type=object",
            "+kubebuilder:pruning:PreserveUnknownFields",
        ],
        Schema::default(),
    );
    assert!(schemaless.preserve_unknown_fields && schemaless.json_type == Some(JsonType::Object));
}

#[test]
fn int_or_string() {
    let schema = clean(
        &[
            "+kubebuilder:validation:Pattern=^[0-9]+$",
            "+kubebuilder:validation:XIntOrString",
        ],
        string(),
    );
    assert_eq!(
        (schema.json_type, schema.int_or_string, schema.any_of.len()),
        (None, true, 2)
    );
    assert!(schema.constraints.pattern.is_some());
    let already = clean(
        &[
            "+kubebuilder:validation:XIntOrString",
            "+kubebuilder:validation:MaxLength=5",
        ],
        Schema::int_or_string(),
    );
    assert_eq!(
        (already.any_of.len(), already.constraints.max_length),
        (2, Some(5))
    );
}

#[test]
fn defaults_and_their_types() {
    let default = |text: &str, schema: Schema| clean(&[text], schema).default.unwrap();
    assert_eq!(
        default("+kubebuilder:default={}", Schema::array_of(string())),
        json!([])
    );
    assert_eq!(default("+kubebuilder:default={}", object(&[])), json!({}));
    assert_eq!(
        default("+kubebuilder:default=[\"a\",\"b\"]", Schema::array_of(string())),
        json!(["a", "b"])
    );
    assert_eq!(
        default("+kubebuilder:default:=5", Schema::integer("int32")),
        json!(5)
    );
    assert_eq!(
        default("+default={\"a\":[1,2.0]}", object(&[])),
        json!({"a": [1, 2]})
    );
    assert_eq!(default("+default:=14", Schema::integer("int32")), json!(14));
    assert_eq!(
        default("+default=\"north, \\\"old\\\" quay\"", string()),
        json!("north, \"old\" quay")
    );
}

#[test]
fn lists_and_maps_of_server_side_apply() {
    let schema = clean(
        &["+listMapKey=a", "+listMapKey=b", "+listType=map"],
        Schema::array_of(object(&["a", "b"])),
    );
    assert_eq!(
        (schema.list_type, schema.list_map_keys),
        (Some(ListType::Map), vec!["a".to_owned(), "b".to_owned()].into())
    );
    assert_eq!(
        clean(&["+mapType=granular"], Schema::map_of(string())).map_type,
        Some(MapType::Granular)
    );
    assert_eq!(
        clean(&["+structType=atomic"], Schema::default()).map_type,
        Some(MapType::Atomic)
    );
    let set = Schema {
        list_type: Some(ListType::Map),
        list_map_keys: vec!["a".to_owned()].into(),
        ..Schema::array_of(string())
    };
    assert_eq!(clean(&["+listType=atomic"], set).list_map_keys.len(), 0);
}

#[test]
fn one_of_rules_come_last_in_the_order_of_their_sort() {
    let (schema, codes) = applied_at(
        Position::Type,
        &[
            "+kubebuilder:validation:AtLeastOneOf=a;b",
            "+kubebuilder:validation:ExactlyOneOf=a;in",
            "+kubebuilder:validation:AtMostOneOf=a;x-y",
            "+kubebuilder:validation:XValidation:rule=\"true\"",
        ],
        object(&["a", "b", "in", "x-y"]),
    );
    assert_eq!(codes, []);
    assert_eq!(
        rules(&schema),
        [
            "true",
            "(has(self.a)?1:0)+(has(self.x__dash__y)?1:0) <= 1",
            "(has(self.a)?1:0)+(has(self.__in__)?1:0) == 1",
            "has(self.a)||has(self.b)",
        ]
    );
    let messages: Vec<_> = schema
        .constraints
        .rules
        .iter()
        .map(|rule| rule.message.as_deref().unwrap_or_default())
        .collect();
    assert_eq!(
        messages,
        [
            "",
            "at most one of the fields in [a x-y] may be set",
            "exactly one of the fields in [a in] must be set",
            "at least one of the fields in [a b] must be set",
        ]
    );
    assert!(schema.constraints.rules.iter().all(|rule| rule.span.is_some()));
    let codes = |text: &str| applied_at(Position::Type, &[text], object(&["a"])).1;
    assert_eq!(
        codes("+kubebuilder:validation:AtMostOneOf=a.b;c"),
        [Code::MarkerValue]
    );
    assert_eq!(
        codes("+kubebuilder:validation:AtMostOneOf=a;a"),
        [Code::MarkerValue]
    );
}

#[test]
fn rules_keep_source_order_and_their_text() {
    let schema = clean(
        &[
            "+kubebuilder:validation:XValidation:rule=\"self != \\\"a, b\\\"\",message=m,reason=FieldValueForbidden,fieldPath=.a,optionalOldSelf=true",
            "+k8s:immutable",
            "+kubebuilder:validation:XValidation:rule=`self.b`,messageExpression=\"'x' + self\"",
        ],
        string(),
    );
    assert_eq!(rules(&schema), ["self != \"a, b\"", "self == oldSelf", "self.b"]);
    let first = &schema.constraints.rules[0];
    assert_eq!(
        (
            first.reason.as_deref(),
            first.field_path.as_deref(),
            first.optional_old_self
        ),
        (Some("FieldValueForbidden"), Some(".a"), Some(true))
    );
    assert_eq!(
        schema.constraints.rules[1].message.as_deref(),
        Some("field is immutable")
    );
}

#[test]
fn declarative_validations() {
    let schema = clean(
        &[
            "+k8s:eachVal=+k8s:maxLength=5",
            "+k8s:eachVal=+k8s:minLength=1",
            "+k8s:maxItems=3",
        ],
        Schema::array_of(string()),
    );
    let items = &schema.items.as_deref().unwrap().constraints;
    assert_eq!(
        (items.min_length, items.max_length, schema.constraints.max_items),
        (Some(1), Some(5), Some(3))
    );
    let map = clean(
        &["+k8s:eachVal=+k8s:eachVal=+k8s:maximum=5"],
        Schema::map_of(Schema::array_of(Schema::integer("int32"))),
    );
    let inner = map
        .additional_properties
        .as_deref()
        .unwrap()
        .items
        .as_deref()
        .unwrap();
    assert_eq!(inner.constraints.maximum, Some(Number::Integer(5)));
    let schema = clean(
        &[
            "+k8s:subfield(a)=+k8s:required",
            "+k8s:subfield(\"b\")=+k8s:immutable",
            "+k8s:subfield(c)=+k8s:forbidden",
            "+k8s:subfield(a)=+k8s:format=k8s-short-name",
        ],
        object(&["a", "b", "c"]),
    );
    assert!(schema.required.contains("a"));
    assert_eq!(rules(&schema), ["!has(oldSelf.b) || has(self.b)", "!has(self.c)"]);
    assert_eq!(rules(&schema.properties["b"]), ["self == oldSelf"]);
    assert_eq!(schema.properties["a"].format(), Some("k8s-short-name"));
}

#[test]
fn names_in_cel() {
    for (name, escaped) in [
        ("a", "a"),
        ("in", "__in__"),
        ("namespace", "__namespace__"),
        ("x-y", "x__dash__y"),
        ("a.b/c", "a__dot__b__slash__c"),
        ("__x", "__underscores__x"),
        ("a__b", "a__underscores__b"),
        ("_a", "_a"),
        ("é", "é"),
        ("", ""),
        ("___", "__underscores___"),
    ] {
        assert_eq!(crate::cel_field(name), escaped);
    }
    let union = crate::rules::union(&[("git", "Git"), ("oci", "O'")], Some("type"), false);
    assert_eq!(
        union[0].rule,
        "(has(self.type) && self.type == 'Git') == has(self.git)"
    );
    assert_eq!(
        union[1].rule,
        "(has(self.type) && self.type == 'O\\'') == has(self.oci)"
    );
    assert_eq!(
        crate::rules::union(&[("a", "A"), ("b", "B")], None, true)[0].rule,
        "(has(self.a)?1:0)+(has(self.b)?1:0) <= 1"
    );
    assert_eq!(crate::rules::member_name("m1"), "M1");
}

#[test]
fn contents_describe_values_without_a_type() {
    let text = r#"+kgen:validation:Contents={"minimum": 3, "properties": {"a": {"type": "string", "default": "x"}}}"#;
    let (schema, codes) = applied(&[text], Schema::anything());
    assert_eq!(codes, []);
    assert_eq!(schema.properties["a"].default, Some("x".into()));
    assert_eq!(schema.constraints.minimum, Some(Number::Integer(3)));
    assert_eq!(applied(&[text], string()).1, [Code::InapplicableMarker]);
}

#[test]
fn contents_do_not_lose_wrong_input() {
    let nested = |keyword: &str| {
        format!(r#"+kgen:validation:Contents={{"properties": {{"a": {{"type": "string", {keyword}}}}}}}"#)
    };
    let code = |keyword: &str| refused(&nested(keyword), Position::Field).0;
    let rules = [
        "7",
        "{}",
        r#"{"message": "a"}"#,
        r#"{"rule": 7}"#,
        r#"{"rule": "true", "mesage": "lost"}"#,
        r#"{"rule": "true", "message": 7}"#,
        r#"{"rule": "true", "optionalOldSelf": "true"}"#,
    ];
    for rule in rules {
        let found = code(&format!(r#""x-kubernetes-validations": [{rule}]"#));
        assert_eq!(found, Code::MarkerValue, "{rule}");
    }
    for link in ["7", r#"{"url": 7}"#, r#"{"link": "a"}"#] {
        let found = code(&format!(r#""externalDocs": {link}"#));
        assert_eq!(found, Code::MarkerValue, "{link}");
    }
    let text = nested(
        r#""externalDocs": {"url": "https://example.org"},
        "x-kubernetes-validations": [{"rule": "true", "message": "a", "optionalOldSelf": true}]"#,
    );
    let (schema, codes) = applied(&[&text.replace('\n', "")], Schema::anything());
    assert_eq!(codes, []);
    let rule = &schema.properties["a"].constraints.rules[0];
    assert_eq!(
        (rule.message.as_deref(), rule.optional_old_self),
        (Some("a"), Some(true))
    );
}

#[test]
fn enumerations_have_lists_and_objects() {
    let (schema, codes) = applied(
        &[r#"+kubebuilder:validation:Enum={["a"], [], {"b": 1}, {}, null, c}"#],
        Schema::anything(),
    );
    assert_eq!(codes, []);
    let values = schema.constraints.enumeration.clone().unwrap();
    assert_eq!(
        serde_json::Value::from(values),
        serde_json::json!([["a"], [], {"b": 1}, {}, null, "c"])
    );
}
