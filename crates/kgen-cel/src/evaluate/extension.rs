//! Values of Kubernetes' libraries.

use std::fmt::{self, Display};
use std::net::IpAddr;
use std::sync::Arc;

use crate::library::{Cidr, Format, Quantity, Url, Version};

use super::{Outcome, Value, no_such_overload};

/// A value of a library of Kubernetes: an address, a network, a quantity, a URL, a version or a format.
///
/// `Display` shows the kind of the value and its text.
#[derive(Clone, Debug)]
pub struct Extension(pub(super) Kind);

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Ip(IpAddr),
    Cidr(Cidr),
    Quantity {
        amount: Arc<Quantity>,
        /// Whether it is the result of a computation. `cel-go` cannot compare a quantity with such a one.
        is_computed: bool,
    },
    Url(Arc<Url>),
    Semver(Arc<Version>),
    Format(&'static Format),
}

impl From<Kind> for Value {
    fn from(kind: Kind) -> Self {
        Self::Extension(Extension(kind))
    }
}

impl Extension {
    /// Returns the name of the type in CEL.
    pub(super) fn type_name(&self) -> &'static str {
        match self.0 {
            Kind::Ip(_) => "net.IP",
            Kind::Cidr(_) => "net.CIDR",
            Kind::Quantity { .. } => "kubernetes.Quantity",
            Kind::Url(_) => "kubernetes.URL",
            Kind::Semver(_) => "kubernetes.Semver",
            Kind::Format(_) => "kubernetes.NamedFormat",
        }
    }

    /// Compares with another value. Fails for a value of another type.
    pub(super) fn equals(&self, other: &Value) -> Outcome<bool> {
        let Value::Extension(Self(other)) = other else {
            return no_such_overload();
        };
        Ok(match (&self.0, other) {
            (Kind::Ip(left), Kind::Ip(right)) => left == right,
            (Kind::Cidr(left), Kind::Cidr(right)) => left == right,
            (
                Kind::Quantity { amount, .. },
                Kind::Quantity {
                    amount: other,
                    is_computed: false,
                },
            ) => amount.compare(other).is_eq(),
            (Kind::Url(left), Kind::Url(right)) => left.text() == right.text(),
            (Kind::Semver(left), Kind::Semver(right)) => left.compare(right).is_eq(),
            (Kind::Format(left), Kind::Format(right)) => left.own_name == right.own_name,
            _ => return no_such_overload(),
        })
    }
}

impl PartialEq for Extension {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Display for Extension {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Ip(address) => write!(formatter, "ip {address}"),
            Kind::Cidr(network) => write!(formatter, "cidr {network}"),
            Kind::Quantity { amount, .. } => write!(formatter, "quantity {amount}"),
            Kind::Url(url) => write!(formatter, "url {}", url.text()),
            Kind::Semver(version) => write!(formatter, "semver {version}"),
            Kind::Format(format) => write!(formatter, "format {}", format.own_name),
        }
    }
}
