//! Leader election: only one of several replicas is active at a time. They coordinate with a Lease object.
//!
//! The leader renews the lease every 2 s. The others read it every 2 to 4.4 s, and take over if it has not changed for the
//! lease duration, 15 s. They measure this with their own clocks and ignore the times in the lease, so the clocks of the
//! machines can differ. At the end, the leader releases the lease, so that the next one does not have to wait.
//!
//! The rules and the defaults are those of client-go's `leaderelection`, with five improvements:
//!
//! - The leader gives up 10 s after it *sent* its last successful renewal. In client-go, it is 10 s after the next attempt
//!   started, which can be after the lease has expired.
//! - A leader that sees another holder in the lease stops immediately. In client-go, it continues until the deadline.
//! - The lease is released after the work has ended, so that no other replica starts before. If the work does not end in
//!   time, the lease expires.
//! - A separate task renews the lease, so work that does not yield does not lose the lease.
//! - A request that hangs is canceled after half of the deadline, 5 s, so that there is time for another one.
//!
//! Leader election is not a lock: a leader whose process was paused can assume for a moment that it still has the lease.
//! Writes should also rely on resource versions.
//!
//! The role needs `get`, `create` and `update` on `leases` of the API group `coordination.k8s.io`.

mod config;
mod elector;
mod lease;
mod status;

pub use self::config::{Builder, ElectionError};
pub use self::elector::{Elector, Outcome};
pub use self::status::Status;

/// Returns a unique identity: the host name, which is the name of the pod, and a random suffix.
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
