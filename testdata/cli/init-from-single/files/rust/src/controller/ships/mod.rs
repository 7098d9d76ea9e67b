//! The controllers of the kinds of `ships.example.org`.

pub mod admiralty;
pub mod ship_mate;
pub mod tug;
