//! The settings of markers for the front end.

use super::{marker, markers};
use crate::{OneOfSort, Position, Presence, field_settings, module_settings, type_settings};

fn presence(texts: &[&str]) -> Option<Presence> {
    field_settings(&markers(texts, Position::Field))
        .presence
        .map(|presence| presence.value)
}

#[test]
fn the_strongest_marker_decides_presence() {
    assert_eq!(presence(&[]), None);
    assert_eq!(presence(&["+required", "+optional"]), Some(Presence::Optional));
    assert_eq!(
        presence(&["+optional", "+kubebuilder:validation:Required"]),
        Some(Presence::Required)
    );
    assert_eq!(
        presence(&[
            "+kubebuilder:validation:Required",
            "+kubebuilder:validation:Optional"
        ]),
        Some(Presence::Optional)
    );
    assert_eq!(presence(&["+k8s:required"]), Some(Presence::Required));
}

#[test]
fn modules() {
    let settings = module_settings(&markers(
        &[
            "+groupName=example.com",
            "+versionName=v1",
            "+kubebuilder:skip",
            "+kubebuilder:validation:Optional",
        ],
        Position::Module,
    ));
    assert_eq!(
        settings.group.map(|group| group.value).as_deref(),
        Some("example.com")
    );
    assert_eq!(
        settings.version.map(|version| version.value).as_deref(),
        Some("v1")
    );
    assert!(settings.skip.is_some() && settings.optional_by_default.is_some());
    for text in ["+groupName=", "+groupName", "+groupName=\"\""] {
        let settings = module_settings(&[marker(text, Position::Module)]);
        assert_eq!(
            settings.group.map(|group| group.value).as_deref(),
            Some(""),
            "{text}"
        );
    }
}

#[test]
fn types_and_fields() {
    let settings = type_settings(&markers(
        &["+kubebuilder:validation:ExactlyOneOf=a; b", "+kubebuilder:skip"],
        Position::Type,
    ));
    assert!(settings.skip.is_some());
    let one_of = &settings.one_of[0];
    assert_eq!(one_of.sort, OneOfSort::Exactly);
    assert_eq!(
        one_of
            .fields
            .iter()
            .map(|field| field.value.as_str())
            .collect::<Vec<_>>(),
        ["a", "b"]
    );

    let settings = field_settings(&markers(
        &[
            "+k8s:unionMember(union: \"source\", memberName: \"Git\")",
            "+k8s:unionMember",
            "+k8s:zeroOrOneOfMember()",
            "+k8s:unionDiscriminator(union: \"source\")",
            "+k8s:immutable",
            "+k8s:forbidden",
            "+kubebuilder:validation:Schemaless",
        ],
        Position::Field,
    ));
    let members: Vec<_> = settings
        .union_members
        .iter()
        .map(|member| {
            (
                member.union.as_str(),
                member.member_name.as_deref(),
                member.zero_or_one,
            )
        })
        .collect();
    assert_eq!(
        members,
        [
            ("source", Some("Git"), false),
            ("", None, false),
            ("", None, true)
        ]
    );
    assert_eq!(
        settings.union_discriminator.map(|union| union.value).as_deref(),
        Some("source")
    );
    assert!(settings.immutable.is_some() && settings.forbidden.is_some() && settings.schemaless.is_some());
}

#[test]
fn only_kinds_carry_some_markers() {
    for text in [
        "+genclient",
        "+genclient:noStatus",
        "+kubebuilder:resource:path=a",
        "+kubebuilder:subresource:status",
        "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.a",
        "+kubebuilder:selectablefield:JSONPath=.a",
        "+kubebuilder:storageversion",
        "+kubebuilder:unservedversion",
        "+kubebuilder:deprecatedversion",
        "+kubebuilder:skipversion",
        "+kubebuilder:metadata:labels=\"a=b\"",
        "+kubebuilder:object:root=true",
    ] {
        assert!(marker(text, Position::Kind).is_kind_marker(), "{text}");
    }
    for text in [
        "+kubebuilder:object:root=false",
        "+kubebuilder:skip",
        "+kubebuilder:validation:MaxProperties=1",
        "+kubebuilder:rbac:verbs=get",
    ] {
        assert!(!marker(text, Position::Kind).is_kind_marker(), "{text}");
    }
}
