//! Tests of the merge algorithm, one per step.

use super::read;
use crate::rbac::merge::{Role, Rule, roles};

/// Returns the roles of some markers, which are given without their name.
fn roles_of(lines: &[&str]) -> Vec<Role> {
    let text: String = lines
        .iter()
        .map(|line| format!("+kubebuilder:rbac:{line}\n"))
        .collect();
    roles(&read(&text).access_rules, "keeper")
}

/// Returns the rules of the only role, one line per rule.
fn merged(lines: &[&str]) -> Vec<String> {
    let roles = roles_of(lines);
    assert_eq!(roles.len(), 1, "one role");
    roles
        .iter()
        .flat_map(|role| role.rules.iter().map(shown))
        .collect()
}

fn shown(rule: &Rule) -> String {
    let lists = [
        &rule.groups,
        &rule.resources,
        &rule.resource_names,
        &rule.urls,
        &rule.verbs,
    ];
    lists
        .map(|list| list.iter().map(String::as_str).collect::<Vec<_>>().join(","))
        .join("|")
}

#[test]
fn roles_are_ordered_by_namespace_and_name() {
    let roles = roles_of(&[
        "groups=a,resources=r,verbs=get,namespace=north,roleName=z",
        "groups=a,resources=r,verbs=get,namespace=north",
        "groups=a,resources=r,verbs=get,roleName=zebra",
        "groups=a,resources=r,verbs=get",
        "groups=a,resources=r,verbs=get,namespace=east",
        "groups=a,resources=r,verbs=get,roleName=\"\"",
    ]);
    let names: Vec<_> = roles
        .iter()
        .map(|role| (role.namespace.as_str(), role.name.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            ("", "keeper"),
            ("", "zebra"),
            ("east", "keeper"),
            ("north", "keeper"),
            ("north", "z")
        ]
    );
}

#[test]
fn lists_lose_doubles_and_order_and_core_is_the_group_without_a_name() {
    assert_eq!(
        merged(&["groups=core;apps;apps,resources=pods,resourceNames=b;a;b,verbs=list;get;list"]),
        [",apps|pods|a,b||get,list"]
    );
}

#[test]
fn verbs_of_equal_resources_are_united() {
    assert_eq!(
        merged(&[
            "groups=a,resources=r;s,verbs=get",
            "groups=a,resources=r,verbs=list"
        ]),
        ["a|r|||get,list", "a|s|||get"]
    );
}

#[test]
fn resources_with_equal_verbs_are_united() {
    assert_eq!(
        merged(&[
            "groups=a,resources=s,verbs=get;list",
            "groups=a,resources=r,verbs=list;get"
        ]),
        ["a|r,s|||get,list"]
    );
}

#[test]
fn groups_with_equal_resources_and_verbs_are_united() {
    assert_eq!(
        merged(&["groups=b,resources=r,verbs=get", "groups=a,resources=r,verbs=get"]),
        ["a,b|r|||get"]
    );
}

#[test]
fn urls_with_equal_verbs_are_united() {
    assert_eq!(
        merged(&["urls=/b,verbs=get", "urls=/a,verbs=get", "urls=/c,verbs=post"]),
        ["|||/a,/b|get", "|||/c|post"]
    );
}

#[test]
fn names_of_objects_keep_rules_apart() {
    assert_eq!(
        merged(&[
            "groups=a,resources=r,resourceNames=x,verbs=get",
            "groups=a,resources=r,resourceNames=y,verbs=get"
        ]),
        ["a|r|x||get", "a|r|y||get"]
    );
}

/// controller-gen loses `get` or `list` here, at random.
#[test]
fn rules_that_become_equal_by_a_merge_of_groups_are_united() {
    assert_eq!(
        merged(&[
            "groups=a;b,resources=r,verbs=get",
            "groups=a,resources=r,verbs=list",
            "groups=b,resources=r,verbs=list"
        ]),
        ["a,b|r|||get,list"]
    );
}

/// controller-gen loses `get` or `post` here, at random.
#[test]
fn rules_that_become_equal_by_a_merge_of_urls_are_united() {
    assert_eq!(
        merged(&["urls=/a;/b,verbs=get", "urls=/a,verbs=post", "urls=/b,verbs=post"]),
        ["|||/a,/b|get,post"]
    );
}

#[test]
fn a_star_swallows_other_verbs_after_all_merging() {
    assert_eq!(
        merged(&[
            "groups=a,resources=fronds,verbs=*",
            "groups=a,resources=spores,verbs=get;*",
            "groups=a,resources=croziers,verbs=*"
        ]),
        ["a|croziers,fronds|||*", "a|spores|||*"]
    );
}

#[test]
fn rules_are_sorted_by_their_joined_text() {
    assert_eq!(
        merged(&[
            "groups=batch.io,resources=x,verbs=get",
            "groups=batch;cron,resources=y,verbs=get",
            "groups=batch,resources=z,verbs=get",
            "urls=/metrics,verbs=get"
        ]),
        [
            "|||/metrics|get",
            "batch|z|||get",
            "batch,cron|y|||get",
            "batch.io|x|||get"
        ]
    );
}
