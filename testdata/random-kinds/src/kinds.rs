//! The crate of random kinds that a test wrote.
#![deny(warnings, missing_docs)]
#![allow(dead_code, private_interfaces)]

include!(concat!(env!("KGEN_RANDOM_CRATE"), "/lib.rs"));
