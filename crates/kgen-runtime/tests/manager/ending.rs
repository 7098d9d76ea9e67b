//! The end of a manager: which work is finished, how long it waits, and the release of the lease.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use kgen_runtime::manager::{Controller, Manager, ManagerError, Next, ObjectKey, Reconciler};
use kgen_runtime::shutdown::Shutdown;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::Instant;

use crate::scripted::lease::SharedLease;
use crate::support::{api, deployment, settle};
use crate::{DEPLOYMENTS, with_lease};

#[tokio::test(start_paused = true)]
async fn a_task_that_fails_ends_the_others_and_the_manager() {
    for panics in [false, true] {
        let (connection, _api) = api();
        let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
        let ended = Arc::new(Mutex::new(false));
        let told = Arc::clone(&ended);
        manager.add_task("patient", |ending| async move {
            ending.cancelled().await;
            *told.lock().unwrap() = true;
            Ok(())
        });
        manager.add_task("brief", |_| async { Ok(()) });
        manager.add_task("wrong", move |_| async move {
            assert!(!panics, "a mistake");
            Err("there is no way".into())
        });
        let error = manager.run(&Shutdown::default()).await.unwrap_err();
        let ManagerError::Task { name, source } = &error else {
            panic!("{error:?}");
        };
        let expected = if panics {
            "the task panicked"
        } else {
            "there is no way"
        };
        assert_eq!((name.as_str(), source.to_string().as_str()), ("wrong", expected));
        assert_eq!(
            error.to_string(),
            "wrong failed",
            "the cause is the source, said once"
        );
        assert!(*ended.lock().unwrap(), "the other task has ended in order");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_hangs_after_another_has_failed_is_aborted() {
    let (connection, _api) = api();
    let lease = SharedLease::default();
    let mut manager = Manager::builder("operator")
        .leader_election(true)
        .with_client(with_lease(&lease, connection.client()), "system");
    manager.add_task("stuck", |_| pending());
    let observed = lease.clone();
    manager.add_task("wrong", move |_| async move {
        assert!(observed.holder().is_some());
        Err("there is no way".into())
    });
    let started = Instant::now();
    let error = manager.run(&Shutdown::default()).await.unwrap_err();
    assert!(
        matches!(&error, ManagerError::Task { name, .. } if name == "wrong"),
        "{error:?}"
    );
    // The same as after a signal. The last events are not answered, and have two seconds more.
    assert_eq!(started.elapsed().as_secs(), 22);
    assert_eq!(
        lease.holder(),
        None,
        "the task is gone, so the lease was released"
    );
}

#[tokio::test(start_paused = true)]
async fn after_a_signal_tasks_have_the_grace_to_end() {
    for leader_election in [true, false] {
        let (connection, _api) = api();
        let lease = SharedLease::default();
        let mut manager = Manager::builder("operator")
            .leader_election(leader_election)
            .grace(Duration::from_secs(7))
            .with_client(with_lease(&lease, connection.client()), "system");
        manager.add_task("stuck", |_| pending());
        let shutdown = Shutdown::default();
        let signals = shutdown.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(5)).await;
            signals.signal();
        });
        let started = Instant::now();
        let error = manager.run(&shutdown).await.unwrap_err();
        assert!(matches!(error, ManagerError::TimedOut { .. }), "{error:?}");
        assert_eq!(error.to_string(), "tasks did not end within 7s");
        // The last events of the election are not answered, and have two seconds more.
        assert_eq!(started.elapsed().as_secs(), if leader_election { 14 } else { 12 });
        assert_eq!(lease.holder(), None);
    }
}

/// The clock is real, because the task blocks its thread. The test does not depend on its speed.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_lease_expires_if_a_task_cannot_be_aborted() {
    let (connection, _api) = api();
    let lease = SharedLease::default();
    let mut manager = Manager::builder("operator")
        .leader_election(true)
        .grace(Duration::from_millis(10))
        .with_client(with_lease(&lease, connection.client()), "system");
    let (release, released) = std::sync::mpsc::channel::<()>();
    let shutdown = Shutdown::default();
    let signals = shutdown.clone();
    manager.add_task("stuck", move |_| async move {
        signals.signal();
        // The sender is dropped at the end of the test.
        let _ = released.recv();
        Ok(())
    });
    let error = manager.run(&shutdown).await.unwrap_err();
    assert!(matches!(error, ManagerError::TimedOut { .. }), "{error:?}");
    assert!(lease.holder().is_some(), "the task may still be writing");
    drop(release);
}

/// Reports its start, and waits for a permit before it ends.
struct Gated {
    begun: mpsc::UnboundedSender<String>,
    gate: Arc<Semaphore>,
}

impl Reconciler for Gated {
    type Error = &'static str;

    async fn reconcile(&self, key: &ObjectKey) -> Result<Next, Self::Error> {
        self.begun.send(key.name.clone()).unwrap();
        self.gate.acquire().await.unwrap().forget();
        Ok(Next::AwaitChange)
    }
}

#[tokio::test(start_paused = true)]
async fn only_work_that_has_started_is_finished() {
    for drain in [false, true] {
        let (connection, mut api) = api();
        let mut manager = Manager::builder("tester").with_client(connection.client().clone(), "default");
        let (begun, mut names) = mpsc::unbounded_channel();
        let gate = Arc::new(Semaphore::new(0));
        let gated = Gated {
            begun,
            gate: Arc::clone(&gate),
        };
        let deployments = manager.informers().informer::<Deployment>();
        let controller = Controller::new(&manager, "deployments", gated)
            .watch(&deployments)
            .drain(drain);
        let queue = controller.queue().clone();
        manager.add(controller);
        let shutdown = Shutdown::default();
        let told = shutdown.clone();
        let running = tokio::spawn(async move { manager.run(&told).await });
        let there = [deployment("a", "1"), deployment("b", "1"), deployment("c", "1")];
        api.list(DEPLOYMENTS).await.items("2", &there);
        let watch = api.watch(DEPLOYMENTS).await.open();
        assert_eq!(names.recv().await.unwrap(), "a");
        watch.modified(&deployment("a", "3"));
        settle().await;
        assert_eq!(queue.len(), 2);
        shutdown.signal();
        settle().await;
        assert!(!running.is_finished(), "the first one has started");
        gate.add_permits(9);
        running.await.unwrap().unwrap();
        let mut others = Vec::new();
        while let Some(name) = names.recv().await {
            others.push(name);
        }
        // The one that has changed goes before those that existed at startup.
        let expected: &[&str] = if drain { &["a", "b", "c"] } else { &[] };
        assert_eq!(others, expected, "drain: {drain}");
    }
}
