//! What the webhooks fill in and refuse.

#![allow(clippy::unwrap_used, reason = "a test says what it expects")]

mod support;

use kube::Resource;
use memcached_operator::admission::{Violation, defaults, violations};
use memcached_operator::api::v1alpha1::{Memcached, MemcachedSpec};
use support::objects::{fresh, going};

#[test]
fn the_port_is_written_down_if_it_was_left_out() {
    for (before, after) in [(None, 11211), (Some(12000), 12000)] {
        let mut spec = MemcachedSpec {
            size: 1,
            container_port: before,
        };
        defaults(&mut spec);
        assert_eq!(spec.container_port, Some(after));
    }
}

#[test]
fn the_size_is_an_odd_number() {
    let odd = |size| violations(&fresh("a", size));
    assert_eq!([1, 3, 5].map(odd), [vec![], vec![], vec![]]);
    let refused = [Violation {
        field: "spec.size",
        message: "must be an odd number".to_owned(),
    }];
    assert_eq!(odd(2), refused);
    assert_eq!(odd(4), refused);
}

#[test]
fn the_name_fits_into_a_label() {
    assert_eq!(violations(&fresh(&"a".repeat(63), 1)), []);
    let found = violations(&fresh(&"a".repeat(64), 2));
    assert_eq!(
        found.iter().map(|violation| violation.field).collect::<Vec<_>>(),
        ["spec.size", "metadata.name"]
    );
}

#[test]
fn a_deletion_is_not_held_up() {
    assert_eq!(violations(&going(fresh("a", 2))), []);
}

/// The paths stand in the markers, and the server derives them from the kind.
#[test]
fn the_paths_in_the_manifests_are_those_of_the_kind() {
    let manifests = include_str!("../config/webhook/manifests.yaml");
    let (group, version, kind) = (
        Memcached::group(&()),
        Memcached::version(&()),
        Memcached::kind(&()),
    );
    for path in [
        kgen_webhook_path::mutating(&group, &version, &kind),
        kgen_webhook_path::validating(&group, &version, &kind),
    ] {
        assert!(manifests.contains(&format!("path: {path}\n")), "{path}");
    }
}
