//! Where problems are reported: at the marker, else at the field, else above with the path.

use kgen_model::{Keyword, Schema};
use serde_json::json;

use super::builder::{field, object, of_version, place, spec, text, version, with};

#[test]
fn a_marker_goes_before_its_field_and_a_field_before_its_parent() {
    let broken = |places: &dyn Fn(&mut Schema)| {
        let mut schema = with(text(), |schema| schema.default = Some(json!(1)));
        places(&mut schema);
        let problems: Vec<_> = crate::tests::check(&field(schema)).into_iter().collect();
        (problems[0].span, problems[0].message.clone())
    };
    let message = "the default `1` does not match its schema: it has type `integer`, not `string`";
    let marker = broken(&|schema| {
        schema.places.node = Some(place(2));
        schema.places.set(Keyword::Default, place(3));
    });
    assert_eq!(marker, (Some(place(3)), message.to_owned()));
    assert_eq!(
        broken(&|schema| schema.places.node = Some(place(2))),
        (Some(place(2)), message.to_owned())
    );
    assert_eq!(
        broken(&|_| {}),
        (Some(place(1)), format!("{message} (at `.spec.field`)"))
    );
}

#[test]
fn the_nearest_place_above_is_taken() {
    let list = Schema::array_of(object([("a", Schema::map_of(Schema::default()))]));
    let list = with(list, |schema| schema.places.node = Some(place(5)));
    let problems: Vec<_> = crate::tests::check(&spec([("list", list)])).into_iter().collect();
    assert_eq!(problems[0].span, Some(place(5)));
    assert_eq!(
        problems[0].message,
        "a field needs a type (at `.spec.list[*].a.*`)"
    );
}

#[test]
fn parts_of_a_combination_are_reported_at_their_value() {
    let schema = with(text(), |schema| {
        schema.places.node = Some(place(5));
        schema.places.set(Keyword::Pattern, place(6));
        let part = with(Schema::default(), |part| {
            part.constraints.pattern = Some("(".to_owned())
        });
        schema.constraints.all_of = vec![part];
    });
    let problems: Vec<_> = crate::tests::check(&field(schema)).into_iter().collect();
    assert_eq!(problems[0].span, Some(place(6)));
}

#[test]
fn the_root_is_reported_at_the_kind() {
    let mut version = version("v1", []);
    version.schema.nullable = true;
    let problems: Vec<_> = crate::tests::check(&of_version(version)).into_iter().collect();
    assert_eq!(problems[0].span, Some(place(1)));
    assert_eq!(problems[0].message, "a kind cannot be null");
}

#[test]
fn properties_that_every_object_has_are_not_looked_at() {
    let version = version(
        "v1",
        [("metadata", Schema::default()), ("kind", Schema::default())],
    );
    assert!(crate::tests::check(&of_version(version)).is_empty());
}
