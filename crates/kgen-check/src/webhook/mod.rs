//! Admission webhooks: all `+kubebuilder:webhook` markers, as the configurations that an API server accepts.
//!
//! A marker becomes an entry (`entry`), its patch is merged into that (`patch`), and the result is checked as an API
//! server would check it (`check`). The finished entries are part of the result, so that they are built only once.

mod check;
mod configuration;
mod entry;
mod patch;
mod places;
mod selector;
#[cfg(test)]
mod tests;
mod url;
mod values;

pub use configuration::Configuration;
pub(crate) use configuration::configurations;
pub use entry::{SERVICE_NAME, SERVICE_NAMESPACE};
