//! The markers, one file per family. A new marker is one entry in one of these files.

mod access;
mod bounds;
mod catalog;
mod client;
mod combinations;
mod conversion;
mod declarative;
mod documentation;
mod go_only;
mod kinds;
mod module;
mod not_expressible;
mod one_of;
mod presence;
mod structure;
mod topology;
mod validation;
mod webhook;

use crate::definition::Definition;

/// All families, in the order in which help and documentation show them.
pub(crate) const FAMILIES: &[&[Definition]] = &[
    module::DEFINITIONS,
    kinds::DEFINITIONS,
    validation::DEFINITIONS,
    one_of::DEFINITIONS,
    combinations::DEFINITIONS,
    structure::DEFINITIONS,
    presence::DEFINITIONS,
    documentation::DEFINITIONS,
    topology::DEFINITIONS,
    access::DEFINITIONS,
    webhook::DEFINITIONS,
    client::DEFINITIONS,
    conversion::DEFINITIONS,
    catalog::DEFINITIONS,
    declarative::DEFINITIONS,
    not_expressible::DEFINITIONS,
    go_only::DEFINITIONS,
];
