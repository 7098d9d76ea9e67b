//! Names, metadata, versions.

use kgen_diagnostics::Code;
use kgen_model::{Api, Deprecation, Resource};

use super::builder::{at, number, object, of_resource, place, resource, version};
use super::{Example, bad, good};

fn changed(change: impl FnOnce(&mut Resource)) -> Api {
    let mut resource = resource(vec![version("v1", [("spec", object([("size", number())]))])]);
    change(&mut resource);
    of_resource(resource)
}

fn named(group: &str, kind: &str, plural: &str) -> Api {
    changed(|resource| {
        resource.group = group.to_owned();
        resource.kind = kind.to_owned();
        resource.names.list_kind = format!("{kind}List");
        resource.names.plural = plural.to_owned();
    })
}

fn versions<const N: usize>(names: [&str; N], stored: &[&str], unserved: &[&str]) -> Api {
    let versions = names.into_iter().map(|name| {
        let mut version = version(name, [("spec", object([("size", number())]))]);
        version.storage = stored.contains(&name).then(|| place(20));
        version.unserved = unserved.contains(&name).then(|| place(30));
        version
    });
    of_resource(resource(versions.collect()))
}

fn annotated(group: &str, key: &str, value: &str) -> Api {
    changed(|resource| {
        resource.group = group.to_owned();
        resource.annotations.insert(key.to_owned(), value.to_owned());
        resource.versions[0]
            .annotations
            .push((key.to_owned(), value.to_owned(), place(5)));
    })
}

fn labeled(key: &str, value: &str) -> Api {
    changed(|resource| {
        resource.labels.insert(key.to_owned(), value.to_owned());
    })
}

fn deprecated(warning: &str) -> Api {
    changed(|resource| {
        resource.versions[0].deprecation = Some(Deprecation {
            warning: Some(warning.to_owned()),
            span: place(6),
        });
    })
}

pub(super) fn examples() -> Vec<Example> {
    let approval = "api-approved.kubernetes.io";
    let long = "a".repeat(64);
    vec![
        good("name-plain", named("example.com", "Foo", "foos")),
        good(
            "name-kind-with-digits",
            named("a1.example.com", "Foo2Bar", "foo2bars"),
        ),
        good(
            "name-longest-plural",
            named("example.com", "Foo", &"a".repeat(63)),
        ),
        bad(
            "name-group-without-dot",
            Code::InvalidName,
            named("example", "Foo", "foos"),
        ),
        bad(
            "name-group-upper-case",
            Code::InvalidName,
            named("Example.com", "Foo", "foos"),
        ),
        bad(
            "name-group-empty-label",
            Code::InvalidName,
            named("example..com", "Foo", "foos"),
        ),
        bad(
            "name-group-too-long",
            Code::InvalidName,
            named(&format!("{}com", "abcd.".repeat(51)), "Foo", "foos"),
        ),
        bad(
            "name-definition-too-long",
            Code::InvalidName,
            named(&format!("{}com", "abcd.".repeat(49)), "Foo", "foofoos"),
        ),
        bad(
            "name-kind-with-underscore",
            Code::InvalidName,
            changed(|resource| resource.kind = "Foo_Bar".to_owned()),
        ),
        bad(
            "name-kind-non-ascii",
            Code::InvalidName,
            changed(|resource| resource.kind = "Föö".to_owned()),
        ),
        bad(
            "name-list-kind-too-long",
            Code::InvalidName,
            named("example.com", &"A".repeat(60), "foos"),
        ),
        bad(
            "name-list-kind-equals-kind",
            Code::InvalidName,
            changed(|resource| resource.names.list_kind = "Foo".to_owned()),
        ),
        bad(
            "name-plural-upper-case",
            Code::InvalidName,
            named("example.com", "Foo", "Foos"),
        ),
        bad(
            "name-plural-empty",
            Code::InvalidName,
            named("example.com", "Foo", ""),
        ),
        bad(
            "name-plural-too-long",
            Code::InvalidName,
            named("example.com", "Foo", &long),
        ),
        bad(
            "name-plural-begins-with-digit",
            Code::InvalidName,
            named("example.com", "Foo", "1foos"),
        ),
        bad(
            "name-singular",
            Code::InvalidName,
            changed(|resource| resource.names.singular = "a foo".to_owned()),
        ),
        good(
            "name-singular-empty",
            changed(|resource| resource.names.singular.clear()),
        ),
        bad(
            "name-short-name",
            Code::InvalidName,
            changed(|resource| resource.names.short_names = vec!["Fo".to_owned()]),
        ),
        bad(
            "name-short-name-empty",
            Code::InvalidName,
            changed(|resource| resource.names.short_names = vec![String::new()]),
        ),
        bad(
            "name-category",
            Code::InvalidName,
            changed(|resource| resource.names.categories = vec!["all!".to_owned()]),
        ),
        bad("name-version", Code::InvalidName, versions(["V1"], &[], &[])),
        bad(
            "name-version-begins-with-digit",
            Code::InvalidName,
            versions(["1"], &[], &[]),
        ),
        good("storage-single", versions(["v1"], &[], &[])),
        good("storage-one-of-two", versions(["v1", "v2"], &["v2"], &[])),
        bad(
            "storage-none-of-two",
            Code::StorageVersion,
            versions(["v1", "v2"], &[], &[]),
        ),
        bad(
            "storage-two-of-two",
            Code::StorageVersion,
            versions(["v1", "v2"], &["v1", "v2"], &[]),
        ),
        good("served-one-of-two", versions(["v1", "v2"], &["v1"], &["v1"])),
        super::stricter(
            "served-none",
            Code::StorageVersion,
            versions(["v1"], &[], &["v1"]),
        ),
        bad(
            "version-twice",
            Code::DuplicateKind,
            versions(["v1", "v1"], &["v1"], &[]),
        )
        .also(Code::StorageVersion),
        bad(
            "reserved-group",
            Code::ReservedGroup,
            named("apps.k8s.io", "Foo", "foos"),
        ),
        bad(
            "reserved-group-itself",
            Code::ReservedGroup,
            named("kubernetes.io", "Foo", "foos"),
        ),
        good(
            "reserved-group-approved",
            annotated(
                "apps.k8s.io",
                approval,
                "https://github.com/kubernetes/kubernetes/pull/1",
            ),
        ),
        good(
            "reserved-group-unapproved",
            annotated("apps.k8s.io", approval, "unapproved, experimental"),
        ),
        bad(
            "reserved-group-not-a-url",
            Code::ReservedGroup,
            annotated("apps.k8s.io", approval, "somebody said so"),
        ),
        good("reserved-group-look-alike", named("notk8s.io", "Foo", "foos")),
        good(
            "annotation",
            annotated("example.com", "example.com/Owner_1", "anything\nat all"),
        ),
        bad(
            "annotation-key",
            Code::InvalidName,
            annotated("example.com", "example.com/a/b", "x"),
        ),
        bad(
            "annotation-key-blank",
            Code::InvalidName,
            annotated("example.com", "my key", "x"),
        ),
        bad(
            "annotation-too-large",
            Code::InvalidName,
            annotated("example.com", "large", &"x".repeat(262_144)),
        ),
        good("label", labeled("example.com/owner", "me")),
        good("label-empty-value", labeled("owner", "")),
        bad("label-value", Code::InvalidName, labeled("owner", "not me")),
        bad("label-value-too-long", Code::InvalidName, labeled("owner", &long)),
        bad(
            "label-key-prefix",
            Code::InvalidName,
            labeled("Example.com/owner", "me"),
        ),
        good("deprecation", deprecated("use v2, it is better")),
        bad(
            "deprecation-too-long",
            Code::MarkerValue,
            deprecated(&"x".repeat(257)),
        ),
        bad("deprecation-line-break", Code::MarkerValue, deprecated("use\nv2")),
    ]
}

