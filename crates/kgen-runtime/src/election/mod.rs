//! Leader election: of several replicas only one works at a time. They agree through a Lease object.
//!
//! The leader renews the lease every 2 s. The others look every 2 to 4.4 s and take over when they have seen no change for as
//! long as the lease says, 15 s: by their own clocks, never by the times in the record, so clocks may disagree. At the end the
//! leader gives the lease back, so that the next one need not wait.
//!
//! The rules and numbers are those of client-go's `leaderelection`. In five points it is more careful:
//!
//! - The leader gives up 10 s after it *sent* its last successful renewal. In client-go it is 10 s after the next try began, which
//!   with unlucky settings is after the lease has expired.
//! - A leader that sees another one's name in the lease stops at once. In client-go it works on until the deadline.
//! - At the end the lease is released after the work has ended, not before: nobody else starts while it is still going on. If
//!   work does not end in time, the lease is left to expire.
//! - Renewing is a task of its own, so work that does not yield does not lose the lease.
//! - A try that hangs is given up after half of the deadline, 5 s, so that there is time for another one.
//!
//! No election of this kind is a lock: a leader whose process was stopped for a while believes in its lease for a moment
//! longer. Writes should rely on resource versions as well.
//!
//! The role needs `get`, `create` and `update` on `leases` of the API group `coordination.k8s.io`.

mod config;
mod elector;
mod lease;
mod status;

pub use self::config::{Builder, ElectionError};
pub use self::elector::{Elector, Outcome};
pub use self::status::Status;

/// A name that no other replica has: the host's, which for a pod is the pod's, and something random.
///
/// ```
/// let identity = kgen_runtime::election::unique_identity();
/// assert_ne!(identity, kgen_runtime::election::unique_identity());
/// ```
pub fn unique_identity() -> String {
    let host = std::env::var("HOSTNAME").ok().filter(|host| !host.is_empty());
    format!(
        "{}_{}",
        host.as_deref().unwrap_or("replica"),
        crate::random::uuid()
    )
}
