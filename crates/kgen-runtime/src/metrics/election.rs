//! The metrics of leader election, with the names of client-go.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::Named;

/// The metrics of one election.
#[derive(Clone, Debug)]
pub(crate) struct ElectionMetrics {
    pub(crate) master_status: Gauge,
    pub(crate) slow_path: Counter,
}

/// The metrics of all elections, by the name of the lease.
pub(super) struct Families {
    master_status: Family<Named, Gauge>,
    slow_path: Family<Named, Counter>,
}

impl Families {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let families = Self {
            master_status: Family::default(),
            slow_path: Family::default(),
        };
        registry.register(
            "leader_election_master_status",
            "1 while this process leads, otherwise 0",
            families.master_status.clone(),
        );
        registry.register(
            "leader_election_slowpath",
            "Renewals of a held lease that had to read it first",
            families.slow_path.clone(),
        );
        families
    }

    pub(super) fn of(&self, name: &str) -> ElectionMetrics {
        let name = Named::new(name);
        ElectionMetrics {
            master_status: self.master_status.get_or_create_owned(&name),
            slow_path: self.slow_path.get_or_create_owned(&name),
        }
    }
}
