//! One test on two clusters: the fake, and a real control plane.
//!
//! [`on_both!`](crate::on_both) defines both tests. [`AnyCluster`] is what they see: everything in it works on either
//! cluster. In front of a real server, the wire of the fake records requests and injects faults (`relay`).

mod any_cluster;
pub(crate) mod relay;
mod run;

pub use any_cluster::{AnyCluster, Object};
pub use run::{on_control_plane, on_fake};

/// Defines a test that runs on the fake and on a real control plane.
///
/// It takes the name of the test and an async function of an [`AnyCluster`](crate::both::AnyCluster). The tests are
/// `NAME::on_fake`, with paused time, and `NAME::on_control_plane`.
///
/// All tests of a program share one control plane (etcd and the API server, without controllers), each in a namespace of its
/// own. `KGEN_E2E` decides about it as in [`kgen_testenv::skip`]: with `off`, or if there are no binaries, only the fake is
/// asked. A skipped half is reported on stderr.
///
/// ```
/// # use k8s_openapi::api::core::v1::ConfigMap;
/// kgen_fake::on_both!(a_map_keeps_its_data, |cluster| async move {
///     let map = ConfigMap {
///         data: Some([("k".to_owned(), "v".to_owned())].into()),
///         ..ConfigMap::default()
///     };
///     cluster.create("settings", &map).await;
///     let found = cluster.get::<ConfigMap>("settings").await;
///     assert_eq!(found.unwrap().data, map.data);
/// });
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! on_both {
    ($(#[$attribute:meta])* $name:ident, $test:expr $(,)?) => {
        $(#[$attribute])*
        mod $name {
            #[allow(unused_imports, reason = "a test can do without the names around it")]
            use super::*;

            #[test]
            fn on_fake() {
                $crate::both::on_fake($test);
            }

            #[test]
            fn on_control_plane() {
                $crate::both::on_control_plane($test);
            }
        }
    };
}
