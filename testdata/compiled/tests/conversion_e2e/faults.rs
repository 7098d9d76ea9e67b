//! A webhook that does not answer, or not as it should.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::{StreamExt, TryStreamExt};
use kgen_testenv::ServingCertificates;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::cluster::{CRD, Cluster, Outcome, Server, VERSIONS, name, new_spec, old_spec};

pub async fn nothing_is_lost_while_the_webhook_is_down() -> Outcome {
    let (cluster, server) = Cluster::start(CRD.to_owned()).await?;
    cluster.create("v1", "a", old_spec()).await?;

    server.stop().await?;
    let refused = cluster.get("v1", "a").await.unwrap_err().to_string();
    assert!(refused.contains("conversion webhook"), "{refused}");
    assert_eq!(cluster.get("v2", "a").await?["spec"], new_spec());
    cluster.merge("v2", "a", json!({"spec": {"replicas": 4}})).await?;

    // A certificate of somebody else.
    let others = ServingCertificates::new(cluster.control_plane.folder().join("others"))?;
    let server = Server::start(cluster.webhooks.address(), others.folder(), &cluster.metrics).await?;
    let refused = cluster.get("v1", "a").await.unwrap_err().to_string();
    assert!(refused.contains("certificate"), "{refused}");
    assert_eq!(cluster.get("v2", "a").await?["spec"]["replicas"], 4);
    server.stop().await?;

    // Somebody who accepts connections and never answers: the API server gives up.
    let silent = TcpListener::bind(cluster.webhooks.address()).await?;
    let accepting = tokio::spawn(async move {
        let mut connections = Vec::new();
        while let Ok((connection, _)) = silent.accept().await {
            connections.push(connection);
        }
    });
    cluster.get("v1", "a").await.unwrap_err();
    assert_eq!(cluster.get("v2", "a").await?["spec"]["replicas"], 4);
    accepting.abort();
    assert!(accepting.await.unwrap_err().is_cancelled());

    let server = cluster.serve().await?;
    let mut expected = old_spec();
    expected["size"] = json!(4);
    assert_eq!(cluster.get("v1", "a").await?["spec"], expected);
    cluster.stop(server).await
}

pub async fn nothing_is_lost_if_the_webhook_restarts_between_writes() -> Outcome {
    const WRITES: usize = 1_000;
    let (cluster, mut server) = Cluster::start(CRD.to_owned()).await?;
    let (written, progress) = (AtomicUsize::new(0), Notify::new());
    let writes = futures::stream::iter(0..WRITES).map(|number| {
        let (cluster, written, progress) = (&cluster, &written, &progress);
        async move {
            let mut spec = old_spec();
            spec["size"] = json!(number);
            loop {
                match cluster.create("v1", &name(number), spec.clone()).await {
                    Ok(_) => break,
                    // The response was lost, not the object.
                    Err(kube::Error::Api(status)) if status.code == 409 => break,
                    Err(kube::Error::Api(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            written.fetch_add(1, Ordering::SeqCst);
            progress.notify_one();
            Ok(())
        }
    });
    let writes = writes.buffer_unordered(8).try_for_each(|()| async { Ok(()) });
    let restarts = async {
        for share in [WRITES / 4, WRITES / 2, WRITES * 3 / 4] {
            while written.load(Ordering::SeqCst) < share {
                progress.notified().await;
            }
            server.stop().await?;
            server = cluster.serve().await?;
        }
        Outcome::Ok(server)
    };
    let (written, restarted) = futures::future::join(writes, restarts).await;
    written?;
    let server = restarted?;
    let expected: Vec<i64> = (0..).take(WRITES).collect();
    for version in VERSIONS {
        assert_eq!(cluster.sizes(version).await?, expected, "{version}");
    }
    cluster.stop(server).await
}
