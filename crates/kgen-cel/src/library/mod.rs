//! The values of the libraries that Kubernetes adds to CEL: addresses, networks, quantities, URLs, versions and formats.
//!
//! Each module mirrors one type of Go, with its rules and messages. The functions on the values are in `evaluate`.

mod address;
mod decimal;
mod format;
pub(crate) mod quantity;
mod semver;
mod url;
mod url_escape;

pub(crate) use address::{
    Cidr, is_global_unicast, is_link_local_multicast, is_link_local_unicast, parse_ip, width,
};
pub(crate) use format::Format;
pub(crate) use quantity::{Quantity, QuantityError};
pub(crate) use semver::Version;
pub(crate) use url::Url;
