//! What generated objects and apply configurations do when they are run.

use kgen_compiled::generated::apply::v1::BoatSpecApply;
use kgen_compiled::v1::{Boat, BoatSpec};
use kgen_runtime::ApplyConfiguration;
use kube::core::object::{HasSpec, HasStatus};
use kube::{CustomResourceExt, Resource, ResourceExt};
use serde_json::json;

#[test]
fn an_object_is_written_and_read_with_its_version_and_kind() {
    let boat = Boat::new("a", BoatSpec { sail_count: 2 });
    let written = serde_json::to_value(&boat).unwrap();
    let expected = json!({
        "apiVersion": "apart.example.org/v1",
        "kind": "Boat",
        "metadata": { "name": "a" },
        "spec": { "sailCount": 2 },
    });
    assert_eq!(written, expected);
    let read: Boat = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(read.name_any(), "a");
    assert_eq!(read.spec(), &BoatSpec { sail_count: 2 });
    assert!(read.status().is_none());

    let mut other = written.clone();
    other["kind"] = json!("Ship");
    let error = serde_json::from_value::<Boat>(other).unwrap_err().to_string();
    assert!(
        error.contains("`Boat`") || error.contains("expected Boat"),
        "{error}"
    );
    let mut item = written;
    item.as_object_mut()
        .unwrap()
        .retain(|name, _| name != "kind" && name != "apiVersion");
    assert!(
        serde_json::from_value::<Boat>(item).is_ok(),
        "items of lists may lack both"
    );
}

#[test]
fn the_definition_is_embedded() {
    let definition = Boat::crd();
    assert_eq!(definition.name_any(), Boat::crd_name());
    assert_eq!(definition.spec.names.plural, Boat::plural(&()));
    assert_eq!(definition.spec.versions.len(), 1);
    assert_eq!(Boat::api_resource().api_version, "apart.example.org/v1");
}

#[test]
fn a_configuration_holds_what_was_set_and_nothing_else() {
    let configuration = Boat::apply("a", "harbour").spec(BoatSpecApply::default().sail_count(3));
    assert_eq!(configuration.name(), Some("a"));
    let expected = json!({
        "apiVersion": "apart.example.org/v1",
        "kind": "Boat",
        "metadata": { "name": "a", "namespace": "harbour" },
        "spec": { "sailCount": 3 },
    });
    assert_eq!(serde_json::to_value(&configuration).unwrap(), expected);
}