impl Example {
    /// Adds one more code that the example gets.
    fn also(mut self, code: Code) -> Self {
        self.codes.push(code);
        self
    }
}

#[test]
fn resources_of_a_group_do_not_share_names() {
    let other = |change: fn(&mut Resource)| {
        let mut second = resource(vec![version("v1", [])]);
        second.kind = "Bar".to_owned();
        second.names.list_kind = "BarList".to_owned();
        second.names.plural = "bars".to_owned();
        second.names.singular = "bar".to_owned();
        change(&mut second);
        let mut first = resource(vec![version("v1", [])]);
        first.names.short_names = vec!["fo".to_owned()];
        super::error_codes(&Api {
            resources: vec![first, second],
            ..Api::default()
        })
    };
    assert_eq!(other(|_| {}), []);
    assert_eq!(
        other(|resource| resource.names.plural = "foos".to_owned()),
        [Code::DuplicateKind]
    );
    assert_eq!(
        other(|resource| resource.names.short_names = vec!["foo".to_owned()]),
        [Code::DuplicateKind]
    );
    assert_eq!(
        other(|resource| resource.names.singular = "fo".to_owned()),
        [Code::DuplicateKind]
    );
    assert_eq!(
        other(|resource| resource.kind = "FooList".to_owned()),
        [Code::DuplicateKind]
    );
    assert_eq!(
        other(|resource| {
            resource.group = "other.com".to_owned();
            resource.names.plural = "foos".to_owned();
        }),
        []
    );
}

#[test]
fn a_kind_without_versions_is_worth_a_note() {
    let api = changed(|resource| resource.versions[0].skipped = true);
    let problems: Vec<_> = crate::tests::check(&api).into_iter().collect();
    assert_eq!(problems.len(), 1);
    assert!(!problems[0].is_error());
    assert_eq!(
        problems[0].message,
        "every version of `Foo` is skipped, so it has no CRD"
    );
}

#[test]
fn a_second_stored_version_points_at_the_first() {
    let mut api = versions(["v1", "v2"], &["v1", "v2"], &[]);
    api.resources[0].versions[1].storage = Some(place(21));
    let problems: Vec<_> = crate::tests::check(&api).into_iter().collect();
    assert_eq!(problems[0].span, Some(place(21)));
    assert_eq!(problems[0].related[0].span, place(20));
}

#[test]
fn names_are_reported_where_they_are_stated() {
    let api = changed(|resource| {
        resource.names.plural = "Foos".to_owned();
        resource.versions[0].plural = Some(at("Foos".to_owned()));
    });
    let problems: Vec<_> = crate::tests::check(&api).into_iter().collect();
    assert_eq!(problems[0].span, Some(place(7)));
}
