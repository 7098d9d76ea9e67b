//! The components of a control plane, and the command line of each.
//!
//! Each component has one file, with a function from the layout of a control plane (ports, folder) to arguments. This
//! module does not start processes, and writes only the files of [`Layout::write_files`].

mod api_server;
mod controller_manager;
mod etcd;
mod kwok;
mod layout;
mod scheduler;

pub(crate) use kwok::node;
pub(crate) use layout::{ADMIN, ADMINS, AUDIT_LOG, Layout, Ports};

use std::fmt;

/// A program of the control plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Component {
    /// `etcd`, which stores the objects. Every control plane has it.
    Etcd,
    /// `kube-apiserver`, which serves the objects. Every control plane has it.
    ApiServer,
    /// `kube-controller-manager`: Deployments, ReplicaSets, garbage collection, namespaces, default service accounts.
    ControllerManager,
    /// `kube-scheduler`, which assigns pods to nodes.
    Scheduler,
    /// `kwok`, which simulates nodes, so that scheduled pods become Running.
    Kwok,
}

impl Component {
    /// All components in the order in which they are started. They are stopped in the reverse order: an API server
    /// whose etcd is gone hangs for a minute, with its port taken.
    pub const ALL: [Component; 5] = [
        Component::Etcd,
        Component::ApiServer,
        Component::ControllerManager,
        Component::Scheduler,
        Component::Kwok,
    ];

    /// Returns the name of the program.
    #[must_use]
    pub fn binary(self) -> &'static str {
        match self {
            Component::Etcd => "etcd",
            Component::ApiServer => "kube-apiserver",
            Component::ControllerManager => "kube-controller-manager",
            Component::Scheduler => "kube-scheduler",
            Component::Kwok => "kwok",
        }
    }

    /// Returns the path of the health check.
    pub(crate) fn health_path(self) -> &'static str {
        match self {
            Component::Etcd | Component::ApiServer => "/readyz",
            Component::ControllerManager | Component::Scheduler | Component::Kwok => "/healthz",
        }
    }

    /// Returns its command line, without the program.
    pub(crate) fn arguments(self, layout: &Layout, options: &Options) -> Vec<String> {
        match self {
            Component::Etcd => etcd::arguments(layout),
            Component::ApiServer => api_server::arguments(layout, options),
            Component::ControllerManager => controller_manager::arguments(layout, options),
            Component::Scheduler => scheduler::arguments(layout),
            Component::Kwok => kwok::arguments(layout),
        }
    }
}

impl fmt::Display for Component {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.binary())
    }
}

/// The input of the command lines besides the layout.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Whether a controller creates the default service accounts.
    pub(crate) service_accounts: bool,
    /// The only controllers that run; all if empty.
    pub(crate) controllers: Vec<String>,
    /// Whether the API server writes an audit log.
    pub(crate) audit: bool,
    /// Additional flags of the API server; they come last, so they take precedence.
    pub(crate) api_server_flags: Vec<String>,
}
