//! The defaults and errors of the webhooks.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what it expects"
)]

mod support;

use std::path::Path;

use kgen_fake::Cluster;
use kgen_runtime::webhook::{Operation, Request, Validator, Verdict, WebhookServer};
use kube::api::PostParams;
use kube::{Api, Resource};
use memcached_operator::admission::{MemcachedWebhook, defaults, violations};
use memcached_operator::api::v1alpha1::{Memcached, MemcachedSpec};
use support::objects::{fresh, going, memcached};

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

/// Returns the errors of a verdict, as users see them.
fn errors(verdict: &Verdict) -> Vec<String> {
    verdict.errors().iter().map(ToString::to_string).collect()
}

#[test]
fn the_size_is_an_odd_number() {
    for size in [1, 3, 5] {
        assert!(violations(&fresh("a", size)).is_allowed(), "{size}");
    }
    for size in [2, 4] {
        let refusal = format!("spec.size: Invalid value: {size}: must be an odd number");
        assert_eq!(errors(&violations(&fresh("a", size))), [refusal]);
    }
}

#[test]
fn the_name_fits_into_a_label() {
    assert!(violations(&fresh(&"a".repeat(63), 3)).is_allowed());
    assert_eq!(
        errors(&violations(&fresh(&"a".repeat(64), 2))),
        [
            "spec.size: Invalid value: 2: must be an odd number",
            "metadata.name: Too long: may not be more than 63 bytes"
        ]
    );
}

#[tokio::test]
async fn a_change_is_judged_by_what_it_changes() {
    let request = Request::new(Operation::Update);
    let judge = async |old: &Memcached, new: &Memcached| {
        let verdict = MemcachedWebhook.validate_update(old, new, &request).await;
        verdict.is_allowed()
    };
    let old = fresh("a", 2);
    assert!(
        judge(&old, &memcached("a", 2)).await,
        "a finalizer does not change the size"
    );
    assert!(judge(&old, &fresh("a", 3)).await);
    assert!(!judge(&old, &fresh("a", 4)).await);
    assert!(judge(&memcached("a", 2), &going(memcached("a", 2))).await);
}

// ANCHOR: webhooks
/// The generated webhook configurations, with the webhooks of the operator behind them.
#[tokio::test(start_paused = true)]
async fn the_cluster_asks_the_webhooks() {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("config");
    let server = WebhookServer::builder()
        .defaulting(MemcachedWebhook)
        .validating(MemcachedWebhook);
    let cluster = Cluster::new()
        .definitions(config.join("crd"))
        .webhooks(
            config.join("webhook/manifests.yaml"),
            server.in_process().unwrap(),
        )
        .start();
    let memcacheds: Api<Memcached> = Api::default_namespaced(cluster.client());
    let create = async |name: &str, size: i32| {
        let spec = MemcachedSpec {
            size,
            container_port: None,
        };
        let memcached = Memcached::new(name, spec);
        memcacheds.create(&PostParams::default(), &memcached).await
    };

    let created = create("odd", 3).await.unwrap();
    assert_eq!(
        created.spec.container_port,
        Some(11211),
        "the defaulter was asked"
    );
    let refused = create("even", 2).await.unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("spec.size: Invalid value: 2: must be an odd number"),
        "{refused}"
    );
    assert!(cluster.get::<Memcached>("default", "even").is_none());
}
// ANCHOR_END: webhooks

/// The paths are in the markers, and the server derives them from the kind.
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
